"""Which agents a page may ask for."""

import pytest
from needs import needed

from agents.board import Board
from agents.errors import InputError
from agents.specs.kinds import LEVELS
from arena.plugins.serve.game import forms
from arena.plugins.serve.own import ASKED, LARGEST, allowed


@pytest.mark.parametrize(
    "spec",
    [
        "bot.py", "bot.py:Bot", "./bots", "/etc/passwd", "roster.toml", "cmd:rm -rf /", "uci:engine", "pons:x",
        "alphabeta:heuristic=mine.py:evaluate", "alphabeta:order=/tmp/mine.py:score",
        "alphabeta:heuristic=nothing", "alphabeta:compiled=no", "alphabeta:table=on,table-size=4096",
        "perfect:table-size=65536", "alphabeta:depth=31", "minimax:depth=99", "smart-connect4:depth=31",
        "itu-2012:cutoff=31", "alphabeta:nodes=1000000000", "mcts:playouts=1000001", "mcts:seconds=6", "mcts:c=1e9",
        "mcts:c=nan", "llm:model", "alphabeta:depth=2..5", "", "alphabeta:" + "x" * 400, "greedy" + 295 * " ",
    ],
)  # fmt: skip
def test_only_built_in_agents_within_bounds_can_be_asked(spec):
    with pytest.raises(InputError):
        allowed(spec)


def test_every_kind_and_level_has_a_form_that_is_allowed():
    assert [form["name"] for form in forms()] == [*LEVELS, *ASKED]
    assert allowed("greedy" + 294 * " ").text == "greedy", "of 300 characters"
    for form in forms():
        assert allowed(form["name"]).text == form["name"]
        for field in form["fields"]:
            for choice in field["choices"]:
                allowed(f"{form['name']}:{field['key']}={choice}")


def test_every_number_of_every_agent_has_its_cap():
    numbers = {
        (kind, key.replace("_", "-"))
        for kind, each in ASKED.items()
        for key, parameter in each.parameters.items()
        if not parameter.choices and not isinstance(parameter.default, bool)
    }
    assert LARGEST == {"depth": 30, "cutoff": 30, "nodes": 100_000_000, "playouts": 1_000_000, "seconds": 5,
                       "threads": 2, "table-size": 64, "c": 100, "simulations": 100_000, "batch": 1024}  # fmt: skip
    for kind, key in numbers:
        allowed(f"{kind}:{key}={LARGEST[key]}")
        with pytest.raises(InputError, match=rf"\b{key}\b"):
            allowed(f"{kind}:{key}={LARGEST[key] + 1}")


def test_a_form_says_whether_its_agent_has_a_tree():
    tree = needed("arena.plugins.tree.build").tree
    board, shown = Board.from_moves("44"), {}
    for form in forms():
        try:
            shown[form["name"]] = tree(form["name"], board, 1).nodes == 8
        except InputError:
            shown[form["name"]] = False
    assert shown == {form["name"]: form["tree"] for form in forms()}
    assert [name for name, has in shown.items() if has] == [
        "medium", "hard", "minimax", "alphabeta", "mollerhoj", "smart-connect4"
    ]  # fmt: skip


def test_the_fields_of_a_form_say_what_they_take_and_the_most_that_they_may():
    by_name = {form["name"]: form for form in forms()}
    fields = {field["key"]: field for field in by_name["alphabeta"]["fields"]}
    assert fields["depth"]["meaning"].endswith("; at most 30")
    assert fields["nodes"]["meaning"].endswith("; at most 100,000,000")
    assert (fields["table"]["default"], fields["table"]["choices"]) == ("off", ("on", "off"))
    assert "smart-aware" in fields["heuristic"]["choices"]
    assert "compiled" not in fields
    assert fields["table-size"]["meaning"].endswith("; at most 64")
    assert not any("_" in field["key"] for form in forms() for field in form["fields"])
    assert [form["level"] for form in forms()] == [True] * len(LEVELS) + [False] * len(ASKED)
    assert by_name["alphabeta"]["source"] == ASKED["alphabeta"].source
    assert by_name["medium"]["summary"] == LEVELS["medium"]


@pytest.mark.parametrize(("spec", "says"), [
    ("nobody:depth=1", "no built-in agent 'nobody': "),
    ("alphabeta:depth=2..5", "stands for 4 agents, but one is needed"),
    ("alphabeta:heuristic=mine.py:x", "only built-in agents, heuristics and orderings can be used here"),
    ("alphabeta:compiled=no", "compiled cannot be set here"), ("alphabeta:depth=31", "depth is at most 30 here"),
    ("alphabeta:nodes=100000001", "nodes is at most 100,000,000 here"),
])  # fmt: skip
def test_why_an_agent_cannot_be_asked_for_is_said(spec, says):
    with pytest.raises(InputError) as raised:
        allowed(spec)
    assert says in str(raised.value)
