"""Lists the stored runs of a folder; the name `latest` stands for the newest one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agents.errors import InputError
from arena.store.connection import FOLDER, LATEST


@dataclass(frozen=True, slots=True)
class StoredRun:
    """The summary of a run's file."""

    file: str
    created: str
    """The time in UTC, in ISO 8601."""
    agents: list[str]
    played: int
    """Stored games."""
    planned: int
    """Games of the plan; a sequential test may need fewer."""
    complete: bool
    """Whether no games are left to play."""
    command: str | None
    """The command that made the run, if it is known."""


def stored(folder: Path | None = None) -> tuple[list[StoredRun], list[str]]:
    """Return the runs in a folder and its subfolders, newest first, and an error for each file that was skipped.

    folder: by default `results`, and the current folder without subfolders. Raises InputError if it does not exist.
    """
    if folder is not None and not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    paths = [*Path().glob("*.sqlite"), *FOLDER.rglob("*.sqlite")] if folder is None else folder.rglob("*.sqlite")
    runs: list[StoredRun] = []
    errors: list[str] = []
    for path in sorted(paths):
        try:
            runs.append(_described(path))
        except InputError as error:
            errors.append(str(error))
    return sorted(runs, key=lambda run: (run.created, run.file), reverse=True), errors


def run_file(named: str | Path) -> Path:
    """Return the path of a run, given a path or the word `latest`. Raises InputError if no run is stored."""
    return latest() if str(named) == LATEST and not Path(named).exists() else Path(named)


def latest() -> Path:
    """Return the file of the newest run. Raises InputError if there is none."""
    runs = stored()[0]
    if not runs:
        raise InputError(f"there is no latest run: nothing is stored in {FOLDER} or the current folder")
    return Path(runs[0].file)


def _described(path: Path) -> StoredRun:
    from arena.store.run_file import Store

    with Store.read(path) as store, store.snapshot():
        columns, rows = store.select("SELECT * FROM run")
        run = dict(zip(columns, rows[0], strict=True)) if rows else {}
        if not isinstance(run.get("created"), str):  # the sort key of runs
            raise InputError(f"{path} is damaged: it does not say what was planned, and when")
        played, agents = store.count_games(), store.names()
        decisions = store.rows("SELECT decision FROM sprt ORDER BY pairs DESC LIMIT 1")
    decided = any(decision != "continue" for (decision,) in decisions)
    planned = run["planned"]
    return StoredRun(
        str(path), run["created"], agents, played, planned, played >= planned or decided, run.get("command") or None
    )
