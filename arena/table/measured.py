"""Rows with the metadata of their measurement, and the types of what reports on it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from agents.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Row = TypeVar("Row")
Progress = bool | Callable[..., Any]
Warn = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Measured(Generic[Row]):
    """Rows, and the metadata of their measurement."""

    rows: Sequence[Row]
    kind: type[Row]
    """The dataclass of the rows, needed for tables without rows."""
    meta: dict[str, Any] | None = None
    """The data needed to repeat the measurement, see `arena.store.machine.meta`; None if nothing was measured."""
    busy: str = ""
    """A note if the load of other programs makes times too long, or empty."""
    interrupted: bool = False
    """Whether Ctrl-C ended the job; the rows are those found before."""
    hidden: tuple[str, ...] = ()
    """Fields to leave out of tables."""
    faults: tuple[InputError, ...] = ()
    """The errors of remote agents that failed; the rows are those of the other agents."""

    def frame(self) -> pd.DataFrame:
        """Return the rows as a table with the fields of `kind` as columns. Raises KeyboardInterrupt if interrupted."""
        from arena.table.rows import frame

        if self.interrupted:
            raise KeyboardInterrupt
        for error in self.faults:
            warn_caller(f"left out: {error}")
        return frame(self.rows, self.kind, self.meta).drop(columns=list(self.hidden))


def remaining(faults: Sequence[InputError], rows: Sequence[object]) -> tuple[InputError, ...]:
    """Return the faults of agents that were left out. Raises the first fault if there are no rows of other agents."""
    if faults and not rows:
        raise faults[0]
    return tuple(faults)


def warn_caller(line: str) -> None:
    """Issue a warning for the line of the caller's program that started the job."""
    level, frame = 1, sys._getframe()  # noqa: SLF001  the only way to it
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("arena."):
        level, frame = level + 1, frame.f_back
    warnings.warn(line.replace("--", ""), stacklevel=level)
