"""Two stored runs compared, game by game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.games.settings import listed
from arena.table.measured import Measured

if TYPE_CHECKING:
    from arena.plugins.diff.difference import Change
    from arena.store.machine import Load
    from arena.tournament.result import Result


@dataclass(frozen=True, slots=True)
class RunChanges(Measured["Change"]):
    """The changes between two stored runs."""

    loads: tuple[Load | None, Load | None] = (None, None)
    """The load of the machine during the games of each run."""


def diff(old: Result | str | Path, new: Result | str | Path, agents: Sequence[str] = ()) -> RunChanges:
    """Return the changes between two stored runs, a row for each agent in both; `arena diff` from Python.

    agents: only these. The columns of the table are the fields of `arena.plugins.diff.difference.Change`. Raises
    InputError.
    """
    from arena.plugins.diff.difference import Change, changes
    from arena.tournament.frames import Frames
    from arena.tournament.result import run_path

    one, other = (Frames.read(run_path(run), most=0) for run in (old, new))
    rows = changes(one, other, listed("agents", agents))
    return RunChanges(rows, Change, loads=(one.load(), other.load()))


def failed_conditions(rows: Sequence[Change], conditions: Iterable[str]) -> list[str]:
    """Return a line for each agent and condition that is true of it. Raises InputError for an invalid condition.

    A gain counts only if all of its 95 % interval is beyond the limit.
    """
    from arena.plugins.diff.difference import fails

    return [line for condition in conditions for line in fails(rows, condition)]
