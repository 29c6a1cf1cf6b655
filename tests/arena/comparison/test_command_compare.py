import io
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from command import STYLES

import arena as package
from arena.comparison import ratings
from arena.games.workers import Worker
from arena.store.run_file import Store

STUDY = Path(__file__).parents[3] / "results" / "heuristics-study" / "heuristics.py"
WORDS = ["compare", "smart-aware", "powers-of-ten", "--depth", "1,2", "--rounds", 4, "-j", 1, "-q"]
MINE = """
def material(own, opp):
    return popcount(own) - popcount(opp)

def middle(own, opp):
    return popcount(own & column_cells(3)) - popcount(opp & column_cells(3))
"""


def document(done):
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_each_level_has_ratings_pairings_and_a_sentence_which_show_prints_again(arena, tmp_path):
    done = arena(*WORDS, "--out", tmp_path / "run.sqlite")
    assert done.code == 0
    *busy, where, following, last = done.err.splitlines()
    assert where == f"stored in {tmp_path / 'run.sqlite'}"
    assert following.startswith("next: arena games ")
    assert last.strip().startswith("arena ")
    assert all(line.startswith("warning: the machine was busy: ") for line in busy)
    answer, why, pairings, _, again, ratings, meaning, zero = done.out.rstrip("\n").split("\n\n")
    assert re.match(r"(neither )?(smart-aware|powers-of-ten) .* over depths 1 and 2", answer)
    assert re.match(r"why: they chose differently in \d+ of \d+ positions", why)
    assert re.search(r": arena compare smart-aware powers-of-ten --depth [12,]+ --rounds \d+ --seed 2$", again)
    assert ratings.startswith("Ratings at each level of alphabeta:order=centre\n")
    assert meaning.startswith("95 %: range that probably holds the true Elo; nodes: mean of a move")
    assert zero == "Elo: 0 is the mean of all heuristics at the same level"
    assert ratings.splitlines()[3].startswith("depth 1  ")
    assert len(ratings.splitlines()) == 3 + 4
    assert len(pairings.splitlines()) == 3 + 2
    assert arena("show", tmp_path / "run.sqlite").out == done.out
    wide = arena("show", tmp_path / "run.sqlite", "--wide").out.split("\n\n")
    [sentences] = [part for part in wide if " at depth 2 (" in part]
    assert [re.search(r" at (depth \d)", line)[1] for line in sentences.splitlines()] == ["depth 1", "depth 2"]
    assert re.match(r"\d of 2 pairings show a difference", wide[wide.index(sentences) + 1])


@pytest.mark.compiles
def test_three_heuristics_also_from_files_meet_each_other(arena, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(f"from agents.heuristics import column_cells, popcount\n{MINE}")
    words = ["compare", f"{mine}:material", "zero", f"{mine}:middle", "--depth", 2, "--rounds", 3, "-j", 1, "--json"]
    found = document(arena(*words, "--out", tmp_path / "run.sqlite"))
    assert list(found) == ["ratings", "pairings", "answer", "meta"]
    assert [(row["heuristic"], row["against"], row["pairs"]) for row in found["pairings"]] == [
        (f"{mine}:material", "zero", 3), (f"{mine}:material", f"{mine}:middle", 3), ("zero", f"{mine}:middle", 3),
    ]  # fmt: skip
    assert {(row["heuristic"], row["games"]) for row in found["ratings"]} == {
        (f"{mine}:material", 12), ("zero", 12), (f"{mine}:middle", 12),
    }  # fmt: skip


def test_a_comparison_at_equal_nodes_keeps_within_them(arena, tmp_path):
    words = ["compare", "smart-aware", "zero", "--nodes", "8, 20", "--rounds", 1, "-j", 1, "--json"]
    found = document(arena(*words, "--out", tmp_path / "run.sqlite"))
    assert [row["at"] for row in found["pairings"]] == ["8 nodes", "20 nodes"]
    only = document(arena(*words, "--no-store", "--table", "pairings"))
    assert [row["at"] for row in only] == ["8 nodes", "20 nodes"]
    with Store.read(tmp_path / "run.sqlite") as store:
        most = dict(store.select("SELECT game.first < 3, max(nodes) FROM move JOIN game ON id = game GROUP BY 1")[1])
    assert most[1] <= 8 < most[0] <= 20


@pytest.mark.all_cores
@pytest.mark.parametrize("words", [["compare", "smart-aware", "zero"], ["run", "random", "greedy"]])
def test_by_the_clock_one_game_is_played_at_a_time_and_said_so(arena, tmp_path, monkeypatch, words):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(Worker, "start", lambda *_: pytest.fail("a second process"))
    done = arena(*words, "--seconds", 0.002, "--rounds", 1, "--out", tmp_path / "run.sqlite")
    assert done.code == 0
    assert "one game at a time, as agents move by the clock; -j N plays N at the same time\n" in done.err


@pytest.mark.all_cores
def test_by_the_clock_no_more_games_are_played_at_a_time_than_there_are_cores(arena, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    done = arena(
        "run", "random", "greedy", "-j", 3, "--seconds", 0.002, "--rounds", 1, "--out", tmp_path / "run.sqlite"
    )
    assert done.code == 0
    assert "1 processes, as a game whose moves are timed needs a core of its own\n" in done.err


def test_a_comparison_at_equal_time_is_one_of_seconds(arena, tmp_path):
    words = ["compare", "smart-aware", "zero", "--seconds", "0.002", "--rounds", 1, "-j", 1, "--json"]
    found = document(arena(*words, "--out", tmp_path / "run.sqlite"))
    assert [row["at"] for row in found["pairings"]] == ["0.002 s"]
    with Store.read(tmp_path / "run.sqlite") as store:
        assert {spec for (spec,) in store.select("SELECT spec FROM agent")[1]} == {
            "alphabeta:order=centre,heuristic=smart-aware,seconds=0.002",
            "alphabeta:order=centre,heuristic=zero,seconds=0.002",
        }


@pytest.mark.parametrize("words", [["--depth", "1,1"], ["--depth", "1..1,1"], ["--nodes", "8,8"]])
def test_a_level_that_is_given_twice_is_played_once(arena, words):
    words = ["compare", "smart-aware", "zero", *words, "--rounds", 1, "-j", 1, "--json", "--margin-elo", 70]
    found = document(arena(*words, "--no-store"))
    assert len(found["pairings"]) == 1
    assert found["pairings"][0]["games"] == 2
    assert "would tell 70 Elo from none" in found["pairings"][0]["verdict"]


def test_of_a_comparison_that_is_not_stored_there_is_no_position_to_look_at(arena, monkeypatch):
    told = ratings.comparison
    monkeypatch.setattr(
        ratings, "comparison", lambda *given: replace(told(*given), why="why: so; look at: arena replay")
    )
    done = arena("compare", "zero", "smart-aware", "--depth", 1, "--rounds", 1, "-j", 1, "-q", "--no-store")
    assert (done.code, "why: so\n" in done.out, "look at" in done.out) == (0, True, False)


def test_the_whole_set_of_openings_makes_it_exact(arena):
    words = ["compare", "smart-aware", "zero", "--depth", 1, "--openings", "plies:1", "--rounds", 4, "-j", 1, "--json"]
    found = document(arena(*words, "--no-store"))
    assert found["pairings"][0]["basis"] == "exact over these openings"
    assert "(exact over these openings, 4 pairs, " in found["pairings"][0]["verdict"]


@pytest.mark.compiles
def test_a_heuristic_that_cannot_be_compiled_is_compared_uncompiled(arena, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def strings(own, opp):\n    return bin(own).count('1') - bin(opp).count('1') + len({own: opp})\n")
    words = ["compare", f"{mine}:strings", "zero", "--search", "alphabeta:compiled=no", "--depth", 1, "--rounds", 1]
    found = document(arena(*words, "-j", 1, "--json", "--out", tmp_path / "run.sqlite"))
    assert found["pairings"][0]["games"] == 2


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """The run of `WORDS`."""
    path = tmp_path_factory.mktemp("compared") / "run.sqlite"
    package.compare(["smart-aware", "powers-of-ten"], depth=[1, 2], rounds=2, workers=1, out=path)
    return path


@pytest.mark.parametrize("style", STYLES)
def test_every_style_has_both_tables(arena, stored, style):
    for name in ("ratings", "pairings"):
        done = arena("show", stored, "--style", style, "--table", name)
        assert done.code == 0
        assert "nan" not in done.out
        lines = [line for line in done.out.splitlines() if re.search("depth [12]\\b.*powers-of-ten", line)]
        assert len(lines) == 2


def test_csv_is_one_table_the_ratings(arena):
    words = ["compare", "smart-aware", "powers-of-ten", "--depth", "1,2", "--rounds", 1, "-j", 1, "-q", "--no-store"]
    table = csv(arena(*words, "--style", "csv"))
    assert list(table["at"]) == ["depth 1", "depth 1", "depth 2", "depth 2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["smart-aware"], "a comparison takes two or more different heuristics"),
        (["smart-aware", "smart-aware"], "a comparison takes two or more different heuristics"),
        (["smart-aware", "smart-awar"], "did you mean smart-aware"),
        (["smart-aware", "nothing.py:evaluate"], "nothing.py"),
        (["smart-aware", "zero", "--search", "alphabeta:depth=3"], "must leave depth open"),
        (["smart-aware", "zero", "--search", "random"], "'heuristic'"),
        (["smart-aware", "zero", "--depth", "0"], "must run upwards within 1 to 64"),
        (["smart-aware", "zero", "--depth", "x"], "is not a range"),
        (["smart-aware", "zero", "--nodes", "x"], "nodes: must be a whole number"),
        (["smart-aware", "zero", "--nodes", "5,"], "nodes="),
        (["smart-aware", "zero", "--seconds", "0"], "seconds: must be a number"),
        (["smart-aware", "zero", "--nodes", "5", "--depth", "3"], "choose one of --depth and --nodes"),
        (["smart-aware", "zero", "--rounds", "26", "--openings", "plies:2"], "plies:2 has 25"),
        (["smart-aware", "zero", "--style", "word"], "Invalid value for '--style'"),
        ([], "Missing argument"),
    ],
)
def test_bad_input_is_one_line_and_leaves_no_file(arena, tmp_path, words, message):
    done = arena("compare", *words, "--out", tmp_path / "run.sqlite")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.compiles
def test_the_heuristics_of_the_study_can_be_compared(arena, tmp_path):
    names = [f"{STUDY}:{name}" for name in ("material", "positional", "threat", "pattern")]
    found = document(
        arena("compare", *names, "--depth", 2, "--rounds", 1, "-j", 1, "--json", "--out", tmp_path / "run")
    )
    assert len(found["pairings"]) == 6
    assert all(row["faults"] == 0 and row["games"] == 6 for row in found["ratings"])


def test_a_stored_comparison_has_standings_and_pairings_by_name(arena, stored):
    assert "Standings of pool 2 of 2: " in arena("show", stored, "--table", "standings").out
    assert document(arena("show", stored, "--json"))["pairings"] == document(
        arena("show", stored, "--json", "--table", "pairings")
    )


def test_a_stored_comparison_is_shown_with_the_anchor_that_is_asked_for(arena, stored):
    free = csv(arena("show", stored, "--style", "csv"))
    for words in (["--style", "csv"], ["--style", "csv", "--table", "ratings"]):
        found = csv(arena("show", stored, *words, "--anchor", "smart-aware=1000"))
        for level, rows in found.groupby("at"):
            elo, before = (each[each["at"] == level].set_index("heuristic")["elo"] for each in (found, free))
            assert elo["smart-aware"] == 1000
            assert list(elo - before) == pytest.approx([1000 - before["smart-aware"]] * len(rows))
    whole, only = (
        arena("show", stored, *words, "--anchor", "smart-aware=1000").out for words in ([], ["--table", "ratings"])
    )
    for lines in (whole.splitlines(), only.splitlines()):
        rated = [line.split() for line in lines if re.match(r"depth \d +smart-aware +\+", line)]
        assert [row[3] for row in rated] == ["+1000"] * 2
    assert "Elo: smart-aware is 1000 at every level" in whole


def test_a_document_of_a_comparison_takes_a_heuristic_or_an_agent_as_its_anchor(arena, stored):
    agent = "alphabeta:order=centre,heuristic=powers-of-ten,depth=1"
    free = document(arena("show", stored, "--json"))
    found = document(arena("show", stored, "--json", "--anchor", "smart-aware=1000"))
    only = document(arena("show", stored, "--json", "--table", "ratings", "--anchor", "smart-aware=1000"))
    assert found["ratings"] == only
    assert {row["elo"] for row in found["ratings"] if row["heuristic"] == "smart-aware"} == {1000.0}
    assert found["standings"] == free["standings"]
    found = document(arena("show", stored, "--json", "--anchor", f"{agent}=1000"))
    assert [row["elo"] for row in found["standings"] if row["agent"] == agent] == [1000.0]
    assert found["ratings"] == free["ratings"]


@pytest.mark.parametrize(
    "words", [[], ["--table", "ratings"], ["--style", "csv"], ["--json"], ["--json", "--table", "ratings"]]
)
def test_a_stored_comparison_has_no_anchor_that_is_none_of_its_heuristics(arena, stored, words):
    done = arena("show", stored, *words, "--anchor", "smart-awar=1000")
    assert (done.code, done.out) == (2, "")
    assert "'smart-awar': did you mean smart-aware?" in " ".join(done.err.split())


def csv(done):
    assert done.code == 0, done.err
    return pd.read_csv(io.StringIO(done.out))


@pytest.mark.compiles
def test_a_heuristic_that_fails_is_refused_before_a_game_is_played(arena, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def evaluate(own, opp):\n    return 1 // (own < 0)\n")
    done = arena("compare", f"{mine}:evaluate", "zero", "--depth", 1, "--out", tmp_path / "run.sqlite")
    assert (done.code, (tmp_path / "run.sqlite").exists()) == (2, False)
    said = f"heuristic '{mine}:evaluate' fails on the empty board: "
    assert said in done.err
    assert done.err.endswith(" by zero (mine.py, line 2)\n")


@pytest.mark.compiles
def test_a_heuristic_that_prints_is_refused_before_it_prints_millions_of_lines(arena, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def evaluate(own, opp):\n    print(own)\n    return 0\n")
    for search in ([], ["--search", "alphabeta:compiled=no"]):
        done = arena("compare", f"{mine}:evaluate", "zero", "--depth", 1, "--out", tmp_path / "run.sqlite", *search)
        assert (done.code, done.out) == (2, "")
        said = " ".join(done.err.split())
        assert said == f"arena: heuristic '{mine}:evaluate' prints each time that it is called: remove its print"


@pytest.mark.compiles
def test_a_heuristic_without_an_end_is_refused_in_a_line(arena, tmp_path, monkeypatch):
    mine = tmp_path / "mine.py"
    mine.write_text("def evaluate(own, opp):\n    while own >= 0:\n        opp += 1\n    return opp\n")
    monkeypatch.setattr("arena.comparison.trial.SECONDS", 1)
    done = arena("compare", f"{mine}:evaluate", "zero", "--depth", 1, "--out", tmp_path / "run.sqlite")
    assert (done.code, (tmp_path / "run.sqlite").exists()) == (2, False)
    said = " ".join(done.err.split())
    assert f"heuristic '{mine}:evaluate' gives no value within" in said
    assert said.endswith("on the empty board: has it a loop without an end?")
    mine.write_text("while True:\n    pass\ndef evaluate(own, opp):\n    return 0\n")
    monkeypatch.setattr("arena.comparison.trial.LOADING", 1)
    done = arena("compare", f"{mine}:evaluate", "zero", "--depth", 1, "--out", tmp_path / "run.sqlite")
    assert (done.code, "is not loaded within" in done.err) == (2, True)


@pytest.mark.compiles
def test_where_faults_ended_every_game_nothing_is_compared_and_the_exit_code_is_1(arena, tmp_path):
    words = ["--depth", 1, "--rounds", 2, "-j", 1, "-q", "--out", tmp_path / "run.sqlite"]
    mine = tmp_path / "stop.py"
    mine.write_text("def always(own, opp):\n    return 1 // (own < 0)\n")
    with pytest.MonkeyPatch.context() as patch:  # such a heuristic is refused, but others may fail later
        patch.setattr("arena.comparison.trial.refuse_failing", lambda plan: None)
        done = arena("compare", f"{mine}:always", "zero", *words)
    assert done.code == 1
    first = done.out.splitlines()[0]
    assert first.startswith(f"no verdict: every game between {mine}:always and zero at depth 1 ended by a fault of ")
    assert "ZeroDivisionError" in first
    assert f"heuristic={mine}:always (4 games): exception: ZeroDivisionError" in done.err
    assert "arena compare" not in done.out
    several = [*words[:-1], tmp_path / "several.sqlite", "--table", "ratings", "--style", "csv"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.comparison.trial.refuse_failing", lambda plan: None)
        patch.setattr("arena.tournament.tables.time_warnings", lambda frames: ["the times are unsure"])
        done = arena("compare", "zero", "parity", f"{mine}:always", *several)
    assert done.code == 1
    assert {*re.findall(r"zero|parity", done.out)} == {"zero", "parity"}
    faults, times = done.err.splitlines()[:2]
    assert faults.startswith(f"fault of alphabeta:heuristic={mine}:always (8 games)")
    assert times == "the times are unsure"


def test_a_report_of_a_comparison_shows_the_comparison(arena, stored, tmp_path):
    page = tmp_path / "page.html"
    answer = arena("show", stored).out.splitlines()[0]
    assert arena("report", stored, "--out", page).code == 0
    text = page.read_text()
    assert f"<p>{answer}</p>" in text
    assert "Standings of pool" not in text
    assert "<h2>Comparison</h2>" in text
    assert "Connect4 Arena: heuristics compared" in text
