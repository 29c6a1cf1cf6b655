"""Explanations: why moves of a game lost."""

COMMANDS = (("explain", "command:command", "Perfect play", "Explain why moves of a game lost.", "docs/solver.md"),)
REASONS = (("job:of_game", "job:of_last", "blunders:table"),)
HINTS = (
    ("explain", "--lines", "an explanation has a few lines, and its search has a bound"),
    ("explain", "--seconds", "an explanation has a few lines, and its search has a bound"),
)
