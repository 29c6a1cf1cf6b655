import copy
import functools

import pytest

from agents.board import Board
from arena.api.explain import explain
from arena.measure.explain import Explainer
from tests.support.checked_explanation import Wrong, check

FORCED, RULE, PROOF, DRAW = (
    "1322326362244443",
    "3134415533442414113317677",
    "434555",
    "126532335362215335766755444",
)


@functools.cache
def rows(moves, ply=None):
    found = explain(moves, ply=len(moves) - 1 if ply is None else ply, seconds=60)
    return found.document()


@pytest.mark.parametrize("moves", [FORCED, RULE, PROOF, DRAW])
def test_an_explanation_holds_against_every_reply(moves):
    (row,) = rows(moves)
    assert row["kind"] != "search"
    assert check(row) > 0


def test_a_strategy_that_leaves_something_out_is_refused():
    (row,) = rows(RULE)
    assert row["kind"] == "rule"
    wrong = copy.deepcopy(row)
    wrong["strategy"]["play"] = wrong["strategy"]["play"] % 7 + 1
    with pytest.raises(Wrong):
        check(wrong)
    missing = copy.deepcopy(row)
    missing["strategy"]["branches"] = []
    with pytest.raises(Wrong):
        check(missing)


def test_a_forced_line_is_the_shortest_one():
    board = Board.from_moves("445566")
    line = Explainer(board.rules).forced(board.own, board.opp)
    assert line is not None
    assert line.moves == ()
    assert line.wins == (2, 6)
