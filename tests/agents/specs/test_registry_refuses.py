"""Specs that are wrong are told so in one line."""

import pytest

from agents.agent import prepare
from agents.errors import InputError
from agents.rules import Rules
from agents.specs import plugins
from agents.specs.registry import expand, parse
from agents.specs.sources import is_command, is_whole


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("alfabeta", "'alfabeta': did you mean alphabeta?"),
        ("alphabeta:dept=4", "'dept': did you mean depth?"),
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
            "'smart-awre': did you mean smart-aware",
        ),
        (
            "alphabeta:order=center",
            "'center': did you mean centre?",
        ),
        (
            "alphabeta:heuristic=none.py:f",
            "agent 'alphabeta:heuristic=none.py:f': heuristic: heuristic 'none.py:f': there is no file none.py",
        ),
        ("none.py:Agent", "agent 'none.py:Agent': there is no file none.py"),
        ("minimax:table=on", "'table': "),
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
            "'window': did you mean windows",
        ),
        (
            "minimax:heuristic=windows(1..900,1..900)",
            "1..900,1..900 stands for more than 10000 combinations",
        ),
        ("minimax:order=center", "'center': did you mean centre?"),
        ("random:seed=1", "'seed': "),
    ],
)
def test_what_is_wrong_with_a_spec_is_said_in_one_line(spec, message):
    with pytest.raises(InputError) as error:
        expand(spec)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_range_runs_upwards_and_not_for_ever():
    with pytest.raises(InputError, match=r"^range 4\.\.2 must run upwards, over at most 1000 values$"):
        expand("alphabeta:depth=4..2")
    with pytest.raises(InputError, match=r"^range 1\.\.999999 must run upwards, over at most 1000 values$"):
        expand("alphabeta:depth=1..999999")


def test_a_name_like_no_other_gets_the_whole_list():
    with pytest.raises(InputError, match=r"'zzzzzzzz': there are .*alphabeta, .*minimax"):
        parse("zzzzzzzz")


class Point:
    """An entry point of a package that is installed and does not work."""

    def load(self):
        raise ImportError("no module of that name")


@pytest.mark.parametrize(
    ("group", "spec", "said"),
    [
        ("agents", "mine", "agent 'mine' does not import: ImportError: no module of that name"),
        (
            "heuristics",
            "minimax:depth=1,heuristic=mine",
            "heuristic 'mine' does not import: ImportError: no module of that name",
        ),
    ],
)
def test_an_installed_part_that_does_not_import_is_named_in_one_line(monkeypatch, group, spec, said):
    monkeypatch.setattr(plugins, "installed", lambda kind: {"mine": Point()} if kind == group else {})
    with pytest.raises(InputError) as raised:
        prepare(parse(spec).build(), Rules(), spec)
    assert str(raised.value) == said


def test_an_interpreter_of_its_own_is_for_an_agent_in_a_process_of_its_own(tmp_path):
    (tmp_path / "bot.py").write_text("def choose(board):\n    return 0\n")
    spec = parse(f"{tmp_path}/bot.py:choose:python=python3")
    with pytest.raises(InputError) as raised:
        spec.build()
    assert str(raised.value) == f"agent {spec.text!r}: python= is for an agent in a process of its own"


@pytest.mark.parametrize("text", ["cmd:x", "uci:x", "pons:x", "onnx:x", "openspiel:mcts", "kaggle:x"])
def test_what_stands_before_a_colon_makes_a_command_and_alone_is_a_name(text):
    assert (is_command(text), is_whole(text)) == (True, True)
    name = text.partition(":")[0]
    assert (is_command(name), is_whole(name)) == (False, False)
    assert (is_command(f"my{text}"), is_whole(f"my{text}")) == (False, False)


def test_a_language_model_is_no_command_but_its_spec_is_read_whole():
    assert (is_command("llm:x"), is_whole("llm:x"), is_whole("llm")) == (False, True, False)
