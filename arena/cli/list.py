"""`arena list`: the stored runs of a folder."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from agents.errors import InputError
from arena.cli.options import json_option, print_json, print_tables, style_option, with_options
from arena.cli.width import say


@click.command("list", short_help="List stored runs, newest first.")
@click.argument("folder", type=click.Path(path_type=Path), default="results")
@with_options(style_option, json_option)
def command(folder: Path, style: str, as_json: bool) -> None:
    """List the stored runs of FOLDER, by default results, newest first.

    Where a command takes FILE, the word latest stands for the newest run in results.

    \b
    arena list
    arena show latest
    """  # noqa: D301  click's \b keeps the lines
    from arena.report import games as report
    from arena.store.folder import stored
    from arena.store.sqlite import FOLDER

    if folder == FOLDER and not folder.is_dir():
        raise InputError(f"nothing is stored yet: arena run makes the folder {folder}")
    found, errors = stored(folder)
    if as_json:
        names = ("file", "created", "agents", "played", "planned", "complete")
        print_json([{name: asdict(run)[name] for name in names} for run in found])
    elif found:
        print_tables(report.runs(found), style)
    for line in errors:
        say(f"left out: {line}")
    if not found:
        click.echo(f"no run is stored in {folder}", err=True)
