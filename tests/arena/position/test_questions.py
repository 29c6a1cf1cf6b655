"""Questions about positions, as Python asks them."""

import pytest

from agents.errors import InputError
from arena.position.questions import evaluate, move, order


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
