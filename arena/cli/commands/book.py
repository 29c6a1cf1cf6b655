"""`arena book`: computes an opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agents.board import Rules
from arena.cli.options import INTERRUPTED, board_option, say, table_size_option, threads_option, with_options
from arena.cli.output import progress, quiet_option
from arena.cli.types import PATH, Whole


@click.command("book")
@with_options(
    click.option("--plies", type=Whole(1), default=8, show_default=True, help="The last ply that the book covers."),
    click.option("--scores", is_flag=True, help="Store exact scores, not only win, draw or loss; much slower."),
    click.option(
        "--values",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="With --scores: a finished book of wins, draws and losses, which saves part of the search.",
    ),
    click.option("--out", type=PATH, help="The book to write.  [default: BOARD.book]"),
    click.option("--state", type=PATH, help="The file with the results so far.  [default: OUT.state]"),
    threads_option,
    table_size_option(1024, "The threads' transposition table in MiB.", "--table"),
    quiet_option,
    board_option,
)
def command(out: Path | None, state: Path | None, rules: Rules, **settings: Any) -> int:
    """Solve every position of PLIES plies, mirror images once, and write them as an opening book.

    The state file holds all results so far. After an interruption the same command continues.

    \b
    nice arena book --plies 8
    nice arena book --plies 8 --scores --values 7x6x4.book --out scores.book
    arena book --plies 6 --board 6x5x4 --out small.book
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import truth

    out, state = truth.book_files(rules, out, state)
    try:
        path = truth.book(out=out, state=state, rules=rules, progress=progress, **settings)
    except KeyboardInterrupt:
        say(f"interrupted; what is solved is kept in {state}, the same command goes on")
        return INTERRUPTED
    click.echo(f"wrote {path} ({path.stat().st_size:,} bytes)", err=True)
    return 0
