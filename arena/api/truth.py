"""Perfect play: solved positions, and audits and grades of moves."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from agents.errors import InputError
from arena.api.progress import Measured, Progress, Warn, Watch, bar, remaining, warn_caller, workers_of
from arena.api.settings import Apart, boards_of, depths_of, listed, rules_of, specs, whole

if TYPE_CHECKING:
    from arena.api.progress import Workers
    from arena.measure.grading import Grade, Grading
    from arena.measure.scored import ScoredPosition
    from arena.measure.solve import Solved

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
    far as needed. The columns of the table are the fields of `arena.measure.solve.Solved`.
    """
    from agents.solver.book import shipped_book
    from agents.solver.solver import Solver
    from arena.measure.solve import Solved, solved_in_order

    workers = workers_of(threads)
    boards = positions if isinstance(positions, Iterator) else boards_of(positions, rules)
    rows: list[Solved] = []

    def tell(board: Board, row: Solved) -> None:
        rows.append(row)
        found(board, row)

    for each, alike in itertools.groupby(boards, lambda board: board.rules):
        solver = Solver(each, book=shipped_book(each) if book else None)
        solved_in_order(solver, workers, alike, tell, columns=columns)
    return Measured(rows, Solved, hidden=() if columns else ("columns",))


def audit(run: Path, *, workers: Workers = 1, progress: Progress = False) -> int:
    """Compare every move of a stored run with perfect play, store the results, and return the number of positions.

    Stored results are not computed again. Raises InputError if it cannot go on; results so far are kept.
    """
    from arena.measure.audit import audit as solve_moves
    from arena.measure.audit import missing
    from arena.store.run_file import Store
    from arena.store.validation import refuse_damaged

    threads = workers_of(workers)
    with Store.read(run) as store:
        refuse_damaged(store)
        rules, openings = store.rules(), missing(store)
    if not openings:
        return 0
    rules.refuse_most_fours("the solver")
    total = sum(map(len, openings))
    shown = bar(progress, "position", total, leave=True, smoothing=0.1)
    with Store.resume(run) as store, shown:
        try:
            solve_moves(store, openings, threads, shown.update)
        except InputError as error:
            raise InputError(f"{error}; what was audited is kept") from error
    return total


@dataclass(frozen=True, slots=True)
class Graded(Measured["Grade"]):
    """The grades of agents."""

    grading: Grading | None = None
    """The sample and the ladder; None if no agent was graded."""
    candidates: int = 0
    """The number of rows to grade."""


def grade(
    agents: Sequence[object],
    depth: int | Iterable[int] = range(1, 7),
    *,
    positions: int | str | Path = 500,
    seed: int = 1,
    plies: Sequence[int] | None = None,
    ladder: int | Iterable[int] | None = None,
    workers: Workers = 1,
    rules: Rules | str = "7x6x4",
    isolation: Apart | None = None,
    progress: Progress = False,
    warn: Warn = warn_caller,
) -> Graded:
    """Return how often agents find a good move in solved positions; `arena grade` from Python. Raises InputError.

    agents: specs, folders, rosters, classes, functions or objects. depth: plies, for agents that leave their depth
    open. positions: a number of positions, drawn with the seed from games of `plies`, or a file of them, see
    `arena.measure.scored`. ladder:
    depths of alpha-beta to find the depth that plays like an agent. workers: threads that solve. rules: the board.
    isolation: settings for agents of files, see `run`; an agent that fails is left out. progress: show a bar. Ctrl-C
    keeps the rows found so far. The columns of the table are the fields of `arena.measure.grading.Grade`.
    """
    from arena.measure.exercises import default_plies, positions_from, questions
    from arena.measure.grading import Grade, Grading, candidates

    asked = Path(positions) if isinstance(positions, str | Path) else whole("positions", positions, 1)
    whole("seed", seed, 0)
    drawn = None if plies is None else listed("plies", plies, 12)
    rungs = depths_of(ladder) if ladder else None
    board = rules_of(rules)
    entered = candidates(specs(agents, isolation, warn), depths_of(depth), board)
    threads = workers_of(workers)
    made = [each.spec.build() for each in entered]  # an agent that cannot be made fails before anything is solved
    next(positions_from(seed, drawn or default_plies(board), board, 1), None)  # and so do plies that the board lacks
    rows: list[Grade] = []
    done, interrupted, watch, faults = None, False, Watch(seed), list[InputError]()
    with bar(progress, "move") as shown:
        try:
            boards, known = questions(asked, seed, drawn, board, shown.update)
            shown.total = shown.n + len(boards) * (len(made) + len(rungs or ()) + 1) - len(known)
            grading = Grading.of(boards, known, seed, threads, shown.update, rungs=rungs)
            for row in grading.grades(entered, made, shown.update, faults):
                rows.append(row)
                done = grading
        except KeyboardInterrupt:
            interrupted = True
    return Graded(
        rows, Grade, *watch.end(), interrupted, grading=done, candidates=len(entered),
        faults=tuple(faults) if interrupted else remaining(faults, rows),
    )  # fmt: skip


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
    rows found so far. The columns of the table are the fields of `arena.measure.scored.ScoredPosition`.
    """
    from arena.measure.exercises import default_plies, sample
    from arena.measure.exercises import solve as solve_columns
    from arena.measure.scored import ScoredPosition
    from arena.measure.solve import Discs, Values

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
