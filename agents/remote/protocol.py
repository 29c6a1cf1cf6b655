"""What the referee's ends of all protocols have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.remote.limits import Source
from agents.remote.process import Process


class Protocol(ABC):
    """The referee's end of a protocol. Deadlines are moments of `time.perf_counter`; faults are raised as Failure."""

    own_pipe = False
    """Whether answers come on a pipe of their own, and not on stdout."""
    one_game = False
    """Whether a process plays one game and another process the next."""
    may_refuse = False
    """Whether `start` may refuse what the user asks for, so that a run has to start it before the first game."""

    def __init__(self, source: Source, process: Process) -> None:
        self._source = source
        self._process = process

    @staticmethod
    def command(source: Source) -> list[str]:
        """Return what to run."""
        return list(source.words)

    @abstractmethod
    def start(self, rules: Rules, deadline: float) -> None:
        """Come to the point where games can begin. Raises InputError where this board is not played."""

    def new_game(self, seed: int, deadline: float) -> None:  # noqa: B027  most protocols know positions, no games
        """Tell it that a game begins, where the protocol has a word for that."""

    @abstractmethod
    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:
        """Return its answer, which may be no legal move."""

    def quit(self) -> None:  # noqa: B027  for most the end of their input is enough
        """Say goodbye, where the protocol has a word for that."""
