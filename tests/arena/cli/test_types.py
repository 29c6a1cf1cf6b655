"""What options and arguments read from a text, and what they refuse."""

from pathlib import Path

import click
import pytest

from agents.board import Rules
from agents.errors import InputError
from arena.cli.options import _openings, _rules
from arena.cli.types import (
    ANCHOR,
    DURATION,
    GAME,
    GAME_STYLE,
    PAIR,
    POSITIONS,
    RANGE,
    RULES,
    RUN_FILE,
    SEEDS,
    STYLE,
    Number,
    Whole,
)  # fmt: skip

READ = [
    (DURATION, {"90": 90.0, "90s": 90.0, "1.5m": 90.0, "2h": 7200.0, " 3s ": 3.0, "0.25": 0.25, "10000000": 1e7},
     ["", "0", "0s", "s", "-1", "1d", "1 h", "1e3", "10000001", "1h30m", ".5", "inf", "٣"]),
    (RANGE, {"6": [6], "1..3": [1, 2, 3], "5,3,5": [3, 5], "2..4, 1": [1, 2, 3, 4], "64": [64], "7..7": [7],
             "1..64": [*range(1, 65)]},
     ["", "0", "65", "3..1", "0..2", "60..65", "1..", "..3", "1,", "-1", "1.5", "²", "1...3"]),
    (ANCHOR, {"greedy=0": ("greedy", 0.0), "a:depth=2=-12.5": ("a:depth=2", -12.5), "a=+7": ("a", 7.0),
              "a=999999": ("a", 999_999.0)},
     ["", "greedy", "=0", "greedy=", "a=x", "a=1e3", "a=1000000", "a=.5", "a=nan"]),
    (PAIR, {"a,b": ("a", "b"), " a , b ": ("a", "b"), "a:x=1,y=2 v b": ("a:x=1,y=2", "b"),
            "a v b": ("a", "b")},
     ["", "a", "a,b,c", "a v b v c", "a:x=1,y=2,b"]),
    (POSITIONS, {"1": 1, "007": 7, "1000000": 1_000_000, "1x": Path("1x"), "-1": Path("-1"), "²": Path("²"),
                 "a.txt": Path("a.txt")},
     ["0", "1000001", "99999999999"]),
    (GAME, {"0": "0", "12": "12", "0-1-2": "0-1-2"}, ["", "-1", "0-1", "0-1-2-3", "a", "1.5", "٣", "1 "]),
    (RULES, {"5x4": Rules(5, 4), "7x6x4": Rules(), "6x5x3": Rules(6, 5, 3)}, ["", "5", "99x99", "big"]),
    (STYLE, {"plain": "plain", "csv": "csv", "json": "json"}, ["", "pgn", "fancy"]),
    (GAME_STYLE, {"plain": "plain", "pgn": "pgn"}, ["", "PGN", "fancy"]),
    (Number(0.5, 2.0), {"0.5": 0.5, "2": 2.0, "1e0": 1.0}, ["0.49", "2.01", "nan", "inf", "x", ""]),
    (Whole(1, 9), {"1": 1, "9": 9, "007": 7}, ["0", "10", "1.0", "x", "", "nan"]),
    (Whole(0, SEEDS), {"0": 0, str(1 << 62): 1 << 62}, ["-1", str((1 << 62) + 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "values"), [(kind, values) for kind, values, _ in READ])
def test_a_text_is_read_as_a_value_and_a_value_stays(kind, values):
    for text, value in values.items():
        read = kind.convert(text, None, None)
        assert (text, read, type(read)) == (text, value, type(value))
        assert kind.convert(value, None, None) == value


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, _, texts in READ for text in texts])
def test_what_is_no_value_is_refused(kind, text):
    with pytest.raises(click.BadParameter):
        kind.convert(text, None, None)


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (Whole(1, 9), "10", "it is a whole number from 1 to 9, not 10"), (Whole(2), "1", "from 2, not 1"),
        (Whole(0, SEEDS), "-1", "it is a whole number from 0, not -1"), (RANGE, "1,70", "'70' must run upwards"),
        (DURATION, "1d", "'1d' is not a time such as 90s, 30m or 2h"), (POSITIONS, "0", "a number from 1 to 1,000,000"),
    ],
)  # fmt: skip
def test_a_refusal_says_what_would_work(kind, text, said):
    with pytest.raises(click.BadParameter) as raised:
        kind.convert(text, None, None)
    assert said in raised.value.message


def test_a_run_is_a_path_or_the_latest_and_the_line_about_it_stands_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert RUN_FILE.convert("nowhere.sqlite", None, None) == Path("nowhere.sqlite")
    with pytest.raises(InputError, match=r"^there is no latest run"):
        RUN_FILE.convert("latest", None, None)


def test_a_variant_adds_to_a_board_and_contradicts_it_only_where_it_does():
    most = Rules(most_fours=True)
    assert _rules(Rules(5, 4), None) == _rules(Rules(5, 4), "standard") == Rules(5, 4)
    assert _rules(Rules(), "most-fours") == _rules(most, "most-fours") == _rules(most, None) == most
    with pytest.raises(InputError, match="say different things"):
        _rules(most, "standard")


def test_openings_have_the_plies_they_are_cut_after_and_their_repetitions(tmp_path):
    book = str(tmp_path / "book.txt")
    Path(book).write_text("44\n")
    assert _openings(None, None) is None
    assert [_openings("plies:2", None, times) for times in (None, 1, 3)] == [
        "plies:2", "plies:2;repeat=1", "plies:2;repeat=3"
    ]  # fmt: skip
    assert (_openings(book, 0), _openings(book, 5, 2)) == (f"{book};plies=0", f"{book};plies=5;repeat=2")
    for openings in (None, "plies:2", str(tmp_path)):
        with pytest.raises(InputError, match=r"--plies 0 cuts the games of a file: .* --openings plies:0$"):
            _openings(openings, 0)
