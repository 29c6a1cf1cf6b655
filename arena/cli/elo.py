"""`arena elo`: how strong, and how sure, from the counts of a pairing."""

from __future__ import annotations

import click

from agents.errors import InputError
from arena.cli.options import json_option, print_json, with_options


@click.command("elo", short_help="Elo, normalized Elo and LOS of a pairing's counts.")
@click.argument("counts", nargs=-1, required=True, metavar="COUNTS...")
@with_options(
    click.option(
        "--of", "population", type=click.IntRange(1), metavar="OPENINGS",
        help="The number of openings these were drawn from, for two deterministic agents.",
    ),
    json_option,
)  # fmt: skip
def command(counts: tuple[str, ...], population: int | None, as_json: bool) -> None:
    """Turn COUNTS of a pairing into Elo, from engine one's view, worst first.

    Three counts are games: losses, draws, wins. Five are pairs, one opening played twice with colours swapped: both
    lost, one lost and one drawn, one each or both drawn, one won and one drawn, both won.

    \b
    arena elo 89 123 76
    arena elo 332 433 498 333 334
    """  # noqa: D301  click's \b keeps the lines
    from arena.statistics.pairs import pairing

    result = pairing(whole_numbers(counts), population)
    if as_json:
        print_json(
            {
                "elo": result.elo,
                "elo_error": result.elo_error,
                "nelo": result.nelo,
                "nelo_error": result.nelo_error,
                "los": result.los,
                "low": result.low,
                "high": result.high,
                "score": result.score,
                "basis": str(result.basis),
            }
        )
        return
    click.echo(f"score   {result.score * 100:.2f} % of {result.count:,} {result.unit}")
    click.echo(f"Elo     {_with_error(result.elo, result.elo_error)}")
    click.echo(f"95 %    {_end(result.low, 'below every number')} to {_end(result.high, 'above every number')}")
    click.echo(f"nElo    {_with_error(result.nelo, result.nelo_error)}")
    click.echo(f"LOS     {'-' if result.los is None else f'{result.los:.2f} %'}")
    click.echo(f"basis   {result.basis}")


def whole_numbers(words: tuple[str, ...]) -> list[int]:
    """Return the counts, which may be parted by spaces or commas. Raises InputError."""
    parts = [part for word in words for part in word.strip("[]").replace(",", " ").split()]
    for part in parts:
        if not (part.isascii() and part.isdigit()):
            raise InputError(f"{part!r} is not a count, a whole number from 0")
    return [int(part) for part in parts]


def _with_error(value: float | None, error: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:+.2f}" if error is None else f"{value:+.2f} ± {error:.2f}"


def _end(value: float | None, beyond: str) -> str:
    return beyond if value is None else f"{value:+.2f}"
