"""Searches for requests: few at once, each in a thread, until a time limit or until the page stops waiting."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from starlette.requests import Request

from agents.board import Board
from agents.errors import InputError
from agents.rules import Rules
from agents.solver.solver import Solver, Stopped
from agents.specs.registry import Spec
from arena.games.seats import player
from arena.records import MoveRecord

if TYPE_CHECKING:
    from arena.games.person import Seat

T = TypeVar("T")
AT_ONCE = 2
SECONDS = 6.0
"""The time limit of a search."""
SOLVERS = 2
"""Boards that keep their solver with its table."""
MOST_COMPILED = 100
"""Searches that a server compiles: one per heuristic, ordering and board. numba never frees their 5 MB each."""
GLANCE = 0.1
"""Seconds between two checks of the clock and of the page."""


class Searches:
    """Runs a few searches at a time; the others wait."""

    def __init__(self) -> None:
        self.slots = asyncio.Semaphore(AT_ONCE)
        self.solving = asyncio.Lock()
        self.solvers: dict[Rules, Solver] = {}
        self.compiled: set[tuple[object, ...]] = set()

    async def answer(self, request: Request, work: Callable[[], T], stop: Callable[[], None]) -> T:
        """Return the result of `work`; call `stop` when the time is over or the page has gone."""
        ended = threading.Event()

        def run() -> T:
            try:
                return work()
            finally:
                ended.set()

        def insist() -> None:
            while not ended.wait(GLANCE):
                stop()

        async with self.slots:
            if await request.is_disconnected():
                raise InputError("the page no longer waits for the answer")
            task = asyncio.create_task(asyncio.to_thread(run))
            began = time.monotonic()
            try:
                while not (await asyncio.wait({task}, timeout=GLANCE))[0]:
                    if time.monotonic() - began > SECONDS or await request.is_disconnected():
                        stop()
            except asyncio.CancelledError:  # the server ends, but would wait for the thread
                threading.Thread(target=insist, daemon=True).start()
                raise
            return await task

    async def prepare(self, request: Request, spec: Spec, rules: Rules, seed: int = 0) -> Seat:
        """Return an agent that is compiled, which takes seconds once on a machine and does not count as search.

        request: of the page that waits. seed: the agent's. Raises InputError if the server has compiled too many
        searches.
        """
        settings = spec.resolved()
        asked = (spec.kind, settings.get("heuristic"), settings.get("order"), rules)
        if asked not in self.compiled and len(self.compiled) >= MOST_COMPILED:
            raise InputError(
                f"this server has compiled {MOST_COMPILED} searches, which keep their memory; "
                "choose a heuristic and a board that were used before, or restart the server"
            )
        self.compiled.add(asked)
        seat = player(spec)
        await self.answer(request, lambda: seat.ready(Board(rules), seed), lambda: None)
        return seat

    async def move(self, request: Request, spec: Spec, board: Board, seed: int) -> MoveRecord:
        """Return an agent's move; `seed` is the agent's. Raises InputError if there is none in time."""
        return await self.decide(request, await self.prepare(request, spec, board.rules, seed), board)

    async def decide(self, request: Request, seat: Seat, board: Board) -> MoveRecord:
        """Return the move of an agent that is ready, likewise."""
        stopped = threading.Event()

        def stop() -> None:
            stopped.set()
            seat.stop()

        try:
            record = await self.answer(request, lambda: seat.decide(board), stop)
        except InputError:  # `stop` may have ended its process
            record = None
            if not stopped.is_set():
                raise
        if record is None or (stopped.is_set() and record.score is None):
            raise InputError(f"{seat.name} found no move within {SECONDS:g} seconds; give it a smaller depth")
        return record

    async def truth(self, request: Request, board: Board) -> tuple[int | None, ...] | None:
        """Return each column's exact score, None if it is full; None alone if time runs out."""
        async with self.solving:
            solver = self.solvers.pop(board.rules, None)
            if solver is None:
                solver = await asyncio.to_thread(_solver, board.rules)
            self.solvers[board.rules] = solver
            while len(self.solvers) > SOLVERS:
                del self.solvers[next(iter(self.solvers))]
            solver.resume()
            with contextlib.suppress(Stopped):
                return await self.answer(request, lambda: solver.column_scores(board.own, board.opp), solver.stop)
        return None


def _solver(rules: Rules) -> Solver:
    from agents.solver.book import shipped_book

    return Solver(rules, book=shipped_book(rules))
