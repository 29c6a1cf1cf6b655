"""The faults of a run: who lost games by an illegal move, an exception or the clock."""

from __future__ import annotations

from dataclasses import dataclass

from arena.analysis.frames import Frames


@dataclass(frozen=True, slots=True)
class Fault:
    """Games that one agent lost in the same way."""

    agent: str
    """Its name in the run."""
    termination: str
    """How the games ended."""
    detail: str
    """What the referee said."""
    games: int
    """[games]"""


def faults(frames: Frames) -> list[Fault]:
    """Return a row for each agent and kind of fault, in the order of the games."""
    lost = frames.games[~frames.games["termination"].isin(["line completed", "board full"])]
    losers = lost["first"].where(lost["points"] == 0.0, lost["second"])
    alike = lost.groupby([losers, lost["termination"], lost["detail"]], sort=False).size()
    return [Fault(str(agent), str(end), str(said), int(games)) for (agent, end, said), games in alike.items()]
