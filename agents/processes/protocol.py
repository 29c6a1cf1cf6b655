"""The base class of all protocols, on the referee's side."""

from __future__ import annotations

from abc import ABC, abstractmethod

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.masking import Mask
from agents.process_agent import Source
from agents.processes.process import SECRET, Process


class Protocol(ABC):
    """Talks to one process. Deadlines are on the clock of `time.perf_counter`; an agent's fault raises Failure."""

    own_pipe = False
    """Whether the process reads and answers on separate pipes instead of stdin and stdout."""
    name = ""
    """The name that the agent reports; empty where the protocol has no names."""
    may_refuse = False
    """Whether `start` may refuse the user's options or board; if so, a run starts the agent before the first game."""
    about = ""
    """The description that the agent reports when it starts."""

    def __init__(self, source: Source, process: Process) -> None:
        self._source = source
        self._process = process
        self._mask = Mask((value for _, value in source.environment), shortest=SECRET)

    @property
    def pondering(self) -> bool:
        """Whether the agent thinks on the opponent's time because the user wants it to."""
        return False

    @staticmethod
    def command(source: Source) -> list[str]:
        """Return the command to run."""
        return list(source.words)

    @abstractmethod
    def start(self, rules: Rules, deadline: float) -> None:
        """Make the agent ready for games. Raises InputError for a board that it does not play."""

    def new_game(self, seed: int, deadline: float) -> None:  # noqa: B027  most protocols know positions only
        """Announce a game, if the protocol has such a message."""

    @abstractmethod
    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:
        """Return the agent's answer, which need not be a legal move."""

    def stop_pondering(self, deadline: float) -> None:  # noqa: B027  most agents search on their own clock only
        """End pondering after a game, if the protocol has pondering."""

    def quit(self) -> None:  # noqa: B027  most agents end with their input
        """Ask the agent to end, if the protocol has such a message."""
