"""A stranger as the referee knows it: an agent whose process is started, asked within limits, and replaced."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.remote.failure import TIME, Failure, legible
from agents.remote.limits import ProcessLimits, Source
from agents.remote.line import Line
from agents.remote.pons import Pons
from agents.remote.process import Process
from agents.remote.protocol import Protocol
from agents.remote.python import Python
from agents.remote.sandbox import enclosed, environment
from agents.remote.theaigames import TheAiGames
from agents.remote.uci import Uci

T = TypeVar("T")
N = TypeVar("N", int, float)
DEFAULT_LIMITS = ProcessLimits()
SECRET = 8
"""Letters from which on the value of a variable may be a key."""


class RemoteAgent:
    """An agent in a process of its own. What it does wrong is raised as Failure, and ends its process.

    The next game begins with a new one.
    """

    def __init__(
        self, source: Source, process_limits: ProcessLimits = DEFAULT_LIMITS, rules: Rules | None = None
    ) -> None:
        """Start nothing yet; with `rules` it starts when a game begins."""
        self._process: Process | None = None
        self.source = source
        self.process_limits = process_limits
        self._rules = rules
        self._protocol: Protocol | None = None
        self._begun = False
        """Whether its process has been asked for a move."""
        self._unfit: Failure | InputError | None = None
        """Why it did not start, the first time; it is not tried again."""

    @property
    def running(self) -> bool:
        """Whether it has a process."""
        return self._process is not None

    @property
    def may_refuse(self) -> bool:
        """Whether it may refuse to start with what the user asks of it."""
        return PROTOCOLS[self.source.protocol].may_refuse

    @property
    def output(self) -> str:
        """The end of what its process has written beside its answers."""
        return "" if self._process is None else self._hidden(self._process.output)

    def prepare(self, rules: Rules) -> None:
        """Start its process for boards of this size, where it does not run already. Raises Failure, InputError."""
        if self._process is not None and rules == self._rules:
            return
        if self._unfit is not None and rules == self._rules:
            raise self._unfit.with_traceback(None)
        first, self._begun, self._unfit = self._protocol is None or rules != self._rules, False, None
        self.close()
        self._rules = rules
        source, process_limits = self.source, self.process_limits
        protocol = PROTOCOLS[source.protocol]
        variables = environment() | {"ARENA_BOARD": str(rules)}
        command = enclosed(protocol.command(source), source) if process_limits.sandbox else protocol.command(source)
        own = dict(source.environment)
        try:
            os.stat(f"{source.folder}/")  # noqa: PTH116  the slash refuses what is no folder
            self._process = Process(command, source.folder, variables, own, process_limits, own_pipe=protocol.own_pipe)
        except OSError as error:
            raise InputError(f"{source.folder}: {error.strerror}") from error
        self._protocol = protocol(source, self._process)
        try:
            self._within(process_limits.patience, "start", lambda deadline: self._talk.start(rules, deadline))
        except (Failure, InputError) as error:
            if first:  # else it can start, and may do so again
                self._unfit = error
            raise

    def new_game(self, seed: int) -> None:
        """Tell it that a game begins."""
        if self._begun and self._talk.one_game:
            self.close()
        if self._rules is not None:
            self.prepare(self._rules)
        self._within(self.process_limits.patience, "new_game", lambda deadline: self._talk.new_game(seed, deadline))

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return its answer, within the limit and the margin, or within its patience where there is no limit."""
        if self._process is None or board.rules != self._rules:
            self.prepare(board.rules)
        self._begun = True
        own = self.source.limits
        bounds = Limits(limits.depth, _tighter(limits.nodes, own.nodes), _tighter(limits.seconds, own.seconds))
        allowed = self.process_limits
        seconds = allowed.patience if bounds.seconds is None else bounds.seconds + allowed.margin
        answer = self._within(seconds, "a move", lambda deadline: self._talk.choose(board, bounds, deadline))
        column: Any = answer.column  # it may be a text, which a fault quotes
        return replace(answer, column=cast("Any", self._hidden(column))) if isinstance(column, str) else answer

    def score(self, board: Board, deadline: float) -> int:
        """Return a solver's score of a position that is not over, for the side to move."""
        assert isinstance(self._talk, Pons)
        return self._talk.score(board, deadline)

    def stop(self) -> None:
        """Kill it while another thread waits for it."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End its process."""
        if self._process is not None:
            try:
                self._talk.quit()
            except Failure:
                pass
            finally:
                process, self._process = self._process, None
                process.close()

    def __del__(self) -> None:
        """End its process where nobody has."""
        self.stop()
        self.close()

    @property
    def _talk(self) -> Protocol:
        assert self._protocol is not None
        return self._protocol

    def _hidden(self, text: str) -> str:
        """Return what it wrote without the values of its own variables, which may be keys, so that none is stored."""
        for _, value in self.source.environment:
            if len(value) >= SECRET:
                text = text.replace(value, "***")
        return text

    def _within(self, seconds: float, what: str, ask: Callable[[float], T]) -> T:
        """Ask, and take its process away where that fails."""
        try:
            return ask(time.perf_counter() + seconds)
        except Failure as failure:
            process, self._process = self._process, None
            assert process is not None
            process.kill()
            detail = f"no answer within {seconds:g} s ({what})" if failure.kind == TIME else failure.detail
            output = self._hidden(process.output)
            process.close()
            trace = self._hidden(failure.traceback)
            raise Failure(failure.kind, self._hidden(detail), traceback=trace, output=output) from None
        except BaseException as error:
            process, self._process = self._process, None
            if process is not None:
                process.kill()
                if isinstance(error, InputError):
                    error.output = legible(process.output)
                process.close()
            raise


def _tighter(one: N | None, other: N | None) -> N | None:
    return min((each for each in (one, other) if each is not None), default=None)


PROTOCOLS: dict[str, type[Protocol]] = {
    "python": Python,
    "cmd": Line,
    "uci": Uci,
    "pons": Pons,
    "theaigames": TheAiGames,
}
"""Every protocol; all but the first are prefixes of specs."""
