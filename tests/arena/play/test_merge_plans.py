"""What a merged run is a run of: its agents, pairings, terms and sessions, from parts of every kind."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from played import grown, played, rows
from recorded import holds

from agents.errors import InputError
from arena.play.entries import Entry
from arena.play.isolation import Isolation
from arena.play.merge import MergedRun, _together, merge, refuse_another, refuse_others
from arena.play.plan import Plan
from arena.store.run_file import Store


def fresh(path, *agents, **rest):
    return played(path, *agents, **{"rounds": 1, "openings": "plies:1", "command": path.stem} | rest)


def entry(name, **more):
    return Entry(name, "greedy", "/f", own=True, **more)


ROSTER = {"isolation": Isolation(entries=(entry("ann", author="Ann"), None))}
PARTS = {
    "two and two": ((("greedy", "random"), {}), (("random", "mcts:playouts=2"), {})),
    "a run and one of more rounds": ((("greedy", "random"), {}), (("random", "greedy"), {"rounds": 3})),
    "with themselves": ((("greedy", "random"), {"include_self": True}), (("greedy", "random"), {})),
    "alone": ((("random",), {"include_self": True}), (("greedy", "random"), {})),
    "gauntlets of others": ((("greedy", "random", "mcts:playouts=2"), {"format": "gauntlet"}),
                            (("random", "mcts:playouts=2"), {"format": "gauntlet"})),
    "a gauntlet and a round robin": ((("greedy", "random", "mcts:playouts=2"), {"format": "gauntlet"}),
                                     (("greedy", "random"), {})),
    "pairs": ((("greedy", "random", "mcts:playouts=2"), {"pairs": (("mcts:playouts=2", "greedy"),)}),
              (("random", "greedy"), {"pairs": (("random", "greedy"),)})),
    "twins": ((("greedy", "greedy", "random"), {"pairs": (("greedy#2", "random"),)}), (("greedy", "greedy"), {})),
    "a roster and another": ((("ann", "random"), ROSTER),
                             (("random", "bob"), {"isolation": Isolation(entries=(None, entry("bob", nodes=None)))})),
    "a roster and none": ((("greedy", "random"), {}), (("ann", "random"), ROSTER)),
    "a comparison": tuple((("greedy", "random", "mcts:playouts=2"),
                           {"pairs": pairs, "comparison": {"search": "s", "levels": {"3": ["a", "b", "c"]}}})
                          for pairs in ((("greedy", "random"),), (("mcts:playouts=2", "random"),
                                                                  ("greedy", "mcts:playouts=2")))),
}  # fmt: skip


def summary(path):
    """Return what a merged file says of itself but for its games."""
    with Store.read(path) as store:
        plan = store.plan()
        return {
            **{key: plan[key] for key in ("agents", "rounds", "format", "pairs", "include_self", "comparison")},
            "entries": [each and each["name"] for each in plan["isolation"]["entries"]],
            "rows": store.rows("SELECT name, spec, author FROM agent ORDER BY id"),
            "openings": store.rows("SELECT moves, value FROM opening ORDER BY id"),
            "run": store.rows("SELECT planned, command FROM run")[0],
            "sessions": store.rows("SELECT command FROM session ORDER BY id"),
            "games": store.rows("SELECT first, second, opening FROM game ORDER BY id"),
        }


def test_a_merged_run_is_a_run_of_all_that_its_parts_were_runs_of(tmp_path, request):
    found, told = {}, []
    for label, parts in PARTS.items():
        folder = tmp_path / label.replace(" ", "-")
        folder.mkdir()
        paths = [fresh(folder / f"{name}.sqlite", *agents, **rest)
                 for name, (agents, rest) in zip("ab", parts, strict=True)]  # fmt: skip
        told.clear()
        made = merge(paths, folder / "c.sqlite", "merge", lambda *games: told.append(games))
        found[label] = {
            "made": [made.games, made.doubled, made.different],
            "told": told[:],
            **summary(folder / "c.sqlite"),
        }
    holds("play-merged", json.loads(json.dumps(found)), request)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return fresh(tmp_path_factory.mktemp("merge") / "a.sqlite", "greedy", "random", rounds=2)


@pytest.fixture
def part(run):
    return MergedRun.read(Path("named.sqlite"), run)


@pytest.mark.parametrize(
    "damage",
    ["DELETE FROM opening WHERE id = 2", "INSERT INTO opening (moves) VALUES ('7')",
     "UPDATE agent SET name = 'other' WHERE id = 1"],
)  # fmt: skip
def test_a_run_with_other_agents_or_openings_than_it_was_planned_for_is_refused_by_its_name(run, tmp_path, damage):
    file = Path(shutil.copy(run, tmp_path / "copy.sqlite"))
    with Store.resume(file) as store:
        store.update("PRAGMA foreign_keys = OFF")
        store.update(damage)
    with pytest.raises(InputError) as raised:
        MergedRun.read(Path("named.sqlite"), file)
    assert str(raised.value) == "named.sqlite: its plan has other agents or openings than are stored with it"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sprt": "elo0=0,elo1=30"}, "its sequential test would have seen other games"),
        ({"format": "swiss:1"}, "in a swiss results decide the next pairings"),
        ({"format": "ladder"}, "in a ladder results decide the next pairings"),
    ],
)
def test_a_run_in_which_results_decide_what_is_played_is_refused(tmp_path, change, said):
    path = fresh(tmp_path / "a.sqlite", "greedy", "random", games=1, **change)
    with pytest.raises(InputError) as raised:
        MergedRun.read(Path("named.sqlite"), path)
    assert str(raised.value) == f"named.sqlite cannot be merged: {said}"


def test_so_is_one_that_is_spent_where_it_is_uncertain(tmp_path):
    path = fresh(tmp_path / "a.sqlite", "greedy", "random", "random", games=1, order="uncertain")
    with pytest.raises(InputError, match=r"cannot be merged: in the order uncertain results decide the next pairings$"):
        MergedRun.read(path, path)


LIVES = Isolation()
TERMS = [
    ({"openings": "plies:2"}, "openings, plies:1 and plies:2"),
    ({"seed": 6}, "seed, 5 and 6"),
    ({"nodes": 7}, "nodes for a move, no limit and 7"),
    ({"seconds": 2.0}, "seconds for a move, no limit and 2.0"),
    ({"clock": "60+1"}, "clock, no limit and 60+1"),
    ({"margin": 0.2}, "margin, 0.1 and 0.2"),
    ({"isolation": replace(LIVES, patience=5.0)}, "patience, 60.0 and 5.0"),
    ({"isolation": replace(LIVES, memory=99)}, "memory, 1024 and 99"),
    ({"isolation": replace(LIVES, sandbox=True)}, "sandbox, False and True"),
    ({"isolation": replace(LIVES, everyone=True)}, "isolation, strangers and everyone"),
    ({"isolation": replace(LIVES, nobody=True)}, "isolation, strangers and nobody"),
]


@pytest.mark.parametrize(("change", "said"), TERMS)
def test_terms_of_two_runs_are_the_same_or_both_are_said(part, change, said):
    other = replace(part, path=Path("other.sqlite"), plan=replace(part.plan, **change))
    refuse_others(part, part)
    with pytest.raises(InputError) as raised:
        refuse_others(part, other)
    assert str(raised.value) == f"named.sqlite and other.sqlite cannot be merged: they differ in {said}"


def test_so_are_comparisons_and_openings_as_far_as_both_have_them(part):
    other = replace(part, path=Path("other.sqlite"), document={**part.document, "comparison": {"search": "s"}})
    with pytest.raises(InputError, match=r"they differ in comparison, no limit and \{'search': 's'\}$"):
        refuse_others(part, other)
    refuse_others(part, replace(part, openings=part.openings[:1]))
    refuse_others(part, replace(part, openings=[(moves, 7) for moves, _ in part.openings]))
    with pytest.raises(InputError, match=r"^named\.sqlite and other\.sqlite cannot .*: plies:1 had other openings "):
        refuse_others(part, replace(part, path=Path("other.sqlite"), openings=part.openings[::-1]))


AGENT = {"name": "kim", "spec": "kim.py", "kind": "kim.py:Kim", "parameters": "{}", "deterministic": 0, "stranger": 1,
         "author": None, "digest": "ab"}  # fmt: skip


@pytest.mark.parametrize(
    ("agent", "change", "same"),
    [
        ({}, {}, True),
        ({}, {"digest": "cd"}, "its files have changed"),
        ({}, {"stranger": 0}, False),
        ({}, {"deterministic": 1}, False),
        ({}, {"kind": "/x/kim.py:Kim", "parameters": "[]", "author": "K", "spec": "/x/kim.py"}, True),
        ({"digest": None}, {"kind": "minimax"}, False),
        ({"digest": None}, {"parameters": '{"a": 1}'}, False),
        ({"digest": None}, {"author": "K", "spec": "other"}, True),
        ({"kind": "object:a:B"}, {"kind": "object:a:C"}, False),
        ({"kind": "object:a:B"}, {"parameters": '{"a": 1}'}, False),
    ],
)
def test_an_agent_is_the_same_by_its_files_or_where_it_has_none_by_what_it_is(part, agent, change, same):
    one, other = AGENT | agent, AGENT | agent | change
    known = replace(part, path=Path("known.sqlite"))
    if same is True:
        refuse_another(part, other, known, one)
        return
    with pytest.raises(InputError) as raised:
        refuse_another(part, other, known, one)
    assert str(raised.value) == (
        "known.sqlite and named.sqlite cannot be merged: kim is not the same in both" + (f", {same}" if same else "")
    )


def test_what_runs_say_of_themselves_is_said_once_where_all_say_the_same():
    told = [{"python": "3.12", "numpy": "2"}, {"python": "3.13", "numpy": "2"}, {"python": "3.12", "cores": 4}]
    assert _together(told) == {"python": "3.12 / 3.13", "numpy": "2 / None", "cores": "None / 4"}
    assert _together([{"cores": 4}] * 2) == {"cores": 4}


def test_nothing_is_merged_with_itself_alone_nor_into_itself(run, tmp_path):
    with pytest.raises(InputError, match=r"^there is nothing to merge: name two runs or more$"):
        merge([run], tmp_path / "c.sqlite")
    (tmp_path / "link.sqlite").symlink_to(run)
    with pytest.raises(InputError, match=r"link\.sqlite is one of the runs to merge; the new file needs another name$"):
        merge([run, run], tmp_path / "link.sqlite")
    found = merge([run, run], tmp_path / "c.sqlite")
    assert (found.games, found.doubled, found.different) == (4, 4, 0)
    assert rows(tmp_path / "c.sqlite", "SELECT command FROM run") == [("a",)]
    assert Plan.from_document(json.loads(rows(tmp_path / "c.sqlite", "SELECT plan FROM run")[0][0])).names() == [
        "greedy", "random",
    ]  # fmt: skip


def test_who_is_dropped_from_any_part_is_dropped_from_the_whole_once(tmp_path):
    agents = ("greedy", "random", "mcts:playouts=2", "mcts:playouts=3")
    parts = [fresh(tmp_path / f"{name}.sqlite", *agents[:3]) for name in "ab"]
    parts.append(fresh(tmp_path / "c.sqlite", *agents))
    for part, drop in zip(parts[1:], (("greedy",), (agents[3], "greedy")), strict=True):
        grown(part, drop=drop)
    merge(parts, tmp_path / "d.sqlite")
    plan = Plan.from_document(json.loads(rows(tmp_path / "d.sqlite", "SELECT plan FROM run")[0][0]))
    assert plan.dropped == ("greedy", agents[3])
    assert rows(tmp_path / "d.sqlite", "SELECT planned, (SELECT count(*) FROM game) FROM run") == [(12, 12)]
