"""`arena rate`: ratings of a pool, from a run or from counts."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import Command, anchor_option, file_argument, plot_options, tables_options, with_options
from arena.cli.output import Output


@click.command("rate", cls=Command)
@file_argument
@with_options(
    plot_options("standings"),
    anchor_option,
    tables_options,
)  # fmt: skip
def command(file: Path, anchor: tuple[str, float] | None, output: Output) -> None:
    """Rate the agents of a stored run, of games in PGN, or of a CSV file with the columns a,b,wins,draws,losses.

    The CSV has a row for each pairing, with the results of a's games. Of PGN, games without a result are left out.
    Ratings are in Elo, with mean 0. A difference of 100 means an expected score of 64 %, one of 200 means 76 %.

    The model is Bradley-Terry, fitted by maximum likelihood; a draw counts half a win. It has a parameter for moving
    first, but for a CSV. The 95 % intervals of a run are clustered by opening; with two agents they use the pairs of
    games.

    \b
    arena rate results/run-20260102-030405.sqlite --anchor greedy=0
    arena rate counts.csv --style github
    arena rate games.pgn
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.counts import ratings as strength
    from arena.plugins.counts import tables as report
    from arena.plugins.counts.figures import ratings as pictures
    from arena.tournament.tables import resolution, zero

    rated = strength.rate(file, anchor=anchor)
    pool = rated.pool
    output.tables(report.pool_parts(rated.rows, pool.method))
    output.draw(lambda: pictures(pool.ratings))
    if output.as_json:
        return
    lines = zero(pool.ratings, anchor, pool)
    lines += resolution(pool.ratings, [rating.agent for rating in pool.ratings])
    alike = [rating for rating in pool.ratings if rating.plays_as is not None]
    lines += [f"{rating.agent} plays exactly as {rating.plays_as}: the two are rated as one" for rating in alike]
    for line in ["", *lines] if lines else []:
        output.say(line)
