"""`arena book`: computes an opening book."""

from __future__ import annotations

import os
from pathlib import Path

import click

from agents.board import Rules
from agents.errors import InputError
from arena.cli.options import INTERRUPTED, Whole, board_option, say, threads_option, with_options
from arena.cli.output import progress, quiet_option


@click.command("book")
@with_options(
    click.option("--plies", type=Whole(1), default=8, show_default=True, help="The book's last ply."),
    click.option("--scores", is_flag=True, help="Exact scores, not only win, draw or loss: far slower."),
    click.option(
        "--values",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="With --scores: a finished book without, which spares a part of the search.",
    ),
    click.option("--out", type=click.Path(path_type=Path), help="The book to write.  [default: BOARD.book]"),
    click.option("--state", type=click.Path(path_type=Path), help="What is solved so far.  [default: OUT.state]"),
    threads_option,
    click.option(
        "--table-size",
        "--table",
        "table",
        type=Whole(1, 65_536),
        default=1024,
        show_default=True,
        help="The threads' transposition table in MiB.",
    ),
    quiet_option,
    board_option,
)
def command(
    plies: int,
    scores: bool,
    values: Path | None,
    out: Path | None,
    state: Path | None,
    concurrency: int | None,
    table: int,
    rules: Rules,
) -> int:
    """Solve every position of PLIES plies, once up to mirror image, and write the book that follows.

    What is solved is kept in the state file at every moment: stop it as you like, the same command goes on.

    \b
    nice arena book --plies 8
    nice arena book --plies 8 --scores --values 7x6x4.book --out scores.book
    arena book --plies 6 --board 6x5x4 --out small.book
    """  # noqa: D301  click's \b keeps the lines
    from arena.measure.book import BookPlan, build_book, finish_book
    from arena.play.run import workers
    from arena.store.writing import refuse_database

    if values and not scores:
        raise click.UsageError("--values goes with --scores")
    path = out or Path(f"{rules}.book")
    refuse_database(path)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"the book {path} cannot be written")
    plan = BookPlan(state or path.with_suffix(".state"), rules, plies, "scores" if scores else "values", table, values)
    if plan.state.absolute() == path.absolute():
        raise InputError(f"book and state are both {path}: choose another --state")
    try:
        with progress("position", leave=True, smoothing=0.05) as bar:
            for known, total in build_book(plan, workers(concurrency)):
                bar.total = total
                bar.update(known - bar.n)
    except KeyboardInterrupt:
        say(f"interrupted; what is solved is kept in {plan.state}, the same command goes on")
        return INTERRUPTED
    finish_book(plan, path)
    click.echo(f"wrote {path} ({path.stat().st_size:,} bytes)", err=True)
    return 0
