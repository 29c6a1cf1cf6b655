"""Threads that solve positions: one position each and, with fewer positions than threads, together.

An idle thread joins the search of another thread: both search one position with one table, and share the work as
`agents.solver.abdada` says. The first to finish stops the other. A helper leaves when a new task arrives.
"""

from __future__ import annotations

import functools
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Self, TypeVar

from agents.solver.solver import Solver, Stopped

V = TypeVar("V")
JOINED_AFTER = 0.01
"""[seconds] How long a search runs before other threads join it; most searches end earlier."""


class SolverPool:
    """Threads that run tasks in order; a context manager that waits at its end until all tasks are done."""

    def __init__(self, solver: Solver, threads: int) -> None:
        """Start the threads, each with a partner of the solver."""
        self._workers = [_Worker(partner, self) for partner in solver.partners(threads)]
        self._tasks: deque[Callable[[_Worker], None]] = deque()
        self._searches: list[_SharedSearch] = []
        self._busy = 0
        self._closed = self._stopped = False
        self._changed = threading.Condition()
        self._threads = [threading.Thread(target=self._work, args=(worker,), daemon=True) for worker in self._workers]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Callable[[Solver], V]) -> Future[V]:
        """Make a thread call `task` with its solver; the future gets the result or the error."""
        future: Future[V] = Future()
        with self._changed:
            self._tasks.append(functools.partial(self._run, future, task))
            for helper in [helper for shared in self._searches for helper in shared.helpers][: len(self._tasks)]:
                helper.stop()
            self._changed.notify_all()
        return future

    def stop(self) -> None:
        """End all running and waiting tasks with Stopped."""
        with self._changed:
            self._stopped = True
            for worker in self._workers:
                worker.stop()

    def __enter__(self) -> Self:
        """Return the pool."""
        return self

    def __exit__(self, wrong: type[BaseException] | None, *_: object) -> None:
        """Wait until all tasks are done, or stop them after an error; then end the threads."""
        if wrong is not None:
            self.stop()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        self._workers.clear()  # they know the pool, and so the solver's table would wait for the garbage collector

    def search(self, worker: _Worker, discs: tuple[int, int], limits: tuple[int, int]) -> int:
        """Return the first score that the worker or a helper finds. Raises Stopped."""
        shared = _SharedSearch(worker, discs, limits)
        with self._changed:
            self._searches.append(shared)
            self._changed.notify_all()
        shared.run(worker)
        with self._changed:
            self._searches.remove(shared)
            for helper in shared.helpers:
                helper.stop()
            while shared.helpers:
                self._changed.wait()
            if not self._stopped:
                worker.resume()
        if shared.errors:
            raise shared.errors[0]
        if not shared.scores:
            raise Stopped
        return shared.scores[0]

    def _work(self, worker: _Worker) -> None:
        for act in iter(functools.partial(self._next, worker), None):
            act(worker)

    def _next(self, worker: _Worker) -> Callable[[_Worker], None] | None:
        """Wait for work, and return a task or a search to join; None at the end."""
        with self._changed:
            while self._tasks or self._busy or not self._closed:
                if self._tasks:
                    self._busy += 1
                    return self._tasks.popleft()
                running = [search for search in self._searches if not search.scores and not search.errors]
                shared = min(running, key=lambda search: (len(search.helpers), search.began), default=None)
                wait = None if shared is None else shared.began + JOINED_AFTER - time.monotonic()
                if shared is not None and wait is not None and wait <= 0:
                    shared.helpers.append(worker)
                    return functools.partial(self._join, shared)
                self._changed.wait(wait)
        return None

    def _run(self, future: Future[V], task: Callable[[Solver], V], worker: _Worker) -> None:
        """Run a task, and set its future."""
        try:
            future.set_result(task(worker))
        except BaseException as error:  # noqa: BLE001  raised where the result is read
            future.set_exception(error)
        with self._changed:
            self._busy -= 1
            self._changed.notify_all()

    def _join(self, shared: _SharedSearch, worker: _Worker) -> None:
        """Help with another worker's search until it ends or a task arrives."""
        before = worker.nodes
        shared.run(worker)
        with self._changed:
            shared.helpers.remove(worker)
            shared.worker.helped += worker.nodes - before
            if shared.scores or shared.errors:
                shared.worker.stop()
            if not self._stopped:
                worker.resume()
            self._changed.notify_all()


class _Worker(Solver):
    """One thread's solver, which other threads can help."""

    def __init__(self, solver: Solver, pool: SolverPool) -> None:
        vars(self).update(vars(solver))
        self._pool = pool
        self.helped = 0

    @property
    def nodes(self) -> int:
        """Positions searched so far for this worker, helpers included."""
        return super().nodes + self.helped

    def search(self, own: int, opp: int, lowest: int, highest: int) -> int:
        """Return what `Solver.search` does, with help. Raises Stopped."""
        if (own | opp).bit_count() > self._size // 2:  # these positions are in a near table, which is not shared
            return self.alone(own, opp, lowest, highest)
        return self._pool.search(self, (own, opp), (lowest, highest))

    alone = Solver.search
    """The search without help, which helpers call."""


@dataclass(eq=False)
class _SharedSearch:
    """A worker's search and the helpers that have joined it."""

    worker: _Worker
    discs: tuple[int, int]
    limits: tuple[int, int]
    began: float = field(default_factory=time.monotonic)
    helpers: list[_Worker] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    """Errors in the threads that searched."""

    def run(self, worker: _Worker) -> None:
        """Search, and record the score or the error; Stopped records nothing."""
        try:
            self.scores.append(worker.alone(*self.discs, *self.limits))
        except Stopped:
            pass
        except BaseException as error:  # noqa: BLE001  `SolverPool.search` raises it
            self.errors.append(error)
