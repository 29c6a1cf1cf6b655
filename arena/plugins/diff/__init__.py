"""Differences: two stored runs, game by game."""

COMMANDS = (("diff", "command:command", "Statistics", "Compare two stored runs, game by game.", "docs/ci.md"),)
HINTS = (
    ("diff", "--fail-if-estimate", "--fail-if 'score<-0.1' tests a gain by its interval, other numbers as they are"),
)
FUNCTIONS = ("diff",)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arena.plugins.diff.python import diff as diff


def __getattr__(name: str) -> object:
    """Import a function for Python users when it is asked for."""
    from arena.plugins import function

    return function(__name__, name, FUNCTIONS)
