"""Positions in the notation of UCI engines."""

import pytest

from agents.board import Board
from agents.errors import InputError
from agents.fen import from_fen

HAND = "P" * 20 + "p" * 20


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("7/7/7/7/7/7 w", ""),
        ("  7/7/7/7/7/6P b - - 0 1 \n", "7"),
        ("7/7/7/7/7/Pp5 w - -", "12"),
        (f"7/7/7/7/7/3P2p[{HAND}] w - - 0 2", "47"),
        (f"7/7/7/7/7/3P2p[-{HAND}] w - - 0 2", "47"),
        ("7/7/7/7/3.3/..1P..p w", "47"),
        ("7/7/7/3p3/3P3/3P2p w", "4744"),
    ],
)
def test_a_fen_is_a_position_from_the_top(fen, moves):
    found = from_fen(fen)
    assert (found.grid(), found.mover) == (Board.from_moves(moves).grid(), len(moves) % 2)


RANKS = "a FEN is six ranks of seven cells, such as 7/7/7/7/3p3/P2P3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", RANKS),
        ("7/7/7/7/7/7", RANKS),
        ("7/7/7/7/7 w", RANKS),
        ("7/7/7/7/7/8 w", RANKS),
        ("7/7/7/7/7/6 w", RANKS),
        ("7/7/7/7/7/6K w", RANKS),
        ("7/7/7/7/7/7 x", RANKS),
        ("7/7/7/7/7/3Pp2 b", "the FEN has 1 discs of the first player and 1 of the second"),
        ("7/7/7/7/7/3PP2 b", "the FEN has 2 discs of the first player and 0 of the second"),
        ("7/7/7/7/7/3p3 w", "the FEN has 0 discs of the first player and 1 of the second"),
        (f"7/7/7/7/7/3P2p[{HAND}P] w", "the hand of the FEN does not hold the discs that the board leaves"),
        (f"7/7/7/7/7/3P2p[{HAND[1:]}p] w", "the hand of the FEN does not hold the discs that the board leaves"),
    ],
)
def test_a_fen_that_is_no_position_is_refused_with_what_it_has(fen, message):
    with pytest.raises(InputError) as raised:
        from_fen(fen)
    assert str(raised.value) == message
