"""`arena elo`: Elo and its uncertainty, from the counts of a pairing or the games of a run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import Command, output_options
from arena.cli.output import Output
from arena.table.measured import Measured

if TYPE_CHECKING:
    from arena.statistics.pairing import Pairing


@click.command("elo", cls=Command)
@click.argument("counts", nargs=-1, required=True, metavar="COUNTS...|FILE")
@output_options
def command(counts: tuple[str, ...], output: Output) -> None:
    """Compute Elo from the COUNTS of one pairing, or for every pairing of the run in FILE.

    COUNTS are from engine one's view, worst first. Three are games: losses, draws, wins. Five are pairs, one opening
    played twice with colours swapped: both lost; one lost and one drawn; one each or both drawn; one won and one drawn;
    both won.

    nElo (normalized Elo) is the distance of the score from a half in standard deviations of a game. LOS is the
    likelihood that engine one is stronger. The interval of Elo is the score interval, which also holds for few games;
    fastchess prints the normal one.

    \b
    arena elo 89 123 76
    arena elo 332 433 498 333 334
    arena elo latest
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.counts import job as strength

    file = counts[0] if len(counts) == 1 and re.search(r"[^0-9, \[\]]", counts[0]) else None
    result = strength.elo(counts if file is None else Path(file))
    if not isinstance(result, Measured):
        _print(result, output)
    elif result.rows or output.as_json:
        from arena.tournament.pairing_tables import pairings_parts

        output.tables(pairings_parts(result.rows))


def _print(result: Pairing, output: Output) -> None:
    """Print one pairing's statistics."""
    from arena.statistics.pairing import Basis, verdict

    if output.as_json:
        names = ("elo", "elo_error", "nelo", "nelo_error", "los", "los_score", "low", "high", "score", "level", "more")
        output.json({name: getattr(result, name) for name in names} | {"basis": str(result.basis)})
        return
    click.echo(f"score   {result.score * 100:.2f} % of {result.count:,} {result.unit}")
    click.echo(f"Elo     {_with_error(result.elo, None)}")
    click.echo(f"95 %    {interval(result.low, result.high)}")
    click.echo(f"LOS     {result.los_score:.2f} %")
    click.echo(f"basis   {result.basis}")
    click.echo(f"nElo    {_with_error(result.nelo, None if result.basis is Basis.EXACT else result.nelo_error)}")
    los = "-" if result.los is None else f"{result.los:.2f} %"
    output.say(f"as fastchess prints it: Elo {_with_error(result.elo, result.elo_error)}, LOS {los}", err=False)
    output.say(verdict("engine one", "engine two", result), err=False)


def _with_error(value: float | None, error: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:+z.2f}" if error is None else f"{value:+z.2f} ± {error:.2f}"


def interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """Return the ends of an interval as text; None is an open end. digits: decimals."""
    if low is None:
        return "open" if high is None else f"at most {high:+z.{digits}f}"
    return f"at least {low:+z.{digits}f}" if high is None else f"{low:+z.{digits}f} to {high:+z.{digits}f}"
