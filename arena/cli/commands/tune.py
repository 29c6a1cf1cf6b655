"""`arena tune`: fit the weights of a heuristic to solved positions, and test the result in games."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.options import (
    INTERRUPTED,
    Command,
    board_option,
    concurrency_option,
    given,
    openings_option,
    say,
    seed_option,
    typed,
    with_options,
)
from arena.cli.output import Output, print_json, progress, quiet_option, tables_options
from arena.cli.types import PATH, POSITIONS, RANGE, Whole


@click.command("tune", cls=Command)
@click.argument("heuristic", default="")
@with_options(
    click.option("--start", metavar="N,N...", help="Weights to start from, if HEURISTIC has no parentheses."),
    click.option(
        "--by", type=click.Choice(["moves", "score", "games"]), default="moves", show_default=True,
        help="moves: the share of clear-cut positions answered well. score: the error of the value as a forecast of "
        "the outcome. games: the points against the start.",
    ),
    click.option("--search", default="alphabeta:order=centre", show_default=True, help="The search to tune for."),
    click.option("--depth", type=Whole(1, 64), default=4, show_default=True, help="Plies of that search."),
    click.option(
        "--positions", type=POSITIONS, default="4000", show_default=True,
        help="Number of positions, or a file such as arena solve --random prints; one half trains, the other tests.",
    ),
    click.option("--evaluations", type=Whole(2), default=300, show_default=True, help="Number of weight sets to try."),
    click.option(
        "--optimiser", type=click.Choice(["cmaes", "scipy"]), help="The optimiser.  [default: cmaes if installed]"
    ),
    click.option("--confirm", type=RANGE, metavar="RANGE", help="Depths of confirming games.  [default: --depth]"),
    click.option("--sprt", default="elo0=0,elo1=15", show_default=True, help="The test that ends these games."),
    openings_option(
        click.option(
            "--openings", default="plies:6", show_default=True, metavar="SET", help="Openings of these games."
        )
    ),
    click.option("--rounds", type=Whole(0), default=2000, show_default=True, help="Openings at most; 0: no games."),
    seed_option(),
    click.option(
        "--out", type=PATH, metavar="FILE",
        help="Write the weights tried and the verdict to FILE, and the games beside it.",
    ),
    click.option("--resume", type=PATH, metavar="FILE", help="Continue the tuning that --out wrote."),
    concurrency_option("Number of threads and processes.  [default: all cores]"),
    board_option,
    quiet_option,
    tables_options,
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, /, evaluations: int, output: Output, **settings: Any) -> int:
    """Tune the weights of HEURISTIC on positions with known values, then test them in games.

    HEURISTIC has its weights in parentheses: windows(1,10,100,1000), aware(40,17,15,4,2,13), mine.py:make(w4=40).
    One half of the positions trains the weights. The other half tests them. Games from other openings then confirm
    the result. The verdict claims only what the games show.

    \b
    arena tune 'windows(1,10,100,1000)'
    arena tune aware --start 40,17,15,4,2,13 --confirm 4,6,8 --out tuned.jsonl
    arena tune 'mine.py:make(w4=40,w3=5)' --by games --positions 200
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import tuning
    from arena.report.tables import quality as report

    tried = evaluations if settings["resume"] is None or "evaluations" in given(ctx) else None
    tuned = tuning.tune(evaluations=tried, fresh=True, command=typed(), progress=progress, **settings)
    outcome = tuned.outcome
    if output.as_json:
        print_json(outcome.document())
    else:
        output.tables(report.tune_parts(outcome))
    if tuned.interrupted:
        kept = f"; arena tune --resume {tuned.file} goes on" if tuned.file else ""
        say(f"interrupted after {tuned.tried:,} of {tuned.asked:,} heuristics{kept}")
    for match in outcome.confirmation:
        if match.file is not None and not output.as_json:
            say(f"games at depth {match.depth} are stored in {match.file}")
    return INTERRUPTED if tuned.interrupted else 0
