"""What each type of option reads and refuses, and the hints for what is mistyped."""

import json
import re
import shutil
from pathlib import Path

import click
import pytest
from samples import DATA

from agents.board import Board
from agents.errors import InputError
from agents.rules import Rules
from arena.cli import commands, hints, types

SMALL = Rules(5, 4)
READ = (
    (types.RANGE, {"6": [6], "1..3": [1, 2, 3], "3,5,7": [3, 5, 7], "7,3": [3, 7], "3,3": [3], " 2 , 3 ": [2, 3],
                   "2..4,3..6": [2, 3, 4, 5, 6], "1..64": [*range(1, 65)]},
     "5..3|0|65|0..2|60..65|x||1..2..3|1...3|-1|1..|..2|3,|٣"),
    (types.DURATION, {"90s": 90.0, "30m": 1800.0, "2h": 7200.0, " 45 ": 45.0, "0.001": 0.001, "1.5h": 5400.0,
                      "10000000": 1e7, "2777h": 9997200.0},
     "5usd|0|0s|10000001|2778h|1d|-3|3 s|3S|s|.5"),
    (types.ANCHOR, {"greedy=0": ("greedy", 0.0), "a=b=-3.5": ("a=b", -3.5), "a=+7": ("a", 7.0),
                    "a=123456.25": ("a", 123456.25)}, "greedy|=3|a=|a=x|a=1234567|a=1.|a= 3"),
    (types.STYLE, {"plain": "plain", "json": "json"}, "latx|CSV|"),
    (types.RULES, {"5x4": SMALL, "5x4x3": Rules(5, 4, 3), "8x7:most-fours": Rules(8, 7, most_fours=True)},
     "3|0x4|7x6x9"),
    (types.PAIR, {"greedy,random": ("greedy", "random"), " a , b ": ("a", "b"), "a v b": ("a", "b"),
                  "a,x v b,y": ("a,x", "b,y"), "a,": ("a", "")}, "a|a,b,c|a v b v c|av b|"),
    (types.POSITIONS, {"12": 12, "1000000": 1000000, "007": 7, "x.jsonl": Path("x.jsonl"), "-3": Path("-3")},
     "0|1000001|111111111111111111111111111111|000"),
    (types.GAME, {"12": "12", "0": "0", "1-2-3": "1-2-3"}, "0-1|1-2-3-4|-1|x||٣|12 |1-2-"),
    (types.RUN_FILE, {"run.sqlite": Path("run.sqlite"), "latest": Path("run.sqlite"), "none": Path("none")}, None),
    (types.PATH, {"a/b": Path("a/b"), "": Path()}, None),
    (types.PLOT, {"a.svg": Path("a.svg"), "a.png": Path("a.png"), "a.pdf": Path("a.pdf"), "a.SVG": Path("a.SVG")},
     "a.txt|a|no/a.png|"),
    (types.Number(0.5, 2.0), {"1": 1.0, "0.5": 0.5, " 2 ": 2.0}, "3|nan|-nan|inf|x||-1|1e3|1_0|0|9223372036854775808"),
    (types.Number(0.0, 9.0, min_open=True), {"0.5": 0.5, "9": 9.0}, "nan|-nan|inf|x||-1|1e3|1_0|10|0"),
    (types.Whole(1, 9), {"1": 1, " 2 ": 2, "9": 9}, "0.5|nan|inf|x||-1|1e3|2.0|1_0|10|0|9223372036854775808"),
    (types.Whole(0, types.SEEDS), {"0": 0, str(1 << 62): 1 << 62}, "0.5|nan|x||-1|1e3|2.0|9223372036854775808"),
    (types.Whole(2), {"3": 3, "9223372036854775808": 9223372036854775808}, "1|0.5|nan|x||-1|1e3|2.0|0"),
)  # fmt: skip
"""What a type reads of texts, and texts that it refuses, parted by |."""


@pytest.mark.parametrize(("kind", "values", "refused"), READ, ids=lambda value: getattr(value, "name", ""))
def test_an_option_reads_and_refuses(tmp_path, monkeypatch, kind, values, refused):
    monkeypatch.chdir(tmp_path)
    shutil.copy(DATA / "pair.sqlite", tmp_path / "run.sqlite")
    assert {text: kind.convert(text, None, None) for text in values} == values
    for text in refused.split("|") if refused is not None else ():
        with pytest.raises((click.BadParameter, InputError)):
            kind.convert(text, None, None)


def test_a_value_that_is_read_already_stays():
    assert (types.RANGE.convert([3], None, None), types.POSITIONS.convert(4, None, None)) == ([3], 4)


def test_a_value_that_is_refused_names_its_option():
    option = click.Option(["--depth"], type=types.RANGE)
    with pytest.raises(click.BadParameter) as error:
        types.RANGE.convert("x", option, None)
    assert error.value.param is option


MEANT = {
    "Tournament": "arena run is what does it", "leaderboard": "arena show is what does it", "shwo": "did you mean show",
    "xyz": "there are agents", "eval greedy": "--heuristic greedy names it",
    "eval mine.py:evaluate": "--heuristic mine.py:evaluate names it", "order 4 centre 5": "--ordering centre names it",
    "move 445 greedy": "arena move greedy 445", "move 445": "arena move AGENT 445", "show": "Missing argument",
    "games x --limit 0": "a whole number from 1", "-x": "No such option", "perft -1": "depths cannot be negative",
    "run greedy --jobs 3": "--concurrency N", "audit x --workers 3": "--concurrency N",
    "compare zero parity --heuristic zero": "heuristics stand without an option",
    "move greedy --depth 3": "alphabeta:depth=4", "list --style x": "'x'",
    "list --style csv:x": "did you mean csv",
    "run --board 7": "is not COLUMNSxROWS", "run --rules x": "most-fours",
    "run --rules standard --board 7x6:most-fours": "say different things",
    "perft 2 --board 5x4:most-fours --rules standard": "say different things",
    "show x --figure nope": "'nope'",
    "depths minimax --figure time": "--plot FILE", "depths minimax --figure nope --plot a.svg": "'nope'",
    "grade greedy --figure grades": "--plot FILE", "compare zero parity --figure ratings": "--plot FILE",
    "audit x --figure kept": "No such option", "solve 4x 4 --json": "position '4x'",
    "solve 4x --json": "is not a column",
    "solve 4 --threads 0": "from 1 to 1024",
}  # fmt: skip
"""What is mistyped, and the essential words of the line that answers."""


@pytest.mark.parametrize("line", MEANT)
def test_what_is_mistyped_is_answered_by_what_was_meant(arena, here, line):
    done = arena(*line.split())
    assert (done.code, done.out) == (2, "")
    assert MEANT[line] in done.err


def test_every_word_for_a_command_leads_to_one_that_there_is(arena):
    for word, instead in hints.meant().items():
        if word not in ("help", "version"):
            assert f"arena {instead} is what does it" in arena(word).err
            assert instead.split()[0] in commands()


@pytest.mark.parametrize("rules", ["", "most-fours"])
def test_rules_that_say_the_same_twice_are_no_mistake(arena, rules):
    board = "5x4:most-fours" if rules else "5x4"
    assert arena("perft", "2", "--board", board, "--rules", rules or "standard").code == 0


@pytest.mark.parametrize(
    ("command", "option", "said"),
    [("run", "--nodes", "alphabeta:nodes=10000"), ("grade", "--seconds", "seconds=0.1"),
     ("eval", "--depth", "arena move"), ("run", "-12", "cannot be negative"),
     ("compare", "--depth", None), ("eval", "--jobs", None), ("run", "-x", None)],
)  # fmt: skip
def test_an_option_of_something_else_says_where_it_belongs(command, option, said):
    hint = hints.instead_of(command, option)
    assert hint is None if said is None else said in hint


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


@pytest.mark.parametrize(
    ("command", "agent", "moves", "way"),
    [("move", "445", "greedy", "arena move greedy 445"), ("move", "4,4,10", "a:depth=2", "arena move a:depth=2 4,4,10"),
     ("tree", "4", "", "arena tree AGENT 4"), ("move", "1,", "", "arena move AGENT 1,"),
     ("move", "0", "44", "arena move 44 0")],
)  # fmt: skip
def test_moves_in_an_agents_place_are_told_where_they_belong(command, agent, moves, way):
    with pytest.raises(InputError) as error:
        hints.refuse_swapped(command, agent, moves)
    assert str(error.value).startswith(f"{agent!r} is no agent")
    assert str(error.value).endswith(f": {way}")


@pytest.mark.parametrize("agent", ["greedy", "4x", "x4", "44.py", "4:depth=2", "4 4", "-4", "4.4", "", ","])
def test_what_is_no_list_of_columns_may_be_an_agent(agent):
    hints.refuse_swapped("move", agent, "greedy")


@pytest.mark.parametrize(
    ("words", "name"),
    [(["zero"], "zero"), (["Zero"], "Zero"), (["44", "4455", "parity", "zero"], "parity"), (["x9"], "x9"),
     (["xo", "ox:xo"], "ox:xo"), (["X.O", "XO,"], "XO,"), (["a"], "a"), (["Z"], "Z"), (["o:x"], "o:x"),
     (["x.y"], "x.y"), (["-", "oxo.py"], "oxo.py")],
)  # fmt: skip
def test_a_name_in_a_positions_place_is_told_its_option(words, name):
    with pytest.raises(InputError) as error:
        hints.refuse_names(words, "--ordering")
    assert str(error.value).startswith(f"{name!r} is no position")
    assert str(error.value).endswith(f": --ordering {name} names it")


@pytest.mark.parametrize(
    "words",
    [[], [""], ["44", "-", "10,1,3"], ["4x"], ["X......", "x..o..O"], ["O.X/o.x/XOX"], ["x . O\nX o .\n"], ["oOxX"],
     ["./zero.py"], ["[0,", "1]"], ['{"board":'], ["7/7/7/7/7/p6 w - -"], [" zero"], ["_zero"], ["é"]],
)  # fmt: skip
def test_what_is_drawn_or_begins_with_no_letter_is_no_name(words):
    hints.refuse_names(words, "--ordering")


@pytest.mark.parametrize("drawn", ["X.../O.../X...", "xO..\noX..\nXo..", "O...Xx..OXO."])
@pytest.mark.parametrize("command", ["eval --heuristic zero", "order --ordering centre"])
def test_a_drawing_that_begins_with_a_disc_is_a_position(arena, command, drawn):
    [row] = json.loads(arena(*command.split(), drawn, "--board", "4x3x3", "--json").out)
    board = Board.from_moves(row["position"], Rules(4, 3, 3))
    signs = "".join(".XO"[sign] for line in board.grid() for sign in line)
    assert signs == re.sub(r"[/\n]", "", drawn).upper()
