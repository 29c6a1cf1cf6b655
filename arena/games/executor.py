"""What plays the games of a run: processes of this machine, or other machines."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from arena.records import GameRecord, Job

if TYPE_CHECKING:
    from arena.games.field import Setting


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game in progress."""

    job: Job
    moves: tuple[int, ...]
    """The 0-based columns played so far, the opening's included."""
    seconds: float
    """The time that the player to move has spent on this move."""

    @property
    def mover(self) -> int:
        """The player to move, by its place in the list of agents."""
        return self.job.second if len(self.moves) % 2 else self.job.first


class Executor(Protocol):
    """Plays batches of jobs, in any order within a batch."""

    here: ClassVar[bool]
    """Whether games are played on this machine, by this process and its child processes."""

    def open(self, setting: Setting) -> AbstractContextManager[None]:
        """Allow `play` in a `with` block, for games that share a setting; the end of the block stops all work."""

    def play(self, jobs: Sequence[Job]) -> Generator[GameRecord]:
        """Yield each job's record when its game ends."""

    def idle(self) -> bool:
        """Return whether no finished record waits."""

    def live_games(self) -> list[LiveGame]:
        """Return the games in progress; any thread may call this."""


class Cluster(Executor, Protocol):
    """Other machines, which also call functions."""

    def each(self, function: Callable[..., Any], chunks: Iterable[Sequence[Any]], *arguments: object) -> Generator[Any]:
        """Yield what `function(chunk, *arguments)` returns for each chunk, in no fixed order."""
