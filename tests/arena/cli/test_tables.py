import io
import json
import re
from pathlib import Path

import pandas as pd
import pytest

from agents.board import Board
from agents.jit.compiler import JIT
from agents.names import HEURISTICS, ORDERINGS, complete
from agents.registry import KINDS
from arena.measure import bench as speeds
from arena.measure import depths as measure
from arena.report.styles import STYLES
from arena.store.machine import machine, versions

ODD = Path(__file__).parents[2] / "data" / "odd_agents.py"
MINIMAX = [8, 57, 400, 2801, 19608, 137257]


@pytest.fixture
def run(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    done = arena("run", "random", "greedy", "minimax:depth=1", "--rounds", 2, "-j", 1, "--out", path)
    assert done.code == 0, done.err
    assert done.err == f"stored in {path}\nnext: arena games {path}\n      arena report {path}\n"
    return path, done.out


def read_json(done):
    """Return the one document on stdout, which nothing follows and nothing goes before."""
    assert done.code == 0, done.err
    return json.loads(done.out)


# run and show


def test_a_run_prints_the_tables_that_show_prints_again(run, arena):
    path, out = run
    assert arena("show", path).out == out
    opening, _, standings = out.partition("\n\n")
    assert re.fullmatch(
        r"Openings: 2 of the 568 of plies:4; with perfect play \d won by the first player, \d drawn, \d by the second",
        opening,
    )
    assert standings.startswith("Standings: 8 games each, no faults, ")
    assert "\nCrosstable: " in out
    assert "\nEffort: " in out
    assert "\ngames 12, distinct 12\n" in out


def test_run_and_show_print_the_same_document(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    done = arena("run", "random", "greedy", "--rounds", 1, "-j", 1, "--out", path, "--json")
    document = read_json(done)
    assert document == read_json(arena("show", path, "--json"))
    assert list(document)[:4] == ["standings", "crosstable", "effort", "games"]
    assert document["games"] == {"played": 2, "distinct": 2, "planned": 2}
    assert (document["seed"], document["versions"]) == (1, versions())
    assert document["machine"] == machine()
    assert document["machine"]["processor"]
    assert document["command"] == f"arena run random greedy --rounds 1 -j 1 --out {path} --json"
    assert [row["agent"] for row in document["standings"]] == ["greedy", "random"]
    assert sum(row["points"] for row in document["standings"]) == 2


def test_names_are_whole_in_json_and_csv(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    agents = ["minimax:depth=1,heuristic=zero", "alphabeta:depth=1,heuristic=zero"]
    out = arena("run", *agents, "--rounds", 1, "-j", 1, "--out", path).out
    assert "all agents have depth=1,heuristic=zero" in out
    assert {row["agent"] for row in read_json(arena("show", path, "--json"))["standings"]} == set(agents)
    assert all(agent in arena("show", path, "--style", "csv").out for agent in agents)


def test_pairings_that_repeat_themselves_are_one_warning(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    agents = ["minimax:depth=1", "alphabeta:depth=1", "alphabeta:depth=1,order=left-to-right"]
    done = arena("run", *agents, "--rounds", 2, "-j", 1, "--out", path)
    warnings = [line for line in done.err.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 1
    assert "minimax v alphabeta (2 of 4)" in warnings[0] or "alphabeta v minimax (2 of 4)" in warnings[0]


@pytest.mark.parametrize("style", STYLES)
def test_show_has_every_style(run, arena, style):
    done = arena("show", run[0], "--style", style)
    assert done.code == 0
    assert {"csv": "\n1,greedy,"}.get(style, "games 12, distinct 12") in done.out


def test_faults_are_told_and_counted(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    done = arena("run", "greedy", f"{ODD}:Nine", "--rounds", 1, "-j", 1, "--out", path)
    assert done.code == 0
    assert f"fault of {ODD}:Nine (2 games): illegal move: answered 9" in done.err
    assert "faults" in done.out.splitlines()[3]
    standings = read_json(arena("show", path, "--json"))["standings"]
    assert {row["agent"]: row["faults"] for row in standings} == {"greedy": 0, f"{ODD}:Nine": 2}


def test_what_agents_print_does_not_disturb_the_document(arena, tmp_path):
    words = ["run", f"{ODD}:Prints", f"{ODD}:Leftmost", "--rounds", 1, "-j", 1, "--json", "--in-process"]
    done = arena(*words, "--out", tmp_path / "r")
    assert read_json(done)["games"]["played"] == 2
    assert {"made", "prepared", "new game", "thinking"} < set(done.err.splitlines())
    assert read_json(arena("move", f"{ODD}:Prints", "--json"))["move"] == 1


# depths


@pytest.mark.skipif(not JIT, reason="depth 6 takes a while in plain Python")
def test_depths_counts_what_minimax_visits(arena):
    rows = read_json(arena("depths", "minimax", "--depth", "1..6", "--json"))
    assert [row["nodes"] for row in rows] == MINIMAX
    assert [row["depth"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert {"agent", "position", "depth", "nodes", "seconds", "move", "score"} <= set(rows[0])
    assert all(row["agent"] == "minimax" and row["position"] == "" and 1 <= row["move"] <= 7 for row in rows)
    assert [row["minimax_share"] for row in rows] == [1.0] * 6
    assert rows[5]["branching"] == pytest.approx(7.0)


def test_depths_from_several_positions(arena):
    words = ["--position", "44", "--position", "", "--position", "4 4 5"]
    rows = read_json(arena("depths", "minimax", "--depth", "1,3", *words, "--json"))
    assert [(row["position"], row["depth"]) for row in rows] == [
        ("44", 1), ("44", 3), ("", 1), ("", 3), ("445", 1), ("445", 3),
    ]  # fmt: skip


def test_depths_from_a_sample_of_openings_are_means(arena):
    words = ["depths", "minimax", "--depth", "2", "--openings", "plies:3", "--rounds", 4, "--seed", 9]
    rows = read_json(arena(*words, "--json"))
    assert len({row["position"] for row in rows}) == len(rows) == 4
    mean = sum(row["nodes"] for row in rows) / 4
    table = pd.read_csv(io.StringIO(arena(*words, "--style", "csv").out))
    assert list(table["position"]) == ["mean of 4"]
    assert list(table["nodes"]) == [mean]


def test_depths_shows_what_is_too_dear(arena, monkeypatch):
    monkeypatch.setattr(measure, "GROWTH", 1e12)
    rows = read_json(arena("depths", "minimax", "--depth", "1..3", "--json"))
    assert [row["nodes"] for row in rows] == [8, None, None]
    assert [row["seconds"] is None for row in rows] == [False, True, True]
    assert "skipped" in arena("depths", "minimax", "--depth", "1..3").out


@pytest.mark.parametrize("style", STYLES)
def test_depths_has_every_style(arena, style):
    out = arena("depths", "minimax", "alphabeta", "--depth", "1,2", "--style", style).out
    rows = [line for line in out.splitlines() if re.search(r"\b(minimax|alphabeta)\b.*\b(8|57|42)\b", line)]
    assert len(rows) == 4


def test_depths_as_csv_are_the_numbers_of_the_document(arena):
    words = ["depths", "minimax", "alphabeta", "--depth", "1,2"]
    table = pd.read_csv(io.StringIO(arena(*words, "--style", "csv").out), keep_default_na=False)
    assert list(table.columns) == list(read_json(arena(*words, "--json"))[0])
    assert list(table["nodes"]) == [8, 57, 8, 42]


@pytest.mark.parametrize(
    ("text", "depths"), [("2", [2]), ("1..3", [1, 2, 3]), ("3,1", [1, 3]), ("1..2,2..3", [1, 2, 3]), (" 1 , 2", [1, 2])]
)
def test_a_range_of_depths_has_each_once(arena, text, depths):
    rows = read_json(arena("depths", f"{ODD}:Deepening", "--depth", text, "--json"))
    assert [row["depth"] for row in rows] == depths


def test_a_busy_machine_is_told(arena, monkeypatch):
    monkeypatch.setattr("os.getloadavg", lambda: (99.0, 1.0, 1.0))
    assert "warning: the machine was busy (load 99.0)" in arena("depths", "minimax", "--depth", "1").err
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    assert arena("depths", "minimax", "--depth", "1").err == ""


# eval and move


def test_eval_asks_every_heuristic(arena):
    rows = read_json(arena("eval", "4453", "--json"))
    assert [row["heuristic"] for row in rows] == complete(HEURISTICS)
    assert set(rows[0]) == {"position", "heuristic", "mover", "first"}
    assert {row["position"] for row in rows} == {"4453"}
    assert all(row["mover"] == row["first"] for row in rows)


def test_eval_speaks_of_the_mover_and_of_the_first_player(arena):
    rows = read_json(arena("eval", "445", "--heuristic", "powers-of-ten", "--json"))
    assert [(row["mover"], row["first"]) for row in rows] == [(rows[0]["mover"], -rows[0]["mover"])]
    assert rows[0]["mover"] != 0


def test_eval_reads_lines(arena):
    done = arena("eval", "-", "4", "--heuristic", "zero", "--json", stdin="44\n\n4453 what follows is not read\n")
    assert [row["position"] for row in read_json(done)] == ["44", "4453", "4"]
    done = arena("eval", "-", stdin="44\n48\n")
    assert (done.code, done.err) == (2, "arena: line 2: move 2: column 8 does not exist (1 to 7)\n")


def test_eval_of_a_heuristic_without_meaning_on_the_board_is_empty(arena, monkeypatch):
    few = {name: HEURISTICS[name] for name in ("zero", "line-runs-published")}
    monkeypatch.setattr("arena.measure.position.HEURISTICS", few)
    rows = read_json(arena("eval", "--board", "5x4", "--json"))
    assert {row["heuristic"]: row["mover"] for row in rows} == {"zero": 0, "line-runs-published": None}


def test_move_tells_the_decision(arena):
    document = read_json(arena("move", "minimax:depth=2,heuristic=zero", "4", "--json"))
    assert set(document) == {"agent", "position", "move", "score", "depth", "nodes", "seconds", "pv"}
    assert (document["agent"], document["position"]) == ("minimax:depth=2,heuristic=zero", "4")
    assert (document["depth"], document["nodes"]) == (2, 57)
    assert document["pv"][0] == document["move"]
    assert len(document["pv"]) == 2


def test_move_tells_a_win_in_words(arena):
    done = arena("move", "greedy", "121212")
    assert done.out.startswith("move 1  score win in 1  depth 1  nodes ")
    assert read_json(arena("move", "greedy", "121212", "--json"))["score"] == 999_999
    assert Board.from_moves("1212121").outcome is not None


def test_move_says_little_of_an_agent_that_tells_nothing(arena):
    move, time = arena("move", f"{ODD}:Leftmost", "44").out.split("  ")
    assert move == "move 1"
    assert time.startswith("time ")


# listings and bench


def test_the_agents_are_listed_with_their_parameters(arena):
    rows = read_json(arena("agents", "--json"))
    by_name = {row["name"]: row for row in rows}
    assert set(KINDS) <= set(by_name)
    for name, kind in KINDS.items():
        assert [each["key"] for each in by_name[name]["parameters"]] == [
            key.replace("_", "-") for key in kind.parameters
        ]
    out = arena("agents").out
    assert all(f"\n{name}: " in f"\n{out}" for name in KINDS)


@pytest.mark.parametrize(("command", "known"), [("heuristics", HEURISTICS), ("orderings", ORDERINGS)])
def test_heuristics_and_orderings_are_listed_with_their_sources(arena, command, known):
    rows = read_json(arena(command, "--json"))
    assert [row["name"] for row in rows] == list(known)
    assert all(row["summary"] and row["source"] for row in rows)
    out = arena(command).out
    assert all(row["name"] in out and row["source"] in " ".join(out.split()) for row in rows)
    assert max(map(len, out.splitlines())) <= 120


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("command", ["agents", "heuristics", "orderings", "eval"])
def test_listings_have_every_style(arena, command, style):
    done = arena(command, "--style", style)
    names = {"agents": KINDS, "heuristics": HEURISTICS, "orderings": ORDERINGS, "eval": complete(HEURISTICS)}[command]
    assert done.code == 0
    assert all(re.search(rf"(^|\W){re.escape(name)}($|[^-\w])", done.out, re.MULTILINE) for name in names)


def test_the_bench_is_one_document(arena, monkeypatch):
    monkeypatch.setattr(speeds, "SECONDS", 0.0)
    rows = read_json(arena("bench", "minimax:depth=2,heuristic=zero", "--json"))
    assert [(row["agent"], row["position"], row["nodes"]) for row in rows] == [
        ("minimax:depth=2,heuristic=zero", "", 57)
    ]
    assert set(rows[0]) == {"agent", "position", "nodes", "seconds", "nodes_per_second", "round_seconds"}
    assert min(rows[0]["round_seconds"]) == rows[0]["seconds"]
    assert "nodes/s" in arena("bench", "minimax:depth=2,heuristic=zero", "--style", "github").out


def test_the_bench_tells_what_a_change_made_slower(arena, monkeypatch, tmp_path):
    monkeypatch.setattr(speeds, "SECONDS", 0.0)
    bench, file = ("bench", "greedy", "alphabeta:depth=4,order=centre", "-q"), tmp_path / "before.json"
    rows = read_json(arena(*bench, "--json"))
    for row, times in zip(rows, (1e-6, 1.0), strict=True):
        row["round_seconds"] = [times * each for each in row["round_seconds"]]
    file.write_text(json.dumps(rows))
    slower = arena(*bench, "--compare", file, "--limit", 50)
    assert slower.code == 0
    assert [line.split()[-1] for line in slower.out.splitlines()[2:4]] == ["slower", "alike"]
    assert "all together: " in slower.out
    failed = arena(*bench, "--compare", file, "--limit", 50, "--fail-if-slower", "--json")
    assert failed.code == 1
    assert [row["verdict"] for row in json.loads(failed.out)] == ["slower", "alike"]
    assert re.fullmatch(r"failed: greedy takes [0-9.]+ times as long as before", failed.err.strip())


@pytest.mark.parametrize(
    "words",
    [("run", "random", "greedy", "--rounds", 2), ("compare", "zero", "smart-aware", "--depth", 1, "--rounds", 1)],
)
def test_a_quick_try_is_shown_and_leaves_no_file(arena, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    done = arena(*words, "-j", 1, "--no-store")
    assert done.code == 0
    assert [line for line in done.err.splitlines() if "busy" not in line] == ["nothing is stored"]
    assert "games" in done.out
    assert not list(tmp_path.iterdir())
    assert "choose one" in arena(*words, "--no-store", "--out", "run.sqlite").err


def test_the_limits_of_a_run_stand_in_the_title_of_its_standings(arena):
    words = ("run", "random", "greedy", "--rounds", 1, "-j", 1, "--no-store")
    assert "\nStandings: 2 games each" in arena(*words).out
    assert "\nStandings at 1,000 nodes and 0.5 s a move: " in arena(*words, "--nodes", 1000, "--seconds", 0.5).out


def test_agents_that_search_nothing_have_no_table_of_effort(arena):
    done = arena("run", "random", f"{ODD}:Leftmost", "--rounds", 1, "-j", 1, "--no-store", "--in-process")
    assert done.code == 0, done.err
    assert "Effort" not in done.out
