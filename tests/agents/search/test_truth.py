"""Searches against the solver, which shares nothing with them but the board's bits."""

import random

import pytest

from agents.agent import Limits
from agents.board import Board
from agents.jit.compiler import JIT
from agents.players.perfect import from_solver_score
from agents.score import WIN_BOUND
from agents.solver.solver import Solver
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from agents.specs.registry import parse


def positions(plies, number, seed):
    """Return positions of so many random plies in which nobody has won."""
    chance = random.Random(seed)
    found = []
    while len(found) < number:
        board = Board()
        while board.ply < plies and board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            found.append(board)
    return found


SOLVER = Solver(mebibytes=4)
EXACT = ["minimax", *(f"alphabeta:order={order}" for order in ORDERINGS), "alphabeta:table=on,deepening=on"]


@pytest.mark.parametrize("spec", EXACT)
def test_to_the_end_of_the_game_a_search_finds_the_true_score(spec):
    plies = 33 if JIT else 37
    agent = parse(f"{spec}{',' if ':' in spec else ':'}depth={42 - plies},heuristic=zero").build()
    for board in positions(plies, 40 if JIT else 5, seed=1):
        assert agent.choose(board, Limits()).score == from_solver_score(SOLVER.score_of(board), board), board.text


@pytest.mark.parametrize("heuristic", complete(HEURISTICS))
def test_a_win_or_a_loss_that_a_search_proves_is_one(heuristic):
    agent = parse(f"alphabeta:depth={7 if JIT else 3},order=centre,heuristic={heuristic}").build()
    proven = 0
    for board in positions(22 if JIT else 34, 60 if JIT else 20, seed=2):
        score = agent.choose(board, Limits()).score
        if abs(score) > WIN_BOUND:
            proven += 1
            assert score == from_solver_score(SOLVER.score_of(board), board), board.text
    assert proven > 5
