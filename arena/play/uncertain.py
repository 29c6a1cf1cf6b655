"""A pool whose games are spent where its order is least sure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena.play.course import Outcomes, Stage, Stages
from arena.play.sprt import DOUBLED
from arena.statistics import neighbours
from arena.statistics.arrays import Floats
from arena.store.records import Job

PAIRS = 2
"""Pairs of games that two neighbours play before the order is looked at again."""
SHARE = 0.25
"""Of the agents as many such matches at once."""
RISK = 0.05
"""Chance, at most, that any neighbours are said to be in an order that they are not in."""


@dataclass(frozen=True, slots=True)
class Uncertain:
    """Neighbours in the order of the ratings meet, those first whose order a few pairs are expected to tell most about.

    First everybody plays two others. Two are left alone once their own games show which is better, and once they have
    played all openings; it ends when all neighbours are. See `arena.statistics.neighbours`.
    """

    agents: int
    rounds: int
    """Openings per pairing at most."""
    seed: int = 0
    """Of no effect: nothing is drawn."""

    @property
    def most(self) -> int:
        """The number of games, at most."""
        return self.agents * (self.agents - 1) * self.rounds

    @property
    def level(self) -> float:
        """Evidence that shows an order: all that are shown are right but for RISK, whoever become neighbours."""
        return math.log(self.agents * (self.agents - 1) / 2 / RISK)

    def stages(self, outcomes: Outcomes) -> Stages:
        """Yield stages: pairs of neighbours. Return the agents by strength."""
        counts = np.zeros((self.agents, self.agents, 5))
        met = {frozenset((place, (place + 1) % self.agents)) for place in range(self.agents)}
        matches = sorted((min(each), max(each)) for each in met)
        number = 0
        found: Floats | None = None
        while matches:
            number += 1
            jobs = [job for match in matches for job in self._pairs(*match, counts)]
            yield Stage(number, jobs)
            count(counts, jobs, outcomes)
            found, covariance = neighbours.strengths(counts, found)
            ranked = neighbours.order(found)
            left = self.rounds - counts.sum(axis=-1)[ranked[:-1], ranked[1:]]
            unsure = (neighbours.shown(counts, ranked) < self.level) & (left > 0)
            gains = np.where(unsure, neighbours.gains(found, covariance, ranked, PAIRS), -np.inf)
            best = np.argsort(-gains, kind="stable")[: max(1, int(self.agents * SHARE))]
            matches = [(int(ranked[place]), int(ranked[place + 1])) for place in best if unsure[place]]
        assert found is not None
        return [int(place) for place in neighbours.order(found)]

    def _pairs(self, one: int, two: int, counts: Floats) -> list[Job]:
        """Return the next pairs of games of two agents."""
        start = int(counts[one, two].sum())
        openings = range(start, min(start + PAIRS, self.rounds))
        return [Job(*ends, opening) for opening in openings for ends in ((one, two), (two, one))]


def count(counts: Floats, jobs: list[Job], outcomes: Outcomes) -> None:
    """Add pairs of games, each game followed by that with swapped colours, to the counts of `neighbours`, in place."""
    for job, back in zip(jobs[::2], jobs[1::2], strict=True):
        made = DOUBLED[outcomes[job.key]] + 2 - DOUBLED[outcomes[back.key]]
        counts[job.first, job.second, made] += 1.0
        counts[job.second, job.first, 4 - made] += 1.0
