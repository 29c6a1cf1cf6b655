"""What goes wrong with a stranger, in the words that a game's record uses."""

from __future__ import annotations

import signal

TIME = "out of time"
MEMORY = "out of memory"
PROTOCOL = "protocol error"
ILLEGAL = "illegal move"
EXCEPTION = "exception"
CROWD = "too many processes"


class Failure(Exception):  # noqa: N818  it is not an error of ours
    """A stranger has failed, and loses the game that it is playing."""

    def __init__(self, kind: str, detail: str = "", *, traceback: str = "", output: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        """Why the game ended, such as `crashed (SIGSEGV)`."""
        self.detail = detail
        """One line, with file and line where they are known."""
        self.traceback = traceback
        self.output = output
        """The end of what it wrote to stdout and stderr."""


def ended(code: int) -> str:
    """Return the kind of failure that an exit code tells, which is negative for a signal."""
    if code >= 0:
        return f"left (exit code {code})"
    try:
        return f"crashed ({signal.Signals(-code).name})"
    except ValueError:
        return f"crashed (signal {-code})"


def quoted(line: str) -> str:
    """Return a line that broke a protocol, fit to be read in a table."""
    return repr(line if len(line) <= 80 else line[:77] + "…")
