"""What becomes of games that have ended: those that end together are stored together, and only then told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from arena.store.records import GameRecord, Job
from arena.store.store import Store

WAIT = 0.025
"""Seconds that a game may wait for others; with what workers gather none is stored later than 0.05 after its end."""


@dataclass(slots=True)
class Ledger:
    """Games on their way into a run's file. Around a block it keeps what has ended, however the block ends."""

    store: Store
    names: Sequence[str]
    """Of the run's agents."""
    progress: Callable[[], object]
    """Called after each game, when it is stored."""
    remarks: dict[str, str]
    """What of an agent's answers could not be kept, the first of each agent, by name."""
    clock: Callable[[], float] = time.monotonic
    ended: list[GameRecord] = field(default_factory=list)
    """Games that are not stored yet."""
    since: float = 0.0
    """When the first of these was taken, by the clock."""

    def take(self, record: GameRecord) -> None:
        """Take a game that has ended."""
        if not self.ended:
            self.since = self.clock()
        self.ended.append(record)

    def due(self) -> bool:
        """Return whether a game has waited as long as it may."""
        return bool(self.ended) and self.clock() - self.since >= WAIT

    def keep(self) -> None:
        """Store the games that have ended, in one transaction."""
        kept = [(Job.named(record.key), record) for record in self.ended]
        self.store.add(*kept)
        self.ended.clear()
        for job, record in kept:
            self._remark(job, record)
            self.progress()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Store what is left; an interruption may have come before or after the last games were stored."""
        if self.ended:
            played = self.store.played()
            self.ended = [record for record in self.ended if record.key not in played]
            self.keep()

    def _remark(self, job: Job, record: GameRecord) -> None:
        for decision in record.decisions:
            if decision.remark:
                self.remarks.setdefault(self.names[job.second if decision.ply % 2 else job.first], decision.remark)
