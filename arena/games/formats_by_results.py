"""Formats that pair agents by results: knockout and Swiss."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from agents.errors import InputError
from arena.games.formats import Batches, Pairing, jobs
from arena.records import DOUBLED


@dataclass(frozen=True, slots=True)
class Knockout:
    """Two agents play a match over all openings, and the winner goes to the next round.

    Agents are seeded in the order of the command line: the first two cannot meet before the final, and if the number
    of agents is no power of two, the first ones begin a round later. After a tie the higher seed wins.
    """

    agents: int
    rounds: int
    """Openings, and so pairs of games, of a match."""
    seed: int = 0
    """Not used: nothing is random."""

    @property
    def most(self) -> int:
        """The number of games."""
        return (self.agents - 1) * self.rounds * 2

    def batches(self) -> Batches:
        """Yield a batch with the games of all matches of a round.

        Return the winner, the other finalist, and so on; losers of the same round are in the order of their seeds.
        """
        standing = self._drawn()
        out: list[int] = []
        number = 0
        while len(standing) > 1:
            number += 1
            pairs = list(zip(standing[::2], standing[1::2], strict=True))
            matches = [(max(pair), min(pair)) for pair in pairs if max(pair) < self.agents]
            batch = jobs(matches, self.rounds, number)
            results = yield batch
            points = [0] * self.agents  # half points of this round
            for job in batch:
                points[job.first] += DOUBLED[results[job]]
                points[job.second] += 2 - DOUBLED[results[job]]
            lost = {high if points[low] > points[high] else low for low, high in matches}
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
                doubled = DOUBLED[results[job]]
                points[job.first] += doubled
                points[job.second] += 2 - doubled
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
        other = next((rival for rival in free if frozenset((agent, rival)) not in met), None)
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
