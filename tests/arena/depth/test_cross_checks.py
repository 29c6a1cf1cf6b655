"""Searches held against each other, with stand-ins that answer as they are told."""

from types import SimpleNamespace

from recorded import holds, plain

from agents.board import STANDARD, Board, Rules
from arena.depth import exact as verify
from arena.depth.exact import ExactSearch, plain_searches, searches
from arena.games.searches import sample
from arena.records import MoveRecord

SMALL = Rules(5, 4)


def test_random_play_draws_the_same_positions_for_a_seed(request):
    found = {
        f"{rules}, seed {seed}": [board.text for board in sample(14, seed, rules)]
        for rules in (STANDARD, SMALL, Rules(3, 3, 3))
        for seed in (1, 2)
    }
    holds("verify-drawn", found, request)


def test_the_searches_that_must_agree(request):
    found = {"searches": searches(), "some": searches(["centre"]), "plain": plain_searches()}
    found["specs"] = [each.spec("zero", 3) for each in (*searches(), *plain_searches(["open-windows"]))]
    holds("verify-searches", plain(found), request)


def answer(column, score, pv=()):
    return MoveRecord(0, column, 0.1, score, 2, 5, pv or (column,))


SEARCHES = [
    verify.MINIMAX,
    ExactSearch("alphabeta", "left-to-right", ""),
    ExactSearch("alphabeta", "centre", ""),
    ExactSearch("alphabeta", "left-to-right", "table=on"),
    ExactSearch("alphabeta", "centre", "table=on"),
]


def test_each_answer_is_held_against_the_first_and_against_the_first_of_its_order(request):
    seats = [SimpleNamespace(name=f"search {number}") for number in range(5)]
    found = {}
    for name, moves, answers in (
        ("all alike", "4", [(2, 7)] * 5),
        ("values", "4", [(2, 7), (2, 8), (2, 7), (2, -7), (2, None)]),
        ("moves of an order", "", [(2, 7), (3, 7), (1, 7), (2, 7), (4, 7)]),
        ("a move of the other order", "12", [(2, 7), (2, 7), (3, 7), (2, 7), (3, 7)]),
        ("lines", "4", [(2, 7), (2, 7, (3, 1)), (2, 7, (2, 3, 3, 3, 3, 3, 3, 3)), (2, 7, (2, 2)), (2, 7, (2,))]),
    ):
        board = Board.from_moves(moves)
        given = [answer(*each) for each in answers]
        worth = verify._disagreements(board, seats, SEARCHES, given, lambda own, opp: -7 if own else 7)
        rows = list(worth)
        found[name] = rows, [str(row) for row in rows]
    holds("verify-disagreements", plain(found), request)
