"""A run as a folder of CSV files for other programs, with a description of their columns."""

from __future__ import annotations

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agents.errors import InputError, unknown
from arena.analysis.frames import Frames
from arena.analysis.pairings import duels
from arena.analysis.stored import STORED
from arena.report import column_docs
from arena.report.column import Part, Table, named_tables, render
from arena.report.labels import Labels
from arena.report.tables import effort, quality, run, strength
from arena.rows import Column, columns, frame, from_frame, names
from arena.store.run_file import Store, refuse_impossible


def stored(frames: Frames, name: str) -> Table:
    """Return the run's agents, openings, games, moves or searches."""
    row = STORED[name]
    shown = columns(row) or [Column(field, field) for field in names(row)]
    return Table(name, "", row, from_frame(row, getattr(frames, name)), shown, Labels.among(frames.agents["name"]))


FORMATS = ("csv", "parquet")
COLUMNS, RUN = "columns.md", "run.json"
"""The file that describes the others, and the file that says how the run was made."""


def export(file: Path, folder: Path, form: str = "csv") -> list[Path]:
    """Write the tables of a stored run that have rows, their columns and the origin of the run; return the files.

    The folder must be new or empty; it gets all files or none. Raises InputError, also for a run with an impossible
    game.
    """
    if form not in FORMATS:
        raise unknown("format", form, FORMATS)
    if form == "parquet" and find_spec("pyarrow") is None:
        raise InputError("parquet needs pyarrow, which is not installed: pip install pyarrow")
    with Store.read(file) as store:
        refuse_impossible(store)
    try:
        if folder.exists() and any(folder.iterdir()):
            raise InputError(f"{folder} is not empty; an export needs a new or empty folder")
        return _moved(Frames.read(file, whole=True), folder, form)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror or error}") from None


def tables(frames: Frames) -> list[Table]:
    """Return the tables of a run that have rows, one for each name."""
    parts: list[Part] = [
        *run.parts(frames), effort.by_phase(frames), *strength.pairings_parts(duels(frames)),
        *quality.audit_parts(frames),
        *(stored(frames, name) for name in STORED),
    ]  # fmt: skip
    found = []
    for name in column_docs.RUN:
        if any(isinstance(part, Table) and part.name == name for part in parts):
            [first, *_], rows = named_tables(parts, name)
            found.append(Table(name, "", first.row, rows, ()))
    return [table for table in found if table.rows]


def made(frames: Frames) -> dict[str, Any]:
    """Return the origin of a run, for `run.json`: its plan, seed, versions, machine, command, agents and digests."""
    agents = frames.agents.astype(object)
    return {"plan": frames.plan, **frames.made, "agents": agents.where(agents.notna(), None).to_dict("records")}


def _moved(frames: Frames, folder: Path, form: str) -> list[Path]:
    """Write the files beside the folder, and move them into it when all are complete."""
    found = tables(frames)
    folder.parent.mkdir(parents=True, exist_ok=True)
    place = Path(os.path.realpath(folder))  # realpath accepts a loop of links
    beside = place.with_name(f".{place.name}-{os.getpid()}")
    beside.mkdir()
    try:
        for table in found:
            path = beside / f"{table.name}.{form}"
            if form == "csv":
                path.write_text(f"{render(table.rows, (), 'csv', row=table.row)}\n", encoding="utf-8")
            else:
                frame(table.rows, table.row).to_parquet(path, engine="pyarrow", index=False)
        (beside / COLUMNS).write_text(
            column_docs.columns_page({each.name: each.row for each in found}), encoding="utf-8"
        )
        document = json.dumps(made(frames), indent=2, ensure_ascii=False, allow_nan=False)
        (beside / RUN).write_text(f"{document}\n", encoding="utf-8")
        folder.mkdir(exist_ok=True)
        return [path.rename(folder / path.name) for path in sorted(beside.iterdir())]
    finally:
        shutil.rmtree(beside, ignore_errors=True)
