"""The games of a stored run, one row each, read without the moves' searches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agents.board import Rules, split_moves
from agents.errors import InputError
from arena.store.consistency import place
from arena.store.records import Termination
from arena.store.store import Store

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
"""The first player's points."""


@dataclass(frozen=True, slots=True)
class Blunder:
    """A move that lost value."""

    ply: int
    """[plies] Discs on the board before the move."""
    column: int
    """From 1."""
    agent: str
    value: int
    """What the position was worth to the agent: 1 a win, 0 a draw."""
    after: int
    """What the move left: 0 a draw, -1 a loss."""

    @property
    def text(self) -> str:
        """The blunder in words: "ply 9: 4 win to loss"."""
        return f"ply {self.ply}: {self.column} {VALUES[self.value]} to {VALUES[self.after]}"


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
    """[plies] Moves in all."""
    blunders: tuple[Blunder, ...] | None
    """The moves that lost value, in their order; None where the game is not audited."""

    def document(self) -> dict[str, Any]:
        """Return it as plain data."""
        found = {name: getattr(self, name) for name in self.__slots__}
        return found | {"blunders": self.blunders and [asdict(blunder) for blunder in self.blunders]}

    @property
    def thrown(self) -> float:
        """The points that blunders of both sides threw away: a win is one, a draw a half."""
        return sum((each.value - each.after) / 2 for each in self.blunders or ())

    @property
    def is_fault(self) -> bool:
        """Whether a fault ended it."""
        return self.termination not in {Termination.LINE, Termination.FULL}


def games(store: Store, where: str = "TRUE", *, superseded: bool = False) -> Iterator[Game]:
    """Yield the games of a run in the order in which they were stored, or those that were played again instead.

    where: a condition of SQL, for those that it holds of.

    Raises InputError where the file is damaged.
    """
    rules = store.rules()
    if superseded and not store.has("superseded"):
        return
    query = GAMES.replace("FROM game", "FROM superseded AS game") if superseded else GAMES
    with store.snapshot():
        lost = _lost(store)
        for row in store.connection.execute(f"{query} WHERE {where} ORDER BY game.id"):
            yield _game(store.path, row, rules, lost.get(row[0]))


def names(store: Store) -> list[str]:
    """Return the names of a run's agents, in the order of the plan."""
    return [name for (name,) in store.select("SELECT name FROM agent ORDER BY id")[1]]


def game(store: Store, number: int) -> Game:
    """Return one game. Raises InputError where there is none of this number."""
    rows = store.select(f"{GAMES} WHERE game.id = {number:d}")[1]
    if not rows:
        first, last = store.select("SELECT min(id), max(id) FROM game")[1][0]
        there = "no game yet" if first is None else f"games {first} to {last}"
        raise InputError(f"{store.path} has no game {number}: there are {there}")
    return _game(store.path, rows[0], store.rules(), _lost(store, f"WHERE game = {number:d}").get(number))


GAMES = """
SELECT game.id, one.name, two.name, opening.moves, game.moves, result, termination, detail FROM game
JOIN agent AS one ON one.id = first JOIN agent AS two ON two.id = second JOIN opening ON opening.id = opening
"""
AUDITED = "count(*) >= (SELECT count(*) FROM move WHERE move.game = audit.game)"


def _lost(store: Store, where: str = "") -> dict[int, list[tuple[int, int, int]]]:
    """Return ply, value and value after of the moves that lost some, by game, of all games or those of a clause.

    Games that are not audited to their end are not among them.
    """
    if not store.is_audited():
        return {}
    whole = f"SELECT game FROM audit {where} GROUP BY game HAVING {AUDITED}"  # noqa: S608
    lost: dict[int, list[tuple[int, int, int]]] = {game: [] for (game,) in store.select(whole)[1]}
    some = f"SELECT * FROM (SELECT game, ply, value, after FROM audit {where}) WHERE after < value ORDER BY game, ply"  # noqa: S608
    for game, ply, value, after in store.select(some)[1]:
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
            blunders = tuple(
                Blunder(ply, int(columns[ply]), sides[ply % 2], value, after) for ply, value, after in lost
            )
        except (IndexError, ValueError):
            raise InputError(f"{place(path, row[0])}: its audit is not of its moves") from None
    return Game(*row, plies=len(columns), blunders=blunders)
