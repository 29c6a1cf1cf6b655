"""`arena list`: the stored runs of a folder."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.options import Command, output_options
from arena.cli.output import Output
from arena.cli.types import PATH


@click.command("list", cls=Command)
@click.argument("folder", type=PATH, required=False)
@output_options
def command(folder: Path | None, output: Output) -> None:
    """List the stored runs of FOLDER, newest first; by default those of the current folder and of results.

    Where a command takes FILE, the word latest names the newest of these runs.

    \b
    arena list
    arena show latest
    """  # noqa: D301  click's \b keeps the lines
    from arena.tournament import game_tables as report
    from arena.tournament import runs

    stored, errors = runs.runs(folder)
    if output.as_json:
        names = ("file", "created", "agents", "played", "planned", "complete")
        output.json([{name: asdict(run)[name] for name in names} for run in stored])
    elif stored:
        output.tables(report.runs(stored))
    for line in errors:
        output.say(f"left out: {line}")
    if not stored:
        click.echo(f"no run is stored in {folder or 'results or the current folder'}", err=True)
