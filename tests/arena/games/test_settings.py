"""What Python takes as the arguments of a job, and the line about anything else."""

from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest
from scripted import Middle

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from arena.games.settings import (
    FILE,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Apart,
    board_of,
    boards_of,
    check_isolation,
    checked,
    depths_of,
    listed,
    named,
    number,
    of_type,
    position_of,
    rules_of,
    whole,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Sequence

SMALL = Rules(5, 4)


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (WHOLE, [0, -1, 1 << 80], ["", "3", 1.0, True, False, [], Decimal(1)]),
        (NUMBER, [0, 0.5, -1], ["", "3", True, False, [], Decimal(1)]), (TEXT, ["", "a"], [0, 3, b"a", [], Path("a")]),
        (TRUTH, [True, False], [0, 1, "", "yes", []]), (FILE, ["", "a", Path("a")], [0, b"a", [], False]),
    ],
)  # fmt: skip
def test_a_value_has_its_type_and_nothing_is_a_value_only_where_it_may_be(kind, right, wrong):
    for value in right:
        of_type("it", value, kind)
        of_type("it", value, kind, optional=True)
    of_type("it", None, kind, optional=True)
    for value, optional in [*((value, optional) for value in wrong for optional in (False, True)), (None, False)]:
        with pytest.raises(InputError) as raised:
            of_type("it", value, kind, optional=optional)
        assert str(raised.value) == f"it is {kind[1]}, not {value!r}"


def test_a_list_is_any_iterable_but_a_text_and_a_path():
    table = {"a": 1, "b": 2}
    for items in (["a", "b"], ("a", "b"), (item for item in "ab"), table, table.keys(), iter("ab"), map(str, "ab")):
        assert listed("agents", items) == ["a", "b"]
    assert sorted(listed("agents", {"a", "b"})) == sorted(listed("agents", frozenset("ab"))) == ["a", "b"]
    assert listed("agents", ()) == []
    for items, example in (
        ("mcts", "mcts"),
        (Path("a"), "greedy"),
        (3, "greedy"),
        (None, "greedy"),
        (Middle, "greedy"),
    ):
        with pytest.raises(InputError) as raised:
            listed("agents", items)
        assert str(raised.value) == f"agents is a list, as in [{example!r}], not {items!r:.80}"
    with pytest.raises(InputError, match=r"^depth is a list, as in \[6\], not '3'$"):
        listed("depth", "3", 6)


def test_names_are_a_list_of_texts():
    assert named("heuristics", iter(("zero", "")), "zero") == ["zero", ""]
    for name in (3, None, b"zero", Path("mine.py"), Middle):
        with pytest.raises(InputError, match=r"^heuristics are names, as in \['zero', 'mine.py:function'\], not "):
            named("heuristics", ["parity", name], "zero")


@pytest.mark.parametrize(
    ("text", "rules"),
    [("7x6x4", STANDARD), ("5x4", SMALL), ("most-fours", Rules(most_fours=True)), (SMALL, SMALL), (STANDARD, STANDARD)],
)
def test_rules_are_rules_or_their_text(text, rules):
    assert rules_of(text) == rules


@pytest.mark.parametrize("rules", ["", " ", "x", "5", "5x", 7, None, (7, 6, 4), ["7x6"], b"7x6"])
def test_what_is_no_board_is_refused(rules):
    with pytest.raises(InputError):
        rules_of(rules)


def test_a_position_is_a_board_as_it_is_or_a_text_for_the_rules():
    bare = Board(SMALL, 1, 1 << 5, 2)
    for board in (bare, Board.from_moves("33", SMALL), Board()):
        assert board_of(board, "7x6x4") is board
        assert position_of(board, "7x6x4") is board
        assert boards_of(board, "7x6x4")[0] is boards_of([board], "7x6x4")[0] is board
    assert board_of("33", "5x4") == position_of("33", SMALL) == Board.from_moves("33", SMALL)
    assert board_of("", "5x4") == Board(SMALL)
    assert position_of("/".join(["....."] * 3 + ["X.O.."]), SMALL).ply == 2
    assert boards_of(("33", bare, "1"), SMALL) == [Board.from_moves("33", SMALL), bare, Board.from_moves("1", SMALL)]
    assert boards_of([], SMALL) == []
    for wrong in (33, None, ["33"], b"33"):
        for read in (board_of, position_of):
            with pytest.raises(InputError, match=r"^a position is the text of its moves, such as '4453', or a Board"):
                read(wrong, SMALL)
    with pytest.raises(InputError):
        board_of("/".join(["....."] * 3 + ["X.O.."]), SMALL)


def test_depths_are_one_or_several_from_1_to_64_in_their_order():
    assert [depths_of(depth) for depth in (1, 64, [3, 1, 3], range(2, 4), iter((5,)), [])] == [
        [1], [64], [3, 1, 3], [2, 3], [5], [],
    ]  # fmt: skip
    for depth in (0, 65, -1, [3, 0], [65], [2.0], ["3"], [None], True, [True]):
        with pytest.raises(InputError, match=r"^depth is a whole number from 1 to 64, not "):
            depths_of(depth)


def test_a_whole_number_is_returned_and_one_beyond_its_range_is_refused_with_the_range():
    assert [whole("it", value, 0, 9) for value in (0, 5, 9)] == [0, 5, 9]
    assert whole("it", 1 << 62, 1) == 1 << 62
    for value, most, said in ((-1, 9, "0 to 9"), (10, 9, "0 to 9"), (1.0, 9, "0 to 9"), ("5", 9, "0 to 9"),
                              (True, 9, "0 to 9"), ((1 << 62) + 1, 1 << 62, "0"), (None, 1 << 62, "0")):  # fmt: skip
        with pytest.raises(InputError) as raised:
            whole("it", value, 0, most)
        assert str(raised.value) == f"it is a whole number from {said}, not {value!r}"
    for value in (0.5, 1, 2.5):
        number("it", value, 0.5, 2.5)
    for value in (0.49, 2.51, float("nan")):
        with pytest.raises(InputError, match=f"^it is a number from 0.5 to 2.5, not {value}$"):
            number("it", value, 0.5, 2.5)


def test_settings_of_isolation_are_known_and_of_their_type():
    check_isolation("move", None)
    check_isolation("move", {})
    check_isolation("move", Apart(patience=5, memory=64, sandbox=True, everyone=False, nobody=False, debug="a"))
    wrong = {"patience": "5", "memory": 512.5, "sandbox": 1, "everyone": None, "nobody": "no", "debug": Path("a")}
    for name, value in wrong.items():
        with pytest.raises(InputError, match=f"^{name} is "):
            check_isolation("move", {"memory": 64, name: value})
    with pytest.raises(InputError, match=r"arena.move\(isolation=…\) 'memry': did you mean memory"):
        check_isolation("move", {"memry": 64})


@checked
def job(agents, times: "int", *, seconds: "float | None" = None, out: "str | Path | None" = None, note: "str" = ""):
    """Return what it gets, or fail as it is told."""
    if note == "fail":
        raise InputError("choose one of --seconds and --max-games")
    return agents, times, seconds, out, note


def test_a_job_whose_arguments_are_checked_gets_them_as_they_are():
    assert job("a", 3) == ("a", 3, None, None, "")
    assert job("a", times=3, seconds=0, out=Path("b"), note="c") == ("a", 3, 0, Path("b"), "c")
    assert job.__name__ == "job"
    assert job.__doc__.startswith("Return what it gets")


@checked
def match(
    *, pairs: "Sequence[tuple[str, str]] | None" = None, anchor: "tuple[str, float] | None" = None,
    isolation: "Apart | None" = None, loud: "bool" = False, path: "str | Path" = "", agents: "Sequence[str]" = (),
):  # fmt: skip
    return pairs, anchor, isolation, loud, path, agents


def test_pairs_an_anchor_and_settings_are_of_every_type_that_holds_them():
    pair, apart = ("greedy", "random"), {"patience": 5.0}
    for pairs in ([pair], (pair,), [], None):
        assert match(pairs=pairs, anchor=("greedy", 0), loud=True)[:4] == (pairs, ("greedy", 0), None, True)
    for isolation in (apart, MappingProxyType(apart), {}, None):
        assert match(isolation=isolation, path=Path("a"), agents={"a"})[2:] == (isolation, False, Path("a"), {"a"})
    for name, values in {
        "pairs": ("greedy", {pair}, iter([pair]), {pair: 1}, True), "anchor": (["greedy", 0], "greedy", {"greedy": 0}),
        "isolation": ([("patience", 5.0)], "patience", 5.0, True), "loud": (1, None, "on"), "path": (None, b"a", 1),
    }.items():  # fmt: skip
        for value in values:
            with pytest.raises(InputError, match=rf"^{name} is (a|an|the|True) .*, not "):
                match(**{name: value})


@pytest.mark.parametrize(
    ("words", "keywords", "said"),
    [
        ((), {}, "arena.job(agents, times, seconds=…, out=…, note=…): missing a required argument: 'agents'"),
        (("a", 3, 4), {}, "arena.job(agents, times, seconds=…, out=…, note=…): too many positional arguments"),
        (("a", "3"), {}, "times is a whole number, not '3'"), (("a", None), {}, "times is a whole number, not None"),
        (("a",), {"times": 3, "second": 1}, "'second': did you mean seconds"),
        (("a", 3), {"seconds": ""}, "seconds is a number, not ''"),
        (("a", 3), {"seconds": []}, "seconds is a number, not []"),
        (("a", 3), {"out": 0}, "out is the path of a file, not 0"),
        (("a", 3), {"note": None}, "note is a text, not None"),
        (("a", 3), {"note": "fail"}, "choose one of seconds and --max-games"),
    ],
)  # fmt: skip
def test_arguments_that_a_job_does_not_take_are_refused(words, keywords, said):
    with pytest.raises(InputError) as raised:
        job(*words, **keywords)
    assert said in str(raised.value)
