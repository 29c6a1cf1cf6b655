"""The nouns that all rooms share: a game before and after it is played, and a number with its interval."""

from __future__ import annotations

import enum
import hashlib
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from agents.agent import Iteration
from agents.board import Outcome


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play. People read and type it as `0-1-3`: first player, second player, opening, all from 0."""

    first: int
    """The first player's place in the list of agents."""
    second: int
    opening: int
    """The opening's place in the list of openings."""
    round: int = field(default=1, compare=False)
    """The round of the tournament, from 1."""

    def __reduce__(self) -> tuple[type[Job], tuple[int, int, int, int]]:
        """Pickle the four numbers; a dataclass with slots takes twice as long, and workers exchange many jobs."""
        return Job, (self.first, self.second, self.opening, self.round)

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        return f"{self.first}-{self.second}-{self.opening}"

    @classmethod
    def parse(cls, text: str) -> Job | None:
        """Return the game that a text such as `0-1-3` names, None where it has another form."""
        match = re.fullmatch(r"(\d{1,9})-(\d{1,9})-(\d{1,9})", text, re.ASCII)
        return cls(*map(int, match.groups())) if match else None

    def seeds(self, seed: int) -> tuple[int, int]:
        """Return a seed for each player, which depend on the run's seed and on this game alone."""
        digest = hashlib.sha256(f"{seed}/{self}".encode()).digest()
        return int.from_bytes(digest[:6], "big"), int.from_bytes(digest[6:12], "big")


DOUBLED = {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}
"""The first player's points in a game, doubled."""


class Termination(enum.StrEnum):
    """Why a game ended. All but the first two are faults: the agent that committed one has lost."""

    LINE = "line completed"
    FULL = "board full"
    ILLEGAL = "illegal move"
    EXCEPTION = "exception"
    TIME = "out of time"
    KILLED = "worker killed"
    """Two workers died during moves of the same process agent; the moves of the game are lost."""

    @property
    def is_fault(self) -> bool:
        """Whether an agent broke the rules rather than lost on the board."""
        return self not in {Termination.LINE, Termination.FULL}


def is_termination(text: str) -> bool:
    """Return whether the arena writes the text as the reason why a game ended."""
    return text in set(Termination) or _ENDING.fullmatch(text) is not None


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
    """What of the answer was dropped, and why; else empty."""
    extra: str = ""
    """A JSON object with whatever else the agent said of the move, in ASCII; empty without one."""


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """What helps an agent's author to understand its fault."""

    ply: int
    """Discs on the board."""
    position: str
    """The moves to the board that the agent was given."""
    traceback: str
    """Of an exception, else empty."""
    output: str
    """The last of what a process agent wrote to stdout and stderr."""
    extra: str = ""
    """As that of a move, of the move that was not made."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game that was played: its job, its moves and its end."""

    job: Job
    moves: str
    """All moves as text, those of the opening included."""
    outcome: Outcome
    termination: str
    """A Termination, or what ended a process agent's process, such as `crashed (SIGSEGV)`."""
    detail: str
    """The text of a fault, else empty."""
    started: float
    """Unix time."""
    seconds: float
    decisions: tuple[MoveRecord, ...] = field(default=(), repr=False)
    fault: FaultRecord | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Interval:
    """A number and the ends of its 95 % interval, each None where the interval is open."""

    value: float
    """Infinite where only an end is known, such as the Elo of a side that won every game."""
    low: float | None
    high: float | None

    def scaled(self, factor: float) -> Interval:
        """Return the interval of the number times a positive factor, as for another unit."""
        ends = (None if end is None else end * factor for end in (self.low, self.high))
        return Interval(self.value * factor, *ends)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How many games were won, drawn and lost."""

    wins: int
    draws: int
    losses: int

    def __str__(self) -> str:
        """Return such as `3-1-0`."""
        return f"{self.wins}-{self.draws}-{self.losses}"


_ENDING = re.compile(
    r"out of memory|protocol error|too many processes|crashed \((SIG[A-Z0-9]+|signal \d+)\)"
    r"|left \(exit code -?\d+\)|(unparsable|empty|truncated|refused) reply"
)
"""What ends a game of an agent in a process of its own, or of a language model, beside Termination."""
