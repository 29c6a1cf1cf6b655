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


@dataclass(frozen=True, slots=True)
class Faulty:
    """An agent that lost games by its own fault."""

    agent: str
    """Its name in the run."""
    games: int
    """[games] All of its games."""
    faults: int
    """[games] Those that it lost by a fault."""
    first: str
    """How the first of these ended, and what the referee said."""


def faulty(frames: Frames) -> list[Faulty]:
    """Return a row for each agent that lost games by its own fault, in the order of the agents."""
    sides, found = frames.sides(), faults(frames)
    rows = []
    for agent in map(str, frames.agents["name"]):
        own = [each for each in found if each.agent == agent]
        if own:
            games = int(sides["games"][sides["agent"] == agent].sum())
            said = f"{own[0].termination}: {own[0].detail}".removesuffix(": ")
            rows.append(Faulty(agent, games, sum(each.games for each in own), said))
    return rows


def faults(frames: Frames) -> list[Fault]:
    """Return a row for each agent and kind of fault, in the order of the games."""
    lost = frames.lost()
    losers = lost["first"].where(lost["points"] == 0.0, lost["second"])
    alike = lost.groupby([losers, lost["termination"], lost["detail"]], sort=False)["games"].sum()
    return [Fault(str(agent), str(end), str(said), int(games)) for (agent, end, said), games in alike.items()]
