"""Many positions solved, in threads that share one table, so that each knows what the others learnt.

The search holds the table without the interpreter's lock: threads serve as well as processes, and on two cores solve a
sixth more positions of a book than processes with half of the table each.
"""

from __future__ import annotations

import collections
import functools
import itertools
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from agents.board import Rules
from agents.solver.book import shipped_book
from agents.solver.solver import MEBIBYTES, Solver

if TYPE_CHECKING:
    from arena.play.cluster import Cluster

P = TypeVar("P")
V = TypeVar("V")
BATCH = 16
"""Positions that are sent to a cluster's worker at a time."""
Discs = tuple[int, int]
"""Those of the side to move and of the other."""
Values = tuple[int | None, ...]
"""What a move in each column is worth to the side to move; None where it is full."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every position. Raises InputError where most fours win."""

    rules: Rules
    strong: bool
    """Whether values are the solver's scores, or 1, 0 and -1."""
    mebibytes: int = MEBIBYTES
    """Size of the table that all threads share."""

    def __post_init__(self) -> None:
        self.rules.refuse_most_fours("the solver")


def solve_all(
    question: Question, chunks: Iterable[Sequence[Discs]], threads: int | Cluster
) -> Generator[tuple[Discs, Values], None, None]:
    """Yield each position with the values of its columns, in no fixed order; see `in_threads`.

    Raises InputError where there is no memory for the table.
    """
    solver = Solver(question.rules, question.mebibytes, shipped_book(question.rules))
    return in_threads(
        solver, threads, chunks, lambda solver, discs: solver.column_scores(*discs, weak=not question.strong)
    )


def in_threads(
    solver: Solver, threads: int | Cluster, chunks: Iterable[Iterable[P]], ask: Callable[[Solver, P], V]
) -> Generator[tuple[P, V], None, None]:
    """Yield each position of the chunks with what `ask` finds of it, in no fixed order.

    On a cluster each thread of a worker has a solver like this one, with a table of its own, and keeps it.

    Each thread has a partner of the solver and takes a chunk at a time, one position after the other: those which share
    a future should stand together, the later ones first. Closing the generator stops all work; what goes wrong in a
    thread is raised here.
    """
    if not isinstance(threads, int):
        several = itertools.chain.from_iterable(chunks)
        batches = iter(lambda: list(itertools.islice(several, BATCH)), [])
        for found in threads.each(answers_there, batches, solver.rules, solver.mebibytes, solver.book is not None, ask):
            yield from found
        return
    solvers = solver.partners(threads)
    todo = collections.deque(chunks)
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
    crew = [threading.Thread(target=_work, args=(each, todo, ask, answers), daemon=True) for each in solvers]
    try:
        for thread in crew:
            thread.start()
        for _ in crew:
            for answer in iter(answers.get, None):
                if isinstance(answer, BaseException):
                    raise answer
                yield answer
    finally:
        todo.clear()
        for each in solvers:
            each.stop()
        for thread in crew:
            if thread.is_alive():  # Ctrl-C may come before all have started
                thread.join()


def _work(
    solver: Solver,
    todo: collections.deque[Iterable[P]],
    ask: Callable[[Solver, P], V],
    answers: queue.SimpleQueue[tuple[P, V] | BaseException | None],
) -> None:
    """Put an answer for each position that there is to do, what goes wrong, and None at the end."""

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
    """Return each position with what `ask` finds of it: on a cluster's worker, with the solver of this thread."""
    solver = _kept(rules, mebibytes, booked, threading.get_ident())
    return [(position, ask(solver, position)) for position in positions]


@functools.cache
def _kept(rules: Rules, mebibytes: int, booked: bool, _: int) -> Solver:
    return Solver(rules, mebibytes, shipped_book(rules) if booked else None)
