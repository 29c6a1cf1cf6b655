"""Searches behind a request: few at once, each in a thread, ended by a clock or by the page that no longer waits."""

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
from arena.api.games import player
from arena.records import MoveRecord

if TYPE_CHECKING:
    from arena.play.person import Seat

T = TypeVar("T")
AT_ONCE = 2
SECONDS = 6.0
"""After which a search is stopped."""
SOLVERS = 2
"""Boards with a solver that is kept with its table."""
MOST_COMPILED = 100
"""Searches that a server compiles, each for a heuristic, an ordering and a board; numba keeps 5 MB of each for ever."""
GLANCE = 0.1
"""Seconds between two looks at the clock and at the page."""


class Searches:
    """Lets a few searches run, and the others wait."""

    def __init__(self) -> None:
        self.slots = asyncio.Semaphore(AT_ONCE)
        self.solving = asyncio.Lock()
        self.solvers: dict[Rules, Solver] = {}
        self.compiled: set[tuple[object, ...]] = set()

    async def answer(self, request: Request, work: Callable[[], T], stop: Callable[[], None]) -> T:
        """Return what `work` returns; `stop` is called when its time is over or the page has gone."""
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
            except asyncio.CancelledError:  # the server ends, and would wait for the thread
                threading.Thread(target=insist, daemon=True).start()
                raise
            return await task

    async def prepare(self, request: Request, spec: Spec, rules: Rules, seed: int = 0) -> Seat:
        """Return an agent, compiled where that is still to be done: it takes seconds once on a machine, unclocked.

        Raises InputError where the server has compiled enough.
        """
        settings = spec.resolved()
        asked = (spec.kind, settings.get("heuristic"), settings.get("order"), rules)
        if asked not in self.compiled and len(self.compiled) >= MOST_COMPILED:
            raise InputError(
                f"this server has compiled {MOST_COMPILED} searches, and each keeps its memory; "
                "ask for a heuristic and a board that were asked for before, or start the server again"
            )
        self.compiled.add(asked)
        seat = player(spec)
        await self.answer(request, lambda: seat.ready(Board(rules), seed), lambda: None)
        return seat

    async def move(self, request: Request, spec: Spec, board: Board, seed: int) -> MoveRecord:
        """Return an agent's move. Raises InputError where it has none in time."""
        return await self.decide(request, await self.prepare(request, spec, board.rules, seed), board)

    async def decide(self, request: Request, seat: Seat, board: Board) -> MoveRecord:
        """Return the move of an agent that is ready, likewise."""
        stopped = threading.Event()

        def stop() -> None:
            stopped.set()
            seat.stop()

        try:
            made = await self.answer(request, lambda: seat.decide(board), stop)
        except InputError:  # its process was ended
            made = None
            if not stopped.is_set():
                raise
        if made is None or (stopped.is_set() and made.score is None):
            raise InputError(f"{seat.name} has no answer within {SECONDS:g} seconds; give it a smaller depth")
        return made

    async def truth(self, request: Request, board: Board) -> tuple[int | None, ...] | None:
        """Return each column's exact score, None where it is full; None where there is no time to solve it."""
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
