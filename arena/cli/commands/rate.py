"""`arena rate`: ratings of a pool, from a run or from counts."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import anchor_option, file_argument, say, with_options
from arena.cli.output import Output, plot, plot_options, tables_options


@click.command("rate")
@file_argument
@with_options(
    click.option("--los", "matrix", is_flag=True, help="Also the likelihood of superiority of each over each."),
    click.option(
        "--nash", "averaged", is_flag=True,
        help="Also the Nash average: each agent's share in the pool's equilibrium, and its score against it.",
    ),
    plot_options("standings"),
    anchor_option,
    tables_options,
)  # fmt: skip
def command(file: Path, matrix: bool, averaged: bool, anchor: tuple[str, float] | None, output: Output) -> None:
    """Rate the agents of a stored run, or of a CSV with the columns a,b,wins,draws,losses.

    The CSV has a row for each pairing, and its counts are those of a's games. Ratings are in Elo about a mean of 0:
    100 more are an expected score of 64 %, 200 more one of 76 %.

    Bradley-Terry by maximum likelihood, a draw half a win each, with what moving first is worth. Intervals are 95 %, by
    the openings that all pairings share, of two agents by their pairs of games. With --los, the i-th LOS of a row is
    one minus the one-sided p value, in percent, of the test that it is stronger than the i-th agent, taken alone; Holm
    names those over which a difference still shows among so many pairs.

    The Nash average asks how an agent fares against the best mixture of the pool, to which copies of an agent add
    nothing. With it a line says how much of the results goes in circles, which no rating explains, and how much of that
    chance alone leaves; a circle is named where it is more.

    \b
    arena rate results/run-20260102-030405.sqlite --los
    arena rate counts.csv --style github
    arena rate latest --nash
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import strength
    from arena.report.figures.measures import ratings as pictures
    from arena.report.tables import strength as report
    from arena.report.tables.run import resolution, zero

    found = strength.rate(file, anchor=anchor, superiority=matrix, nash=averaged)
    pool = found.pool
    output.tables([report.pool_table(found.rows, pool.method)])
    plot(lambda: pictures(pool.ratings))
    if output.as_json:
        return
    said = [] if found.cycles is None else [report.cyclic(found.cycles)]
    said += report.surviving(found.rows)
    said += zero(pool.ratings, anchor, pool)
    said += resolution(pool.ratings, pool.fit, [rating.agent for rating in pool.ratings])
    alike = [rating for rating in pool.ratings if rating.plays_as is not None]
    said += [f"{rating.agent} plays exactly as {rating.plays_as}: the two are rated as one" for rating in alike]
    for line in ["", *said] if said else []:
        say(line)
