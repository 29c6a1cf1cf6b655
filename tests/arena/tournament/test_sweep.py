import itertools
import math
from dataclasses import fields

import pandas as pd
import pytest
from hand_made import frames, pairs_of, run_of

from agents.specs.registry import parse
from arena.records import Interval
from arena.table.render import write
from arena.tournament import sweep as comparison
from arena.tournament import tables as report
from arena.tournament.pool import gap_ends, of_run
from arena.tournament.standings import Standing, standings
from arena.tournament.sweep import Swept


def standing(agent, elo, error, nodes, *, marked=False):
    known = {"agent": agent, "elo": Interval(elo, elo - error, elo + error), "marked": marked,
             "nodes_per_move": 3 * nodes}  # fmt: skip
    return Standing(**dict.fromkeys((field.name for field in fields(Standing)), 0) | known)


def swept(*rows):
    specs = [parse(row.agent.partition("#")[0]) for row in rows]
    agents = [{"name": row.agent, "parameters": spec.resolved()} for row, spec in zip(rows, specs, strict=True)]
    # As of ratings that share nothing.
    known = {row.agent: (row.elo.value, row.elo.high - row.elo.value) for row in rows}

    def ends(one, two):
        (elo, margin), (other, more) = known[one], known[two]
        return elo - other - math.hypot(margin, more), elo - other + math.hypot(margin, more)

    return comparison.sweep(rows, pd.DataFrame(agents), ends)


def text_of(found):
    return write(report.sweep_parts(found), "plain")


def test_families_differ_in_depth_alone():
    found = swept(
        standing("alphabeta:depth=2,order=centre", 10.0, 5.0, 20.0),
        standing("alphabeta:order=centre,depth=4", 40.0, 5.0, 80.0),
        standing("alphabeta:depth=2", 0.0, 5.0, 30.0),
        standing("alphabeta:depth=3", 20.0, 5.0, 60.0),
        standing("minimax:depth=3", -30.0, 5.0, 400.0),
        standing("random", -40.0, 5.0, 1.0),
    )
    assert [(row.agent, row.depth) for row in found] == [
        ("alphabeta", 2), ("alphabeta", 3), ("alphabeta:order=centre", 2), ("alphabeta:order=centre", 4),
    ]  # fmt: skip


@pytest.mark.parametrize("marks", [*itertools.product((False, True), repeat=2)])
def test_a_row_has_what_the_standings_have_and_a_step_where_neither_rating_rests_on_a_prior(marks):
    two = [
        standing(f"minimax:depth={depth}", elo, error, nodes, marked=marked)
        for (depth, elo, error, nodes), marked in zip([(2, 10.0, 3.0, 5), (4, 50.0, 4.0, 7)], marks, strict=True)
    ]
    step = None if any(marks) else Interval(40.0, 35.0, 45.0)
    assert swept(*two[::-1]) == [
        Swept("minimax", 2, Interval(10.0, 7.0, 13.0), marks[0], 15, "depth", 2, None),
        Swept("minimax", 4, Interval(50.0, 46.0, 54.0), marks[1], 21, "depth", 4, step),
    ]


def test_a_default_depth_and_a_second_entry_of_an_agent_are_no_sweep():
    assert swept(standing("minimax:depth=3", 5.0, 5.0, 9.0), standing("minimax:depth=3#2", -5.0, 5.0, 9.0)) == []
    assert swept(standing("random", 5.0, 5.0, 9.0), standing("greedy", -5.0, 5.0, 9.0)) == []


def test_agents_of_files_are_swept_too(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def __init__(self, depth):\n        self.choose = min\n")
    found = swept(*(standing(f"{bot}:Bot:depth={n}", 10.0 * n, 5.0, 2.0**n) for n in (1, 2, 3)))
    assert {row.agent for row in found} == {f"{bot}:Bot"}


def test_a_run_with_a_sweep_ends_in_its_table_and_lines(tmp_path):
    agents = ["alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=3"]
    games = [
        *pairs_of("00", "10", "=0", one=0, two=1),
        *pairs_of("10", "0=", "00", one=1, two=2),
        *pairs_of("00", "00", "01", one=0, two=2),
        (0, 1, 3, "0", "141234", (8, 50, 9, 40)),
        (1, 2, 3, "0", "142345", (60, 300, 50, 200)),
    ]
    found = frames(run_of(tmp_path / "run", agents, games))
    text = write(report.parts(found), "plain")
    assert "\nStrength by depth\nagent      depth" in text
    assert len(text.partition("Strength by depth")[2].splitlines()) >= 6
    swept, anchored = ([part.rows for part in report.parts(found, anchor) if getattr(part, "name", "") == "sweep"]
                       for anchor in (None, (agents[0], 1500.0)))  # fmt: skip
    assert swept == anchored


def parameters_of(found):
    return {(row.parameter, row.agent, row.value) for row in found}


def test_any_number_that_alone_differs_is_a_sweep_named_by_it():
    counts = [standing(f"mcts:playouts={n}", 100.0 * math.log10(n), 8.0, float(n)) for n in (10, 100, 1000)]
    found = swept(
        *counts, standing("alphabeta:nodes=100", 0.0, 5.0, 90.0), standing("alphabeta:nodes=50", -9.0, 5.0, 40.0)
    )
    assert parameters_of(found) == {
        ("playouts", "mcts", 10), ("playouts", "mcts", 100), ("playouts", "mcts", 1000),
        ("nodes", "alphabeta", 50), ("nodes", "alphabeta", 100),
    }  # fmt: skip
    assert all(row.depth is None for row in found)
    text = text_of(found)
    assert "Strength by playouts\nagent  playouts" in text
    assert [(row.value, row.step and row.step.value) for row in found if row.parameter == "playouts"] == [
        (10, None), (100, pytest.approx(100.0)), (1000, pytest.approx(100.0)),
    ]  # fmt: skip
    assert "+100 ± 11" in text


def test_a_weight_of_a_heuristic_is_a_sweep():
    spec = "alphabeta:depth=2,heuristic=windows(1,10,{},1000)"
    found = swept(*(standing(spec.format(n), 60.0 * math.log2(n), 5.0, 50.0) for n in (20, 50, 100)))
    assert parameters_of(found) == {
        ("windows(three)", spec.format("…"), float(n)) for n in (20, 50, 100)
    }  # fmt: skip
    assert "Strength by windows(three)" in text_of(found)


@pytest.mark.parametrize(
    ("part", "called", "family"),
    [
        ("own({},2)", "own(weight 1)", "own(…,2)"),
        ("own(1,2,{})", "own(weight 3)", "own(1,2,…)"),
        ("own(1,step={})", "own(step)", "own(1,step=…)"),
        ("own(x,{},y)", "own(weight 2)", "own(x,…,y)"),
        ("a/mine.py:f({},2)", "a/mine.py:f(weight 1)", "a/mine.py:f(…,2)"),
        ("windows(1,2,3,4,{})", "windows(weight 5)", "windows(1,2,3,4,…)"),
        ("windows(three={},1)", "windows(three)", "windows(three=…,1)"),
        ("windows({},2)", "windows(one)", "windows(…,2)"),
    ],
)
def test_a_weight_is_called_as_it_is_written_or_as_the_part_calls_it_or_by_its_place(part, called, family):
    parts = [part.format(number) for number in (9, 30)]
    names = [f"bot.py:Bot:eval={each},depth=4" for each in parts]
    agents = pd.DataFrame({"name": names, "parameters": [{"eval": each, "depth": 4} for each in parts]})
    rows = [standing(name, 20.0 * place, 5.0, 9.0) for place, name in enumerate(names)]
    found = comparison.sweep(rows, agents, lambda *_: (11.0, 29.0))
    assert [(row.parameter, row.agent, row.value, row.depth) for row in found] == [
        (called, f"bot.py:Bot:eval={family},depth=4", value, None) for value in (9.0, 30.0)
    ]
    assert [row.step for row in found] == [None, Interval(20.0, 11.0, 29.0)]


def test_agents_that_differ_in_two_numbers_are_no_sweep():
    two = standing("mcts:playouts=10,c=1", 0.0, 5.0, 9.0), standing("mcts:playouts=20,c=2", 9.0, 5.0, 9.0)
    assert swept(*two) == []


def test_a_number_that_was_typed_in_two_ways_is_the_same_number():
    two = standing("mcts:playouts=10,c=1", 0.0, 5.0, 9.0), standing("mcts:playouts=10,c=1.0", 9.0, 5.0, 9.0)
    assert swept(*two) == []


def test_a_key_that_ends_another_is_left_out_by_itself():
    names = [f"bot.py:Bot:max-depth=9,depth={depth},c=1" for depth in (2, 4)]
    agents = pd.DataFrame({"name": names, "parameters": [{"max-depth": 9, "depth": n, "c": 1} for n in (2, 4)]})
    rows = [standing(name, 20.0 * place, 5.0, 9.0) for place, name in enumerate(names)]
    found = comparison.sweep(rows, agents, lambda *_: (11.0, 29.0))
    assert [(row.agent, row.depth) for row in found] == [
        ("bot.py:Bot:max-depth=9,c=1", 2),
        ("bot.py:Bot:max-depth=9,c=1", 4),
    ]


def test_depths_come_first_and_then_parameters_and_families_by_name():
    specs = ("mcts:playouts={}", "minimax:depth={}", "mcts:playouts=5,c={}", "alphabeta:nodes={}", "alphabeta:depth={}",
             "alphabeta:depth=3,table-size={}")  # fmt: skip
    found = swept(
        *(standing(spec.format(number), 9.0 * number, 5.0, 4.0**number) for spec in specs for number in (9, 7))
    )
    families = ["depth alphabeta", "depth minimax", "c mcts:playouts=5", "nodes alphabeta", "playouts mcts",
                "table-size alphabeta:depth=3"]  # fmt: skip
    assert [f"{row.parameter} {row.agent}" for row in found[::2]] == families
    assert [row.value for row in found] == [7, 9] * 6


def test_a_step_has_the_interval_of_the_difference_in_its_pool(tmp_path):
    agents = ["mcts:playouts=10", "mcts:playouts=100", "mcts:playouts=1000"]
    games = [
        *pairs_of("00", "10", "=0", "01", one=0, two=1),
        *pairs_of("10", "0=", "00", "11", one=1, two=2),
        *pairs_of("00", "00", "01", "=1", one=0, two=2),
    ]
    found = frames(run_of(tmp_path / "run", agents, games))
    rated = of_run(found)
    places = [[rating.agent for rating in rated.ratings].index(agent) for agent in agents]
    rows = comparison.sweep(standings(found), found.agents, gap_ends(found, agents))
    assert [(row.step.low, row.step.high) for row in rows[1:]] == [
        (rated.lows[two][one], pytest.approx(-rated.lows[one][two])) for one, two in itertools.pairwise(places)
    ]
    best = standings(found)[1]
    assert rated.lows[0][1] == pytest.approx(best.gap.low)


def test_switches_and_seeds_are_no_family_and_an_agent_that_is_there_twice_is_once_in_its_own():
    rows = [
        standing("alphabeta:depth=2,compiled=true", 5.0, 9.0, 20.0),
        standing("alphabeta:depth=2,compiled=false", -5.0, 9.0, 20.0),
    ]
    assert swept(*rows) == []
    seeded = [standing(f"bot.py:Bot:seed={seed}", 9.0 * seed, 9.0, 4.0) for seed in (1, 2)]
    agents = pd.DataFrame({"name": [row.agent for row in seeded], "parameters": [{"seed": 1}, {"seed": 2}]})
    assert comparison.sweep(seeded, agents, lambda *_: (0.0, 0.0)) == []
    twice = [standing(f"minimax:depth={depth}", 9.0 * float(depth[0]), 9.0, 4.0) for depth in ("1", "2", "2#2", "3")]
    assert [(row.agent, row.value, row.depth) for row in swept(*twice)] == [
        ("minimax", 1.0, 1), ("minimax", 2.0, 2), ("minimax", 3.0, 3),
    ]  # fmt: skip
    assert swept(*twice[1:3]) == []
