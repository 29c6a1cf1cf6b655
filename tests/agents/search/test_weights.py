"""Weights in parentheses, and the factories that take them."""

import pytest
from searched import choose_by

from agents.agent import Limits
from agents.board import STANDARD, Board
from agents.errors import InputError
from agents.players.searcher import Searcher
from agents.search import compiled as parts


def test_a_factory_that_fails_says_why(mine):
    with pytest.raises(InputError, match=r"no_size\(\)': ValueError: only on Tuesdays$"):
        choose_by(mine, "no_size()")


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("weights", "value"), [("(40)", 23), ("(40,3)", 37), ("(w3=-2,w4=40)", 42), ("( 40 , w3 = 0 )", 40)]
)
def test_parentheses_hand_weights_to_a_factory(mine, weights, value, compiled):
    assert parts.heuristic(f"{mine}:weighing{weights}", STANDARD, compiled=compiled).evaluate(1, 2) == value


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("weighing()", "missing a required argument: 'w4'; it takes (w4, w3=17)"),
        ("weighing(1,2,3)", "too many positional arguments; it takes (w4, w3=17)"),
        ("weighing(1,w5=2)", "no weight 'w5': did you mean w4 or w3?"),
        ("weighing(1,w4=2)", "multiple values for argument 'w4'; it takes (w4, w3=17)"),
    ],
)
def test_weights_that_a_factory_does_not_take_are_refused(mine, name, message):
    with pytest.raises(InputError) as error:
        choose_by(mine, name)
    assert str(error.value) == f"heuristic '{mine}:{name}': {message}"


@pytest.mark.parametrize("name", ["by_size", "weighing"])
def test_a_factory_without_parentheses_is_told_to_have_them(mine, name):
    with pytest.raises(InputError, match=rf"{name}' takes rules: .* with parentheses, as in {mine}:{name}\(\)$"):
        choose_by(mine, name)


def test_a_function_with_parentheses_is_no_factory(mine):
    with pytest.raises(InputError, match=r"evaluate\(3\)' is no factory: its first parameter must be rules$"):
        choose_by(mine, "evaluate(3)")


@pytest.mark.parametrize(("right", "column"), [(1, 6), (-1, 0)])
def test_an_ordering_takes_weights_likewise(mine, right, column):
    agent = Searcher(heuristic="zero", depth=1, order=f"{mine}:leaning(right={right})")
    assert agent.choose(Board(), Limits()).column == column


def test_a_factory_of_an_ordering_may_return_the_columns_in_an_order_that_never_changes(mine):
    order = parts.ordering(f"{mine}:edges()", STANDARD)
    assert (order.columns, order.score) == ((0, 6, 1, 2, 3, 4, 5), None)
