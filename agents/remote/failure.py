"""What goes wrong with a stranger, in the words that a game's record uses."""

from __future__ import annotations

import signal
import traceback
from pathlib import Path

from agents.errors import InputError, PlainError
from agents.specs.plugins import one_line

TIME = "out of time"
MEMORY = "out of memory"
PROTOCOL = "protocol error"
ILLEGAL = "illegal move"
EXCEPTION = "exception"
CROWD = "too many processes"
KEPT_TRACEBACK = 8000
"""Characters, the last ones."""
KEPT_DETAIL = 500
_OURS = str(Path(__file__).parents[1])


class Failure(PlainError):  # noqa: N818  the record calls it a failure
    """A stranger has failed, and loses the game that it is playing."""

    def __init__(self, kind: str, detail: str = "", *, traceback: str = "", output: str = "") -> None:
        self.kind = kind
        """Why the game ended, such as `crashed (SIGSEGV)`."""
        self.detail = " ".join(legible(detail).split())[:KEPT_DETAIL]
        """One line, with file and line where they are known."""
        self.traceback = legible(traceback)[-KEPT_TRACEBACK:]
        self.output = legible(output)
        """The end of what it wrote to stdout and stderr."""
        said = self.detail if kind == EXCEPTION else ": ".join(filter(None, (kind, self.detail)))
        super().__init__(said or kind)


def legible(text: str) -> str:
    """Return a stranger's text without what a terminal would obey and what UTF-8 does not have."""
    return "".join(each if each.isprintable() or each in "\n\t" else repr(each)[1:-1] for each in text)


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


def described(error: BaseException) -> tuple[str, str]:
    """Return an agent's error as one line, with the agent's own file and line, and as the text that Python prints."""
    cause = error.__cause__ if isinstance(error, InputError) and error.__cause__ else error
    frames = [frame for frame in traceback.extract_tb(cause.__traceback__) if not frame.filename.startswith(_OURS)]
    text = one_line(cause)
    if frames and not isinstance(cause, SyntaxError):  # which says it itself
        text += f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
    trace = cause.__traceback__
    while trace is not None and trace.tb_next is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    return text, "".join(traceback.format_exception(type(cause), cause, trace, limit=-20))[-KEPT_TRACEBACK:]
