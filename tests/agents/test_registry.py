import inspect
import pickle

import pytest

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from agents.players.searcher import Searcher
from agents.registry import KINDS, LEVELS, expand, names, parse

CLOSED = {"minimax": ("table", "table_size", "deepening", "nodes", "seconds", "killers", "history", "pvs")}
"""Arguments of a constructor that its kind of agent does not offer."""


def texts(spec):
    return [each.text for each in expand(spec)]


def test_a_name_alone_is_an_agent_with_its_defaults():
    spec = parse("alphabeta")
    assert spec.kind == "alphabeta"
    assert spec.resolved() == {key.replace("_", "-"): p.default for key, p in KINDS["alphabeta"].parameters.items()}


def test_keys_are_read_by_their_kinds():
    spec = parse(" alphabeta:depth=4,table=on,table-size=2,seconds=0.5,order=centre,heuristic=zero,compiled=no ")
    assert spec.text == "alphabeta:depth=4,table=on,table-size=2,seconds=0.5,order=centre,heuristic=zero,compiled=no"
    assert spec.parameters == {
        "depth": 4,
        "table": True,
        "table_size": 2,
        "seconds": 0.5,
        "order": "centre",
        "heuristic": "zero",
        "compiled": False,
    }
    assert spec.resolved()["table-size"] == 2
    assert spec.resolved()["deepening"] is False


@pytest.mark.parametrize(
    ("key", "least", "most"),
    [
        ("alphabeta:depth", 1, 64),
        ("alphabeta:nodes", 1, 10**15),
        ("alphabeta:seconds", 0.0001, 86400),
        ("alphabeta:table-size", 1, 65536),
        ("perfect:table-size", 1, 65536),
        ("tandem:table-size", 1, 65536),
        ("itu-2012:cutoff", 0, 63),
        ("mcts:playouts", 1, 10**9),
        ("mcts:threads", 1, 256),
        ("mcts:c", 0.0, 100),
    ],
)
def test_a_number_is_taken_up_to_its_bounds(key, least, most):
    for number in (least, most):
        assert parse(f"{key}={number}")
    for number in (least - 0.000001 if isinstance(least, float) else least - 1, most + 1):
        with pytest.raises(InputError):
            parse(f"{key}={number}")


@pytest.mark.parametrize(("word", "on"), [("on", 1), ("yes", 1), ("TRUE", 1), ("off", 0), ("no", 0), ("False", 0)])
def test_a_switch_has_three_words_for_either_way(word, on):
    assert parse(f"alphabeta:deepening={word}").parameters == {"deepening": bool(on)}


def test_a_spec_makes_what_it_says():
    searcher = parse("alphabeta:depth=3,heuristic=zero").build()
    assert isinstance(searcher, Searcher)
    assert searcher.choose(Board(), Limits()).depth == 3
    minimax = parse("minimax:depth=3").build()
    assert minimax.choose(Board(), Limits()).nodes == 400


@pytest.mark.parametrize("name", [*KINDS, *LEVELS])
def test_every_name_that_is_listed_makes_an_agent_that_moves(name):
    assert name in names()
    agent = parse(name).build()
    answer = agent.choose(Board.from_moves("44444"), Limits(nodes=200))
    assert getattr(answer, "column", answer) in range(7)


@pytest.mark.parametrize("name", KINDS)
def test_every_default_of_a_spec_is_its_constructors(name):
    kind = KINDS[name]
    taken = {key: each.default for key, each in inspect.signature(kind.make).parameters.items()}
    assert {key: each.default for key, each in kind.parameters.items()}.items() <= taken.items()
    assert kind.fixed.keys() <= taken.keys()
    closed = {"pruning", "normal_win", "points", *CLOSED.get(name, ())}
    assert taken.keys() - kind.parameters.keys() - kind.fixed.keys() <= closed


def test_specs_travel_between_processes():
    spec = parse("alphabeta:depth=4")
    assert pickle.loads(pickle.dumps(spec)) == spec


def test_ranges_and_choices_stand_for_several_agents():
    assert texts("greedy") == ["greedy"]
    assert texts("alphabeta:depth=2..4") == ["alphabeta:depth=2", "alphabeta:depth=3", "alphabeta:depth=4"]
    assert texts("minimax:heuristic=zero|smart-aware,depth=1|3..4") == [
        "minimax:heuristic=zero,depth=1",
        "minimax:heuristic=zero,depth=3",
        "minimax:heuristic=zero,depth=4",
        "minimax:heuristic=smart-aware,depth=1",
        "minimax:heuristic=smart-aware,depth=3",
        "minimax:heuristic=smart-aware,depth=4",
    ]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alfabeta", "no agent 'alfabeta': did you mean alphabeta?"),
        ("alphabeta:dept=4", "agent 'alphabeta:dept=4': no parameter 'dept': did you mean depth?"),
        ("alphabeta:depth", "agent 'alphabeta:depth': 'depth' is not key=value"),
        ("alphabeta:depth=", "agent 'alphabeta:depth=': 'depth=' is not key=value"),
        ("alphabeta:=4", "agent 'alphabeta:=4': '=4' is not key=value"),
        ("alphabeta:depth=4,", "agent 'alphabeta:depth=4,': '' is not key=value"),
        ("alphabeta:", "agent 'alphabeta:': nothing follows the last colon"),
        ("", "an agent's spec is empty; it reads NAME or NAME:key=value,key=value"),
        ("alphabeta:depth=4,depth=5", "agent 'alphabeta:depth=4,depth=5': depth is given twice"),
        (
            "alphabeta:depth=0",
            "agent 'alphabeta:depth=0': depth: must be a whole number from 1 to 64, not '0'",
        ),
        (
            "alphabeta:depth=1000000",
            "agent 'alphabeta:depth=1000000': depth: must be a whole number from 1 to 64, not '1000000'",
        ),
        ("alphabeta:depth=-3", "agent 'alphabeta:depth=-3': depth: must be a whole number from 1 to 64, not '-3'"),
        ("alphabeta:depth=²", "agent 'alphabeta:depth=²': depth: must be a whole number from 1 to 64, not '²'"),
        ("alphabeta:table=perhaps", "agent 'alphabeta:table=perhaps': table: must be on or off, not 'perhaps'"),
        (
            "alphabeta:seconds=nan",
            "agent 'alphabeta:seconds=nan': seconds: must be a number from 0.0001 to 86400, not 'nan'",
        ),
        (
            "alphabeta:heuristic=smart-awre",
            "agent 'alphabeta:heuristic=smart-awre': heuristic: no heuristic 'smart-awre': did you mean smart-aware",
        ),
        (
            "alphabeta:order=center",
            "agent 'alphabeta:order=center': order: no ordering 'center': did you mean centre?",
        ),
        (
            "alphabeta:heuristic=none.py:f",
            "agent 'alphabeta:heuristic=none.py:f': heuristic: heuristic 'none.py:f': there is no file none.py",
        ),
        ("none.py:Agent", "agent 'none.py:Agent': there is no file none.py"),
        ("minimax:table=on", "agent 'minimax:table=on': no parameter 'table': "),
        (
            "minimax:heuristic=zero(1)",
            "agent 'minimax:heuristic=zero(1)': heuristic: heuristic 'zero' takes no weights",
        ),
        (
            "minimax:heuristic=windows",
            "agent 'minimax:heuristic=windows': heuristic: heuristic 'windows' needs its weights: windows(one,two,",
        ),
        ("minimax:heuristic=windows(1,2", "'heuristic=windows(1,2': a parenthesis is not closed"),
        ("minimax:heuristic=windows)1,2", "'heuristic=windows)1,2': a parenthesis is closed that was not opened"),
        (
            "minimax:heuristic=windows(1,1.5)",
            "agent 'minimax:heuristic=windows(1,1.5)': heuristic: 'windows(1,1.5)': '1.5' is not a whole number",
        ),
        (
            "minimax:heuristic=windows(1)2",
            "agent 'minimax:heuristic=windows(1)2': heuristic: 'windows(1)2': nothing may follow the parentheses",
        ),
        (
            f"minimax:heuristic=windows({10**18})",
            f"agent 'minimax:heuristic=windows({10**18})': heuristic: 'windows({10**18})': '{10**18}' is not a whole",
        ),
        (
            "minimax:heuristic=windows(one=1,2)",
            "agent 'minimax:heuristic=windows(one=1,2)': heuristic: 'windows(one=1,2)': '2' must stand before what is",
        ),
        (
            "minimax:heuristic=windows(one=1,one=2)",
            "agent 'minimax:heuristic=windows(one=1,one=2)': heuristic: 'windows(one=1,one=2)': one is given twice",
        ),
        (
            "minimax:heuristic=window(1,2)",
            "agent 'minimax:heuristic=window(1,2)': heuristic: no heuristic 'window': did you mean windows",
        ),
        (
            "minimax:heuristic=windows(1..900,1..900)",
            "1..900,1..900 stands for more than 10000 combinations",
        ),
        ("minimax:order=center", "agent 'minimax:order=center': order: no ordering 'center': did you mean centre?"),
        ("random:seed=1", "agent 'random:seed=1': no parameter 'seed': "),
    ],
)
def test_what_is_wrong_with_a_spec_is_said_in_one_line(spec, message):
    with pytest.raises(InputError) as error:
        expand(spec)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_commas_in_parentheses_do_not_split():
    spec = parse("minimax:heuristic=windows(1,10,100,1000),depth=3,order=centre")
    assert spec.parameters == {"heuristic": "windows(1,10,100,1000)", "depth": 3, "order": "centre"}


def test_choices_and_ranges_in_parentheses_stand_for_several_agents():
    assert texts("minimax:heuristic=windows(1,10|20,100,-1..1)|zero") == [
        *(f"minimax:heuristic=windows(1,{two},100,{four})" for two in (10, 20) for four in (-1, 0, 1)),
        "minimax:heuristic=zero",
    ]
    assert texts("minimax:heuristic=aware(40,17,15,4,two=1..2,blocked=13),depth=2") == [
        f"minimax:heuristic=aware(40,17,15,4,two={two},blocked=13),depth=2" for two in (1, 2)
    ]


def test_a_range_runs_upwards_and_not_for_ever():
    with pytest.raises(InputError, match=r"^range 4\.\.2 must run upwards, over at most 1000 values$"):
        expand("alphabeta:depth=4..2")
    with pytest.raises(InputError, match=r"^range 1\.\.999999 must run upwards, over at most 1000 values$"):
        expand("alphabeta:depth=1..999999")


def test_a_name_like_no_other_gets_the_whole_list():
    with pytest.raises(InputError, match=r"^no agent 'zzzzzzzz': there are .*alphabeta, .*minimax"):
        parse("zzzzzzzz")


MINE = """
from agents import Analysis

class Fixed:
    def __init__(self, column=3, name="it"):
        if column == 9:
            raise ValueError("nine is too many\\nreally")
        self.column = column
        self.name = name

    def choose(self, board, limits):
        return Analysis(self.column)

class Mute:
    pass

number = 4
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def test_an_agent_in_a_file_takes_its_keys_as_they_read(mine):
    assert parse(f"{mine}:Fixed").build().column == 3
    agent = parse(f"{mine}:Fixed:column=5,name=she").build()
    assert (agent.column, agent.name) == (5, "she")
    assert texts(f"{mine}:Fixed:column=1..2") == [f"{mine}:Fixed:column=1", f"{mine}:Fixed:column=2"]
    assert parse(f"{mine}:Fixed:column=5").resolved() == {"column": 5}


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (":Fixed:column=9", "cannot be made: ValueError: nine is too many"),
        (":Fixed:colour=9", "no parameter 'colour': did you mean column?"),
        (":Mute", "has no method choose(board, limits)"),
        (":Absent", "has no function or class 'Absent'"),
        (":number", "has no function or class 'number'"),
    ],
)
def test_an_agent_in_a_file_that_cannot_be_made_says_why(mine, rest, message):
    with pytest.raises(InputError) as error:
        parse(f"{mine}{rest}").build()
    assert str(error.value).endswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import nonesuch", "does not import: ModuleNotFoundError: No module named 'nonesuch'"),
        ("def f(:", "broken.py, line 1: invalid syntax"),
        ("raise SystemExit(3)", "does not import: SystemExit: 3"),
    ],
)
def test_a_file_that_does_not_import_says_why(tmp_path, source, message):
    path = tmp_path / "broken.py"
    path.write_text(source)
    for _ in range(2):
        with pytest.raises(InputError) as error:
            parse(f"{path}:Agent").build()
        assert message in str(error.value)
        assert "\n" not in str(error.value)
