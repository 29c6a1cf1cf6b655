"""How a search is limited and stopped while it runs: three words that it shares with whoever started it."""

STOP, BUDGET, NODES = 0, 1, 2
"""Places in the control words: non-zero stops the search, the number of nodes it may visit, and those it visited."""
CONTROL_WORDS = 3
COUNTING_WORDS = 64
"""What comes behind them for the searches that count, see `agents.search.counting`: more than any board needs."""
OPTION_WORDS = 256
"""What comes behind these for the searches with options, see `agents.search.options`."""
UNLIMITED = 1 << 62
"""A budget that no search uses up."""
ABORTED = -1
"""The column that an interrupted search returns."""
