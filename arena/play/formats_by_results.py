"""Formats with games that depend on results: knockout, ladder, Swiss, and adaptive sampling."""

from __future__ import annotations

import math
import random
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from agents.errors import InputError
from arena.play.formats import Batches, Pairing, Results, jobs
from arena.records import DOUBLED, Job
from arena.statistics import sampling
from arena.statistics.arrays import Floats

STEP = 5
"""Pairs of games between two checks of a match, which can be played at once."""
SURE = math.log(20.0)
"""The evidence that ends a match: between equal agents, each is declared better in at most one of twenty matches."""


def pairs_of(one: int, two: int, openings: Iterable[int], number: int) -> list[Job]:
    """Return two games of agents `one` and `two` for each of `openings`, with colours swapped, in round `number`."""
    return [Job(*ends, opening, number) for opening in openings for ends in ((one, two), (two, one))]


@dataclass(slots=True)
class Match:
    """Two agents, which play openings in order until one is shown to be better or has an unassailable lead.

    For the evidence see `arena.statistics.sampling`.
    """

    one: int
    two: int
    """The agent that wins a tie."""
    rounds: int
    """The most openings."""
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs of games by the result of agent one: both lost, one and a draw, even, one won and a draw, both won."""
    winner: int | None = None
    """None until the match is decided."""

    def next_jobs(self, number: int) -> list[Job]:
        """Return the next pairs of games in the round with that number; none once the match is decided."""
        start = sum(self.counts)
        openings = range(start, min(start + STEP, self.rounds) if self.winner is None else start)
        return pairs_of(self.one, self.two, openings, number)

    def update(self, jobs: Sequence[Job], results: Results) -> None:
        """Count the results of the games from `next_jobs`, and decide the match if possible."""
        for job, back in zip(jobs[::2], jobs[1::2], strict=True):
            self.counts[DOUBLED[results[job]] + 2 - DOUBLED[results[back]]] += 1
        left = self.rounds - sum(self.counts)
        lead = sum((place - 2) * count for place, count in enumerate(self.counts))
        sure = max(sampling.evidence(np.array([self.counts, self.counts[::-1]]))) >= SURE
        if sure or abs(lead) > 2 * left or not left:
            self.winner = self.one if lead > 0 else self.two


def play_matches(matches: Sequence[Match], number: int) -> Generator[list[Job], Results]:
    """Yield batches with games of all matches of a round, until each match has a winner."""
    while True:
        parts = [(match, match.next_jobs(number)) for match in matches]
        batch = [job for _, part in parts for job in part]
        if not batch:
            return
        results = yield batch
        for match, part in parts:
            match.update(part, results)


@dataclass(frozen=True, slots=True)
class Knockout:
    """Two agents play a match, and the winner goes to the next round. Sequential evidence may end a match early.

    Agents are seeded in the order of the command line: the first two cannot meet before the final, and if the number
    of agents is no power of two, the first ones begin a round later. After a tie the higher seed wins.
    """

    agents: int
    rounds: int
    """The most openings, and so pairs of games, of a match."""
    seed: int = 0
    """Not used: nothing is random."""

    @property
    def most(self) -> int:
        """The number of games, at most."""
        return (self.agents - 1) * self.rounds * 2

    def batches(self) -> Batches:
        """Yield the next pairs of games of all undecided matches of a round.

        Return the winner, the other finalist, and so on; losers of the same round are in the order of their seeds.
        """
        standing = self._drawn()
        out: list[int] = []
        number = 0
        while len(standing) > 1:
            number += 1
            pairs = list(zip(standing[::2], standing[1::2], strict=True))
            matches = [Match(max(pair), min(pair), self.rounds) for pair in pairs if max(pair) < self.agents]
            yield from play_matches(matches, number)
            lost = {match.one if match.winner == match.two else match.two for match in matches}
            out = [*sorted(lost), *out]
            standing = [two if one in lost or one >= self.agents else one for one, two in pairs]
        return [*standing, *out]

    def _drawn(self) -> list[int]:
        """Return the bracket: places 0 and 1 meet, 2 and 3, and so on; numbers from `agents` on are byes."""
        seeds = [0]
        while len(seeds) < self.agents:
            seeds = [seed for high in seeds for seed in (high, 2 * len(seeds) - 1 - high)]
        return seeds


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ladder begins with the first agent; the others join at the bottom, one after the other.

    A newcomer climbs past every agent that it beats in a match, played as in a knockout; after a tie it stays below. If
    the agents are listed from the strongest to the weakest, each newcomer plays one match.
    """

    agents: int
    rounds: int
    """The most openings, and so pairs of games, of a match."""
    seed: int = 0
    """Not used: nothing is random."""

    @property
    def most(self) -> int:
        """The number of games, at most."""
        return self.agents * (self.agents - 1) * self.rounds

    def batches(self) -> Batches:
        """Yield the next pairs of games of a newcomer's match; its climb is a round. Return the ladder from the top."""
        rungs = [0]
        for newcomer in range(1, self.agents):
            place = len(rungs)
            while place:
                match = Match(newcomer, rungs[place - 1], self.rounds)
                yield from play_matches([match], newcomer)
                if match.winner != newcomer:
                    break
                place -= 1
            rungs.insert(place, newcomer)
        return rungs


@dataclass(frozen=True, slots=True)
class Swiss:
    """Agents with similar points meet, and no two meet twice. If their number is odd, one of the last ones rests.

    Raises InputError for more rounds than can be guaranteed to have new opponents.
    """

    agents: int
    rounds: int
    """Openings per pairing."""
    seed: int
    """The seed of the random order of agents with equal points."""
    number: int | None = None
    """Rounds of the tournament; None for the fewest that leave at most one agent without a loss."""

    def __post_init__(self) -> None:
        if self.number is not None and not 1 <= self.number <= self._enough:
            raise InputError(
                f"a Swiss tournament of {self.agents} agents has 1 to {self._enough} rounds, not {self.number}; "
                f"in more of them a round robin says more"
            )

    @property
    def _enough(self) -> int:
        """The most rounds with guaranteed new opponents: before the last one no agent has met half of the others."""
        return (self.agents + 1) // 2

    @property
    def _rounds(self) -> int:
        return self.number or min(self._enough, math.ceil(math.log2(self.agents)))

    @property
    def most(self) -> int:
        """The number of games."""
        return self._rounds * (self.agents // 2) * self.rounds * 2

    def batches(self) -> Batches:
        """Yield a batch for each round. Agents are sorted by points a game; a rest is not a game."""
        standing = list(range(self.agents))
        random.Random(self.seed).shuffle(standing)  # noqa: S311  a draw, not a secret
        points, games = [0] * self.agents, [0] * self.agents
        met: set[frozenset[int]] = set()
        rested: set[int] = set()
        for number in range(1, self._rounds + 1):
            playing = list(standing)
            if len(playing) % 2:
                rests = next(agent for agent in reversed(playing) if agent not in rested)
                rested.add(rests)
                playing.remove(rests)
            pairings = pair_up(playing, met)
            met.update(map(frozenset, pairings))
            batch = jobs(pairings, self.rounds, number)
            results = yield batch
            for job in batch:
                made = DOUBLED[results[job]]
                points[job.first] += made
                points[job.second] += 2 - made
                games[job.first] += 1
                games[job.second] += 1
            standing.sort(key=lambda agent: -(points[agent] / games[agent] if games[agent] else 1.0))
        return standing


def pair_up(standing: Sequence[int], met: set[frozenset[int]]) -> list[Pairing]:
    """Pair an even number of agents, from the first on, each with the nearest one that it has not met.

    Two agents that are left over and have met swap partners with the nearest possible pair. Such a pair exists as long
    as each agent has met fewer than half of the others.
    """
    free = list(standing)
    pairs: list[Pairing] = []
    alone: list[int] = []
    while free:
        agent = free.pop(0)
        other = next((each for each in free if frozenset((agent, each)) not in met), None)
        if other is None:
            alone.append(agent)
        else:
            free.remove(other)
            pairs.append((agent, other))
    while alone:
        one, two = alone.pop(0), alone.pop(0)
        place, (here, there) = next(
            (place, ends)
            for place, pair in reversed(list(enumerate(pairs)))
            for ends in (pair, pair[::-1])
            if not {frozenset((one, ends[0])), frozenset((two, ends[1]))} & met
        )
        pairs[place : place + 1] = [(here, one), (there, two)]
    return pairs


PAIRS = 2
"""Pairs of games of a match between two computations of the ratings."""
SHARE = 0.25
"""Matches in a batch, as a share of the number of agents."""
RISK = 0.05
"""The greatest probability that any order of two adjacent agents in the final list counts as shown but is wrong."""


@dataclass(frozen=True, slots=True)
class AdaptiveSampling:
    """Agents that are adjacent in the ratings meet, first those with the most uncertain order.

    At first each agent plays two others. Two agents stop meeting when their own games show which is better, or when
    they have played all openings; the tournament ends when this holds for all adjacent agents. See
    `arena.statistics.sampling`.
    """

    agents: int
    rounds: int
    """The most openings per pairing."""
    seed: int = 0
    """Not used: nothing is random."""

    @property
    def most(self) -> int:
        """The number of games, at most."""
        return self.agents * (self.agents - 1) * self.rounds

    @property
    def level(self) -> float:
        """The evidence that shows an order; all shown orders are right with a probability of at least 1 - RISK."""
        return math.log(self.agents * (self.agents - 1) / 2 / RISK)

    def batches(self) -> Batches:
        """Yield pairs of games of adjacent agents. Return the agents by strength."""
        counts = np.zeros((self.agents, self.agents, 5))
        met = {frozenset((place, (place + 1) % self.agents)) for place in range(self.agents)}
        matches = sorted((min(each), max(each)) for each in met)
        number = 0
        found: Floats | None = None
        while matches:
            number += 1
            batch = [job for match in matches for job in self._pairs(*match, counts, number)]
            results = yield batch
            count(counts, batch, results)
            found, covariance = sampling.strengths(counts, found)
            ranked = sampling.order(found)
            left = self.rounds - counts.sum(axis=-1)[ranked[:-1], ranked[1:]]
            unsure = (sampling.shown(counts, ranked) < self.level) & (left > 0)
            gains = np.where(unsure, sampling.gains(found, covariance, ranked, PAIRS), -np.inf)
            best = np.argsort(-gains, kind="stable")[: max(1, int(self.agents * SHARE))]
            matches = [(int(ranked[place]), int(ranked[place + 1])) for place in best if unsure[place]]
        assert found is not None
        return [int(place) for place in sampling.order(found)]

    def _pairs(self, one: int, two: int, counts: Floats, number: int) -> list[Job]:
        """Return the next pairs of games of two agents."""
        start = int(counts[one, two].sum())
        return pairs_of(one, two, range(start, min(start + PAIRS, self.rounds)), number)


def count(counts: Floats, batch: Sequence[Job], results: Results) -> None:
    """Add pairs of games, each game followed by the one with swapped colours, to the counts of pairs, in place."""
    for job, back in zip(batch[::2], batch[1::2], strict=True):
        made = DOUBLED[results[job]] + 2 - DOUBLED[results[back]]
        counts[job.first, job.second, made] += 1.0
        counts[job.second, job.first, 4 - made] += 1.0
