"""`arena report`: a run as one page."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import Command, file_argument, with_options
from arena.cli.types import PATH


@click.command("report", cls=Command)
@file_argument
@with_options(
    click.option("--out", type=PATH, default="report.html", show_default=True, help="The page to write."),
    click.option("--title", metavar="T", help="The heading of the page."),
)  # fmt: skip
def command(file: Path, out: Path, title: str | None) -> None:
    """Write a stored run as one HTML page that needs no other file: tables, figures, and its games to replay.

    \b
    arena report latest
    arena report results/run-20260102-030405.sqlite --out field.html --title "The field"
    """  # noqa: D301  click's \b keeps the lines
    from arena.page.page import write

    replaced = ", which replaces the old page" if out.exists() else ""
    click.echo(f"written to {write(file, out, title)}{replaced}", err=True)
