"""`arena solve`: the truth about positions."""

from __future__ import annotations

import time
from typing import Any

import click

from agents.board import Board, Rules
from agents.errors import InputError
from arena.cli.options import INTERRUPTED, board_option, json_option, positions, print_json, with_options

OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


@click.command("solve", short_help="Solve positions: who wins, and how soon.")
@click.argument("moves", nargs=-1, metavar="[MOVES|-]...")
@with_options(
    click.option("--weak", is_flag=True, help="Only win, draw or loss: 1, 0 or -1."),
    click.option("--moves", "columns", is_flag=True, help="Also what a move in each column is worth."),
    click.option("--table", type=click.IntRange(1, 65_536), default=64, show_default=True, help="Table in MiB."),
    click.option("--no-book", is_flag=True, help="Solve what the opening book knows, too."),
    click.option("--quiet", "-q", is_flag=True, help="No progress bar."),
    board_option,
    json_option,
)
def command(
    moves: tuple[str, ...],
    weak: bool,
    columns: bool,
    table: int,
    no_book: bool,
    quiet: bool,
    rules: Rules,
    as_json: bool,
) -> int:
    """Solve positions, given as moves or, with -, as lines of stdin; without any the empty board.

    A line is MOVES SCORE NODES MICROSECONDS. The score is the number of discs that the winner has left after the
    winning move, plus one, for the side to move; negative when it loses, 0 for a draw.

    \b
    arena solve 44455554221
    arena solve --weak --moves 4444
    arena solve - < positions.txt
    """  # noqa: D301  click's \b keeps the lines
    from tqdm import tqdm

    from agents.solver.book import shipped_book
    from agents.solver.solver import Solver
    from arena.play.interrupt import stoppable

    solver = Solver(rules, table, None if no_book else shipped_book(rules))
    document: list[dict[str, Any]] = []
    code = 0
    few = len(moves) < 2 and "-" not in moves
    try:
        with stoppable([solver]), tqdm(unit="position", disable=True if quiet or few else None) as bar:
            for board in positions(moves, rules):
                row = _solved(solver, board, weak=weak, columns=columns)
                document.append(row)
                if not as_json:
                    with bar.external_write_mode():
                        click.echo(_line(row))
                bar.update()
    except KeyboardInterrupt:
        click.echo(f"interrupted after {len(document)} position{'s' if len(document) != 1 else ''}", err=True)
        code = INTERRUPTED
    except InputError:
        if as_json and document:
            print_json(document)
        raise
    if as_json:
        print_json(document)
    return code


def _solved(solver: Any, board: Board, *, weak: bool, columns: bool) -> dict[str, Any]:  # noqa: ANN401  a Solver
    if board.outcome is not None:
        raise InputError(f"position {board.text!r}: the game is already over ({board.outcome})")
    before, began = solver.nodes, time.perf_counter()
    score = solver.outcome_of(board) if weak else solver.score_of(board)
    row = {
        "position": board.text,
        "score": score,
        "outcome": OUTCOMES[(score > 0) - (score < 0)],
        "nodes": solver.nodes - before,
        "seconds": time.perf_counter() - began,
    }
    if columns:
        row["columns"] = list(solver.column_scores(board.own, board.opp, weak=weak))
    return row


def _line(row: dict[str, Any]) -> str:
    words = [row["position"], str(row["score"]), str(row["nodes"]), f"{row['seconds'] * 1e6:.0f}"]
    if "columns" in row:
        words += ["-" if score is None else str(score) for score in row["columns"]]
    return " ".join(words)
