"""An agent that starts a process, asks it for moves within limits, and replaces it after a failure."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from agents.agent import Analysis, Limits, tighter
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import TIME, Failure, escaped
from agents.masking import Mask
from agents.process_agent import ProcessAgent, ProcessLimits, Source
from agents.processes.process import QUIT_TIMEOUT, SECRET, Process
from agents.processes.protocol import Protocol
from agents.processes.python import Python
from agents.processes.sandbox import enclosed, environment
from agents.specs.kinds import PROGRAMS
from agents.specs.plugins import load

T = TypeVar("T")
DEFAULT_LIMITS = ProcessLimits()


class SubprocessAgent(ProcessAgent):
    """An agent in a separate process. A fault raises Failure and ends the process; the next game starts a new one."""

    def __init__(
        self, source: Source, process_limits: ProcessLimits = DEFAULT_LIMITS, rules: Rules | None = None
    ) -> None:
        """Start no process yet. With `rules`, `new_game` starts it; otherwise `prepare` does."""
        self._process: Process | None = None
        self.source = source
        self.process_limits = process_limits
        self._rules = rules
        self._mask = Mask((value for _, value in source.environment), shortest=SECRET)
        """Hides the values of the agent's own variables: they may be keys."""
        self._protocol: Protocol | None = None
        self._unfit: Failure | InputError | None = None
        """Why the first start failed; later starts raise it again."""

    @property
    def running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None

    @property
    def name(self) -> str:
        """The name that the agent reports; empty before its process starts, and where its protocol has no names."""
        return "" if self._protocol is None else self._mask.text(self._protocol.name)

    @property
    def may_refuse(self) -> bool:
        """Whether the agent may refuse to start with the user's options or board."""
        return protocol_of(self.source).may_refuse

    @property
    def about(self) -> str:
        """The description that the agent reported when it started."""
        return "" if self._protocol is None else self._mask.text(self._protocol.about)

    @property
    def output(self) -> str:
        """The end of the process's other output."""
        return "" if self._process is None else self._mask.text(self._process.output)

    def taken_output(self) -> str:
        """Return `output` and clear it."""
        return "" if self._process is None else self._mask.text(self._process.taken_output())

    def prepare(self, rules: Rules) -> None:
        """Start a process for boards of this size unless one runs. Raises Failure, InputError."""
        if self._process is not None and rules == self._rules:
            return
        if self._unfit is not None and rules == self._rules:
            raise self._unfit.with_traceback(None)
        first, self._unfit = self._protocol is None or rules != self._rules, None
        self.close()
        self._rules = rules
        source, process_limits = self.source, self.process_limits
        protocol = protocol_of(source)
        variables = environment() | {"ARENA_BOARD": str(rules)}
        command = enclosed(protocol.command(source), source) if process_limits.sandbox else protocol.command(source)
        extra = dict(source.environment)
        try:
            os.stat(f"{source.folder}/")  # noqa: PTH116  the slash refuses a file
            self._process = Process(
                command, source.folder, variables, extra, process_limits, own_pipe=protocol.own_pipe
            )
        except OSError as error:
            raise InputError(f"{source.folder}: {error.strerror}") from error
        self._protocol = protocol(source, self._process)
        try:
            self._within(process_limits.start_timeout, "start", lambda deadline: self._talk.start(rules, deadline))
        except (Failure, InputError) as error:
            if first:  # a process that has started before may start again
                self._unfit = error
            raise
        self.pause()

    def new_game(self, seed: int) -> None:
        """Announce a game."""
        if self._rules is not None:
            self.prepare(self._rules)
        self._within(
            self.process_limits.start_timeout, "new_game", lambda deadline: self._talk.new_game(seed, deadline)
        )
        self.pause()

    def pause(self) -> None:
        """Stop what runs in the agent's sandbox until the next question, unless its engine ponders."""
        if self._process is not None and not self._talk.pondering:
            self._process.pause()

    def stop_pondering(self) -> None:
        """End pondering; an agent that does not end it in time gets a new process for the next game."""
        if self._process is not None:
            with suppress(Failure):
                self._within(QUIT_TIMEOUT, "stop pondering", self._talk.stop_pondering)
                self.pause()

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the agent's answer; wait until the limit and the margin end, without a limit as for a start."""
        if self._process is None or board.rules != self._rules:
            self.prepare(board.rules)
        agent_limits = self.source.limits
        nodes, seconds = tighter(limits.nodes, agent_limits.nodes), tighter(limits.seconds, agent_limits.seconds)
        bounds = Limits(limits.depth, nodes, seconds, limits.remaining, limits.opponent_remaining, limits.increment)
        allowed, most = self.process_limits, seconds
        if limits.remaining is not None:
            most = tighter(limits.remaining, agent_limits.seconds)
        seconds = allowed.start_timeout if most is None else most + allowed.margin
        answer = self._within(seconds, "a move", lambda deadline: self._talk.choose(board, bounds, deadline))
        if isinstance(answer.column, str) or isinstance(answer.score, str):  # messages quote these texts
            return replace(answer, column=self._masked(answer.column), score=self._masked(answer.score))
        return answer

    def stop(self) -> None:
        """Kill the process; safe while another thread waits for it."""
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            try:
                self._talk.quit()
            except Failure:
                pass
            finally:
                process, self._process = self._process, None
                process.close()

    def __del__(self) -> None:
        """End the process with its owner."""
        self.stop()
        self.close()

    @property
    def _talk(self) -> Protocol:
        assert self._protocol is not None
        return self._protocol

    def _masked(self, value: Any) -> Any:  # noqa: ANN401  a number or a text
        return type(value)(self._mask.text(value)) if isinstance(value, str) else value

    def _within(self, seconds: float, what: str, ask: Callable[[float], T]) -> T:
        """Call `ask` with the deadline that many seconds ahead, and return its result; end the process if it raises."""
        if self._process is not None:
            self._process.resume()
        try:
            return ask(time.perf_counter() + seconds)
        except BaseException as error:
            process, self._process = self._process, None
            if process is None:
                raise
            process.kill()
            output = self._mask.text(process.output)
            process.close()
            if isinstance(error, InputError):
                error.output = escaped(output)
                error.args = tuple(map(self._mask.value, error.args))
            if not isinstance(error, Failure):
                raise
            detail = error.detail
            if error.kind == TIME:
                detail = "; ".join(filter(None, (f"no answer within {seconds:g} s ({what})", error.detail)))
            detail, trace = self._mask.text(detail), self._mask.text(error.traceback)
            raise Failure(error.kind, detail, traceback=trace, output=output) from None


def protocol_of(source: Source) -> type[Protocol]:
    """Return the protocol of a source."""
    return Python if source.protocol == "python" else load(PROGRAMS[source.protocol].where)
