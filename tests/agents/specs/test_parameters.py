"""A constructor is the spec of its agent: types, ranges, choices and meanings stand in its annotations."""

import math
from typing import TYPE_CHECKING, Annotated, Literal

import pytest

from agents.errors import InputError
from agents.players.searcher import Searcher
from agents.specs.components import HEURISTICS, ORDERINGS
from agents.specs.parameters import Range, Seconds, Text, checked, parameter, parameters
from agents.specs.registry import parse

if TYPE_CHECKING:
    from nowhere import Nothing


class Bot:
    def __init__(
        self,
        depth: Annotated[int, Range(1, 64), "plies"] = 6,
        *,
        daring: Annotated[float | None, Range(0.0, 1.0), "how daring"] = None,
        side: Annotated[Literal["left", "right"], "where it begins"] = "left",
        loud: Annotated[bool, "whether it speaks"] = False,
        shift: Annotated[int, "any number"] = -3,
        free=0,
    ):
        self.values = depth, daring, side, loud, shift, free


class Quick(Bot):
    def __init__(self, *, seconds: Annotated[Seconds, "seconds a move"] = None, **options):
        super().__init__(**options)


def read_of(annotation, text):
    return parameter(annotation).read(text)


def test_annotations_have_all_that_a_spec_needs():
    rows = {key: (row.default, row.meaning, row.choices) for key, row in parameters(Bot).items()}
    assert rows == {
        "depth": (6, "plies", ()),
        "daring": (None, "how daring", ()),
        "side": ("left", "where it begins", ("left", "right")),
        "loud": (False, "whether it speaks", ()),
        "shift": (-3, "any number", ()),
    }


def test_what_stars_pass_on_are_the_parameters_of_the_base_class():
    assert [*parameters(Quick)] == ["depth", "daring", "side", "loud", "shift", "seconds"]
    assert parameters(Quick)["seconds"].meaning == "seconds a move"
    with pytest.raises(InputError, match=r"from 0\.0001 to 86400"):
        parameters(Quick)["seconds"].read("0")


class Shallow(Quick):
    def __init__(self, *, depth: Annotated[int, Range(1, 8), "few plies"] = 2, free=1, **options):
        super().__init__(depth=depth, **options)


class Closed(Quick):
    def __init__(self, *, seconds: Annotated[float, "seconds"] = 1.0, loud=True):
        super().__init__(seconds=seconds)


def test_a_parameter_that_a_class_annotates_anew_is_its_last_word():
    rows = parameters(Shallow)
    assert [*rows] == [*parameters(Quick)]
    assert (rows["depth"].default, rows["depth"].meaning, rows["depth"].read("8")) == (2, "few plies", 8)
    with pytest.raises(InputError, match="from 1 to 8, not '9'"):
        rows["depth"].read("9")
    assert parameters(Quick)["depth"].read("9") == 9
    assert {key: rows[key] for key in rows.keys() - {"depth"}} == {
        key: row for key, row in parameters(Quick).items() if key != "depth"
    }
    assert [(key, row.default) for key, row in parameters(Closed).items()] == [("seconds", 1.0)]


@pytest.mark.parametrize(
    ("annotation", "text", "value"),
    [
        (Annotated[int, "m"], "-12", -12), (Annotated[int, "m"], "1_000", 1000), (Annotated[float, "m"], "-0.5", -0.5),
        (Annotated[int | None, Range(1, 2)], "2", 2), (Annotated[None | int, Range(1, 2)], "2", 2),  # noqa: RUF036  as a user may write it

        (Annotated[str, "m"], "x", "x"), (Annotated[bool, "m"], "On", 1),
        (Annotated[Literal["a", "b"] | None, "m"], "b", "b"), (Annotated[str, Text(str.upper)], "x", "X"),
        (Annotated[list, "m"], "x", "x"),
    ],
)  # fmt: skip
def test_a_type_says_how_a_text_is_read(annotation, text, value):
    assert read_of(annotation, text) == value


@pytest.mark.parametrize(
    ("annotation", "text", "error"),
    [
        (Annotated[int, "m"], "1.5", "must be a whole number, not '1.5'"),
        (Annotated[float, "m"], "x", "must be a number, not 'x'"),
        (Annotated[int, Range(0, math.inf)], "-1", "must be a whole number, not '-1'"),
        (Annotated[float, Range(0.0001, 2.5)], "2.6", "must be a number from 0.0001 to 2.5, not '2.6'"),
        (Annotated[int, Range(-2, 2)], "-3", "must be a whole number from -2 to 2, not '-3'"),
        (Annotated[Literal["a", "b"], "m"], "c", "must be a or b, not 'c'"),
        (Annotated[bool, "m"], "1", "must be on or off, not '1'"),
    ],
)  # fmt: skip
def test_a_type_says_what_is_refused(annotation, text, error):
    with pytest.raises(InputError) as raised:
        read_of(annotation, text)
    assert error in str(raised.value)


def test_the_last_note_of_a_kind_counts():
    row = parameter(Annotated[Annotated[int, Range(1, 2), "one"], Range(1, 9), "other"])
    assert (row.meaning, row.read("9")) == ("other", 9)


@pytest.mark.parametrize(("key", "table"), [("heuristic", HEURISTICS), ("order", ORDERINGS)])
def test_the_choices_of_parts_are_those_that_need_no_weights(key, table):
    part = parameters(Searcher)[key]
    weighted = [name for name in table if name not in part.choices]
    assert [part.read(name) for name in part.choices] == [name for name in table if name not in weighted]
    for name in weighted:
        with pytest.raises(InputError, match=rf"{name!r} needs its weights: {name}\({','.join(table[name].weights)}\)"):
            part.read(name)


def named(
    file: Annotated[str, "a file"], *, side: Annotated[Literal["Left", "RIGHT"] | None, "where"] = None, free=0
): ...


def test_a_users_options_are_read_as_the_annotations_say():
    given = {"depth": 4, "daring": None, "side": "right", "loud": "on", "free": [1]}
    assert checked(Bot, given, "bot.py:Bot") == given | {"loud": True}
    assert checked(Bot, {"daring": 1}, "x") == {"daring": 1.0}
    more = {"depth": 7, "side": "right", "Other": [1], "file": "A b.TXT", "loud": "ON"}
    assert checked(Shallow, more, "x") == more | {"loud": True}
    words = {"file": "A b.TXT", "side": "Left", "free": "X"}
    assert checked(named, words, "x") == words
    assert checked(named, {"file": 5, "side": None}, "x") == {"file": "5", "side": None}


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"depth": 99}, "agent 'bot.py:Bot': depth: must be a whole number from 1 to 64, not '99'"),
        ({"side": "top"}, "agent 'bot.py:Bot': side: must be left or right, not 'top'"),
        ({"darng": 3}, "'darng': did you mean daring?"),
        ({"zzz": 3}, "'zzz': there are daring, depth, free, loud, shift, side"),
        ({"depth": 4, "loud": "maybe"}, "agent 'bot.py:Bot': loud: must be on or off, not 'maybe'"),
        ({"side": "LEFT"}, "agent 'bot.py:Bot': side: must be left or right, not 'LEFT'"),
    ],
)
def test_a_users_wrong_options_are_refused_in_a_line(given, error):
    with pytest.raises(InputError) as raised:
        checked(Bot, given, "bot.py:Bot")
    assert error in str(raised.value)


def test_annotations_that_cannot_be_resolved_are_not_checked():
    def make(depth: "Nothing"): ...

    assert checked(make, {"depth": "x", "other": 1}, "x") == {"depth": "x", "other": 1}


def test_an_agent_in_a_file_is_checked_as_one_of_ours(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = """
        from typing import Annotated
        from agents import Range

        class Edge:
            def __init__(self, depth: Annotated[int, Range(1, 8), "plies"] = 2):
                self.depth = depth

            def choose(self, board, limits):
                return 0
    """
    (tmp_path / "edge.py").write_text("\n".join(line[8:] for line in source.splitlines()), encoding="utf-8")
    assert parse("edge.py:depth=8").build().depth == 8
    with pytest.raises(InputError, match=r"depth: must be a whole number from 1 to 8, not '9'"):
        parse("edge.py:depth=9").build()
