"""Pairing formats: from names and openings to the games of a tournament, in the order to play them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np

from agents.board import Outcome
from agents.errors import InputError
from agents.specs.plugins import find, one_line
from arena.records import Job
from arena.statistics.sampling import evidence
from arena.statistics.sprt import Evidence, Sprt

Pairing = tuple[int, int]
"""Two places in the list of agents."""


def jobs(pairings: Iterable[Pairing], openings: int) -> list[Job]:
    """Return every game: each pairing plays each opening twice, colours swapped; an agent meets itself once.

    All pairings play an opening before the next begins, so that an interrupted run is balanced.
    """
    pairings = list(pairings)
    return [
        Job(first, second, opening)
        for opening in range(openings)
        for one, other in pairings
        for first, second in ([(one, other), (other, one)] if one != other else [(one, one)])
    ]


def round_robin(agents: int, *, include_self: bool = False) -> list[Pairing]:
    """Return every pair of agents, with each agent against itself if asked."""
    choose = itertools.combinations_with_replacement if include_self else itertools.combinations
    return list(choose(range(agents), 2))


def gauntlet(agents: int, *, include_self: bool = False) -> list[Pairing]:
    """Return the first agent against every other."""
    return [(0, other) for other in range(0 if include_self else 1, agents)]


def named(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> list[Pairing]:
    """Return the pairings that are named one by one, each once. Raises InputError for a name that does not play."""
    places = {name: place for place, name in enumerate(names)}
    for name in itertools.chain.from_iterable(pairs):
        if name not in places:
            raise InputError(f"pair names {name!r}, which is not among the agents: {', '.join(names)}")
    pairings: dict[frozenset[str], Pairing] = {}
    for one, other in pairs:
        pairings.setdefault(frozenset((one, other)), (places[one], places[other]))
    return list(pairings.values())


def of_format(name: str, agents: int, *, include_self: bool) -> list[Pairing]:
    """Return the pairings of a format with a fixed schedule. Raises InputError.

    Such a format is a function of the number of agents, and of `include_self`, that returns pairs of their places from
    0. Those of FORMATS that are classes are courses, `arena.play.formats`.
    """
    try:
        pairings = [(int(one), int(other)) for one, other in format_pairs(name)(agents, include_self=include_self)]
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"format {name!r} fails: {one_line(error)}") from error
    if any(not 0 <= place < agents for pairing in pairings for place in pairing):
        raise InputError(f"format {name!r} pairs agents that there are not: {pairings}")
    if len({frozenset(pairing) for pairing in pairings}) < len(pairings):
        raise InputError(f"format {name!r} lets two agents meet twice: {pairings}")
    return pairings


def format_pairs(name: str) -> Any:  # noqa: ANN401  a function or a class
    """Return a format of FORMATS, of an installed package or in a file. Raises InputError."""
    return find("format", name, FORMATS)


FORMATS: dict[str, str] = {
    "round-robin": "arena.play.formats:round_robin",
    "gauntlet": "arena.play.formats:gauntlet",
    "swiss": "arena.play.formats_by_results:Swiss",
    "knockout": "arena.play.formats_by_results:Knockout",
    "ladder": "arena.play.formats_by_results:Ladder",
}
"""`module:name` of every format: a function where all games are known beforehand, else a class, a `Course`."""


DOUBLED = {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}
"""What the first player made of a game, in half points."""


class Trial:
    """A match of two agents as the test sees it: pairs of games in the order of the openings, from agent one's view.

    The games may end in any order; a game counts when all before it have ended, so that a decision does not depend on
    which process was quicker.
    """

    def __init__(self, test: Sprt, jobs: Sequence[Job] = ()) -> None:
        """Begin a test of games that are to be played in this order."""
        self.test = test
        self.jobs = jobs
        self.games = 0
        """How many of the jobs were seen."""
        self.counts = [0, 0, 0, 0, 0]
        self.evidence: Evidence | None = None
        self._half: int | None = None

    @property
    def pairs(self) -> int:
        """The number of pairs seen."""
        return sum(self.counts)

    @property
    def decided(self) -> bool:
        """Whether the test has accepted a hypothesis."""
        return self.evidence is not None and self.evidence.decision != "continue"

    def see(self, job: Job, outcome: Outcome) -> bool:
        """Take the next game, and tell whether it completed a pair; the games must come in the order of the jobs."""
        points = DOUBLED[outcome] if job.first == 0 else 2 - DOUBLED[outcome]
        if self._half is None:
            self._half = points
            return False
        self.counts[self._half + points] += 1
        self._half = None
        self.evidence = self.test.weigh(self.counts)
        return True

    def follow(self, outcomes: Mapping[str, Outcome]) -> list[tuple[int, Evidence]]:
        """Take the games that can be taken up to a decision; return the number of pairs and the evidence after each.

        outcomes: how the games that have ended did, by key.
        """
        found = []
        while not self.decided and self.games < len(self.jobs) and (job := self.jobs[self.games]).key in outcomes:
            self.games += 1
            if self.see(job, outcomes[job.key]) and self.evidence is not None:
                found.append((self.pairs, self.evidence))
        return found

    def beyond(self, outcomes: Iterable[str]) -> list[str]:
        """Return the keys of the games that have ended and were not seen."""
        seen = {job.key for job in self.jobs[: self.games]}
        return [key for key in outcomes if key not in seen]


def refuse_unfit(test: str, pairings: Sequence[Pairing]) -> None:
    """Raise InputError where this test cannot stop a run of these pairings."""
    Sprt.parse(test).weigh([0, 0, 1, 0, 0])  # a model may know single games only
    if [set(pairing) for pairing in pairings] != [{0, 1}]:
        raise InputError("a sequential test takes a match of two agents")


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
    """A tournament with a fixed schedule."""

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

    See `arena.statistics.sampling` for how that is shown.
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
    found = format_pairs(kind)
    if not isinstance(found, type):
        return Listed(of_format(name, agents, include_self=include_self), rounds)
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
