"""Studies: experiments in one file."""

COMMANDS = (
    (
        "study",
        "command:command",
        "Play a tournament",
        "Declare, play, archive and verify an experiment in one file.",
        "docs/study.md",
    ),
)
FUNCTIONS = (
    "check",
    "new",
    "play",
    "verify",
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from arena.plugins.study.python import check as check
    from arena.plugins.study.python import new as new
    from arena.plugins.study.python import play as play
    from arena.plugins.study.python import verify as verify


def __getattr__(name: str) -> object:
    """Import a function for Python users when it is asked for."""
    from arena.plugins import function

    return function(__name__, name, FUNCTIONS)
