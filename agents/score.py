"""What a score says: the distance of a win or a loss, or else a heuristic's value.

A score is an integer for the side to move. A win in n plies is WIN - n, a loss in n plies n - WIN, a draw 0. So sooner
wins and later losses are better. Heuristics stay below WIN_BOUND in magnitude, and any score above it is proven.
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
"""What a position is worth to the side to move, by the sign of its score."""


def sign(value: int) -> int:
    """Return 1 for a positive value, -1 for a negative one, else 0."""
    return (value > 0) - (value < 0)


def ending(sign: int, plies: int) -> int:
    """Return the score of a game that ends in so many plies: a win for a positive sign, a draw for 0, else a loss."""
    return 0 if sign == 0 else WIN - plies if sign > 0 else plies - WIN


def of_outcome(board: Board, plies: int) -> int:
    """Return what a board whose game is over is worth to the side to move; it ended after so many plies."""
    assert board.outcome is not None
    winner = board.outcome.winner
    return ending(0 if winner is None else 1 if winner == board.mover else -1, plies)


def proven(score: int) -> bool:
    """Tell whether the score is a win or a loss that was seen to its end; a draw looks like a heuristic's 0.

    What lies beyond WIN is no distance but a value on another scale.
    """
    return WIN_BOUND < abs(score) <= WIN


def plies_to_end(score: int) -> int:
    """Return the plies to the win or the loss that the score proves."""
    assert proven(score)
    return WIN - abs(score)


def one_ply_earlier(score: int) -> int:
    """Return a score as seen one ply earlier: a win or a loss is one ply farther away."""
    return ending(score, plies_to_end(score) + 1) if proven(score) else score


def in_words(score: int | None) -> str:
    """Return a score as text: "win in 5" or "loss in 2", in plies, where it is proven; "-" where there is none."""
    if score is None:
        return "-"
    if proven(score):
        return f"{'win' if score > 0 else 'loss'} in {plies_to_end(score)}"
    return f"{score:+d}" if score else "0"


def coerce_score(value: Any) -> int | None:  # noqa: ANN401  an agent may return anything
    """Return an agent's score as a whole number, a fraction rounded; None for what is none of at most 64 bits."""
    if value is None or (type(value) is int and value.bit_length() <= 63):  # as nearly all are
        return value
    number = None
    with suppress(Exception):  # whatever an object does when it is asked for a number
        number = operator.index(value)
    with suppress(Exception):
        if number is None and isinstance(value, numbers.Real):
            number = round(float(value))
    return None if number is None or isinstance(value, bool) or number.bit_length() > 63 else number


def in_plies(score: int, board: Board) -> int:
    """Return a solver's score, for the side to move, as searches give it: by the plies to the end.

    The winner's last disc lands on a board of `size + 1 - 2 * abs(score)` discs or of one less, whichever leaves him
    to move.
    """
    discs = board.rules.columns * board.rules.rows + 1 - 2 * abs(score)
    if (discs - board.ply) % 2 != (0 if score > 0 else 1):
        discs -= 1
    return ending(score, discs - board.ply + 1)
