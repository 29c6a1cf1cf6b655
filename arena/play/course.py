"""A tournament whose games depend on how others ended: stages of games, one after the other."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np

from agents.board import Outcome
from agents.errors import InputError
from agents.plugins import one_line
from arena.play import schedule
from arena.play.schedule import Pairing, jobs
from arena.play.sprt import DOUBLED
from arena.statistics.betting import evidence
from arena.store.records import Job

Outcomes = Mapping[str, Outcome]
"""How each game ended that was played, by its key."""
STEP = 5
"""Pairs of games between two looks at a match, which can be played at once."""
SURE = math.log(20.0)
"""Evidence that ends a match: of two equals each is declared the better one at most once in twenty times."""


class Stage(NamedTuple):
    """Games that may be played in any order."""

    round: int
    """From 1; several stages may belong to one round."""
    jobs: Sequence[Job]


Stages = Generator[Stage, None, list[int]]


class Course(Protocol):
    """How a tournament goes on. The same agents, openings, seed and outcomes give the same games."""

    @property
    def most(self) -> int:
        """The number of games, at most."""

    def stages(self, outcomes: Outcomes) -> Stages:
        """Yield stages; the next is asked for when `outcomes`, which grows, has all games of the one before.

        Return the agents, best first, as the format sees it; nothing where that is left to ratings.
        """


@dataclass(frozen=True, slots=True)
class Listed:
    """A tournament whose games are all known beforehand."""

    pairings: Sequence[Pairing]
    rounds: int

    @property
    def most(self) -> int:
        """The number of games."""
        return self.rounds * sum(1 + (one != other) for one, other in self.pairings)

    def stages(self, outcomes: Outcomes) -> Stages:  # noqa: ARG002  see Course
        """Yield all of it as one stage."""
        yield Stage(1, jobs(self.pairings, self.rounds))
        return []


@dataclass(slots=True)
class Match:
    """Two agents, over openings in their order, until one is shown to be better or cannot be caught any more.

    See `arena.statistics.betting` for how that is shown.
    """

    one: int
    two: int
    """Who stays ahead in a tie."""
    rounds: int
    """Openings at most."""
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs of games by what agent one made of them: both lost, one and a draw, even, one won and a draw, both won."""

    winner: int | None = None
    """The better one, None where that is still open."""

    def next_jobs(self) -> list[Job]:
        """Return the next pairs of games; none once the match is decided."""
        start = sum(self.counts)
        pairs = range(start, min(start + STEP, self.rounds) if self.winner is None else start)
        return [Job(*ends, opening) for opening in pairs for ends in ((self.one, self.two), (self.two, self.one))]

    def see(self, jobs: Sequence[Job], outcomes: Outcomes) -> None:
        """Count what became of `next_jobs`."""
        for job, back in zip(jobs[::2], jobs[1::2], strict=True):
            self.counts[DOUBLED[outcomes[job.key]] + 2 - DOUBLED[outcomes[back.key]]] += 1
        left = self.rounds - sum(self.counts)
        lead = sum((place - 2) * count for place, count in enumerate(self.counts))
        sure = max(evidence(np.array([self.counts, self.counts[::-1]]))) >= SURE
        if sure or abs(lead) > 2 * left or not left:
            self.winner = self.one if lead > 0 else self.two


def played(matches: Sequence[Match], number: int, outcomes: Outcomes) -> Iterator[Stage]:
    """Yield the stages of a round of matches side by side, until each has a winner."""
    while True:
        batches = [(match, match.next_jobs()) for match in matches]
        todo = [job for _, batch in batches for job in batch]
        if not todo:
            return
        yield Stage(number, todo)
        for match, batch in batches:
            match.see(batch, outcomes)


def course(name: str, agents: int, rounds: int, seed: int, *, include_self: bool = False) -> Course:
    """Return how a tournament of that format goes on; `swiss:7` has so many rounds. Raises InputError."""
    kind, colon, number = name.rpartition(":")
    if not (colon and number.isascii() and number.isdigit()):
        kind, number = name, ""
    found = schedule.found(kind)
    if not isinstance(found, type):
        return Listed(schedule.of_format(name, agents, include_self=include_self), rounds)
    if include_self:
        raise InputError(f"format {name!r} lets nobody meet itself; --include-self is for a round robin or a gauntlet")
    if agents < 2:
        raise InputError(f"format {name!r} needs two agents")
    if number and not hasattr(found, "number"):
        raise InputError(f"format {name!r}: {kind} takes no number of rounds")
    try:
        made: Course = found(agents, rounds, seed, *([int(number)] if number else []))
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"format {name!r} fails: {one_line(error)}") from error
    return made
