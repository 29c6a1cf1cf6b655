"""`arena tune`: fit the weights of a heuristic to solved positions."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.options import (
    Command,
    board_option,
    concurrency_option,
    quiet_option,
    seed_option,
    tables_options,
    with_options,
)
from arena.cli.output import Output
from arena.cli.types import POSITIONS, Whole


@click.command("tune", cls=Command)
@click.argument("heuristic")
@with_options(
    click.option("--search", default="alphabeta:order=centre", show_default=True, help="The search to tune for."),
    click.option("--depth", type=Whole(1, 64), default=4, show_default=True, help="Plies of that search."),
    click.option(
        "--positions", type=POSITIONS, default="4000", show_default=True,
        help="Number of positions, or a file such as arena solve --random prints; one half trains, the other tests.",
    ),
    click.option("--evaluations", type=Whole(2), default=300, show_default=True, help="Number of weight sets to try."),
    seed_option(),
    concurrency_option("Number of threads and processes.  [default: all cores]"),
    board_option,
    quiet_option,
    tables_options,
)  # fmt: skip
def command(output: Output, **settings: Any) -> None:
    """Tune the weights of HEURISTIC on positions with known values, and print the command that tests them in games.

    HEURISTIC has its weights in parentheses: windows(1,10,100,1000), aware(40,17,15,4,2,13), mine.py:make(w4=40).
    One half of the positions trains the weights: more of its clear-cut positions answered well is better. The other
    half tests them. Whether the new weights also win more games, arena compare finds out.

    \b
    arena tune 'windows(1,10,100,1000)'
    arena tune 'aware(40,17,15,4,2,13)' --depth 6
    arena tune 'mine.py:make(w4=40,w3=5)' --positions 1000
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.tune import job as tuning
    from arena.plugins.tune import tables as report

    tuned = tuning.tune(progress=output.bar, **settings)
    if output.as_json:
        document = tuned.document()
        output.json(document, document.pop("meta"))
    else:
        output.tables(report.tune_parts(tuned))
    if tuned.compare:
        output.say(f"next: {tuned.compare}")
