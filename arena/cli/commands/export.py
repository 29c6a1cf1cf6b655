"""`arena export`: the tables of a run as files for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import Command, file_argument, say
from arena.cli.types import PATH


@click.command("export", cls=Command)
@file_argument
@click.argument("folder", type=PATH)
@click.option(
    "--format", "form", default="csv", show_default=True, metavar="csv|parquet",
    help="The format of the files; parquet needs pyarrow.",
)  # fmt: skip
def command(file: Path, folder: Path, form: str) -> None:
    """Write each table of a stored run as a file in FOLDER, with columns.md and run.json.

    columns.md explains the columns. run.json records how the run was made: its plan, seed, versions, machine and
    command, and the agents with the digests of their files.

    FOLDER must be new or empty. The tables are standings, crosstable, rounds, order, effort, phases, sweep and
    pairings; for an audited run also audit and ranges; and the stored agents, openings, games, moves, searches and
    replies. Tables without rows are left out.

    \b
    arena export latest tables
    arena export results/run-20260102-030405.sqlite tables --format parquet
    """  # noqa: D301  click's \b keeps the lines
    from arena.report.export import export

    names = ", ".join(path.name for path in export(file, folder, form))
    say(f"written to {folder}: {names}")
