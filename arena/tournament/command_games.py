"""`arena games`: the games of a stored run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any

import click

from arena.cli.options import Command, file_argument, games_options, with_options
from arena.cli.output import Output
from arena.cli.types import Whole


@click.command("games", cls=Command)
@file_argument
@with_options(
    click.option("--agent", metavar="A", help="Only games of this agent."),
    click.option("--opponent", metavar="B", help="Only games against this agent."),
    click.option(
        "--result", type=click.Choice(["win", "draw", "loss"]),
        help="Only games with this result for --agent or, without it, for the first player.",
    ),
    click.option("--faults", is_flag=True, help="Only games that ended by a fault; with --agent, by its own."),
    click.option("--blunders", is_flag=True, help="Only games with a blunder; with --agent, by this agent."),
    click.option("--limit", type=Whole(1), metavar="N", help="List at most N games."),
    games_options,
)  # fmt: skip
def command(
    file: Path, agent: str | None, result: str | None, limit: int | None, output: Output, **wanted: Any
) -> None:
    """List the games of a stored run, one a line.

    Name an agent in full or as the tables of the run do. A blunder is a move that lost value, known once the run is
    audited. arena replay FILE GAME shows a game. A table has at most 1,000 games; --style csv, json and pgn have all.
    Ordo, BayesElo and cutechess read pgn.

    \b
    arena games latest --agent greedy --result loss
    arena games results/run-20260102-030405.sqlite --blunders --json
    arena games latest --faults --limit 10
    arena games latest --style pgn > games.pgn
    """  # noqa: D301  click's \b keeps the lines
    from arena.tournament import game_tables as report
    from arena.tournament import runs

    with runs.games(file, agent=agent, result=result, limit=limit, **wanted) as (games, agents):
        if output.as_json:
            _print(games.pieces())
            return
        if output.style == "pgn":
            for text in runs.as_pgn(games):
                click.echo(text)
            return
        if (count := games.count()) and output.style == "csv":
            for lines in report.as_csv(games):
                click.echo(lines)
        elif count:
            output.tables(report.games(games, agents, output.style))
    ended = {None: "", "win": " won by ", "draw": " drawn by ", "loss": " lost by "}[result]
    winner = (agent or "the first player") if result else ""
    first = "the first " if count == limit else ""
    click.echo(f"{first}{count:,} game{'' if count == 1 else 's'}{ended}{winner}", err=True)


def _print(pieces: Iterable[Mapping[str, Iterable[object]]]) -> None:
    """Print games, perhaps a million, as one JSON document with a line for each, piece by piece."""
    from arena.table.styles import harmless_json

    before = "[\n"
    for piece in pieces:
        line = "{" + ", ".join(f'"{name}": %s' for name in piece) + "}"
        columns = [map(_text, values) for values in piece.values()]
        text = ",\n".join([line % values for values in zip(*columns, strict=True)])
        click.echo(before + harmless_json(text), nl=False)
        before = ",\n"
    click.echo("\n]" if before == ",\n" else "[]")


def _text(value: object) -> str:
    """Return a value as JSON."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, int):
        return str(value)
    return "null" if value is None else json.dumps(value, default=asdict, ensure_ascii=False)
