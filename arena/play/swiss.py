"""A Swiss tournament: in each round agents meet whose scores are near, and no two meet twice."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from agents.errors import InputError
from arena.play.course import Outcomes, Stage, Stages
from arena.play.schedule import Pairing, jobs
from arena.play.sprt import DOUBLED


@dataclass(frozen=True, slots=True)
class Swiss:
    """Every pairing plays every opening with both colours. Where the number of agents is odd, one of the last rests.

    Raises InputError for more rounds than there are sure to be new opponents for.
    """

    agents: int
    rounds: int
    """Openings per pairing."""
    seed: int
    """Draws the order in which equal agents stand."""
    number: int | None = None
    """Rounds of the tournament; None for the least that leave at most one agent without a loss."""

    def __post_init__(self) -> None:
        if self.number is not None and not 1 <= self.number <= self._enough:
            raise InputError(
                f"a Swiss tournament of {self.agents} agents has 1 to {self._enough} rounds, not {self.number}; "
                f"in more of them a round robin says more"
            )

    @property
    def _enough(self) -> int:
        """Rounds in which new opponents can always be found: with fewer behind it each may meet half of the others."""
        return (self.agents + 1) // 2

    @property
    def _rounds(self) -> int:
        return self.number or min(self._enough, math.ceil(math.log2(self.agents)))

    @property
    def most(self) -> int:
        """The number of games."""
        return self._rounds * (self.agents // 2) * self.rounds * 2

    def stages(self, outcomes: Outcomes) -> Stages:
        """Yield a stage for each round. Agents stand by their points a game; a rest counts as no game."""
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
            pairings = neighbours(playing, met)
            met.update(map(frozenset, pairings))
            stage = Stage(number, jobs(pairings, self.rounds))
            yield stage
            for job in stage.jobs:
                made = DOUBLED[outcomes[job.key]]
                points[job.first] += made
                points[job.second] += 2 - made
                games[job.first] += 1
                games[job.second] += 1
            standing.sort(key=lambda agent: -(points[agent] / games[agent] if games[agent] else 1.0))
        return standing


def neighbours(standing: Sequence[int], met: set[frozenset[int]]) -> list[Pairing]:
    """Pair an even number of agents, each with the nearest that it has not met, from the first on.

    Two who are left over and have met change partners with the nearest pair that they can. There is one as long as
    each has met fewer than half of the others: of so many possible partners, some two are a pair.
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
