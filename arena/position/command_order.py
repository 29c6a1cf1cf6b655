"""`arena order`: the order in which every ordering tries the moves of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agents.board import Rules
from arena.cli.hints import refuse_names
from arena.cli.options import Command, board_option, output_options, with_options
from arena.cli.output import Output
from arena.cli.positions import Positions, placed, show, show_board_option

if TYPE_CHECKING:
    from arena.position.position import Tried


@click.command("order", cls=Command)
@click.argument("moves", nargs=-1, metavar="[MOVES|-]...")
@with_options(
    click.option(
        "--ordering", "names", multiple=True, help="Use only this ordering: a name or file.py:function. Repeatable."
    ),
    show_board_option,
    board_option,
    output_options,
)  # fmt: skip
def command(moves: tuple[str, ...], names: tuple[str, ...], show_board: bool, rules: Rules, output: Output) -> int:
    """Show in which order every ordering tries the moves of positions, and the scores behind that order.

    MOVES are columns from 1, such as 4453; with -, the lines of stdin. By default it shows the empty board. A position
    may also be a FEN, a drawing of .XO, or the 42 numbers of Kaggle's board.

    An ordering is a function score(own, opp, column): the column with the highest score comes first and, of equal
    ones, the nearest to the middle. --show-board prints each column's score below the board; for an order that never
    changes it prints the column's place in the order.

    \b
    arena order 4453
    arena order 44 4455 --ordering column-score --ordering mine.py:score
    arena order - < positions.txt
    """  # noqa: D301  click's \b keeps the lines
    from arena.position import questions as job
    from arena.position import tables as report

    refuse_names(moves, "--ordering")
    rows: list[Tried] = []
    read = Positions(moves, rules, output)
    for board in read:
        tried = job.order([board], names).rows
        rows += tried
        if show_board and not output.as_json:
            scored = [(row, row.scores or range(1, len(row.columns) + 1)) for row in tried]
            show(board, {row.ordering: placed(board, dict(zip(row.columns, s, strict=True))) for row, s in scored})
    output.tables([report.orders(rows)])
    return read.code
