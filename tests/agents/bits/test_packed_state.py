import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import STANDARD, discs_of, moves_of, over, published

from agents.bits.packed_state import decode, encode
from agents.board import Board, Outcome, Rules
from agents.errors import InputError

EMPTY = 10378549747928563776


def board_of(own, opp):
    return Board(STANDARD, own, opp, (own | opp).bit_count())


@over("row", published("smart"), moves_of)
@over("player", [0, 1])
def test_states_equal_the_published_program(row, player):
    first, second = discs_of(row["moves"])
    ply = len(row["moves"])
    board = board_of(second, first) if ply % 2 else board_of(first, second)
    state = int(row["state_second" if player else "state_first"])
    assert encode(board, player) == state
    decoded = decode(state, player)
    assert (decoded.own, decoded.opp, decoded.ply) == (board.own, board.opp, ply)


@given(st.lists(st.integers(0, 6), max_size=42), st.sampled_from([0, 1]))
def test_decoding_gives_back_the_board(columns, player):
    board = Board()
    for column in columns:
        if column in board.legal_moves():
            board = board.play(column)
    assert decode(encode(board, player), player) == board


def test_the_rules_that_the_program_plays_by_are_not_in_the_state():
    assert encode(Board.from_moves("1727374", Rules(most_fours=True)), 1) == encode(Board.from_moves("1727374"), 1)


def test_the_empty_board_is_the_same_state_for_both():
    assert encode(Board(), 0) == encode(Board(), 1) == EMPTY
    assert decode(EMPTY, 1) == Board()


def test_a_decoded_win_is_over():
    board = Board.from_moves("1212121")
    assert decode(encode(board, 1), 1).outcome is Outcome.FIRST_WINS


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (EMPTY - (1 << 63), "bit 63"),
        (EMPTY << 1, "bit 63"),
        (-1, "bit 63"),
        (EMPTY - (1 << 60), "column 1 has no height"),
        (EMPTY + 1, "column 7 has discs above its top"),
        (EMPTY + (1 << 60), "the first player has 0"),
    ],
)
def test_a_number_that_is_no_state_is_refused(state, reason):
    with pytest.raises(InputError, match=reason):
        decode(state, 0)


def test_other_boards_and_players_are_refused():
    with pytest.raises(InputError, match="7x6x4"):
        encode(Board(Rules(6, 5)), 0)
    with pytest.raises(InputError, match="player 2"):
        encode(Board(), 2)
    with pytest.raises(InputError, match="player 2"):
        decode(EMPTY, 2)
