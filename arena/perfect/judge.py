"""The audit: compare every move of a run with perfect play, to see whether it kept the value of its position.

A position of several moves is solved once, also with its mirror image. The findings are stored at once for all of these
moves, so that a killed audit continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agents.board import Board
from arena.store import findings
from arena.store.validation import final_board, place

if TYPE_CHECKING:
    from arena.games.executor import Cluster
    from arena.perfect.solved import Discs, Values
    from arena.store.run_file import Store

CHUNK = 32
"""Positions that a thread takes at a time."""


@dataclass(slots=True)
class Position:
    """A position or its mirror image, and the moves made in it."""

    discs: Discs
    ply: int
    moves: list[tuple[int, int, int, bool]] = field(default_factory=list)
    """game, ply, 0-based column, and whether that is in a mirror image of the game."""


def missing(store: Store) -> list[list[Position]]:
    """Return the positions of moves not audited yet, a list for each opening, the last ply first.

    Raises InputError, also for a game that its moves cannot produce.
    """
    rules = store.rules()
    todo = findings.unaudited_moves(store)
    games = {game for game, _ in todo}
    seen: dict[int, Position] = {}
    openings: dict[int, list[Position]] = {}
    for game, opening, *stored in findings.finished_games(store):
        if game not in games:
            continue
        for board, column in decisions(final_board(place(store.path, game), rules, *stored)):
            if (game, board.ply) in todo:
                turned, turned_column, mirrored = _turned(board, column)
                if turned.key not in seen:
                    seen[turned.key] = Position((turned.own, turned.opp), turned.ply)
                    openings.setdefault(opening, []).append(seen[turned.key])
                seen[turned.key].moves.append((game, board.ply, turned_column, mirrored))
    for positions in openings.values():
        positions.sort(key=lambda position: -position.ply)
    return list(openings.values())


def audit(
    store: Store,
    openings: Sequence[Sequence[Position]],
    threads: int | Cluster,
    progress: Callable[[], object] = lambda: None,
) -> None:
    """Solve the missing positions and judge their moves.

    openings: the positions, from `missing`. progress: called after each position. Raises InputError when
    it cannot go on; what was found is stored.
    """
    from arena.perfect.solved import solve_all

    by_discs = {position.discs: position for positions in openings for position in positions}
    chunks = [
        [position.discs for position in positions[start : start + CHUNK]]
        for positions in openings
        for start in range(0, len(positions), CHUNK)
    ]
    findings.begin_audit(store)
    with closing(solve_all(store.rules(), chunks, threads, strong=False)) as answers:
        for discs, values in answers:
            _add(store, by_discs[discs], values)
            progress()


def judge(values: Values, column: int) -> tuple[int, int, int, int]:
    """Return what the table holds of a move: value, after, legal, keeping. Values are 1, 0 and -1."""
    legal = [value for value in values if value is not None]
    after, value = values[column], max(legal)
    assert after is not None
    return value, after, len(legal), legal.count(value)


def _add(store: Store, position: Position, values: Values) -> None:
    """Store what is found of a position's moves, in one transaction."""
    best = max(value for value in values if value is not None)
    kept = [column for column, value in enumerate(values) if value == best]
    rows = [
        (game, ply, *judge(values, column), _listed(kept, len(values), mirrored=mirrored))
        for game, ply, column, mirrored in position.moves
    ]
    findings.add_audit(store, rows)


def decisions(last: Board) -> Iterator[tuple[Board, int]]:
    """Yield each position of the game that ended in this one, with the 0-based column that was played in it."""
    board = Board(last.rules)
    for column in last.moves:
        yield board, column
        board = board.play(column)


def _listed(columns: Sequence[int], width: int, *, mirrored: bool) -> str:
    """Return 0-based columns as the table has them, from 1 and parted by blanks, turned back from a mirror image."""
    return " ".join(str(column + 1) for column in sorted(width - 1 - c if mirrored else c for c in columns))


def _turned(board: Board, column: int) -> tuple[Board, int, bool]:
    """Return a position and a column from the side that gives the smaller key, and whether that is the mirror's."""
    mirrored = board.mirror()
    if board.key <= mirrored.key:
        return board, column, False
    return mirrored, board.rules.columns - 1 - column, True
