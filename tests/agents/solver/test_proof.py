import gzip
import random
from dataclasses import replace

import numpy as np
import pytest
from slow_proof import WrongError, slow_check
from slow_solver import SlowSolver, careful_board

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.solver.proof import Proof, check, prove
from agents.solver.solver import Solver

BOARDS = [Rules(4, 4), Rules(5, 4, 3), Rules(6, 3, 5), Rules(3, 3, 2), Rules(2, 9), Rules(8, 7)]


def slowly(proof):
    try:
        return slow_check(proof.board, proof.outcome, proof.moves)
    except WrongError:
        return None


@pytest.fixture(scope="module")
def late():
    """A proof of each value on the standard board."""
    solver = Solver(STANDARD, 1)
    return [prove(solver, Board.from_moves(moves)) for moves in LATE]


LATE = "21343562273367557234166624", "67335234212226725317455115", "14321627317272645644711347"
"""A win, a loss and a draw."""


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_a_proof_of_any_position_holds_by_an_independent_checker(rules):
    chance, solver = random.Random(3), Solver(rules, 1)
    cells = rules.columns * rules.rows
    for left in range(1, min(cells + 1, 13 if JIT else 8)):
        board = careful_board(rules, cells - left, chance)
        if board is None:
            continue
        proof = prove(solver, board)
        score = SlowSolver(rules).score(board.own, board.opp)
        assert proof.outcome == (score > 0) - (score < 0), board.text
        assert check(proof) == (slow_check(board, proof.outcome, proof.moves), ""), board.text


def test_a_changed_proof_holds_only_where_the_independent_checker_says_so(late):
    chance, refused = random.Random(5), 0
    for proof in late:
        for _ in range(40 if JIT else 5):
            place = chance.randrange(len(proof.moves))
            moves = proof.moves[:place] + bytes([chance.randrange(8)]) + proof.moves[place + 1 :]
            changed = replace(proof, moves=moves)
            positions, fault = check(changed)
            assert (None if fault else positions) == slowly(changed), moves
            refused += bool(fault)
    assert refused > 10


def test_a_proof_of_one_value_proves_no_other(late):
    for proof in late:
        for outcome in {1, 0, -1} - {proof.outcome}:
            assert check(replace(proof, outcome=outcome))[1]


def test_a_fault_is_placed(late):
    for proof in late:
        assert "ends before a move after" in check(replace(proof, moves=proof.moves[:-1]))[1]
        assert check(replace(proof, moves=proof.moves + b"\0"))[1] == "moves are left over: 1"
        _, fault = check(replace(proof, moves=bytes([99]) + proof.moves[1:]))
        position = Board.from_moves(fault.rsplit(" ", 1)[1])  # a line of legal moves
        assert position.text.startswith(proof.board.text)
        assert "not legal" in fault


def test_positions_and_their_mirror_images_are_proven_once():
    board = Board(Rules(4, 4))
    proof = prove(Solver(board.rules, 1), board)
    positions, fault = check(proof)
    assert not fault
    assert len(proof.moves) < positions < 2000  # 1,421; without mirror images and transpositions far more


def test_a_file_holds_what_was_written_and_a_damaged_one_is_named(late, tmp_path):
    path = tmp_path / "a.proof"
    for proof in late:
        assert proof.write(path) == path.stat().st_size
        assert Proof.read(path) == proof
    whole = path.read_bytes()
    for damaged in (whole[:-3], whole[:20], b"", b"moves", whole[:40] + b"\0\0" + whole[42:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a\.proof is not a proof: [^\n]+$"):
            Proof.read(path)


@pytest.mark.parametrize(
    ("header", "fault"),
    [
        ("7x6x4 win 4152637", "is damaged: position '4152637': the game is already over (first player won)"),
        ("7x6x4 win 49", "is damaged: move 2: column 9 does not exist (1 to 7)"),
        ("7x6x4:most-fours draw 4", "is damaged: a proof knows the standard rules alone, not most-fours"),
        ("9x9x4 loss 4", "is damaged: a 9x9 board does not fit: columns x (rows + 1) is 90, the limit is 64"),
        ("7x6x4 hope 4", "is not a proof: its first line is not connect4-arena proof BOARD OUTCOME MOVES"),
        ("7x6x4 win", "is not a proof: its first line is not connect4-arena proof BOARD OUTCOME MOVES"),
        ("7x6x4 win 4 4", "is not a proof: its first line is not connect4-arena proof BOARD OUTCOME MOVES"),
    ],
)
def test_what_a_file_of_a_proof_says_first_is_read_and_its_fault_named(tmp_path, header, fault):
    path = tmp_path / "a.proof"
    path.write_bytes(gzip.compress(f"connect4-arena proof {header}\n".encode() + b"\1\2"))
    with pytest.raises(InputError) as raised:
        Proof.read(path)
    assert str(raised.value) == f"{path} {fault}"
    path.write_bytes(gzip.compress(f"connect4-arena proofs {header}\n".encode()))
    with pytest.raises(InputError, match="is not a proof: its first line is not"):
        Proof.read(path)
    path.unlink()
    with pytest.raises(InputError) as raised:
        Proof.read(path)
    assert str(raised.value) == f"{path} is not a proof: No such file or directory"


def test_finished_games_and_other_rules_are_refused():
    for board, fault in (
        (Board.from_moves("4142434"), "position '4142434': the game is already over (first player won)"),
        (Board(replace(STANDARD, most_fours=True)), "a proof knows the standard rules alone, not most-fours"),
    ):
        with pytest.raises(InputError) as raised:
            prove(Solver(STANDARD, 1), board)
        assert str(raised.value) == fault


def test_the_set_of_proven_positions_grows(late):
    solver = Solver(STANDARD, 8)
    board = Board.from_moves("446332154321" if JIT else LATE[1])
    proof = prove(solver, board)
    positions, fault = check(proof)
    assert not fault
    assert positions > (1 << 10 if JIT else 0)
    assert np.frombuffer(proof.moves, np.uint8).max() < 7
