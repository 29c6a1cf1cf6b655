"""How the solver is limited and stopped while it runs: words that it shares with whoever started it."""

LIMIT, NODES, START, PLACE, CREW, SHARED = range(6)
"""The number of nodes at which to stop; nodes searched so far; where a thread's near table starts; its number in the
crew, and the crew's size; the ply from which on nothing is shared, 0 for a thread alone."""
CONTROL_WORDS = 6
