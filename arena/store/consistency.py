"""Whether a stored game can have been played: its moves are legal, and end in what is stored."""

from __future__ import annotations

from pathlib import Path

from agents.board import Board, Outcome, Rules
from agents.errors import InputError
from arena.store.records import Termination
from arena.store.schema import RESULTS
from arena.store.sqlite import plainly
from arena.store.store import Store


def final_board(place: str, rules: Rules, moves: str, result: str, termination: str) -> Board:
    """Return the position that a stored game ends in; its `moves` are the game's.

    place: the file and the number of the game, for the message. Raises InputError where these moves cannot produce the
    result.
    """
    try:
        board = Board.from_moves(moves, rules)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    outcome = board.outcome
    if termination not in {Termination.LINE, Termination.FULL}:
        if outcome is not None:
            raise InputError(f"{place}: it ends by a fault, but its moves had already ended it ({outcome})")
        outcome = Outcome(1 - board.mover)  # who was to move has lost
    if outcome is None or RESULTS[outcome] != result:
        found = "not over" if outcome is None else RESULTS[outcome]
        raise InputError(f"{place}: its result is {result}, but after its moves it is {found}")
    return board


def refuse_impossible(store: Store) -> None:
    """Raise InputError that names the first stored game that its moves cannot produce."""
    rules = store.rules()
    with plainly(store.path):  # as they are read: there may be a million
        for game, *stored in store.connection.execute("SELECT id, moves, result, termination FROM game ORDER BY id"):
            final_board(place(store.path, game), rules, *stored)


def place(path: Path, game: int) -> str:
    """Return how messages name a stored game."""
    return f"{path}, game {game}"
