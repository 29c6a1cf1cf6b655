"""Counts: Elo, ratings and a sequential test of results."""

COMMANDS = (
    (
        "rate",
        "command_rate:command",
        "Statistics",
        "Rate a pool of agents, from a run or a CSV of counts.",
        "docs/statistics.md",
    ),
    (
        "elo",
        "command_elo:command",
        "Statistics",
        "Compute Elo, nElo and LOS of counts, or of a run's pairings.",
        "docs/statistics.md",
    ),
    (
        "sprt",
        "command_sprt:command",
        "Statistics",
        "Run a sequential test on a pairing's counts.",
        "docs/statistics.md",
    ),
)
FRAMES = (("agent elo low high", "figures:of_frame"),)
WORDS = (("ratings rating", "rate"),)
HINTS = (
    ("rate", "--nash", "arena show FILE --wide has ratings, arena show FILE --table pairings every pairing"),
    ("rate", "--los", "arena show FILE --wide has ratings and sure %, arena show FILE --table pairings every pairing"),
    ("elo", "-N", "counts cannot be negative"),
    ("sprt", "-N", "counts cannot be negative"),
)
FUNCTIONS = (
    "elo",
    "rate",
    "sprt",
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arena.plugins.counts.python import elo as elo
    from arena.plugins.counts.python import rate as rate
    from arena.plugins.counts.python import sprt as sprt


def __getattr__(name: str) -> object:
    """Import a function for Python users when it is asked for."""
    from arena.plugins import function

    return function(__name__, name, FUNCTIONS)
