"""`arena report`: a run, or several, as one page."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import with_options
from arena.cli.types import PATH, RUN_FILE


@click.command("report")
@click.argument("files", nargs=-1, required=True, type=RUN_FILE, metavar="FILE...")
@with_options(
    click.option("--out", type=PATH, default="report.html", show_default=True, help="The page to write."),
    click.option("--title", metavar="T", help="The page's heading."),
)
def command(files: tuple[Path, ...], out: Path, title: str | None) -> None:
    """Write a stored run as one page that needs nothing else: tables, figures, and its games to replay.

    Of several files the page compares the first with each of the others, as arena diff does.

    \b
    arena report latest
    arena report before.sqlite after.sqlite --out change.html --title Faster
    """  # noqa: D301  click's \b keeps the lines
    from arena.report.page import write

    replaced = ", in place of the page that was there" if out.exists() else ""
    click.echo(f"written to {write(files, out, title)}{replaced}", err=True)
