"""A run that stops as soon as a sequential test has decided it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agents.board import Outcome
from agents.errors import InputError
from arena.play.schedule import Pairing
from arena.statistics.sequential import Evidence, Sprt
from arena.store.records import GameRecord, Job

DOUBLED = {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}
"""What the first player made of a game, in half points."""


class Trial:
    """A match of two agents as the test sees it: pairs of games in the order of the openings, from agent one's view."""

    def __init__(self, test: Sprt) -> None:
        self.test = test
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


def in_order(jobs: Sequence[Job], records: Iterable[GameRecord]) -> Iterator[GameRecord]:
    """Yield the records in the order of the jobs, so that a decision does not depend on which process was quicker."""
    waiting: dict[str, GameRecord] = {}
    keys = iter([job.key for job in jobs])
    key = next(keys, None)
    for record in records:
        waiting[record.key] = record
        while key in waiting:
            yield waiting.pop(key)
            key = next(keys, None)


def refuse_unfit(test: str, pairings: Sequence[Pairing]) -> None:
    """Raise InputError where this test cannot stop a run of these pairings."""
    Sprt.parse(test).weigh([0, 0, 1, 0, 0])  # a model may know single games only
    if [set(pairing) for pairing in pairings] != [{0, 1}]:
        raise InputError("a sequential test takes a match of two agents")
