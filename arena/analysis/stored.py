"""The stored tables of a run as rows: agents, openings, games, moves and searches."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoredAgent:
    """An agent of the run."""

    name: str
    """How tables call it: its spec, with a number where it is there twice."""
    spec: str
    """As it was typed."""
    kind: str
    """What the spec begins with."""
    deterministic: int
    """1 where it is known to repeat its moves."""
    stranger: int
    """1 where its nodes and scores are its own claims."""
    author: str | None
    """Who wrote it, where it says so."""
    digest: str | None
    """Of the files that it was read from; None where all of it is ours."""


@dataclass(frozen=True, slots=True)
class StoredOpening:
    """An opening of the run."""

    opening: int
    """Its number."""
    moves: str
    """Columns from 1."""
    value: int | None
    """For the side to move with perfect play: 1 a win, 0 a draw, -1 a loss; None where it is not known."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game."""

    game: int
    """Its number."""
    key: str
    """What its seed derives from."""
    first: str
    """Name of the first player."""
    second: str
    """Name of the second player."""
    opening: int
    """The opening's number."""
    moves: str
    """All moves, those of the opening included; columns from 1."""
    result: str
    """`1-0` where the first player won, `0-1` or `1/2-1/2`."""
    points: float
    """[points] The first player's."""
    termination: str
    """How it ended."""
    detail: str
    """Of a fault."""
    started: str
    """[time] Of day, UTC."""
    seconds: float
    """[seconds]"""


@dataclass(frozen=True, slots=True)
class StoredMove:
    """A decision."""

    game: int
    """The game's number."""
    ply: int
    """[plies] Discs on the board before the move."""
    agent: str
    """Who moved."""
    column: int
    """[column] From 1."""
    depth: int
    """[plies] The deepest that was completed."""
    nodes: int
    """[nodes]"""
    seconds: float
    """[seconds] By the referee's clock."""
    score: int | None
    """[points of the heuristic] For the mover; None if it reported none."""


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """A completed depth of a decision."""

    game: int
    """The game's number."""
    ply: int
    """[plies] Discs on the board before the move."""
    agent: str
    """Who moved."""
    depth: int
    """[plies]"""
    nodes: int
    """[nodes] Since the move began."""
    seconds: float
    """[seconds] Since the move began, by the search's own clock; the referee's where it reported no depths."""
    score: int | None
    """[points of the heuristic] For the mover."""
    column: int
    """[column] The best one at this depth, from 1."""


STORED: dict[str, type] = {
    "agents": StoredAgent,
    "openings": StoredOpening,
    "games": StoredGame,
    "moves": StoredMove,
    "searches": StoredSearch,
}
"""The kinds of rows, by the names of their tables in `Frames`."""
