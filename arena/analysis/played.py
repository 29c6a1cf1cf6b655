"""The games of a stored run, one row each, read without the moves' searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from agents.board import Rules, split_moves
from agents.errors import InputError, unknown
from arena.store.consistency import place
from arena.store.records import Termination
from arena.store.store import Store

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
"""The first player's points."""


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that lost value."""

    ply: int
    """Discs on the board before the move."""
    column: int
    """From 1."""
    agent: str
    value: int
    """What the position was worth to the agent: 1 a win, 0 a draw."""
    after: int
    """What the move left: 0 a draw, -1 a loss."""

    @property
    def text(self) -> str:
        """The blunder in words: "ply 9, column 4: win to loss"."""
        return f"ply {self.ply}, column {self.column}: {VALUES[self.value]} to {VALUES[self.after]}"


VALUES = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True, slots=True)
class Game:
    """A stored game."""

    game: int
    """Its number within the run."""
    first: str
    second: str
    opening: str
    moves: str
    """All moves, those of the opening included; columns from 1."""
    result: str
    """1-0 where the first player won, 0-1 or 1/2-1/2."""
    termination: str
    detail: str
    """The text of a fault, else empty."""
    plies: int
    """Moves in all."""
    blunders: list[Blunder] | None
    """The moves that lost value, in their order; None where the game is not audited."""

    @property
    def thrown(self) -> float:
        """The points that blunders of both sides threw away: a win is one, a draw a half."""
        return sum((each.value - each.after) / 2 for each in self.blunders or ())

    @property
    def is_fault(self) -> bool:
        """Whether a fault ended it."""
        return self.termination not in {Termination.LINE, Termination.FULL}


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


def games(store: Store, wanted: Filter = Filter()) -> list[Game]:
    """Return the games of a run that are wanted, in the order in which they were stored.

    Raises InputError where the filter names an agent or an opening that the run does not have, or blunders of a run
    that is not audited.
    """
    rules = store.rules()
    with store.snapshot():
        agents = [name for (name,) in store.select("SELECT name FROM agent ORDER BY id")[1]]
        _must_know("agent", [wanted.agent, wanted.opponent], agents)
        _must_know("opening", [wanted.opening], store.openings())
        if wanted.blunders and not store.is_audited():
            raise InputError(f"{store.path} is not audited: arena audit {store.path}")
        lost = _lost(store)
        rows = store.select(f"{GAMES} ORDER BY game.id")[1]
    found = (_game(store.path, row, rules, lost.get(row[0])) for row in rows)
    return [game for game in found if wanted.admits(game)]


def game(store: Store, number: int) -> Game:
    """Return one game. Raises InputError where there is none of this number."""
    rows = store.select(f"{GAMES} WHERE game.id = {number:d}")[1]
    if not rows:
        first, last = store.select("SELECT min(id), max(id) FROM game")[1][0]
        there = "no game yet" if first is None else f"games {first} to {last}"
        raise InputError(f"{store.path} has no game {number}: there are {there}")
    return _game(store.path, rows[0], store.rules(), _lost(store).get(number))


GAMES = """
SELECT game.id, one.name, two.name, opening.moves, game.moves, result, termination, detail FROM game
JOIN agent AS one ON one.id = first JOIN agent AS two ON two.id = second JOIN opening ON opening.id = opening
"""
WHOLE = """
SELECT game FROM move LEFT JOIN audit USING (game, ply) GROUP BY game HAVING count(*) = count(value)
"""


def _must_know(kind: str, names: Iterable[str | None], known: Sequence[str]) -> None:
    for name in names:
        if name is not None and name not in known:
            raise unknown(kind, name, known)


def _lost(store: Store) -> dict[int, list[tuple[int, int, int]]]:
    """Return ply, value and value after of the moves that lost some, by game.

    Games that are not audited to their end are not among them.
    """
    if not store.is_audited():
        return {}
    lost: dict[int, list[tuple[int, int, int]]] = {game: [] for (game,) in store.select(WHOLE)[1]}
    query = "SELECT game, ply, value, after FROM audit WHERE after < value ORDER BY game, ply"
    for game, ply, value, after in store.select(query)[1]:
        if game in lost:
            lost[game].append((ply, value, after))
    return lost


def _game(
    path: Path,
    row: tuple[int, str, str, str, str, str, str, str],
    rules: Rules,
    lost: list[tuple[int, int, int]] | None,
) -> Game:
    """Return a row of GAMES with the moves that lost value, None where they are not known."""
    columns = split_moves(row[4], rules)
    sides = row[1], row[2]
    blunders = None
    if lost is not None:
        try:
            blunders = [Blunder(ply, int(columns[ply]), sides[ply % 2], value, after) for ply, value, after in lost]
        except (IndexError, ValueError):
            raise InputError(f"{place(path, row[0])}: its audit is not of its moves") from None
    return Game(*row, plies=len(columns), blunders=blunders)
