"""What each type of option reads and refuses, and the hints for what is mistyped: tests/data/recorded/cli-read.json."""

import itertools
import shutil

import click
import pytest
from recorded import holds
from transcript import DATA

from agents.errors import InputError
from arena.cli import hints, types

NUMBERS = "1|0.5|3|nan|-nan|inf|x||-1|1e3| 2 |2.0|٣|1_0|10|9|0|9223372036854775808"
TEXTS = {
    types.RANGE: (
        "6|1..8|3,5,7|7,3|3,3|2..4,3..6|5..3|0|64|65|1..64|0..2|60..65|x||1..2..3| 2 , 3 |1...3|-1|1..|..2|3,|٣"
    ),
    types.DURATION: "90s|30m|2h|5usd|45| 45 |0|0s|0.001|1.5h|10000000|10000001|2777h|2778h|1d|-3|3 s|3S|s|.5",
    types.ANCHOR: "greedy=0|a=b=-3.5|a=+7|greedy|=3|a=|a=x|a=1234567|a=123456.25|a=1.|a= 3",
    types.STYLE: "plain|latx|json|CSV|",
    types.RULES: "5x4|5x4x3|8x7:most-fours|3|0x4|7x6x9",
    types.PAIR: "greedy,random| a , b |a v b|a,x v b,y|a|a,b,c|a v b v c|a,|av b|",
    types.POSITIONS: "12|1|0|1000000|1000001|111111111111111111111111111111|000|007|x.jsonl|-3|1.5|٣|",
    types.GAME: "12|0|1-2-3|0-1|1-2-3-4|-1|x||٣|12 |1-2-",
    types.RUN_FILE: "field.sqlite|none|latest|.||text.txt",
    types.PATH: "a/b||.",
    types.PLOT: "a.svg|a.png|a.pdf|a.SVG|a.txt|a|no/a.png|text.txt/a.svg|",
    types.Number(0.5, 2.0): NUMBERS,
    types.Number(0.0, 9.0, min_open=True): NUMBERS,
    types.Whole(1, 9): NUMBERS,
    types.Whole(0, types.SEEDS): f"{NUMBERS}|{1 << 62}",
    types.Whole(2): NUMBERS,
}
"""Texts, parted by |, by the type that reads them."""


def read(kind, text):
    """Return what a type reads from a text, or what it says."""
    try:
        return repr(kind.convert(text, None, None))
    except (click.BadParameter, InputError) as error:
        return f"{type(error).__name__}: {error}"


def test_options_read_and_refuse(tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATA / "printed" / "field.sqlite", tmp_path / "field.sqlite")
    (tmp_path / "text.txt").write_text("no run\n")
    found = {}
    for number, (kind, texts) in enumerate(TEXTS.items()):
        bounds = [str(getattr(kind, name)) for name in ("min", "max") if getattr(kind, name, None) is not None]
        name = " ".join([f"{number:02}", kind.name, *bounds])
        found |= {f"{name}: {text}": read(kind, text).replace(str(tmp_path), "~") for text in texts.split("|")}
    found["given as it is"] = [types.RANGE.convert([3], None, None), types.POSITIONS.convert(4, None, None)]
    holds("cli-read", found, request)


def test_a_value_that_is_refused_names_its_option():
    option = click.Option(["--depth"], type=types.RANGE)
    with pytest.raises(click.BadParameter) as error:
        types.RANGE.convert("x", option, None)
    assert error.value.param is option


COMMANDS = (
    "run", "compare", "eval", "order", "move", "play", "grade", "uci", "engine", "audit", "elo", "sprt", "perft",
    "replay", "list", "tree",
)  # fmt: skip
OPTIONS = (*hints.SETTINGS, "-3", "-12", "-x", "--jobs", "--workers", "--3", "--x")
LINES = """
Tournament
RUN
shwo
xyz
tre
eval greedy
eval 44 Greedy
eval mine.py:evaluate
order centre
order 4 centre 5
move 445 greedy
move 445
move 4,45 greedy
move 445 44
tree 44 alphabeta
tree 44
show
games x --limit 0
-x
perft -1
elo 1 -2 3
sprt -1 2 3 --elo0 0 --elo1 1
run greedy --jobs 3
compare zero parity --heuristic zero
list --style x
study
study nope
study check --x
audit x --workers 3
move greedy --depth 3
run --board 7
run --rules x
run --rules standard --board 7x6:most-fours
perft 2 --board 5x4 --rules most-fours
perft 2 --board 5x4:most-fours
perft 2 --board 5x4:most-fours --rules most-fours
perft 2 --board 5x4:most-fours --rules standard
perft 2 --board 5x4 --rules standard
show x --figure nope
depths minimax --figure time
depths minimax --figure nope --plot a.svg
depths minimax --figure states
grade greedy --figure grades
rate field.sqlite --figure standings
audit field.sqlite --figure kept
show field.sqlite --figure sprt
compare zero parity --figure ratings
solve 4x 4 --json
solve 4x --json
list --style csv:x
solve 4 --threads 0
tree minimax --dot t.dot
explain 44 --lines 3
explain 44 --seconds 2
diff field.sqlite field.sqlite --fail-if-estimate score<0
"""


def test_what_is_mistyped_is_answered_by_what_was_meant(arena, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATA / "printed" / "field.sqlite", tmp_path / "field.sqlite")
    found = {
        f"{name} {option}": hints.instead_of(name, option) for name, option in itertools.product(COMMANDS, OPTIONS)
    }
    for line in (*hints.meant(), *LINES.strip().split("\n")):
        if line not in ("help", "version"):
            done = arena(*line.split())
            found[f"arena {line}"] = [done.code, done.out[:200], done.err]
    holds("cli-meant", found, request)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no; compiled=no runs it as plain Python", "no; --compiled no runs it as plain Python"),
        ("no, compiled=no is an option", "no, compiled=no is an option"),
    ],
)
def test_a_setting_of_specs_is_named_as_the_commands_own_option(text, told):
    with pytest.raises(InputError) as error, hints.naming("--compiled no"):
        raise InputError(text)
    assert str(error.value) == told
    assert str(error.value.__cause__) == text


def test_a_command_of_earlier_versions_names_the_near_way(arena):
    done = arena("merge", "one.sqlite", "two.sqlite")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "arena: no such command: merge; arena merge is gone: arena run --resume FILE --add AGENT lets one run grow, "
        "--cluster plays one on many machines\n"
    )
