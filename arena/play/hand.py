"""A game in hand: what is known of it while it is being played."""

from __future__ import annotations

from dataclasses import dataclass

from arena.store.records import Job


@dataclass(frozen=True, slots=True)
class Hand:
    """A game at the moment that somebody looks."""

    job: Job
    moves: tuple[int, ...]
    """The 0-based columns played so far, the opening's included."""
    seconds: float
    """For which the one to move has been thinking."""

    @property
    def place(self) -> int:
        """Who is to move, by the place among the agents."""
        return self.job.second if len(self.moves) % 2 else self.job.first
