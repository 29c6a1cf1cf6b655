"""Which games of a run are wanted, by who played, how it ended and what was thrown away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from agents.errors import InputError, unknown
from arena.analysis.played import AUDITED, Game, games, names, pieces
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
        """Return a condition of SQL that the games meet that are wanted; `agents` are the run's."""
        sides = SIDES if self.agent is not None else SIDES[:1]
        found = " OR ".join(f"({' AND '.join(self._seen(agents, *side))})" for side in sides)
        whole = [f"game.id IN (SELECT game FROM audit GROUP BY game HAVING {AUDITED})"] if self.blunders else []  # noqa: S608
        opening = f"opening IN (SELECT id FROM opening WHERE moves = '{self.opening}')"  # noqa: S608
        return " AND ".join([f"({found})", *whole, *([opening] if self.opening is not None else [])])

    def _seen(self, agents: Sequence[str], own: str, other: str, won: str, lost: str) -> list[str]:
        """Return the conditions from the side of the player `own`; there is always one."""
        found = ["TRUE"] if self.agent is None else [f"{own} = {agents.index(self.agent) + 1}"]
        if self.opponent is not None:
            met = "IN (first, second)" if self.agent is None else f"= {other}"
            found.append(f"{agents.index(self.opponent) + 1} {met}")
        if self.result is not None:
            ended = {Result.WIN: won, Result.DRAW: "1/2-1/2", Result.LOSS: lost}[self.result]
            found.append(f"result = '{ended}'")
        if self.faults:
            found.append("termination NOT IN ('line completed', 'board full')")
            found += [f"result = '{lost}'"] if self.agent is not None else []
        if self.blunders:
            mine = "" if self.agent is None else f"AND ply % 2 = {int(own == 'second')}"
            found.append(f"EXISTS (SELECT * FROM audit WHERE audit.game = game.id AND after < value {mine})")  # noqa: S608
        return found


SIDES = (("first", "second", "1-0", "0-1"), ("second", "first", "0-1", "1-0"))
"""The columns of a player and of the other, and how a game ends that it won or lost."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The games of a run that are wanted, in the order of their numbers. They are read anew each time."""

    store: Store
    where: str
    superseded: bool

    def first(self, limit: int) -> Chosen:
        """Return so many of them at most."""
        return replace(self, where=f"game.id IN (SELECT id {self._there} ORDER BY id LIMIT {limit:d})")

    def __iter__(self) -> Iterator[Game]:
        """Yield the games."""
        return games(self.store, self.where, superseded=self.superseded)

    def pieces(self) -> Iterator[dict[str, Sequence[Any]]]:
        """Yield the games some at a time, as the values of each field."""
        return pieces(self.store, self.where, superseded=self.superseded)

    def count(self) -> int:
        """Return how many there are."""
        return int(self.store.value(f"SELECT count(*) {self._there}")) if self._is_there else 0

    def widest(self) -> list[Game]:
        """Return some of the games, of which a table has the columns, as wide, that one of all of them has.

        What is audited is not looked through: there these are all games.
        """
        if self.store.is_audited():
            return list(self)
        alike = [f"SELECT min(id) {self._there} GROUP BY {which}" for which in ALIKE]
        most = [f"SELECT id FROM (SELECT id {self._there} ORDER BY {what} DESC LIMIT 1)" for what in MOST]  # noqa: S608
        return list(games(self.store, f"game.id IN ({' UNION '.join(alike + most)})", superseded=self.superseded))

    @property
    def _is_there(self) -> bool:
        return not self.superseded or self.store.has("superseded")

    @property
    def _there(self) -> str:
        """The games as a clause of SQL."""
        return f"FROM {'superseded AS game' if self.superseded else 'game'} WHERE {self.where}"


ALIKE = ("first", "second", "result, termination, detail")
"""What a table has words of; of games with the same words one is enough."""
MOST = ("id", "length(moves)", "length(moves) - length(replace(moves, ',', ''))")
"""What it has numbers of."""


def chosen(store: Store, wanted: Filter, limit: int | None = None) -> Chosen:
    """Return the games of a run that are wanted, with a `limit` so many at most.

    Raises InputError where the filter names an agent or an opening that the run does not have, or blunders of a run
    that is not audited.
    """
    agents = names(store)
    _must_know("agent", [wanted.agent, wanted.opponent], agents)
    _must_know("opening", [wanted.opening], store.openings())
    if wanted.blunders and not store.is_audited():
        raise InputError(f"{store.path} is not audited: arena audit {store.path}")
    found = Chosen(store, wanted.where(agents), wanted.superseded)
    return found if limit is None else found.first(limit)


def _must_know(kind: str, names: Iterable[str | None], known: Sequence[str]) -> None:
    for name in names:
        if name is not None and name not in known:
            raise unknown(kind, name, known)
