"""`arena export`: a run's tables as files for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import file_argument, say
from arena.cli.types import PATH


@click.command("export")
@file_argument
@click.argument("folder", type=PATH)
@click.option(
    "--format", "form", default="csv", show_default=True, metavar="csv|parquet",
    help="The format of the files; parquet needs pyarrow.",
)  # fmt: skip
def command(file: Path, folder: Path, form: str) -> None:
    """Write each table of a stored run as a file in FOLDER, with columns.md and run.json.

    columns.md says what the columns mean, run.json how the run was made: plan, seed, versions, machine, command, and
    the agents with the digests of their files.

    FOLDER is made; one that holds anything is refused. Tables are standings, crosstable, effort, phases, sweep,
    pairings, of an audited run audit and ranges, and of what is stored agents, openings, games, moves and searches;
    those that have no rows are left out.

    \b
    arena export latest tables
    arena export results/run-20260102-030405.sqlite tables --format parquet
    """  # noqa: D301  click's \b keeps the lines
    from arena.report.export import export

    names = ", ".join(path.name for path in export(file, folder, form))
    say(f"written to {folder}: {names}")
