"""`arena label`: positions with their exact scores."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from agents.board import Rules
from agents.errors import InputError
from arena.cli.options import (
    INTERRUPTED,
    RangeType,
    Whole,
    board_option,
    cluster_option,
    json_option,
    say,
    seed_option,
    threads_option,
    with_options,
    workers_of,
)
from arena.cli.output import print_json, progress, quiet_option


@click.command("label")
@with_options(
    click.option("--count", type=Whole(1, 100_000_000), default=1000, show_default=True, help="How many."),
    click.option(
        "--plies", type=RangeType(), metavar="RANGE", help="How far into the game they are.  [default: 12..30 on 7x6]"
    ),
    click.option("--moves", "columns", is_flag=True, help="Also what a move in each column is worth."),
    seed_option("Draws the positions."),
    click.option(
        "--out", type=click.Path(path_type=Path), metavar="FILE",
        help="FILE.jsonl, .csv, .parquet, .txt (Pons' lines) or .json (ARENA course).  [default: lines on stdout]",
    ),
    click.option("--resume", is_flag=True, help="Keep the labels that FILE has, and add those that are missing."),
    threads_option,
    click.option(
        "--table-size", "table", type=Whole(1, 65_536), default=256, show_default=True,
        help="The threads' transposition table in MiB.",
    ),
    board_option,
    cluster_option,
    quiet_option,
    json_option,
)  # fmt: skip
def command(
    count: int,
    plies: list[int] | None,
    columns: bool,
    seed: int,
    out: Path | None,
    resume: bool,
    concurrency: int | None,
    table: int,
    rules: Rules,
    cluster: str | None,
    as_json: bool,
) -> int:
    """Draw positions, each once up to mirror image, solve them, and write each with its exact score.

    They come from games that greedy plays against itself. The seed decides them, so that more of them begin with the
    same ones. A score is that of arena solve. arena grade --positions FILE reads what is written here.

    \b
    arena label --count 10000 --plies 12..30 --moves --out labels.jsonl
    arena label --count 500 --plies 8..12 --out set.txt
    arena label --count 20000 --moves --out labels.jsonl --resume
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import jobs

    if out is not None and out.exists() and not resume:
        jobs.refuse_labels(out, rules, columns=columns)
        raise InputError(f"{out} exists; --resume keeps its labels, --out names another")
    if out is None and resume:
        raise InputError("--resume goes with --out: which file's labels are to be kept?")
    found = jobs.label(
        count, plies, seed, rules, columns=columns, out=out, resume=resume,
        workers=workers_of(concurrency, cluster), mebibytes=table, progress=progress,
    )  # fmt: skip
    rows = found.rows
    if as_json:
        print_json([asdict(row) for row in rows])
    elif out is None:
        for row in rows:
            worth = " ".join("-" if score is None else str(score) for score in row.columns or ())
            click.echo(f"{row.position} {row.score} {worth}".rstrip())
    if found.interrupted:
        again = "; --resume adds the others" if out is not None and rows else ""
        click.echo(f"interrupted after {len(rows):,} of {count:,} positions{again}", err=True)
        return INTERRUPTED
    if out is not None:
        say(f"{len(rows):,} positions written to {out}\nnext: arena grade alphabeta --positions {out}")
    return 0
