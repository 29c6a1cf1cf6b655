"""`arena book`: compute an opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agents.board import Rules
from agents.errors import InputError
from arena.cli.options import (
    INTERRUPTED,
    THREADS,
    Command,
    board_option,
    concurrency_option,
    given,
    say,
    seed_option,
    table_size_option,
    with_options,
)
from arena.cli.output import progress, quiet_option
from arena.cli.types import EXISTING, PATH, Whole


@click.command("book", cls=Command)
@with_options(
    click.option("--plies", type=Whole(1), default=8, show_default=True, help="The last ply that the book covers."),
    click.option("--scores", is_flag=True, help="Store exact scores instead of win, draw or loss; much slower."),
    click.option(
        "--values", type=EXISTING,
        help="With --scores: a finished book of wins, draws and losses, which shortens the search.",
    ),
    click.option("--out", type=PATH, help="The book to write.  [default: BOARD.book]"),
    click.option("--state", type=PATH, help="The file for the results so far.  [default: OUT.state]"),
    click.option("--check", is_flag=True, help="Solve the entries of the 12-ply book again, and write no book."),
    click.option("--sample", type=Whole(1), help="With --check: the number of entries.  [default: all 4,200,899]"),
    seed_option("Draws the sample."),
    concurrency_option(THREADS),
    table_size_option(1024, "--table"),
    quiet_option,
    board_option,
)  # fmt: skip
def command(
    out: Path | None, state: Path | None, rules: Rules, check: bool, sample: int | None, seed: int, **settings: Any
) -> int:
    """Solve every position of --plies plies, each mirror pair once, and write them as an opening book.

    The state file holds all results so far: after an interruption, run the same command to continue.

    With --check, solve entries of another book again: the 12-ply book of the package bitbully-databases, which
    perfect:book=12 uses. It lists the wrong entries; the exit code is 1 if there are any. The state file is then
    deep.state.

    \b
    nice arena book --plies 8
    nice arena book --plies 8 --scores --values 7x6x4.book --out scores.book
    arena book --plies 6 --board 6x5x4 --out small.book
    arena book --check --sample 1000
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import truth

    if check or sample:
        return _check(sample, seed=seed, state=state, check=check)
    out, state = truth.book_files(rules, out, state)
    try:
        path = truth.book(out=out, state=state, rules=rules, progress=progress, **settings)
    except KeyboardInterrupt:
        say(f"interrupted; what is solved is kept in {state}, the same command goes on")
        return INTERRUPTED
    click.echo(f"wrote {path} ({path.stat().st_size:,} bytes)", err=True)
    return 0


def _check(sample: int | None, *, state: Path | None, check: bool, **settings: Any) -> int:
    """Check the 12-ply book, and return the exit code."""
    from arena.api import truth

    options = given(click.get_current_context())
    if not check:
        raise InputError("--sample needs --check")
    if wrong := set(options) & {"plies", "scores", "values", "out", "board", "rules"}:
        raise InputError(f"--check cannot be combined with --{min(wrong)}")
    state = state or Path("deep.state")
    settings |= {"workers": options.get("concurrency"), "mebibytes": options.get("table-size", 1024)}
    try:
        found, total = truth.check_book(sample, state=state, progress=progress, **settings)
    except KeyboardInterrupt:
        say(f"interrupted; what is solved is kept in {state}, the same command goes on")
        return INTERRUPTED
    for entry in found:
        click.echo(entry)
    click.echo(f"{len(found)} wrong of {total:,} entries")
    return 1 if found else 0
