"""Tuning: better weights for a heuristic."""

COMMANDS = (("tune", "command:command", "Measure", "Find better weights for a heuristic.", "docs/heuristics.md"),)
WORDS = (("optimise optimize fit train", "tune"),)
HINTS = (("tune", "--start", "weights stand in parentheses: arena tune 'windows(1,10,100,1000)'"),)
FUNCTIONS = ("tune",)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arena.plugins.tune.python import tune as tune


def __getattr__(name: str) -> object:
    """Import a function for Python users when it is asked for."""
    from arena.plugins import function

    return function(__name__, name, FUNCTIONS)
