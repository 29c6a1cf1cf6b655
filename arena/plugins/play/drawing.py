"""The board in a terminal, plain or in colour, with the last move and the winning line marked."""

from __future__ import annotations

from agents.board import Board

_COLOURS = {"X": "\x1b[33m", "O": "\x1b[31m"}  # the first player yellow, the second red
_BOLD_INVERSE = "\x1b[1;7m"
_RESET = "\x1b[0m"


def draw(board: Board, *, colour: bool = False) -> str:
    """Return the board as lines of text: X the first player, O the second, rows from the top, columns numbered from 1.

    Brackets mark the last move. Asterisks or, in colour, inverse letters mark the winning line, or all fours under
    most-fours rules. No line ends in a space.
    """
    return board.drawn(_coloured) if colour else str(board)


def _coloured(disc: str, winning: bool, last: bool) -> str:
    left, right = ("[", "]") if last else (" ", " ")
    return f"{left}{_COLOURS[disc]}{_BOLD_INVERSE if winning else ''}{disc}{_RESET}{right}"
