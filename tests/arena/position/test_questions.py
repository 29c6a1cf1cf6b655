"""Questions about positions, as Python asks them."""

import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from arena.position import position, questions
from arena.position.position import Divided
from arena.position.questions import Perft, evaluate, move, order, perft
from arena.table.measured import Measured


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: evaluate("15", ["zero"], rules="4x4"), "column 5 does not exist"),
        (lambda: order("15", ["centre"], rules="4x4"), "column 5 does not exist"),
        (lambda: move("greedy", "15", rules="4x4"), "column 5 does not exist"),
        (lambda: evaluate("1", "zero"), r"heuristics is a list, as in \['zero'\]"),
        (lambda: order("1", "centre"), r"orderings is a list, as in \['centre'\]"),
    ],
)
def test_texts_are_of_the_board_that_is_asked_for_and_names_are_in_a_list(ask, message):
    with pytest.raises(InputError, match=message):
        ask()


def test_a_tree_is_counted_from_its_position_and_below_each_first_move_where_that_is_asked_for():
    rows = [Divided(column, 4, 5) for column in (2, 3, 4, 5)]
    divided = perft(2, "1111", divide=True, rules="5x4")
    assert (divided.sequences, divided.nodes, divided.moves.rows) == (16, 21, rows)
    assert perft(2, "1111", rules="5x4") == Perft(16, 21, Measured([], Divided))
    assert perft(2, Board.from_moves("11")) == Perft(49, 57, Measured([], Divided))
    for depth, moves, counts in ((0, "", (1, 1)), (3, "1212121", (0, 1))):
        assert perft(depth, moves, divide=True) == Perft(*counts, Measured([], Divided))


def test_an_agent_is_made_with_the_settings_that_are_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(questions, "spec", lambda *given: asked.append(given) or given)
    monkeypatch.setattr(position, "decision", lambda *given: given)
    assert move("a", "12", rules="5x4", isolation={"memory": 99})[1] == Board.from_moves("12", Rules(5, 4))
    assert move("b")[1] == Board()
    assert asked == [("a", {"memory": 99}), ("b", None)]
