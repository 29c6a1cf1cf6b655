"""The games of a stored run: one row a game, filters for them, and one game move by move."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from agents.board import Board, Rules, split_moves
from agents.errors import InputError, unknown
from agents.score import VALUES
from arena.records import Job, Termination
from arena.store import queries
from arena.store.queries import Selection, Where
from arena.store.run_file import Store
from arena.store.validation import final_board, place
from arena.table.extra import said

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
        """The blunder in words: "ply 9: column 4, win to loss"."""
        return f"ply {self.ply}: column {self.column}, {VALUES[self.value]} to {VALUES[self.after]}"


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
        return sum((blunder.value - blunder.after) / 2 for blunder in self.blunders or ())

    @property
    def is_fault(self) -> bool:
        """Whether a fault ended it."""
        return self.termination not in {Termination.LINE, Termination.FULL}


def games(selection: Selection) -> Iterator[Game]:
    """Yield the games of a selection. Raises InputError where the file is damaged."""
    for piece in pieces(selection):
        yield from map(Game, *piece.values())


def pieces(selection: Selection) -> Iterator[dict[str, Sequence[Any]]]:
    """Yield the games of a selection in pieces, each as the values of every field of a Game."""
    with selection.store.snapshot():
        lost = queries.lost_value(selection.store)
        for rows in selection.rows(PIECE):
            yield _fields(selection.store, rows, lost)


LONGEST_NUMBER = 18
"""Digits; SQLite has no longer numbers."""


def number_of(store: Store, game: int | str) -> int:
    """Return the number of a game that is named by its number, or by its job such as `0-1-3`. Raises InputError."""
    text = str(game)
    if text.isdecimal() and len(text) <= LONGEST_NUMBER:
        return int(text)
    job = Job.parse(text)
    number = None if job is None else queries.number_of_job(store, job)
    if number is None:
        near = difflib.get_close_matches(text, map(str, store.played()), 3) if job is not None else []
        hint = (
            f": near are {', '.join(near)}"
            if near
            else ": a key is the first agent, the second and the opening, from 0"
        )
        raise InputError(f"{store.path} has no game {text:.40}{hint}")
    return number


def game(store: Store, number: int) -> Game:
    """Return one game. Raises InputError where there is none of this number."""
    rows = next(Selection(store, queries.numbered([number])).rows(1), None)
    if rows is None:
        first, last = queries.lowest_and_highest(store)
        there = "no games yet" if first is None else f"games {first} to {last}"
        if first is not None and last is not None and first < number < last:
            there = f"games up to {last}, but that one is not played or no longer counts"
        raise InputError(f"{store.path} has no game {number}: there are {there}")
    return Game(*(value for [value] in _fields(store, rows, queries.lost_value(store, number)).values()))


PIECE = 1000
Lost = list[tuple[int, int, int]]
"""Ply, value and value after of each move of a game that lost some."""


def _fields(store: Store, rows: Sequence[tuple[Any, ...]], lost: Mapping[int, Lost]) -> dict[str, Sequence[Any]]:
    """Return what fields of a Game have in rows of GAMES, with the moves that lost value where they are known."""
    rules = store.rules()
    columns = dict(zip(Game.__slots__, zip(*rows, strict=True), strict=False))
    moves = [split_moves(text, rules) for text in columns["moves"]]
    blunders = [
        None if losses is None else _blunders(store.path, row, words, losses)
        for row, words, losses in zip(rows, moves, map(lost.get, columns["game"]), strict=True)
    ]
    return columns | {"plies": list(map(len, moves)), "blunders": blunders}


def _blunders(path: Path, row: tuple[Any, ...], moves: Sequence[str], lost: Lost) -> tuple[Blunder, ...]:
    sides = row[1], row[2]
    try:
        return tuple(Blunder(ply, int(moves[ply]), sides[ply % 2], value, after) for ply, value, after in lost)
    except (IndexError, ValueError):
        raise InputError(f"{place(path, row[0])}: its audit is not of its moves") from None


class GameResult(StrEnum):
    """How a game ended for an agent, or for the first player."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which games are wanted; a field without a value admits all."""

    agent: str | None = None
    opponent: str | None = None
    result: GameResult | None = None
    """For `agent`, or else for the first player."""
    faults: bool = False
    """Only games that a fault ended; with `agent`, one of its own."""
    blunders: bool = False
    """Only games in which value was lost; with `agent`, by this one."""

    def where(self, agents: Sequence[str]) -> Where:
        """Return the condition that the wanted games meet; `agents` are the run's."""
        return queries.matching(
            agent=None if self.agent is None else agents.index(self.agent),
            opponent=None if self.opponent is None else agents.index(self.opponent),
            result=self.result,
            faults=self.faults,
            blunders=self.blunders,
        )


class Filtered(Selection):
    """The games of a run that are wanted, in the order of their numbers. They are read anew each time."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Game]:
        """Yield the games."""
        return games(self)

    def pieces(self) -> Iterator[dict[str, Sequence[Any]]]:
        """Yield the games in pieces, each as the values of every field."""
        return pieces(self)


def filtered(store: Store, wanted: Filter, limit: int | None = None) -> Filtered:
    """Return the games of a run that are wanted, with a `limit` so many at most.

    Raises InputError where the filter names an agent that the run does not have, or blunders of a run that is not
    audited.
    """
    agents = store.names()
    agent, opponent = (name and store.name_of(name) for name in (wanted.agent, wanted.opponent))
    wanted = replace(wanted, agent=agent, opponent=opponent)
    _must_know("agent", [wanted.agent, wanted.opponent], agents)
    if wanted.blunders and not store.is_audited():
        raise InputError(f"{store.path} is not audited: arena audit {store.path}")
    chosen = Filtered(store, wanted.where(agents))
    return chosen if limit is None else chosen.first(limit)


def _must_know(kind: str, names: Iterable[str | None], agents: Sequence[str]) -> None:
    for name in names:
        if name is not None and name not in agents:
            raise unknown(kind, name, agents)


@dataclass(frozen=True, slots=True)
class Step:
    """One move, and what is stored of it."""

    ply: int
    """Discs on the board before the move."""
    column: int
    """From 1."""
    agent: str | None
    """Its player; None for a move of the opening, of which nothing else is known but `value` and `after`."""
    score: int | None = None
    """The score that the agent reported, from its own side."""
    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    seconds: float | None = None
    """By the referee's clock."""
    extra: str | None = None
    """JSON of whatever else the agent said of the move."""
    value: int | None = None
    """What the position was worth to the agent: 1 a win, 0 a draw, -1 a loss; None where it is not audited."""
    after: int | None = None
    """What the move left of it, likewise."""
    legal: int | None = None
    """How many moves there were."""
    keeping: int | None = None
    """How many of them kept the value."""
    keepers: str | None = None
    """These columns, from 1 and parted by blanks; None where the audit does not say."""

    @property
    def said(self) -> list[str]:
        """What is stored in `extra`, in lines."""
        return said(json.loads(self.extra) if self.extra else {})

    @property
    def is_blunder(self) -> bool:
        """Whether the move lost value."""
        return self.value is not None and self.after is not None and self.after < self.value

    @property
    def lost(self) -> str:
        """What a blunder lost and which moves kept it: "a win becomes a draw; kept by 2, 4"."""
        assert self.value is not None
        assert self.after is not None
        kept = (self.keepers or "").replace(" ", ", ") or f"{self.keeping} of {self.legal} moves"
        return f"a {VALUES[self.value]} becomes a {VALUES[self.after]}; kept by {kept}"


@dataclass(frozen=True)
class Replay:
    """A stored game and its moves."""

    game: Game
    rules: Rules
    steps: tuple[Step, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)
    """The replies in the last position, where they are no move and lost the game."""

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """The position before each move, and the last one."""
        boards = [Board(self.rules)]
        for step in self.steps:
            boards.append(boards[-1].play(step.column - 1))
        return tuple(boards)

    @property
    def said(self) -> list[str]:
        """What is stored in `extra`, in lines."""
        return said(self.extra)

    @property
    def opening(self) -> int:
        """The number of moves of the opening."""
        return sum(step.agent is None for step in self.steps)


def replay(store: Store, wanted: int | str) -> Replay:
    """Return a stored game, by its number or its key. Raises InputError where there is none, or it is impossible."""
    number = number_of(store, wanted)
    rules = store.rules()
    with store.snapshot():
        stored = game(store, number)
        rows = queries.decisions(store, number)
        extra = json.loads(queries.extras(store, [number]).get((number, stored.plies), "{}"))
    where = place(store.path, number)
    moves = final_board(where, rules, stored.moves, stored.result, stored.termination).moves
    opening = tuple(int(column) - 1 for column in split_moves(stored.opening, rules))
    if moves[: len(opening)] != opening:
        raise InputError(f"{where}: it does not begin with its opening")
    if [(ply, column - 1) for ply, column, *_ in rows] != list(enumerate(moves))[len(opening) :]:
        raise InputError(f"{where}: its decisions are not its moves")
    names = (stored.first, stored.second)
    begun = [Step(ply, column + 1, None) for ply, column in enumerate(opening)]
    chosen = (Step(ply, column, names[ply % 2], *rest) for ply, column, *rest in rows)
    return Replay(stored, rules, (*begun, *chosen), extra)
