"""Exact values of positions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from arena.games.progress import Watch, bar, workers_of
from arena.games.settings import boards_of, listed, rules_of, whole
from arena.table.measured import Measured, Progress

if TYPE_CHECKING:
    from arena.games.progress import Workers
    from arena.perfect.scored import ScoredPosition
    from arena.perfect.solved import Solved

RANDOM_MEBIBYTES = 256
"""The size of the solver's table for many positions."""


def solve(
    positions: Board | str | Sequence[Board | str] | Iterator[Board] = "",
    *,
    columns: bool = False,
    book: bool = True,
    threads: Workers = None,
    rules: Rules | str = "7x6x4",
    found: Callable[[Board, Solved], object] = lambda _, __: None,
) -> Measured[Solved]:
    """Return the exact value of each position, one a row; `arena solve` from Python. Raises InputError.

    positions: the text of moves, such as "4453", a Board, or several of them; by default the empty board. rules: of
    positions given as text. columns: also the value of a move in each column. book:
    whether to use the opening book. threads: their number, by default one
    for each processor; they share the table, and idle ones help others. With one thread, nodes are the same in every
    run. found: called with each position and its row, in order, as soon as they are known; an iterator is read only as
    far as needed. The columns of the table are the fields of `arena.perfect.solved.Solved`.
    """
    from agents.solver.book import shipped_book
    from agents.solver.solver import Solver
    from arena.perfect.solved import Solved, solved_in_order

    workers = workers_of(threads)
    boards = positions if isinstance(positions, Iterator) else boards_of(positions, rules)
    rows: list[Solved] = []

    def tell(board: Board, row: Solved) -> None:
        rows.append(row)
        found(board, row)

    for variant, alike in itertools.groupby(boards, lambda board: board.rules):
        solver = Solver(variant, book=shipped_book(variant) if book else None)
        solved_in_order(solver, workers, alike, tell, columns=columns)
    return Measured(rows, Solved, hidden=() if columns else ("columns",))


def solve_random(
    count: int,
    *,
    plies: Sequence[int] | None = None,
    seed: int = 1,
    threads: Workers = None,
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> Measured[ScoredPosition]:
    """Draw positions and return their exact scores; `arena solve --random` from Python. Raises InputError.

    count: the number of positions, from games of greedy against itself, mirror images counted once; with the same seed
    a larger count begins with the same positions. plies: those of the positions, by default the middle of the game.
    threads: their number, by default one for each processor. rules: the board. progress: show a bar. Ctrl-C keeps the
    rows found so far. The columns of the table are the fields of `arena.perfect.scored.ScoredPosition`.
    """
    from arena.perfect.exercises import default_plies, sample
    from arena.perfect.exercises import solve as solve_columns
    from arena.perfect.scored import ScoredPosition
    from arena.perfect.solved import Discs, Values

    whole("count", count, 1, 100_000_000)
    whole("seed", seed, 0)
    size, workers = rules_of(rules), workers_of(threads)
    drawn = listed("plies", plies, 12) if plies else default_plies(size)
    watch, interrupted = Watch(seed), False
    boards: list[Board] = []
    scores: dict[Discs, Values] = {}
    with bar(progress, "step", 2 * count) as shown:
        try:
            shown.set_description("drawing")
            boards = sample(count, seed, drawn, size, shown.update)
            shown.set_description("solving")
            late_first = sorted(boards, key=lambda board: -board.ply)
            solve_columns(late_first, workers, RANDOM_MEBIBYTES, shown.update, scores)
        except KeyboardInterrupt:
            interrupted = True
    rows = []
    for board in boards:
        columns = scores.get((board.own, board.opp))
        if columns is not None:
            best = max(score for score in columns if score is not None)
            rows.append(ScoredPosition(board.text, best, columns))
    return Measured(rows, ScoredPosition, watch.end()[0], interrupted=interrupted)
