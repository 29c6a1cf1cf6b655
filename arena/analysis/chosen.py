"""Which games of a run are wanted, by who played, how it ended and what was thrown away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agents.errors import InputError, unknown
from arena.analysis.played import POINTS, Game, games, names
from arena.store.store import Store


class Result(StrEnum):
    """How a game ended for an agent, or for the first player."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which games are wanted; what is left open admits all."""

    agent: str | None = None
    opponent: str | None = None
    result: Result | None = None
    """For `agent`, or else for the first player."""
    faults: bool = False
    """Only games that a fault ended; with `agent`, one of its own."""
    blunders: bool = False
    """Only games in which value was lost; with `agent`, by this one."""
    opening: str | None = None
    superseded: bool = False
    """The games that were played again in place of those that count."""

    def where(self, agents: Sequence[str]) -> str:
        """Return a condition of SQL that all games meet that are wanted, and few others; `agents` are the run's."""
        places = [agents.index(name) + 1 for name in (self.agent, self.opponent) if name is not None]
        found = [f"{place} IN (first, second)" for place in places]
        if self.opening is not None:
            found.append(f"opening.moves = '{self.opening}'")
        if self.faults:
            found.append("termination NOT IN ('line completed', 'board full')")
        if self.result is not None:
            found.append(f"(result = '1/2-1/2') = {self.result is Result.DRAW}")
        return " AND ".join(found) or "TRUE"

    def admits(self, game: Game) -> bool:
        """Return whether the game is wanted."""
        sides = [(game.first, game.second, POINTS[game.result]), (game.second, game.first, 1 - POINTS[game.result])]
        return (self.opening is None or game.opening == self.opening) and any(
            self._admits(game, *side) for side in (sides if self.agent is not None else sides[:1])
        )

    def _admits(self, game: Game, agent: str, opponent: str, points: float) -> bool:
        """Return whether the game is wanted from this agent's side."""
        if self.agent is None:
            met = self.opponent is None or self.opponent in {agent, opponent}
            faulty = game.is_fault
        else:
            met = agent == self.agent and self.opponent in {None, opponent}
            faulty = game.is_fault and points == 0
        erred = any(self.agent in {None, blunder.agent} for blunder in game.blunders or ())
        return (
            met
            and (self.result is None or points == WORTH[self.result])
            and (faulty or not self.faults)
            and (erred or not self.blunders)
        )


WORTH = {Result.WIN: 1.0, Result.DRAW: 0.5, Result.LOSS: 0.0}


def chosen(store: Store, wanted: Filter) -> Iterator[Game]:
    """Return an iterator over the games of a run that are wanted, in the order in which they were stored.

    Raises InputError where the filter names an agent or an opening that the run does not have, or blunders of a run
    that is not audited.
    """
    agents = names(store)
    _must_know("agent", [wanted.agent, wanted.opponent], agents)
    _must_know("opening", [wanted.opening], store.openings())
    if wanted.blunders and not store.is_audited():
        raise InputError(f"{store.path} is not audited: arena audit {store.path}")
    found = games(store, wanted.where(agents), superseded=wanted.superseded)
    return found if wanted == Filter(superseded=wanted.superseded) else filter(wanted.admits, found)


def _must_know(kind: str, names: Iterable[str | None], known: Sequence[str]) -> None:
    for name in names:
        if name is not None and name not in known:
            raise unknown(kind, name, known)
