"""`arena rate`: ratings of a pool, from a run or from counts."""

from __future__ import annotations

from pathlib import Path

import click

from agents.errors import InputError
from arena.cli.options import json_option, print_json, style_option, with_options


@click.command("rate", short_help="Ratings of a pool, from a run or a CSV of counts.")
@click.argument("file", type=click.Path(path_type=Path))
@with_options(
    click.option("--los", "matrix", is_flag=True, help="Also the likelihood of superiority of each over each."),
    style_option,
    json_option,
)
def command(file: Path, matrix: bool, style: str, as_json: bool) -> None:
    """Rate the agents of a stored run, or of a CSV with the columns a,b,wins,draws,losses.

    Bradley-Terry by maximum likelihood, a draw half a win each, with what moving first is worth. Intervals are 95 %, by
    bootstrap over the openings that all pairings share.
    """
    from dataclasses import asdict

    import pandas as pd

    from arena.store import Store
    from arena.views import pool as pools
    from arena.views.frames import Frames
    from arena.views.tables import fixed, percent, render

    if not file.is_file():
        raise InputError(f"there is no file {file}")
    if file.suffix.lower() == ".csv":
        pool = pools.of_csv(file)
    else:
        with Store.read(file) as store:
            pool = pools.of_run(Frames.of(store))
    rows = [asdict(rating) for rating in pool.ratings]
    if as_json:
        print_json(rows)
        return
    table = pd.DataFrame(rows)
    if style != "csv":
        table["agent"] = [f"{row['agent']} *" if row["marked"] else row["agent"] for row in rows]
        table = table.drop(columns="marked")
    elo = fixed(1)
    click.echo(render(table, style, {"elo": elo, "low": elo, "high": elo, "score": percent}))
    if matrix:
        names = [str(number) for number in range(1, len(rows) + 1)]
        chances = pd.DataFrame([[f"{cell:.1f}" for cell in row] for row in pool.superiority], columns=names)
        chances.insert(0, "LOS %", names)
        click.echo("\n" + render(chances, style))
    if pool.advantage is not None:
        click.echo(f"moving first is worth {pool.advantage:.0f} ± {pool.advantage_error:.0f} Elo", err=True)
    click.echo(f"intervals: {pool.method}", err=True)
    if any(row["marked"] for row in rows):
        click.echo("* scored all or nothing: only a virtual draw keeps the rating finite", err=True)
