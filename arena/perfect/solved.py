"""Solve many positions in threads that share one table, so that each uses what the others have found.

The search holds the table without the interpreter's lock: threads serve as well as processes, and on two cores they
solve a sixth more positions of a book than processes with half of the table each.
"""

from __future__ import annotations

import collections
import functools
import itertools
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from agents.board import Board, Rules
from agents.errors import InputError
from agents.score import VALUES, sign
from agents.solver.book import shipped_book
from agents.solver.parallel import SolverPool
from agents.solver.solver import MEBIBYTES, Solver

if TYPE_CHECKING:
    from arena.games.executor import Cluster

P = TypeVar("P")
V = TypeVar("V")
BATCH = 16
"""Positions that are sent to a cluster's worker at a time."""
Discs = tuple[int, int]
"""Those of the side to move and of the other."""
Values = tuple[int | None, ...]
"""What a move in each column is worth to the side to move; None where it is full."""


def solve_all(
    rules: Rules, chunks: Iterable[Sequence[Discs]], threads: int | Cluster, *, strong: bool, mebibytes: int = MEBIBYTES
) -> Generator[tuple[Discs, Values], None, None]:
    """Yield each position with the values of its columns, in no fixed order; see `in_threads`.

    threads, chunks: see there. strong: values are the solver's scores, else 1, 0 and -1. mebibytes: the size of the
    table that all threads share. Raises InputError where there is no memory for the table, and where most fours win.
    """
    solver = Solver(rules, mebibytes, shipped_book(rules))
    return in_threads(solver, threads, chunks, lambda solver, discs: solver.column_scores(*discs, weak=not strong))


def in_threads(
    solver: Solver, threads: int | Cluster, chunks: Iterable[Iterable[P]], ask: Callable[[Solver, P], V]
) -> Generator[tuple[P, V], None, None]:
    """Yield each position of the chunks with the answer of `ask`, in no fixed order.

    threads: each has a partner of the solver and takes one of the chunks at a time, one position after the other;
    positions with a common future should stand together, later plies first. On a cluster each thread of a worker has a
    solver of its own and keeps it. Closing the generator stops all work; exceptions of the threads are raised here.
    """
    if not isinstance(threads, int):
        several = itertools.chain.from_iterable(chunks)
        batches = iter(lambda: list(itertools.islice(several, BATCH)), [])
        for batch in threads.each(answers_there, batches, solver.rules, solver.mebibytes, solver.book is not None, ask):
            yield from batch
        return
    solvers = solver.partners(threads)
    todo = collections.deque(chunks)
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
    workers = [threading.Thread(target=_work, args=(partner, todo, ask, answers), daemon=True) for partner in solvers]
    try:
        for thread in workers:
            thread.start()
        for _ in workers:
            for answer in iter(answers.get, None):
                if isinstance(answer, BaseException):
                    raise answer
                yield answer
    finally:
        todo.clear()
        for partner in solvers:
            partner.stop()
        for thread in workers:
            if thread.is_alive():  # Ctrl-C may come before all have started
                thread.join()


def _work(
    solver: Solver,
    todo: collections.deque[Iterable[P]],
    ask: Callable[[Solver, P], V],
    answers: queue.SimpleQueue[tuple[P, V] | BaseException | None],
) -> None:
    """Put an answer for each position still to do, or the exception that ends the work, and None at the end."""

    def chunk() -> Iterable[P] | None:
        with suppress(IndexError):
            return todo.popleft()
        return None

    try:
        for positions in iter(chunk, None):
            for position in positions:
                answers.put((position, ask(solver, position)))
    except BaseException as error:  # noqa: BLE001  it is raised where the answers are read
        answers.put(error)
    answers.put(None)


def answers_there(
    rules: Rules, mebibytes: int, booked: bool, ask: Callable[[Solver, P], V], positions: Sequence[P]
) -> list[tuple[P, V]]:
    """Return each position with the answer of `ask`: on a cluster's worker, with the solver of this thread.

    mebibytes: the size of this solver's table. booked: whether it has the board's opening book.
    """
    solver = _kept(rules, mebibytes, booked, threading.get_ident())
    return [(position, ask(solver, position)) for position in positions]


@functools.cache
def _kept(rules: Rules, mebibytes: int, booked: bool, _: int) -> Solver:
    return Solver(rules, mebibytes, shipped_book(rules) if booked else None)


AHEAD = 1000
"""Positions taken at most before the first of them is reported."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The value of a position for the side to move, and the cost of finding it."""

    position: str
    """The moves to it."""
    score: int
    """[discs] Those that the winner has left after the winning move, plus one; negative for a loss, 0 for a draw."""
    outcome: str
    """`win`, `draw` or `loss`."""
    nodes: int
    """[nodes]"""
    seconds: float
    """[seconds]"""
    columns: tuple[int | None, ...] | None
    """[discs] The score of a move in each column, None where it is full; None unless asked for."""


def solved(solver: Solver, board: Board, *, columns: bool = False) -> Solved:
    """Solve a position. Raises InputError where the game is over.

    columns: also solve the move in each column; the nodes and the seconds are without that.
    """
    if board.outcome is not None:
        raise InputError(f"position {board.text!r}: the game is already over ({board.outcome})")
    before, began = solver.nodes, time.perf_counter()
    score = solver.score_of(board)
    nodes, seconds = solver.nodes - before, time.perf_counter() - began
    worth = tuple(solver.column_scores(board.own, board.opp)) if columns else None
    return Solved(board.text, score, VALUES[sign(score)], nodes, seconds, worth)


def solved_in_order(
    solver: Solver,
    threads: int | Cluster,
    boards: Iterable[Board],
    report: Callable[[Board, Solved], object],
    *,
    columns: bool = False,
) -> None:
    """Call `report` with each position and its row of `solved`, which takes `columns`, in order and early.

    threads: each solves a position or, where there are fewer positions, all solve one together; `report` is called in
    one more thread. Boards are taken one by one in this thread: they may be lines that somebody types. An exception of
    the boards, the solving or `report` is raised here, after all earlier positions are reported; Ctrl-C stops all work.
    """
    if not isinstance(threads, int):
        for board, row in in_order(solver, boards, functools.partial(solved, columns=columns), threads):
            report(board, row)
        return
    reports = _Reports(report)
    with ThreadPoolExecutor(1) as reporter, SolverPool(solver, threads) as pool:
        try:
            for board in boards:
                answer = pool.submit(functools.partial(solved, board=board, columns=columns))
                reports.waiting.append(reporter.submit(reports.make, board, answer))
                if reports.broken or len(reports.waiting) > AHEAD:
                    reports.waiting.popleft().result()
        except Exception:
            reports.wait()
            raise
        reports.wait()


class _Reports:
    """Positions of `solved_in_order` that wait to be reported."""

    def __init__(self, report: Callable[[Board, Solved], object]) -> None:
        self.report = report
        self.waiting: deque[Future[None]] = deque()
        self.broken = False
        """Whether something went wrong; nothing is reported after that."""

    def make(self, board: Board, answer: Future[Solved]) -> None:
        """Wait for a position's answer and report it."""
        if not self.broken:
            try:
                self.report(board, answer.result())
            except BaseException:
                self.broken = True
                raise

    def wait(self) -> None:
        """Wait until all positions are reported. Raises what went wrong first."""
        while self.waiting:
            self.waiting.popleft().result()


def in_order(
    solver: Solver, boards: Iterable[Board], ask: Callable[[Solver, Board], Solved], cluster: Cluster
) -> Iterator[tuple[Board, Solved]]:
    """Yield each position with the answer of `ask` on a cluster, in order."""
    asked: deque[Board] = deque()
    rows: dict[str, Solved] = {}

    def asking() -> Iterator[Board]:
        for board in boards:
            asked.append(board)
            yield board

    with closing(in_threads(solver, cluster, [asking()], ask)) as answers:
        for answered, row in answers:
            rows[answered.text] = row
            while asked and asked[0].text in rows:
                board = asked.popleft()
                yield board, rows[board.text]
