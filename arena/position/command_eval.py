"""`arena eval`: the value of a position by every heuristic."""

from __future__ import annotations

from typing import Any

import click

from agents.board import Rules
from arena.cli.hints import naming, refuse_names
from arena.cli.options import Command, board_option, output_options, with_options
from arena.cli.output import Output
from arena.cli.positions import Positions, show, show_board_option


@click.command("eval", cls=Command)
@click.argument("moves", nargs=-1, metavar="[MOVES|-]...")
@with_options(
    click.option(
        "--heuristic", "heuristics", multiple=True,
        help="Use only this heuristic: a name or file.py:function. Repeatable.",
    ),
    click.option(
        "--compiled", type=click.BOOL, metavar="yes|no", default=True,
        help="no: run your own heuristics as plain Python.  [default: yes]",
    ),
    show_board_option,
    board_option,
    output_options,
)  # fmt: skip
def command(moves: tuple[str, ...], show_board: bool, rules: Rules, output: Output, **settings: Any) -> int:
    """Value positions by every heuristic, for the side to move and for the first player.

    MOVES are columns from 1, such as 4453; with -, the lines of stdin. By default it values the empty board. A position
    may also be a FEN, a drawing of .XO, or the 42 numbers of Kaggle's board.

    \b
    arena eval 4453
    arena eval 44 4455 --heuristic smart-aware --heuristic mine.py:evaluate
    arena eval 44 --heuristic 'windows(1,10,100..103,1000)'
    arena eval - < positions.txt
    """  # noqa: D301  click's \b keeps the lines
    from arena.position import tables as report
    from arena.position.questions import evaluate

    refuse_names(moves, "--heuristic")
    boards = []
    read = Positions(moves, rules, output)
    for board in read:
        if show_board and not output.as_json:
            show(board, {})
        boards.append(board)
    with naming("--compiled no"):
        output.tables([report.values(evaluate(boards, **settings).rows)])
    return read.code
