import io
import json
import re

import pandas as pd
import pytest
from command import STYLES
from hand_made import pairs_of, run_of

import arena as api
from arena.plugins.counts import python
from arena.plugins.counts import tables as report
from arena.statistics.pool import PoolGame
from arena.statistics.ratings import rate

CIRCLE = "a,b,wins,draws,losses\nA,B,7,0,3\nA,C,8,0,2\nB,C,6,0,4\n"
KEYS = ["agent", "elo", "low", "high", "games", "score"]


@pytest.fixture
def circle(tmp_path):
    path = tmp_path / "circle.csv"
    path.write_text(CIRCLE)
    return path


def document(done):
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_the_known_circle_of_three_comes_out(arena, circle):
    rows = document(arena("rate", circle, "--json"))
    assert [row["agent"] for row in rows] == ["A", "B", "C"]
    assert [round(row["elo"], 2) for row in rows] == [128.65, -25.90, -102.75]
    assert [round(row["high"] - row["elo"], 2) for row in rows] == [117.95, 107.77, 113.63]
    assert [list(row)[:6] for row in rows] == [KEYS] * 3
    assert [(row["games"], row["score"], row["marked"]) for row in rows] == [
        (20, 0.75, False), (20, 0.45, False), (20, 0.3, False),
    ]  # fmt: skip


def test_a_gauntlet_is_not_rated_by_its_aggregate_score(arena, tmp_path):
    path = tmp_path / "gauntlet.csv"
    path.write_text("a,b,wins,draws,losses\nhero,weak,18,0,2\nhero,strong,10,0,10\n")
    assert [round(row["elo"], 2) for row in document(arena("rate", path, "--json"))] == [127.23, 127.23, -254.46]


def test_a_perfect_scorer_is_marked(arena, tmp_path):
    path = tmp_path / "perfect.csv"
    path.write_text("a,b,wins,draws,losses\nA,B,10,0,0\nA,C,8,0,0\nB,C,6,0,4\n")
    assert [row["marked"] for row in document(arena("rate", path, "--json"))] == [True, False, False]
    done = arena("rate", path)
    assert "+634 *" in done.out.splitlines()[3]
    assert done.out.partition("\n\n")[0].count("*") == 1
    assert "Elo: * where all points were won or all lost" in done.out


@pytest.mark.parametrize("style", STYLES)
def test_every_style_has_every_agent(arena, circle, style):
    done = arena("rate", circle, "--style", style)
    assert done.code == 0
    assert style == "csv" or "Ratings" in done.out
    rows = [re.search(r"\b[ABC]\b", line) for line in done.out.splitlines()]
    assert [row[0] for row in rows if row] == ["A", "B", "C"]


def test_csv_has_the_full_numbers(arena, circle):
    table = pd.read_csv(io.StringIO(arena("rate", circle, "--style", "csv").out))
    assert list(table["agent"]) == ["A", "B", "C"]
    assert table["elo"][0] == pytest.approx(128.65, abs=0.005)
    assert list(table["marked"]) == [False] * 3


def test_a_run_is_rated_with_the_first_move_and_by_its_openings(arena, tmp_path):
    ends = ["11", "10", "=1", "1=", "00", "11", "10", "11", "=0", "11", "10", "1="]
    agents = ["alphabeta:depth=2", "random"]
    path = run_of(tmp_path / "run.sqlite", agents, pairs_of(*ends), openings=[str(number) for number in range(12)])
    done = arena("rate", path)
    assert done.out.splitlines()[0] == "Ratings"
    assert "no advantage of moving first is shown (" in done.err
    rows = document(arena("rate", path, "--json"))
    shown = document(arena("show", path, "--json"))["standings"]
    assert [(row["agent"], row["elo"], row["low"], row["high"]) for row in rows] == [
        (row["agent"], row["elo"], row["low"], row["high"]) for row in shown
    ]


def test_pools_that_never_met_are_named(arena, tmp_path):
    games = [*pairs_of("11", one=0, two=1), *pairs_of("11", one=2, two=3)]
    path = run_of(tmp_path / "run.sqlite", ["random", "greedy", "minimax", "alphabeta"], games)
    done = arena("rate", path)
    assert (done.code, done.out) == (2, "")
    assert done.err == "arena: the pool falls into 2 parts that never met: alphabeta, minimax | greedy, random\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("no.csv", None, "there is no file"),
        ("no.sqlite", None, "there is no file"),
        ("empty.csv", "", "there is no column 'a'"),
        ("some.csv", "a,b,wins,losses\nA,B,1,2\n", "there is no column 'draws'"),
        ("bad.csv", "a,b,wins,draws,losses\nA,B,1,2,many\n", "line 2: it is not two names and three counts"),
        ("parts.csv", "a,b,wins,draws,losses\nA,B,1,0,1\nC,D,1,0,1\n", "2 parts that never met: A, B | C, D"),
        ("text.sqlite", "hello", "is not the record of a run"),
    ],
)
def test_what_cannot_be_rated_is_one_line(arena, tmp_path, name, text, message):
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    done = arena("rate", path)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_a_rating_stands_as_in_the_standings(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    run_of(path, ["greedy", "random"], pairs_of("11", "10", "=0", "00"), openings=["1", "2", "3", "4"])
    header, _, rated, *_ = arena("rate", path).out.splitlines()[1:]
    shown = arena("show", path, "--table", "standings").out.splitlines()
    assert header.split()[:4] == ["agent", "Elo", "95", "%"]
    assert re.split(r"\s{2,}", rated)[:3] in [re.split(r"\s{2,}", line)[1:4] for line in shown]


def test_an_anchor_has_the_rating_that_it_is_given(arena, circle):
    lines = ["", "Elo: C is 1000", "with 95 % confidence the best is A or B"]
    assert arena("rate", circle, "--anchor", "C=1000").err.split("\n")[:3] == lines
    assert arena("rate", circle).err.split("\n")[1] == "Elo: 0 is the mean of all agents"
    assert arena("rate", circle, "--anchor", "C=1000", "--json").err == ""
    rows = {row["agent"]: row for row in document(arena("rate", circle, "--json", "--anchor", "C=1000"))}
    assert rows["C"]["low"] == rows["C"]["elo"] == rows["C"]["high"] == 1000
    assert round(rows["A"]["elo"], 2) == round(1000 + 128.65 + 102.75, 2)


def test_an_anchor_holds_for_a_result_as_for_its_file(tmp_path):
    path = run_of(tmp_path / "run.sqlite", ["greedy", "random"], pairs_of("11", "10", "=0", "00"))
    for run in (path, api.load(path)):
        rows = python.rate(run, anchor=("random", 250.0)).set_index("agent")
        assert list(rows.loc["random", ["low", "elo", "high"]]) == [250.0, 250.0, 250.0]
        assert rows.loc["greedy", "elo"] < 250.0


@pytest.mark.parametrize("style", [(), ("--json",), ("--style", "csv")])
def test_a_figure_is_written_in_every_style(arena, circle, tmp_path, style):
    done = arena("rate", circle, "--plot", tmp_path / "rated.svg", *style)
    assert (done.code, "<svg" in (tmp_path / "rated.svg").read_text(encoding="utf-8")) == (0, True)
    assert "--json" not in style or len(json.loads(done.out)) == 3


def test_a_figure_has_every_agent(circle):
    axes = api.plot(python.rate(circle))
    assert sorted(label.get_text() for label in axes.get_yticklabels()) == ["A", "B", "C"]


def test_the_last_equals_sign_parts_an_anchor(arena, tmp_path):
    agents = ["alphabeta:depth=1,order=centre", "alphabeta:depth=2"]
    run = run_of(tmp_path / "run.sqlite", agents, pairs_of("11", "10", "=0", "00"))
    for command in ("rate", "show"):
        done = arena(command, run, "--anchor", f"{agents[0]}=-20.5", "--json")
        found = json.loads(done.out)
        rows = found["standings"] if command == "show" else found
        assert {row["elo"] for row in rows if row["agent"] == agents[0]} == {-20.5}


@pytest.mark.parametrize(
    ("anchor", "message"),
    [
        ("C", "'C' is not an agent and its rating"),
        ("=0", "'=0' is not an agent and its rating"),
        ("C=nan", "'C=nan' is not an agent and its rating"),
        ("D=0", "'D'"),
    ],
)
def test_an_anchor_that_is_none_is_one_line(arena, circle, anchor, message):
    done = arena("rate", circle, "--anchor", anchor)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_games_of_pgn_tell_what_moving_first_is_worth(arena, tmp_path):
    games = [("A", "B", "1-0"), ("B", "A", "1-0"), ("C", "A", "1-0"), ("B", "C", "1-0"), ("A", "C", "0-1")] * 8
    games += [("B", "A", "1/2-1/2"), ("A", "B", "0-1")]
    path = tmp_path / "games.pgn"
    path.write_text("".join(f'[White "{a}"]\n[Black "{b}"]\n[Result "{won}"]\n\n{won}\n\n' for a, b, won in games))
    done = arena("rate", path)
    assert "moving first is worth" in done.err
    expected = rate([PoolGame(a, b, None, {"1-0": 1.0, "0-1": 0.0}.get(won, 0.5)) for a, b, won in games])
    assert [row["elo"] for row in document(arena("rate", path, "--json"))] == [r.elo.value for r in expected.ratings]
    path.write_text(path.read_text() + path.read_text().replace('"A"', '"twin"'))
    path.write_text(re.sub(r"\n\n(.+)\n\n", r"\n\n1. P@d1 \1\n\n", path.read_text()))
    assert "twin plays exactly as A" in arena("rate", path).err


def test_the_basis_of_the_intervals_is_told():
    assert report.pool_parts([], "score intervals")[1:] == ["95 %: score intervals"]
