import copy
import functools

import pytest

from agents.board import Board
from agents.jit.compiler import JIT
from arena.api.explain import explain
from arena.measure.explain import Explainer
from tests.support.checked_explanation import Wrong, check

pytestmark = [pytest.mark.compiles, pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")]
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


LEVEL = "434433433466674637776677222222555551151111"
KEPT = "3332212233112662663661474444477715775155"
LOST = "From there every move lost."
LAST = "It was the last of 2 moves that changed the outcome."
RETURNED = "166571376473557652771452"


@pytest.mark.parametrize(
    ("moves", "opening", "says"),
    [
        (LEVEL, 20, "The game was level from the first move to the last: no move changed the outcome."),
        (KEPT, 27, "O was winning from the first move to the last: no move changed the outcome."),
        (
            KEPT,
            26,
            f"X was winning until ply 26. Column 4 at ply 26 let O keep the even threat at e4. {LOST}",
        ),
        (RETURNED, 16, f"O was winning until ply 17. Column 1 at ply 20 let O force 2 4! 2, and 1 or 2 wins. {LAST}"),
        ("445571", 5, f"O was winning until ply 5. Column 1 at ply 5 let X win at once with 6. {LOST}"),
    ],
)
def test_a_game_is_told_in_three_sentences(moves, opening, says):
    assert " ".join(explain(moves, opening=opening, seconds=1).story) == says


def test_a_forced_line_is_the_shortest_one():
    board = Board.from_moves("445566")
    line = Explainer(board.rules).forced(board.own, board.opp)
    assert line is not None
    assert line.moves == ()
    assert line.wins == (2, 6)
