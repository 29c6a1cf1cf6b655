"""The games of a stored run, one row each, read without the moves' searches."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.board import split_moves
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

    @property
    def thrown(self) -> float:
        """The points that blunders of both sides threw away: a win is one, a draw a half."""
        return sum((each.value - each.after) / 2 for each in self.blunders or ())

    @property
    def is_fault(self) -> bool:
        """Whether a fault ended it."""
        return self.termination not in {Termination.LINE, Termination.FULL}


def games(store: Store, where: str = "TRUE", *, superseded: bool = False) -> Iterator[Game]:
    """Yield the games of a run in the order of their numbers, or those that were played again instead.

    where: a condition of SQL, for those that it holds of.

    Raises InputError where the file is damaged.
    """
    for piece in pieces(store, where, superseded=superseded):
        yield from map(Game, *piece.values())


def pieces(store: Store, where: str = "TRUE", *, superseded: bool = False) -> Iterator[dict[str, Sequence[Any]]]:
    """Yield the same some at a time, as the values of each field of a Game."""
    if superseded and not store.has("superseded"):
        return
    query = GAMES.replace("FROM game", "FROM superseded AS game") if superseded else GAMES
    with store.snapshot():
        lost = _lost(store)
        found = store.connection.execute(f"{query} WHERE {where} ORDER BY game.id")
        while rows := found.fetchmany(PIECE):
            yield _fields(store, rows, lost)


def names(store: Store) -> list[str]:
    """Return the names of a run's agents, in the order of the plan."""
    return [name for (name,) in store.select("SELECT name FROM agent ORDER BY id")[1]]


def number_of(store: Store, game: int | str) -> int:
    """Return the number of a game that is named by its number, or by its key such as `0-1-3`. Raises InputError."""
    text = str(game)
    if text.isdecimal():
        return int(text)
    found = store.select("SELECT key, id FROM game")[1] if re.fullmatch(r"\d+-\d+-\d+", text) else []
    numbers = dict(found)
    if text not in numbers:
        near = difflib.get_close_matches(text, numbers, 3)
        hint = (
            f": near are {', '.join(near)}"
            if near
            else ": a key is the first agent, the second and the opening, from 0"
        )
        raise InputError(f"{store.path} has no game {text}{hint}")
    return int(numbers[text])


def game(store: Store, number: int) -> Game:
    """Return one game. Raises InputError where there is none of this number."""
    rows = store.select(f"{GAMES} WHERE game.id = {number:d}")[1]
    if not rows:
        first, last = store.select("SELECT min(id), max(id) FROM game")[1][0]
        there = "no game yet" if first is None else f"games {first} to {last}"
        if first is not None and first < number < last:
            there = f"games up to {last}, but that one is not played or no longer counts"
        raise InputError(f"{store.path} has no game {number}: there are {there}")
    return Game(*(value for [value] in _fields(store, rows, _lost(store, f"WHERE game = {number:d}")).values()))


PIECE = 1000
Lost = list[tuple[int, int, int]]
"""Ply, value and value after of each move of a game that lost some."""
GAMES = """
SELECT game.id, one.name, two.name, opening.moves, game.moves, result, termination, detail FROM game
JOIN agent AS one ON one.id = first JOIN agent AS two ON two.id = second JOIN opening ON opening.id = opening
"""
AUDITED = "count(*) >= (SELECT count(*) FROM move WHERE move.game = audit.game)"


def _lost(store: Store, where: str = "") -> dict[int, Lost]:
    """Return the moves that lost value, by game, of all games or those of a clause.

    Games that are not audited to their end are not among them.
    """
    if not store.is_audited():
        return {}
    whole = f"SELECT game FROM audit {where} GROUP BY game HAVING {AUDITED}"  # noqa: S608
    lost: dict[int, Lost] = {game: [] for (game,) in store.select(whole)[1]}
    some = f"SELECT * FROM (SELECT game, ply, value, after FROM audit {where}) WHERE after < value ORDER BY game, ply"  # noqa: S608
    for game, ply, value, after in store.select(some)[1]:
        if game in lost:
            lost[game].append((ply, value, after))
    return lost


def _fields(store: Store, rows: Sequence[tuple[Any, ...]], lost: Mapping[int, Lost]) -> dict[str, Sequence[Any]]:
    """Return what fields of a Game have in rows of GAMES, with the moves that lost value where they are known."""
    rules = store.rules()
    found = dict(zip(Game.__slots__, zip(*rows, strict=True), strict=False))
    moves = [split_moves(text, rules) for text in found["moves"]]
    blunders = [
        None if told is None else _blunders(store.path, row, words, told)
        for row, words, told in zip(rows, moves, map(lost.get, found["game"]), strict=True)
    ]
    return found | {"plies": list(map(len, moves)), "blunders": blunders}


def _blunders(path: Path, row: tuple[Any, ...], moves: Sequence[str], lost: Lost) -> tuple[Blunder, ...]:
    sides = row[1], row[2]
    try:
        return tuple(Blunder(ply, int(moves[ply]), sides[ply % 2], value, after) for ply, value, after in lost)
    except (IndexError, ValueError):
        raise InputError(f"{place(path, row[0])}: its audit is not of its moves") from None
