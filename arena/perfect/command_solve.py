"""`arena solve`: the exact scores of positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from agents.board import Board, Rules
from agents.errors import InputError
from arena.cli.options import (
    THREADS,
    Command,
    board_option,
    cluster_option,
    concurrency_option,
    json_option,
    plies_option,
    quiet_option,
    seed_option,
    typed_options,
    with_options,
)
from arena.cli.output import INTERRUPTED, Output
from arena.cli.positions import Positions, placed, show, show_board_option
from arena.cli.types import Whole

if TYPE_CHECKING:
    from arena.perfect.solved import Solved


@click.command("solve", cls=Command)
@click.argument("moves", nargs=-1, metavar="[MOVES|-]...")
@with_options(
    click.option(
        "--random", "count", type=Whole(1, 100_000_000), metavar="N",
        help="Draw N positions, and print the scores of all their columns.",
    ),
    plies_option,
    seed_option("Draws the positions of --random."),
    click.option("--moves", "columns", is_flag=True, help="Also print the score of each column's move."),
    show_board_option,
    concurrency_option(THREADS, "--threads"),
    cluster_option,
    click.option("--no-book", "bookless", is_flag=True, help="Also search positions that the opening book knows."),
    quiet_option,
    board_option,
    json_option,
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    /,
    moves: tuple[str, ...],
    count: int | None,
    plies: Sequence[int] | None,
    seed: int,
    columns: bool,
    show_board: bool,
    bookless: bool,
    workers: int | None,
    cluster: str | None,
    rules: Rules,
    output: Output,
) -> int:
    """Solve positions given as MOVES or, with -, as lines of stdin; by default the empty board.

    A position may also be a FEN, a drawing of .XO, or the 42 numbers of Kaggle's board. A line that cannot be read is
    named on stderr, the others are solved, and the exit code is 2.

    Each output line is MOVES SCORE NODES MICROSECONDS. The score is for the side to move. A win scores the number of
    discs that the winner has left after the winning move, plus one; a loss is negative, and a draw 0. Threads solve
    several positions at once, and idle threads help busy ones, so nodes differ from run to run unless --threads is 1.

    Random positions come from games that greedy plays against itself; a position and its mirror image count once, and a
    larger N begins with the same ones. A line is then MOVES SCORE and the score of each column, - where it is full.
    arena grade and arena tune read this output, with --json from a file named .json: --positions FILE.

    \b
    arena solve 44455554221
    arena solve --moves 4444
    arena solve --threads 2 - < positions.txt
    arena solve --random 10000 --plies 12..30 --json > positions.json
    """  # noqa: D301  click's \b keeps the lines
    from arena.games.progress import cluster_at
    from arena.perfect import solve as truth

    _refuse_mixed(typed_options(ctx), moves)
    threads = cluster_at(cluster, output.above_bar) or workers
    if count is not None:
        return _print_random(count, output, plies=plies, seed=seed, threads=threads, rules=rules)
    rows: list[Solved] = []
    code = 0
    few = len(moves) < 2 and "-" not in moves

    def print_row(board: Board, row: Solved) -> None:
        rows.append(row)
        if not output.as_json:
            with bar.external_write_mode():
                if show_board:
                    show(board, _worth(board, row))
                click.echo(_line(row))
        bar.update()

    try:
        boards = Positions(moves, rules, output, over=False)
        with output.bar("position", leave=True, hidden=few) as bar:
            truth.solve(boards, threads=threads, book=not bookless, found=print_row, columns=columns, rules=rules)
        code = boards.code
    except KeyboardInterrupt:
        click.echo(f"interrupted after {len(rows)} position{'s' if len(rows) != 1 else ''}", err=True)
        code = INTERRUPTED
    except InputError:
        if output.as_json and rows:
            output.json(_document(rows))
        raise
    if output.as_json:
        output.json(_document(rows))
    return code


def _refuse_mixed(typed: Mapping[str, object], moves: Sequence[str]) -> None:
    """Raise InputError for options of random positions beside those of positions that are given."""
    if "random" in typed:
        if moves:
            raise InputError("--random draws its positions: leave MOVES out")
        others = [name for name in ("no-book", "show-board") if name in typed]
        if others:
            raise InputError(f"--{others[0]} does not go with --random")
    else:
        others = [name for name in ("plies", "seed") if name in typed]
        if others:
            raise InputError(f"--{others[0]} draws positions with --random N, which is missing")


def _print_random(count: int, output: Output, **settings: Any) -> int:
    """Print random positions with their scores; return the exit code."""
    from arena.perfect import solve as truth

    solved = truth.solve_random(count, progress=output.bar, **settings)
    if output.as_json:
        output.json([asdict(row) for row in solved.rows])
    else:
        for row in solved.rows:
            click.echo(f"{row.position} {row.score} {_columns(row.columns)}")
    if solved.interrupted:
        click.echo(f"interrupted after {len(solved.rows):,} of {count:,} positions", err=True)
        return INTERRUPTED
    return 0


def _line(row: Solved) -> str:
    return f"{row.position} {row.score} {row.nodes} {row.seconds * 1e6:.0f} {_columns(row.columns)}".rstrip()


def _columns(scores: Sequence[int | None] | None) -> str:
    return " ".join("-" if score is None else str(score) for score in scores or ())


def _worth(board: Board, row: Solved) -> dict[str, list[str]]:
    worth = {number: score for number, score in enumerate(row.columns or (), start=1) if score is not None}
    return {"worth": placed(board, worth)} if worth else {}


def _document(rows: Sequence[Solved]) -> list[dict[str, Any]]:
    return [{name: value for name, value in asdict(row).items() if value is not None} for row in rows]
