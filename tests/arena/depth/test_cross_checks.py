"""Searches held against each other, with stand-ins that answer as they are told."""

from types import SimpleNamespace

import pytest

from agents.board import STANDARD, Board, Rules
from agents.specs.components import ORDERINGS
from arena.depth import exact as verify
from arena.depth.exact import ExactSearch, plain_searches, searches
from arena.games.searches import sample
from arena.records import MoveRecord

SMALL = Rules(5, 4)


@pytest.mark.parametrize("rules", [STANDARD, SMALL, Rules(3, 3, 3)], ids=str)
def test_random_play_draws_the_same_positions_for_a_seed_and_others_for_another(rules):
    drawn = [[board.text for board in sample(14, seed, rules)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert {Board.from_moves(text, rules).outcome for text in drawn[0]} == {None}
    assert len(drawn[0]) == 14


def test_the_searches_that_must_agree_are_all_settings_of_every_order_beside_minimax():
    every = searches()
    assert every[0].spec("zero", 3) == "minimax:depth=3,heuristic=zero"
    settings = {each.settings.replace("table=on,table-size=1", "table") for each in every if each.order == "centre"}
    assert settings == {"", "table", "deepening=on", "table,deepening=on",
                        "table,deepening=on,killers=on,history=on,pvs=on"}  # fmt: skip
    assert {each.order for each in searches(["centre"])} == {"left-to-right", "centre"}
    assert {each.order for each in every} == {*ORDERINGS}
    plain = plain_searches(["open-windows"])
    minimax = "minimax:depth=3,heuristic=zero"
    assert [each.spec("zero", 3) for each in plain[:2]] == [minimax, f"{minimax},compiled=no"]
    assert {each.spec("zero", 3) for each in plain} >= {
        f"alphabeta:depth=3,heuristic=zero,order=open-windows,{more}compiled=no" for more in ("", "deepening=on,")
    }
    assert all(each.spec("zero", 3).endswith("compiled=no") for each in plain if each.kind == "alphabeta")


def answer(column, score, pv=()):
    return MoveRecord(0, column, 0.1, score, 2, 5, pv or (column,))


SEARCHES = [
    verify.MINIMAX,
    ExactSearch("alphabeta", "left-to-right", ""),
    ExactSearch("alphabeta", "centre", ""),
    ExactSearch("alphabeta", "left-to-right", "table=on"),
    ExactSearch("alphabeta", "centre", "table=on"),
]


@pytest.mark.parametrize(
    ("moves", "answers", "apart"),
    [
        ("4", [(2, 7)] * 5, []), ("12", [(2, 7), (2, 7), (3, 7), (2, 7), (3, 7)], []),
        ("4", [(2, 7), (2, 8), (2, 7), (2, -7), (2, None)],
         ["value 7 of search 0, 8 of search 1", "line 8 of search 1", "value 7 of search 0, -7 of search 3",
          "line -7 of search 3", "value 7 of search 0, None of search 4", "line None of search 4"]),
        ("12", [(2, 7), (3, 7), (1, 7), (2, 7), (4, 7)],
         ["move 3 of search 0, 4 of search 1", "move 2 of search 2, 5 of search 4"]),
        ("4", [(2, 7), (2, 7, (3, 1)), (2, 7, (2, 3, 3, 3, 3, 3, 3, 3)), (2, 7, (2, 2)), (2, 7, (2,))],
         ["line 7 of search 1, -7 of the end of its line 42", "line 7 of search 2, None of the end of its line",
          "line 7 of search 3, -7 of the end of its line 33"]),
    ],
    ids=["all alike", "a move of the other order", "values", "moves of an order", "lines"],
)  # fmt: skip
def test_each_answer_is_held_against_the_first_and_against_the_first_of_its_order(moves, answers, apart):
    seats = [SimpleNamespace(name=f"search {number}") for number in range(5)]
    board = Board.from_moves(moves)
    given = [answer(*each) for each in answers]
    rows = list(verify._disagreements(board, seats, SEARCHES, given, lambda own, opp: -7 if own else 7))
    assert len(rows) == len(apart)
    assert all(f"{moves}: {words}" in str(row) for row, words in zip(rows, apart, strict=True))
