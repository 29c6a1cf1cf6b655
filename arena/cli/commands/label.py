"""`arena label`: random positions with their exact scores."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from arena.cli.options import (
    INTERRUPTED,
    THREADS,
    Command,
    board_option,
    json_option,
    plies_option,
    say,
    seed_option,
    table_size_option,
    with_options,
    workers_option,
)
from arena.cli.output import print_json, progress, quiet_option
from arena.cli.types import PATH, Whole


@click.command("label", cls=Command)
@with_options(
    click.option("--count", type=Whole(1, 100_000_000), default=1000, show_default=True, help="Number of positions."),
    plies_option,
    click.option("--moves", "columns", is_flag=True, help="Also write the score of each column's move."),
    seed_option("Draws the positions."),
    click.option(
        "--out", type=PATH, metavar="FILE",
        help="FILE.jsonl, .csv, .parquet, .txt (Pons' format) or .json (ARENA course).  [default: lines on stdout]",
    ),
    click.option("--resume", is_flag=True, help="Keep the labels in FILE and add the missing ones."),
    workers_option(THREADS),
    table_size_option(256),
    board_option,
    quiet_option,
    json_option,
)  # fmt: skip
def command(count: int, out: Path | None, as_json: bool, **settings: Any) -> int:
    """Draw random positions, solve them, and write each with its exact score.

    Positions come from games that greedy plays against itself; a position and its mirror image count once. The seed
    fixes their order, so a larger --count extends a smaller one. Scores are those of arena solve. arena grade
    --positions FILE reads the file.

    \b
    arena label --count 10000 --plies 12..30 --moves --out labels.jsonl
    arena label --count 500 --plies 8..12 --out set.txt
    arena label --count 20000 --moves --out labels.jsonl --resume
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import truth

    found = truth.label(count, out=out, progress=progress, **settings)
    rows = found.rows
    if as_json:
        print_json([asdict(row) for row in rows])
    elif out is None:
        for row in rows:
            worth = " ".join("-" if score is None else str(score) for score in row.columns or ())
            click.echo(f"{row.position} {row.score} {worth}".rstrip())
    if found.interrupted:
        again = "; --resume adds the rest" if out is not None and rows else ""
        click.echo(f"interrupted after {len(rows):,} of {count:,} positions{again}", err=True)
        return INTERRUPTED
    if out is not None:
        say(f"{len(rows):,} positions written to {out}\nnext: arena grade alphabeta --positions {out}")
    return 0
