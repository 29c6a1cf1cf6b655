"""How large a tree may be, and an end before its time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.players.searcher import Searcher


@dataclass(slots=True)
class Bounds:
    """What holds for one tree and the one beside it; another thread may stop both."""

    nodes: int = 200_000
    """That are traced at most: some seconds, and as much as a page can hold."""
    seconds: float = 5.0
    """A kernel visits a hundred times the largest tree by then, also on a busy machine."""
    agent: Searcher | None = None
    """Who searches."""
    stopped: bool = False

    def stop(self) -> None:
        """End the search that is running, and all that follow."""
        self.stopped = True
        if self.agent is not None:
            self.agent.stop()
