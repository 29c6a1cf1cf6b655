"""A game before and after it is played: the job, and the record of every decision."""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

from agents.agent import Iteration
from agents.board import Outcome


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play."""

    first: int
    """The first player's place in the list of agents."""
    second: int
    opening: int
    """The opening's place in the list of openings."""

    @property
    def key(self) -> str:
        """The game's name within its run."""
        return f"{self.first}-{self.second}-{self.opening}"

    @classmethod
    def named(cls, key: str) -> Job:
        """Return the game of that key."""
        return cls(*map(int, key.split("-")))

    def seeds(self, seed: int) -> tuple[int, int]:
        """Return a seed for each player, which depend on the run's seed and on this game alone."""
        digest = hashlib.sha256(f"{seed}/{self.key}".encode()).digest()
        return int.from_bytes(digest[:6], "big"), int.from_bytes(digest[6:12], "big")


class Termination(enum.StrEnum):
    """Why a game ended. All but the first two are faults: the agent that committed one has lost."""

    LINE = "line completed"
    FULL = "board full"
    ILLEGAL = "illegal move"
    EXCEPTION = "exception"
    TIME = "out of time"

    @property
    def is_fault(self) -> bool:
        """Whether an agent broke the rules rather than lost on the board."""
        return self not in {Termination.LINE, Termination.FULL}


class MoveRecord(NamedTuple):
    """One decision in a game, as the referee saw it; there are many, and a named tuple is made and sent fastest."""

    ply: int
    """Discs on the board before the move."""
    column: int
    """0-based."""
    seconds: float
    """By the referee's clock."""
    score: int | None = None
    """For the side that moved."""
    depth: int = 0
    nodes: int = 0
    pv: tuple[int, ...] = ()
    iterations: tuple[Iteration, ...] = ()
    """Every completed depth; a search that reports none counts as one."""
    remark: str = ""
    """What of the answer could not be kept."""


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """What helps an agent's author to understand its fault."""

    ply: int
    """Discs on the board."""
    position: str
    """The moves to the board that it was shown."""
    traceback: str
    """Of an exception, else empty."""
    output: str
    """The end of what a stranger wrote to stdout and stderr."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: its players, its opening, its moves and its end."""

    key: str
    """The name of the game within its run, as its `Job` has it."""
    moves: str
    """All moves as text, those of the opening included."""
    outcome: Outcome
    termination: str
    """A Termination, or what ended a stranger's process, such as `crashed (SIGSEGV)`."""
    detail: str
    """The text of a fault, else empty."""
    started: float
    """Unix time."""
    seconds: float
    decisions: tuple[MoveRecord, ...] = field(default=(), repr=False)
    fault: FaultRecord | None = field(default=None, repr=False)
