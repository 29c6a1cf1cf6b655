"""What documents of measurements and draws say of how they were made."""

import json
import shlex
import time
from importlib.metadata import version

import pytest

import arena as package
from arena.store.machine import Load, machine, meta, versions

LISTS = [
    (["depths", "minimax", "--depth", "1,2", "--openings", "plies:2", "--rounds", 2, "--seed", 5], 5),
    (["grade", "greedy", "random", "--positions", 10, "--plies", "12..16", "--board", "5x4", "--seed", 6], 6),
]
OBJECTS = [
    (["compare", "zero", "line-runs", "--depth", 1, "--rounds", 2, "-j", 1, "--seed", 7], 7),
    (["verify", "--positions", 2, "--depth", 2, "--heuristic", "zero", "--ordering", "centre", "--seed", 8], 8),
    (["move", "alphabeta:depth=2", "44"], None),
]


@pytest.fixture(autouse=True)
def briefly(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def refuse_untrue(found, words, seed):
    """Hold a document's `meta` against this machine and the command that was typed."""
    assert found["version"] == version("connect4-arena")
    assert (found["versions"], found["machine"]) == (versions(), machine())
    assert (found["seed"], found["command"]) == (seed, shlex.join(["arena", *map(str, words), "--json"]))
    assert 0.0 <= found["load"]["other_seconds_per_second"] <= found["load"]["cores"] == machine()["processors"]


@pytest.mark.parametrize(("words", "seed"), LISTS, ids=lambda each: each[0] if isinstance(each, list) else "")
def test_all_rows_of_a_list_say_alike_how_they_were_made(arena, words, seed):
    rows = json.loads(arena(*words, "--json").out)
    assert rows
    assert all(row["meta"] == rows[0]["meta"] for row in rows)
    refuse_untrue(rows[0]["meta"], words, seed)
    assert "connect4-arena" not in arena(*words, "--style", "csv").out


@pytest.mark.parametrize(("words", "seed"), OBJECTS, ids=lambda each: each[0] if isinstance(each, list) else "")
def test_an_object_says_how_it_was_made(arena, words, seed):
    refuse_untrue(json.loads(arena(*words, "--json").out)["meta"], words, seed)


@pytest.mark.compiles
def test_tables_from_python_say_how_they_were_made():
    small = {"rules": "5x4", "seed": 4}
    tables = [
        (package.depths(["minimax"], 1), None),
        (package.grade(["greedy"], positions=5, plies=[12], **small), 4),
        (package.solve_random(5, plies=[14], **small), 4),
        (package.verify(positions=1, depth=1, heuristics=["zero"], **small), 4),
    ]
    for table, seed in tables:
        found = table.attrs["meta"]
        assert found == meta(seed, None, None) | {"load": found["load"]}
        assert found["load"]["cores"] == machine()["processors"]
    run = package.compare(["zero", "line-runs"], depth=1, rounds=1, seed=9, out="run.sqlite")
    assert run.meta | meta(9, None, None) | {"load": run.meta["load"]} == run.meta


def test_the_load_is_that_of_the_measurement(arena, monkeypatch):
    seen = []

    def watched():
        began = time.monotonic()
        return lambda: seen.append(time.monotonic() - began) or Load(0.5, 2)

    monkeypatch.setattr("arena.store.machine.load", watched)
    rows = json.loads(arena("depths", "minimax", "--depth", 3, "--json").out)
    assert rows[0]["meta"]["load"] == {"other_seconds_per_second": 0.5, "cores": 2}
    assert seen[0] >= rows[0]["seconds"]
