from types import SimpleNamespace

import pytest

from agents.board import Rules
from agents.errors import InputError
from arena.comparison import compare
from arena.comparison.plan import Level, plan, spec

SEARCH = "alphabeta:order=centre"
DEPTHS = [Level("depth", "2"), Level("depth", "3")]
HEURISTICS = ("smart-aware", "powers-of-ten", "zero")


def planned(heuristics=HEURISTICS, search=SEARCH, levels=DEPTHS):
    return plan(heuristics, search, levels, openings="plies:4", rounds=5, seed=7, rules=Rules(6, 5))


def test_every_two_heuristics_meet_at_every_level_and_only_there():
    made = planned()
    assert made.agents == tuple(
        f"{SEARCH},heuristic={heuristic},depth={depth}" for depth in (2, 3) for heuristic in HEURISTICS
    )
    assert made.pairings() == [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]
    assert (made.openings, made.rounds, made.seed, made.rules) == ("plies:4", 5, 7, Rules(6, 5))


@pytest.mark.parametrize(
    ("search", "level", "text"),
    [
        ("alphabeta", Level("depth", "4"), "alphabeta:heuristic=zero,depth=4"),
        (" alphabeta:table=on ", Level("nodes", "500"), "alphabeta:table=on,heuristic=zero,nodes=500"),
        ("alphabeta:depth=3", Level("nodes", "500"), "alphabeta:depth=3,heuristic=zero,nodes=500"),
        ("itu-2012", Level("seconds", "0.5"), "itu-2012:heuristic=zero,seconds=0.5"),
    ],
)
def test_the_comparison_adds_the_heuristic_and_the_level_to_the_search(search, level, text):
    assert spec(search, "zero", level) == text


def test_a_search_may_be_an_agent_of_ones_own(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Bot:\n    def __init__(self, n=0, **setting): ...\n    def choose(self, board, limits): ...\n"
    )
    assert spec(f"{bot}:Bot", "zero", DEPTHS[0]) == f"{bot}:Bot:heuristic=zero,depth=2"
    assert spec(f"{bot}:Bot:n=1", "zero", DEPTHS[0]) == f"{bot}:Bot:n=1,heuristic=zero,depth=2"


@pytest.mark.parametrize(
    ("heuristics", "search", "level", "message"),
    [
        (("zero",), SEARCH, DEPTHS[0], "two or more different heuristics"),
        (("zero", "zero"), SEARCH, DEPTHS[0], "two or more different heuristics"),
        (("zero", "parity", "zero"), SEARCH, DEPTHS[0], "two or more different heuristics"),
        ((), SEARCH, DEPTHS[0], "two or more different heuristics"),
        (("zero", "zeroo"), SEARCH, DEPTHS[0], "'zeroo': did you mean zero"),
        (HEURISTICS, "alphabeta:depth=4", DEPTHS[0], "must leave depth open"),
        (HEURISTICS, "alphabeta:heuristic=zero", DEPTHS[0], "must leave heuristic open"),
        (HEURISTICS, "alphabeta:nodes=4", Level("nodes", "5"), "must leave nodes open"),
        (HEURISTICS, "alphabeta:order=centre|left-to-right", DEPTHS[0], "names 2 agents, one is needed"),
        (HEURISTICS, "alphabetta", DEPTHS[0], "did you mean alphabeta"),
        (HEURISTICS, "random", DEPTHS[0], "'heuristic'"),
        (HEURISTICS, "minimax", Level("nodes", "5"), "'nodes'"),
        (HEURISTICS, SEARCH, Level("nodes", "x"), "nodes: must be a whole number"),
        (HEURISTICS, SEARCH, Level("nodes", ""), "is not key=value"),
        (HEURISTICS, SEARCH, Level("seconds", "-1"), "seconds: must be a number"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(heuristics, search, level, message):
    with pytest.raises(InputError, match=message) as raised:
        planned(heuristics, search, [level])
    assert "\n" not in str(raised.value)


def test_levels_are_named_as_one_says_them():
    assert [str(Level(key, "5")) for key in ("depth", "nodes", "seconds")] == ["depth 5", "5 nodes", "5 s"]


@pytest.mark.parametrize("name", ["greedy", "alphabeta:depth=4", "master"])
def test_an_agent_in_a_heuristics_place_is_said_to_be_one(name):
    with pytest.raises(InputError, match="is an agent and no heuristic: in arena run agents meet"):
        plan([name, "zero"], "alphabeta", [Level("depth", "2")], openings="plies:2", rounds=1)


ASKED = {"search": "minimax", "depth": [2, 3], "nodes": 50, "seconds": 0.5, "openings": "plies:2", "rounds": 3,
         "seed": 7, "rules": "5x4", "out": "o.sqlite", "isolation": {"memory": 99}}  # fmt: skip


@pytest.mark.parametrize(
    ("options", "workers", "progress"),
    [({}, 1, False), ({"workers": 3, "progress": True}, 3, True), ({"cluster": "local:2"}, "cluster local:2", False)],
)
def test_python_begins_a_comparison_with_all_that_was_asked_for_plays_it_and_loads_it(
    monkeypatch, options, workers, progress
):
    asked, run = [], SimpleNamespace(store=SimpleNamespace(path="o.sqlite"))
    monkeypatch.setattr(compare, "begin_comparison", lambda *names, **given: asked.append((*names, given)) or run)
    monkeypatch.setattr(compare, "cluster_at", lambda address: address and f"cluster {address}")
    monkeypatch.setattr(compare, "play", lambda *given, **how: asked.append((*given, how)))
    monkeypatch.setattr(compare, "load", lambda path: f"the run in {path}")
    assert compare.compare(["zero", "parity"], **ASKED, **options) == "the run in o.sqlite"
    assert asked == [(["zero", "parity"], ASKED | {"workers": workers}), (run, workers, {"progress": progress})]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "0 is no number of processes"),
        ({"workers": 0, "cluster": "local:2"}, "0 is no number of processes"),
        ({"isolation": {"patien": 1}}, "'patien': did you mean patience"),
        ({"isolation": {"memory": "much"}}, "memory is a whole number, not 'much'"),
    ],
)
def test_python_refuses_what_no_comparison_can_begin_with(options, message):
    with pytest.raises(InputError, match=message):
        compare.compare(["zero", "parity"], **options)
