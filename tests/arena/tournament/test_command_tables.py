import re

import pytest
from command import STYLES, read_json
from hand_made import audit_of, run_of
from samples import ODD

import arena as package
from arena.store.machine import machine, versions
from arena.tournament.command_options import PlaySettings


@pytest.fixture
def run(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    done = arena("run", "random", "greedy", "minimax:depth=1", "--rounds", 2, "-j", 1, "--out", path)
    assert done.code == 0, done.err
    assert done.err == f"stored in {path}\nnext: arena games {path}\n      arena report {path}\n"
    return path, done.out


def test_a_run_prints_the_tables_that_show_prints_again(run, arena):
    path, out = run
    assert arena("show", path).out == out
    opening, _, standings = out.partition("\n\n")
    assert re.fullmatch(
        r"2 openings of the 568 of plies:4, each played twice; with perfect play the first player wins \d, "
        r"\d are drawn, the second wins \d\ngames 12, distinct 12",
        opening,
    )
    assert standings.startswith("Standings: 8 games each, no faults\n")
    assert "\nCrosstable: " not in out
    whole = arena("show", path, "--wide").out
    assert "\nCrosstable: " in whole
    assert "\nEffort: " in whole


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


def test_agents_that_play_alike_are_named_without_a_warning_of_repeated_games(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    agents = ["minimax:depth=1", "alphabeta:depth=1", "alphabeta:depth=1,order=left-to-right"]
    done = arena("run", *agents, "--rounds", 2, "-j", 1, "--out", path)
    assert "warning" not in done.err


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    path = tmp_path_factory.mktemp("stored") / "run.sqlite"
    package.run(["random", "greedy", "minimax:depth=1"], rounds=2, workers=1, out=path)
    return path


@pytest.mark.parametrize("style", STYLES)
def test_show_has_every_style(stored, arena, style):
    done = arena("show", stored, "--style", style)
    assert done.code == 0
    assert {"csv": "\n1,greedy,"}.get(style, "games 12, distinct 12") in done.out


def test_faults_are_told_and_counted(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    done = arena("run", "greedy", f"{ODD}:Nine", "--rounds", 1, "-j", 1, "--out", path)
    assert done.code == 0
    assert f"fault of {ODD}:Nine (2 games): illegal move: answered 9" in done.err
    assert "faults" in done.out.splitlines()[4]
    standings = read_json(arena("show", path, "--json"))["standings"]
    assert {row["agent"]: row["faults"] for row in standings} == {"greedy": 0, f"{ODD}:Nine": 2}


def test_what_agents_print_does_not_disturb_the_document(arena, tmp_path):
    words = ["run", f"{ODD}:Prints", f"{ODD}:Leftmost", "--rounds", 1, "-j", 1, "--json", "--in-process"]
    done = arena(*words, "--out", tmp_path / "r")
    assert read_json(done)["games"]["played"] == 2
    assert {"made", "prepared", "new game", "thinking"} < set(done.err.splitlines())
    assert read_json(arena("move", f"{ODD}:Prints", "--json"))["move"] == 1


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


def test_a_run_that_fails_a_condition_says_each_reason_and_ends_with_one(arena, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "arena.tournament.runs.failures", lambda frames, conditions: asked.append(conditions) or ["it", "and that"]
    )
    words = ["run", "greedy", "random", "--rounds", 1, "--board", "4x4", "-j", 1, "-q", "--no-store"]
    done = arena(*words, "--fail-if", "faults", "--fail-if", "H0")
    assert (done.code, asked) == (1, [("faults", "H0")])
    assert done.err.splitlines()[-2:] == ["failed: it", "failed: and that"]
    play = PlaySettings.play
    monkeypatch.setattr(PlaySettings, "play", lambda *words: play(*words) or 130)
    done = arena(*words, "--fail-if", "faults")
    assert (done.code, len(asked)) == (130, 1), "of games that are not all played nothing is judged"
    assert done.err.splitlines()[-1] == "interrupted; nothing is stored"
    monkeypatch.setattr(PlaySettings, "play", play)
    monkeypatch.setattr("arena.tournament.runs.failures", lambda *_: [])
    assert arena(*words).code == 0


@pytest.fixture(scope="module")
def alike(tmp_path_factory):
    """An audited run of agents that share a setting; each throws a win away."""
    ends = [(0, 1, "1", "1111111"), (1, 0, "0", "1122334"), (0, 2, "1", "1111112"), (2, 1, "0", "1122335")]
    games = [(first, second, 0, result, moves, (5, 6, 7, 8, 9)) for first, second, result, moves in ends]
    agents = ["minimax:depth=2,order=centre", "alphabeta:depth=2", "minimax:depth=2,heuristic=zero"]
    path = tmp_path_factory.mktemp("alike") / "run.sqlite"
    run_of(path, agents, games, openings=("11",), format="swiss:2", rounds=1)
    return audit_of(path, [(game, ply, 1, 0 if ply == 3 else 1, 7, 3) for game in range(1, 5) for ply in range(2, 7)])


@pytest.mark.parametrize(
    "table",
    ["standings", "crosstable", "rounds", "effort", "phases", "pairings", "audit", "ranges", "blunders"],
)
def test_tables_leave_out_of_names_what_all_agents_share(arena, alike, table):
    shown = arena("show", alike, "--table", table)
    said = shown.out.count("all agents have depth=2")
    assert (shown.code, shown.out.count("depth=2"), said) == (0, said, table in {"standings", "audit", "blunders"})
    assert re.search("(^| )minimax:order=centre( |$)", shown.out, re.MULTILINE)
