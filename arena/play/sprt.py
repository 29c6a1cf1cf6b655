"""A run that stops as soon as a sequential test has decided it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agents.board import Outcome
from agents.errors import InputError
from arena.play.schedule import Pairing
from arena.statistics.sequential import Evidence, Sprt
from arena.store.records import Job

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
