"""Scores: the distance to a win or a loss, or a heuristic's value.

A score is an integer for the side to move. A win in n plies is WIN - n, a loss in n plies n - WIN, a draw 0. So earlier
wins and later losses are better. Heuristic values stay below WIN_BOUND in magnitude; a score above it is proven.
"""

from __future__ import annotations

import numbers
import operator
from contextlib import suppress
from typing import Any

from agents.board import Board

WIN = 1_000_000
WIN_BOUND = 900_000


VALUES = {1: "win", 0: "draw", -1: "loss"}
"""The value of a position for the side to move, by the sign of its score."""


def sign(value: int) -> int:
    """Return 1 for a positive value, -1 for a negative one, else 0."""
    return (value > 0) - (value < 0)


def ending(sign: int, plies: int) -> int:
    """Return the score of a game that ends after `plies`: a win for a positive sign, a draw for 0, else a loss."""
    return 0 if sign == 0 else WIN - plies if sign > 0 else plies - WIN


def of_outcome(board: Board, plies: int) -> int:
    """Return the score, for the side to move, of a finished game that ended after `plies`."""
    assert board.outcome is not None
    winner = board.outcome.winner
    return ending(0 if winner is None else 1 if winner == board.mover else -1, plies)


def proven(score: int) -> bool:
    """Return whether the score is a proven win or loss; a proven draw looks like a heuristic's 0.

    A score beyond WIN is a value on another scale, and not a distance.
    """
    return WIN_BOUND < abs(score) <= WIN


def plies_to_end(score: int) -> int:
    """Return the plies to the win or loss of a proven score."""
    assert proven(score)
    return WIN - abs(score)


def one_ply_earlier(score: int) -> int:
    """Return the score one ply earlier in the game: a win or a loss is one ply farther away."""
    return ending(score, plies_to_end(score) + 1) if proven(score) else score


def in_words(score: int | None) -> str:
    """Return a score as text: "win in 5" or "loss in 2", in plies, for a proven score; "-" for None."""
    if score is None:
        return "-"
    if proven(score):
        return f"{'win' if score > 0 else 'loss'} in {plies_to_end(score)}"
    return f"{score:+d}" if score else "0"


def coerce_score(value: Any) -> int | None:  # noqa: ANN401  an agent may return anything
    """Return an agent's score as a whole number, rounding fractions; None for anything but a number of 64 bits."""
    if value is None or (type(value) is int and value.bit_length() <= 63):  # the usual case
        return value
    number = None
    with suppress(Exception):  # the object's methods may raise anything
        number = operator.index(value)
    with suppress(Exception):
        if number is None and isinstance(value, numbers.Real):
            number = round(float(value))
    return None if number is None or isinstance(value, bool) or number.bit_length() > 63 else number


def from_solver_score(score: int, board: Board) -> int:
    """Convert a solver's score, for the side to move, to the plies to the end, which searches use.

    The winning disc lands on a board of `size + 1 - 2 * abs(score)` discs or of one less, whichever has the winner to
    move.
    """
    discs = board.rules.columns * board.rules.rows + 1 - 2 * abs(score)
    if (discs - board.ply) % 2 != (0 if score > 0 else 1):
        discs -= 1
    return ending(score, discs - board.ply + 1)
