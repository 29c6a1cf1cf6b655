"""`arena report`: a run, or a comparison of several, as one page."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import Command, with_options
from arena.cli.types import PATH, RUN_FILE


@click.command("report", cls=Command)
@click.argument("files", nargs=-1, required=True, type=RUN_FILE, metavar="FILE...")
@with_options(
    click.option("--out", type=PATH, default="report.html", show_default=True, help="The page to write."),
    click.option("--title", metavar="T", help="The heading of the page."),
)  # fmt: skip
def command(files: tuple[Path, ...], out: Path, title: str | None) -> None:
    """Write a stored run as one HTML page that needs no other file: tables, figures, and its games to replay.

    With several files the page compares the first with each of the others, as arena diff does.

    \b
    arena report latest
    arena report before.sqlite after.sqlite --out change.html --title Faster
    """  # noqa: D301  click's \b keeps the lines
    from arena.report.page import write

    replaced = ", which replaces the old page" if out.exists() else ""
    click.echo(f"written to {write(files, out, title)}{replaced}", err=True)
