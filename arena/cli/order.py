"""`arena order`: in which order every ordering tries the moves of a position."""

from __future__ import annotations

import click

from agents.board import Rules
from arena.cli.options import board_option, json_option, positions, print_tables, style_option, with_options


@click.command("order", short_help="Show how every ordering sorts the moves.")
@click.argument("moves", nargs=-1, metavar="[MOVES|-]...")
@with_options(
    click.option("--ordering", "names", multiple=True, help="Only this one: a name or file.py:function; repeatable."),
    board_option,
    style_option,
    json_option,
)
def command(moves: tuple[str, ...], names: tuple[str, ...], rules: Rules, style: str, as_json: bool) -> None:
    """Show in which order every ordering tries the moves of positions, and the scores by which it sorts them.

    \b
    arena order 4453
    arena order 44 4455 --ordering column-score --ordering mine.py:score
    arena order - < positions.txt
    """  # noqa: D301  click's \b keeps the lines
    from arena.measure.position import orders
    from arena.report import position as report

    rows = [row for board in positions(moves, rules) for row in orders(board, names)]
    print_tables([report.orders(rows)], style, as_json=as_json)
