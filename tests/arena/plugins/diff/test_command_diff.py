import json
import re

import pytest
from command import STYLES
from hand_made import pairs_of, run_of

import arena as package
from agents.errors import InputError
from arena.plugins import diff as python
from arena.plugins.diff.job import diff
from arena.store import machine

BOT = """
class Bot:
    def choose(self, board, limits):
        return {choice}(board.legal_moves())
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """An agent of one's own before and after a change, against two others."""
    folder = tmp_path_factory.mktemp("runs")
    bot, paths = folder / "bot.py", []
    for name, choice in (("old", "min"), ("new", "max")):
        bot.write_text(BOT.format(choice=choice))
        paths.append(folder / f"{name}.sqlite")
        package.run([f"{bot}:Bot", "greedy", "alphabeta:depth=2"], rounds=3, out=paths[-1])
    return f"{bot}:Bot", *paths


def document(done):
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_a_run_does_not_differ_from_itself(arena, runs):
    done = arena("diff", runs[1], runs[1], "--fail-if", "same_nodes<1", "--fail-if", "score<0", "--fail-if", "nodes>1")
    assert (done.code, done.err) == (0, "")
    assert "searches differently" not in done.out
    rows = document(arena("diff", runs[1], runs[1], "--json"))
    assert len(rows) == 3
    assert {(row["score"], row["same_nodes"], row["same_moves"]) for row in rows} == {(0.0, 1.0, 1.0)}
    assert {row["nodes"] for row in rows if row["agent"] != runs[0]} == {1.0}


def test_a_changed_agent_moves_differently_while_the_others_do_not(arena, runs):
    rows = {row["agent"]: row for row in document(arena("diff", *runs[1:], "--json"))}
    assert rows[runs[0]]["same_moves"] < 0.5
    assert rows["alphabeta:depth=2"]["same_moves"] == 1.0
    assert rows["alphabeta:depth=2"]["same_nodes"] == 1.0
    assert sum(row["score"] for row in rows.values()) == pytest.approx(0.0)
    assert all(row["games"] == 12 for row in rows.values())
    assert rows["alphabeta:depth=2"]["positions"] < 200


def test_a_failed_condition_is_told_and_is_the_exit_code(arena, runs):
    done = arena("diff", *runs[1:], "--fail-if", "same_moves<0.5", "--fail-if", "nodes>5")
    assert done.code == 1
    assert done.out.splitlines()[0].startswith("agent")
    assert [line.partition(": same_moves is 0")[0] for line in done.err.splitlines()] == [f"failed: {runs[0]}"]
    assert arena("diff", *runs[1:], "--fail-if", "nodes>5").code == 0
    done = arena("diff", *runs[1:], "--json", "--fail-if", "same_moves<0.5")
    assert done.code == 1
    assert len(json.loads(done.out)) == 3


def test_every_condition_counts_and_all_that_fail_are_told_in_their_order(arena, runs):
    for conditions, failed in (
        (["nodes>5", "same_moves<0.5"], ["same_moves"]), (["same_moves<0.5", "same_moves<0.6"], ["same_moves"] * 2),
        (["same_moves>0.9", "nodes>5", "same_moves<0.5"], ["same_moves"] * 3),
    ):  # fmt: skip
        done = arena("diff", *runs[1:], *(word for each in conditions for word in ("--fail-if", each)))
        lines = [line.removeprefix("failed: ").rpartition(": ") for line in done.err.splitlines()]
        assert (done.code, [line[2].split()[0] for line in lines]) == (1, failed)
    assert [line[0] for line in lines] == ["alphabeta:depth=2", "greedy", runs[0]]


def test_conditions_can_be_held_against_one_agent(arena, runs):
    words = ["diff", *runs[1:], "--fail-if", "same_moves<0.5", "--agent"]
    assert arena(*words, "greedy").code == 0
    assert arena(*words, "greedy", "--agent", runs[0]).code == 1
    done = arena(*words, "greddy")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "did you mean greedy" in done.err


@pytest.mark.parametrize("style", STYLES)
def test_every_style_has_every_agent(arena, runs, style):
    done = arena("diff", *runs[1:], "--style", style)
    assert (done.code, done.err) == (0, "")
    rows = [
        line
        for line in done.out.splitlines()
        if re.search("bot.py:Bot|greedy|alphabeta", line) and "differently" not in line
    ]
    assert len(rows) == 3
    assert "nan" not in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{old}", "nothing.sqlite"], "there is no file nothing.sqlite"),
        (["{old}", "{foreign}"], "foreign.sqlite is not the record of a run"),
        (["{old}"], "Missing argument 'NEW'"),
        (["{old}", "{other}"], "the two runs share no game"),
        (["{old}", "{old}", "--fail-if", "score=1"], "condition 'score=1' is not METRIC<NUMBER"),
        (["{old}", "{old}", "--fail-if", "elo<1"], "condition 'elo<1' is not METRIC<NUMBER"),
    ],
)
def test_bad_input_is_one_line(arena, tmp_path, words, message):
    paths = {
        "old": run_of(tmp_path / "old.sqlite", ["random", "greedy"], pairs_of("11")),
        "other": run_of(tmp_path / "other.sqlite", ["random", "minimax"], pairs_of("11")),
        "foreign": tmp_path / "foreign.sqlite",
    }
    paths["foreign"].write_text("hello")
    done = arena("diff", *(word.format(**paths) for word in words))
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_the_loads_of_two_runs_stand_in_the_order_of_the_runs(monkeypatch, tmp_path):
    loads = [machine.Load(0.5, 2), machine.Load(1.5, 2)]
    for place, load in enumerate(loads):
        monkeypatch.setattr("arena.store.machine.load", lambda load=load: lambda: load)
        package.run(["greedy", "random"], rounds=1, seed=1, out=tmp_path / f"{place}.sqlite", progress=False)
    assert list(diff(tmp_path / "0.sqlite", tmp_path / "1.sqlite").loads) == loads


def test_the_loads_of_a_busy_machine_are_told_in_the_order_of_the_runs(arena, runs, monkeypatch):
    monkeypatch.setattr("arena.store.machine.BUSY", 0.25)
    loads = [machine.Load(cores, 2) for cores in (1.7, 0.5, 0.9)]
    for both, busy in (((0, 2), [0, 2]), ((2, 0), [2, 0]), ((1, 0), [0]), ((1, 1), [])):
        pair = [loads[place] for place in both]
        monkeypatch.setattr(
            "arena.tournament.frames.Frames.load", lambda frames, pair=pair: pair[frames.path == runs[2]]
        )
        text = " ".join(arena("diff", *runs[1:]).out.split())
        places = [text.find(load.note) if load.note else -1 for load in loads]
        assert [place for place, at in enumerate(places) if at >= 0] == sorted(busy)
        assert [places[place] for place in busy] == sorted(places[place] for place in busy)


def test_python_has_the_rows_that_the_command_prints(arena, played):
    printed = json.loads(arena("diff", played.path, played.path, "--json").out)
    assert [row["positions"] for row in printed] == list(python.diff(played, played.path)["positions"])
    with pytest.raises(InputError, match=r"agents is a list, as in \['greedy'\]"):
        python.diff(played, played, "greedy")
