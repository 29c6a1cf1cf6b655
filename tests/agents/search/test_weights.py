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
        ("weighing(1,w5=2)", "'w5': did you mean w4 or w3?"),
        ("weighing(1,w4=2)", "multiple values for argument 'w4'; it takes (w4, w3=17)"),
    ],
)
def test_weights_that_a_factory_does_not_take_are_refused(mine, name, message):
    with pytest.raises(InputError) as error:
        choose_by(mine, name)
    assert str(error.value).startswith(f"heuristic '{mine}:{name}': ")
    assert str(error.value).endswith(message)


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


FACTORIES = """
from agents.errors import InputError

def made(*weights):
    def evaluate(own, opp):
        return own * len(weights) + sum(weights)
    return evaluate

def starred(rules, *weights):
    return made(*weights)

def named(rules, first=1, **more):
    return made(first, *more.values())

def both(rules, *weights, last=9, **more):
    return made(*weights, last, *more.values())

def alone(rules, first, /, second, *, third=3):
    return made(first, second, third)

def told(rules, size):
    print("weighing", size)
    if size > 3:
        raise InputError(f"a size of {size} is too large")
    if size < 0:
        raise KeyError(size)
    return made(size)

def board(rules, by=1):
    return made(rules.columns * by, rules.rows, rules.connect)

def wrong(rules):
    return lambda own: own

def nothing(rules):
    return None
"""


@pytest.fixture(scope="module")
def factories(tmp_path_factory):
    path = tmp_path_factory.mktemp("factories") / "made.py"
    path.write_text(FACTORIES)
    return path


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("starred()", 0), ("starred(1,2,3)", 36), ("named()", 11), ("named(2)", 12), ("named(2,x=3,y=4)", 39),
        ("named(x=5)", 26), ("named(x=5,first=0)", 25), ("both(1,2,last=3,z=4)", 50), ("both()", 19),
        ("both(z=1)", 30), ("alone(1,2)", 36), ("alone(1,2,third=0)", 33), ("alone(1,second=5)", 39), ("told(3)", 13),
        ("board()", 47), ("board(by=2)", 54),
    ],
)  # fmt: skip
def test_weights_reach_the_parameters_that_they_are_meant_for(factories, text, value):
    assert parts.plain_heuristic(f"{factories}:{text}", STANDARD)(10, 0) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("starred(w=1)", "no weight 'w': there are none"),
        ("alone(1,2,3)", "too many positional arguments; it takes (first, second, third=3)"),
        ("alone(1,secnd=3)", "no weight 'secnd': did you mean second?"),
        ("alone(1,2,thrid=3)", "no weight 'thrid': did you mean third?"),
        ("alone(1)", "missing a required argument: 'second'; it takes (first, second, third=3)"),
        ("named(1,first=2)", "multiple values for argument 'first'; it takes (first=1, **more)"),
        ("board(1,2)", "too many positional arguments; it takes (by=1)"),
        ("told(4)", "a size of 4 is too large"),
        ("told(-1)", "KeyError: -1"),
    ],
)
def test_weights_that_a_factory_does_not_take_or_want_are_told_with_its_name(factories, text, message, capsys):
    for make, kind in (
        (parts.heuristic, "heuristic"),
        (parts.ordering, "ordering"),
        (parts.plain_heuristic, "heuristic"),
    ):
        with pytest.raises(InputError) as raised:
            make(f"{factories}:{text}", STANDARD)
        assert str(raised.value) == f"{kind} '{factories}:{text}': {message}"
    told = capsys.readouterr()
    assert told.out == ""  # what a factory prints is no answer of the program's
    assert told.err.count("weighing") == (3 if text.startswith("told") else 0)


@pytest.mark.parametrize("name", ["wrong()", "nothing()"])
def test_what_a_factory_makes_must_be_a_part(factories, name):
    for make, takes in ((parts.heuristic, "own, opp"), (parts.ordering, "own, opp, column")):
        with pytest.raises(InputError) as raised:
            make(f"{factories}:{name}", STANDARD)
        assert str(raised.value).endswith(f"'{factories}:{name}' must be a function of {takes}")


@pytest.mark.parametrize(
    ("make", "text", "message"),
    [
        (parts.heuristic, "open-windows", "'open-windows': "),
        (parts.ordering, "powers-of-ten", "'powers-of-ten': "),
        (parts.ordering, "center", "'center': did you mean centre?"),
        (parts.heuristic, "windows(1,2)", "heuristic 'windows(1,2)': there must be 4 weights on a 7x6x4 board, not 2"),
        (parts.heuristic, "windows", "heuristic 'windows' needs its weights: windows(one,two,three,four)"),
        (parts.heuristic, "zero(1)", "heuristic 'zero' takes no weights"),
        (parts.heuristic, "powers-of-ten()", "heuristic 'powers-of-ten' takes no weights"),
        (parts.ordering, "centre(1)", "ordering 'centre' takes no weights"),
    ],
)
def test_names_of_the_table_are_told_apart_by_what_they_are(make, text, message):
    with pytest.raises(InputError) as raised:
        make(text, STANDARD)
    assert message in str(raised.value)
