"""The failures of process agents, in the words of a game's record."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Mapping
from pathlib import Path

from agents.errors import InputError, PlainError
from agents.specs.plugins import format_error

TIME = "out of time"
MEMORY = "out of memory"
PROTOCOL = "protocol error"
ILLEGAL = "illegal move"
EXCEPTION = "exception"
CROWD = "too many processes"
KEPT_TRACEBACK = 8000
"""The last characters of a traceback that are kept."""
KEPT_DETAIL = 500
_OURS = str(Path(__file__).parent)


class Failure(PlainError):  # noqa: N818  the record calls it a failure
    """Raised when a process agent fails; the agent loses its game."""

    def __init__(
        self, kind: str, detail: str = "", *, traceback: str = "", output: str = "",
        extra: Mapping[str, object] | None = None,
    ) -> None:  # fmt: skip
        self.kind = kind
        """Why the game ended, such as `crashed (SIGSEGV)`."""
        self.detail = " ".join(escaped(detail).split())[:KEPT_DETAIL]
        """One line, with file and line where they are known."""
        self.traceback = escaped(traceback)[-KEPT_TRACEBACK:]
        self.output = escaped(output)
        """The end of what it wrote to stdout and stderr."""
        self.extra = extra
        """Data to store with the missing move, as in an Analysis."""
        message = self.detail if kind == EXCEPTION else ": ".join(filter(None, (kind, self.detail)))
        super().__init__(message or kind)


def escaped(text: str) -> str:
    """Return foreign text with control characters and lone surrogates escaped."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else repr(letter)[1:-1] for letter in text)


def ended(code: int) -> str:
    """Return the kind of failure for an exit code; a negative code is a signal."""
    if code >= 0:
        return f"left (exit code {code})"
    try:
        return f"crashed ({signal.Signals(-code).name})"
    except ValueError:
        return f"crashed (signal {-code})"


def quoted(line: str) -> str:
    """Return a line in quotes, shortened to 80 characters."""
    return repr(line if len(line) <= 80 else line[:77] + "…")


def misread(line: str, expected: str = "") -> Failure:
    """Return the failure for an answer that does not have the `expected` form."""
    return Failure(PROTOCOL, f"answered {quoted(line)}" + (f", which is not {expected}" if expected else ""))


def safe_repr(value: object) -> str:
    """Return the repr of a foreign object, 200 characters at most, or its type if the repr raises."""
    try:
        text = repr(value)
        return text if len(text) <= 200 else f"{text[:199]}…"
    except Exception:  # noqa: BLE001  a repr that raises
        return f"an object of type {type(value).__name__}"


def described(error: BaseException) -> tuple[str, str]:
    """Return an agent's error as one line with the file and line in the agent's code, and as Python's traceback."""
    cause = error.__cause__ if isinstance(error, InputError) and error.__cause__ else error
    frames = [frame for frame in traceback.extract_tb(cause.__traceback__) if not frame.filename.startswith(_OURS)]
    text = str(cause) if type(cause) is InputError else format_error(cause)
    if frames and not isinstance(cause, SyntaxError):  # a SyntaxError names file and line in its message
        text += f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
    trace = cause.__traceback__
    while trace is not None and trace.tb_next is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    return text, "".join(traceback.format_exception(type(cause), cause, trace, limit=-20))[-KEPT_TRACEBACK:]
