"""`arena solve`: the exact scores of positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from agents.board import Board, Rules
from agents.errors import InputError
from arena.cli.options import (
    INTERRUPTED,
    THREADS,
    Command,
    Positions,
    board_option,
    json_option,
    placed,
    show,
    show_board_option,
    table_size_option,
    with_options,
    workers_option,
)
from arena.cli.output import print_json, progress, quiet_option

if TYPE_CHECKING:
    from arena.api.progress import Workers
    from arena.measure.solve import Solved


@click.command("solve", cls=Command)
@click.argument("moves", nargs=-1, metavar="[MOVES|-]...")
@with_options(
    click.option("--weak", is_flag=True, help="Print only win, draw or loss: 1, 0 or -1."),
    click.option("--moves", "columns", is_flag=True, help="Also print the score of each column's move."),
    show_board_option,
    table_size_option(64, "--table"),
    workers_option(THREADS, "--threads"),
    click.option("--no-book", "bookless", is_flag=True, help="Also search positions that the opening book knows."),
    quiet_option,
    board_option,
    json_option,
)  # fmt: skip
def command(
    moves: tuple[str, ...],
    show_board: bool,
    bookless: bool,
    workers: Workers,
    rules: Rules,
    as_json: bool,
    **settings: Any,
) -> int:
    """Solve positions given as MOVES or, with -, as lines of stdin; by default the empty board.

    A position may also be a FEN, a drawing of .XO, or the 42 numbers of Kaggle's board. A line that cannot be read is
    named on stderr, the others are solved, and the exit code is 2.

    Each output line is MOVES SCORE NODES MICROSECONDS. The score is for the side to move. A win scores the number of
    discs that the winner has left after the winning move, plus one; a loss is negative, and a draw 0. Threads solve
    several positions at once, and idle threads help busy ones, so nodes differ from run to run unless --threads is 1.

    \b
    arena solve 44455554221
    arena solve --weak --moves 4444
    arena solve --threads 2 - < positions.txt
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import truth

    rows: list[Solved] = []
    code = 0
    few = len(moves) < 2 and "-" not in moves

    def found(board: Board, row: Solved) -> None:
        rows.append(row)
        if not as_json:
            with bar.external_write_mode():
                if show_board:
                    show(board, _worth(board, row))
                click.echo(_line(row))
        bar.update()

    try:
        boards = Positions(moves, rules, over=False)
        with progress("position", leave=True, hidden=few) as bar:
            truth.solve(boards, threads=workers, book=not bookless, found=found, **settings)
        code = boards.code
    except KeyboardInterrupt:
        click.echo(f"interrupted after {len(rows)} position{'s' if len(rows) != 1 else ''}", err=True)
        code = INTERRUPTED
    except InputError:
        if as_json and rows:
            print_json(_document(rows))
        raise
    if as_json:
        print_json(_document(rows))
    return code


def _line(row: Solved) -> str:
    words = [row.position, str(row.score), str(row.nodes), f"{row.seconds * 1e6:.0f}"]
    return " ".join([*words, *("-" if score is None else str(score) for score in row.columns or ())])


def _worth(board: Board, row: Solved) -> dict[str, list[str]]:
    worth = {number: score for number, score in enumerate(row.columns or (), start=1) if score is not None}
    return {"worth": placed(board, worth)} if worth else {}


def _document(rows: Sequence[Solved]) -> list[dict[str, Any]]:
    return [{name: value for name, value in asdict(row).items() if value is not None} for row in rows]
