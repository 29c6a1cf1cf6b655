import json
import signal

import pytest

import arena as api
from agents.agent import Limits
from agents.board import Board, Rules
from agents.jit.compiler import JIT
from agents.registry import parse
from agents.search import parts
from agents.search.minimal import minimal_nodes
from arena.analysis.effort import InspectedEffort, effort
from arena.analysis.frames import Frames
from arena.analysis.phases import PHASES, phases
from arena.analysis.rows import names
from arena.cli.options import INTERRUPTED
from arena.measure import why
from arena.measure.why import counting, look_into, missing
from arena.play.growth import Growth
from arena.play.merge import merge
from arena.play.plan import Plan
from arena.play.tournament import Run
from arena.play.workers import InProcess
from arena.store.store import Store

SMALL = Rules(5, 4)
FIELD = ("alphabeta:depth=3,order=centre", "alphabeta:depth=4,table=on,deepening=on", "greedy", "random")


@pytest.fixture
def played(tmp_path):
    def play(*agents, rounds=2, rules=SMALL, **plan):
        run = Run.begin(Plan(agents, openings="plies:2", rounds=rounds, rules=rules, **plan), tmp_path / "run.sqlite")
        with run.store:
            run.play(InProcess())
        return run.store.path

    return play


def look(path, threads=2):
    with Store.resume(path) as store:
        agents = counting(store)
        return look_into(store, agents, missing(store, list(agents)), threads)


@pytest.mark.parametrize(
    "agents", [FIELD, (FIELD[1], FIELD[1]), ("alphabeta:nodes=150,table=on", "minimax:depth=2", "mollerhoj:depth=2")]
)
def test_every_stored_search_is_made_again_node_for_node(played, agents):
    path = played(*agents)
    assert look(path) == 0
    frames = Frames.read(path)
    able = [name for name in frames.agents["name"] if not name.startswith(("greedy", "random"))]
    keys = ["game", "ply", "agent", "depth", "nodes"]
    expected = frames.searches[frames.searches["agent"].isin(able) & (frames.searches["depth"] > 0)]
    assert frames.inside[keys].to_numpy().tolist() == expected[keys].to_numpy().tolist()


def test_searches_that_the_clock_ended_are_ended_at_the_same_node(played):
    path = played("alphabeta:seconds=0.003,table=on", "greedy", rules=Rules())
    assert look(path) == 0
    for row in effort(Frames.read(path)):
        if row.agent != "greedy":
            assert row.inner + row.leaves + row.table_cutoffs == pytest.approx(row.nodes)


def test_effort_has_the_means_and_null_for_agents_that_cannot_count(played):
    path = played(*FIELD)
    assert not isinstance(effort(Frames.read(path))[0], InspectedEffort)
    look(path)
    rows = effort(Frames.read(path))
    assert all(isinstance(row, InspectedEffort) for row in rows)
    for row in rows:
        if row.agent in FIELD[:2]:
            assert row.inner + row.leaves + row.table_cutoffs == pytest.approx(row.nodes)
            assert len(row.cutoffs) == SMALL.columns
        else:
            assert row.inner is row.cutoffs is row.over_minimal is None


def test_a_minimal_tree_is_that_of_its_position(played):
    path = played(FIELD[0], "greedy")
    look(path)
    frames = Frames.read(path)
    prepared = parts.heuristic("powers-of-ten", SMALL)
    games = dict(zip(frames.games["game"], frames.games["moves"], strict=True))
    agent = parse(FIELD[0]).build()
    for row in frames.inside.itertuples():
        board = Board.from_moves(games[row.game][: row.ply], SMALL)
        score = agent.choose(board, Limits()).score
        assert row.minimal_nodes == minimal_nodes(board, row.depth, score, prepared)


def test_of_many_moves_only_a_sample_has_minimal_trees(played, monkeypatch):
    monkeypatch.setattr(why, "SAMPLE", 5)
    path = played(FIELD[0], "greedy", rounds=4)
    look(path)
    inside = Frames.read(path).inside
    assert 0 < inside["minimal_nodes"].notna().sum() < len(inside) / 2


def test_what_was_looked_into_is_not_looked_into_again_and_replayed_games_are(played):
    path = played(*FIELD[:3])
    look(path)
    before = len(Frames.read(path).inside)
    with Store.read(path) as store:
        assert missing(store, list(counting(store))) == []
    run = Run.resume(path, Growth(replay=(FIELD[0],)))
    with run.store:
        left = len(Frames.read(path).inside)
        assert 0 < left < before
        run.play(InProcess())
    look(path)
    assert len(Frames.read(path).inside) == before


def test_a_heuristic_that_answers_otherwise_is_not_taken_for_the_same_search(played, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def evaluate(own, opp):\n    return own % 7 - opp % 5\n", encoding="utf-8")
    path = played(f"alphabeta:depth=3,compiled=no,heuristic={mine}:evaluate", FIELD[0], rounds=1)
    mine.write_text("def evaluate(own, opp):\n    return opp % 9 - own % 3\n", encoding="utf-8")
    assert look(path) > 0
    assert effort(Frames.read(path))[0].inner is None


def test_phases_are_thirds_of_the_cells(played):
    path = played(*FIELD[:3])
    look(path)
    frames = Frames.read(path)
    rows = phases(frames)
    for row in rows:
        group = frames.searches[(frames.searches["agent"] == row.agent) & (frames.searches["depth"] == row.depth)]
        low = PHASES.index(row.phase) * 20 / 3
        group = group[(group["ply"] >= low) & (group["ply"] < low + 20 / 3)]
        assert (row.searches, row.nodes) == (len(group), pytest.approx(group["nodes"].mean()))
    assert {row.phase for row in rows} == set(PHASES)
    assert all((row.cut_share is None) == (row.agent == "greedy") for row in rows)
    assert sum(row.searches for row in rows) == (frames.searches["depth"] > 0).sum()


def test_the_command_stores_it_and_show_says_it(arena, tmp_path):
    file = str(tmp_path / "run.sqlite")
    words = ("alphabeta:depth=3", "greedy", "--rounds", "1", "--board", "5x4x4", "--openings", "plies:2")
    assert arena("run", *words, "--why", "--quiet", "--out", file).code == 0
    document = json.loads(arena("show", file, "--json").out)
    [row] = [row for row in document["effort"] if row["agent"] != "greedy"]
    assert row["inner"] + row["leaves"] + row["table_cutoffs"] == pytest.approx(row["nodes"])
    assert row["over_minimal"] >= 1
    assert {row["phase"] for row in document["phases"]} <= set(PHASES)
    text = arena("show", file).out
    assert "Inside the search" in text
    assert text.count("Effort by phase") == 1
    assert arena("show", file, "--table", "phases").out.count("Effort by phase") == 1
    assert arena("export", file, str(tmp_path / "tables")).code == 0
    lines = (tmp_path / "tables" / "phases.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + len(document["phases"])


def test_a_run_that_was_not_looked_into_has_phases_where_they_are_asked_for(arena, tmp_path):
    file = str(tmp_path / "run.sqlite")
    words = ("alphabeta:depth=2", "greedy", "--rounds", "1", "--board", "5x4x4", "--openings", "plies:2")
    text = arena("run", *words, "--quiet", "--out", file).out
    assert "Effort by phase" not in text
    assert arena("show", file, "--table", "phases").out.count("Effort by phase") == 1
    again = arena("run", "--resume", file, "--why", "--quiet")
    assert again.code == 0
    assert "Inside the search" in again.out


@pytest.mark.skipif(not JIT, reason="takes long as plain Python")
def test_python_has_it_too(tmp_path):
    found = api.run((*FIELD[:1], "greedy"), rounds=1, openings="plies:2", out=tmp_path / "run.sqlite", why=True)
    assert list(found.effort.columns) == names(InspectedEffort)
    assert set(found.phases["phase"]) <= set(PHASES)


def inside(path):
    query = (
        "SELECT key, ply, depth, inner, leaves, table_cutoffs, cutoffs, probes, hits, minimal_nodes"
        " FROM inside JOIN game ON game.id = game ORDER BY key, ply, depth"
    )
    with Store.read(path) as store:
        return store.select(query)[1]


def test_what_runs_were_looked_into_for_comes_along_when_they_are_merged(tmp_path):
    agents = ("alphabeta:depth=2", "minimax:depth=2", "greedy")
    paths = []
    for name, pair in (("a", agents[:2]), ("b", agents[1:])):
        paths.append(tmp_path / f"{name}.sqlite")
        plan = Plan(agents, openings="plies:2", rounds=1, rules=SMALL, pairs=(pair,))
        run = Run.begin(plan, paths[-1])
        with run.store:
            run.play(InProcess())
    one, other = paths
    look(one)
    out = tmp_path / "c.sqlite"
    merge([other, one, one], out)
    assert inside(out) == inside(one) != []
    with Store.read(out) as store:
        assert len(missing(store, list(counting(store)))) == 2  # those that nobody has looked into
    look(other)
    look(out)
    assert inside(out) == sorted(inside(one) + inside(other))


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="not as Windows interrupts")
def test_ctrl_c_while_searches_are_looked_into_loses_nothing_and_resuming_goes_on(arena, tmp_path, monkeypatch):
    path, ended = tmp_path / "run.sqlite", []
    game = why.Again.game

    def interrupted(again, decisions):
        ended.append(decisions)
        if len(ended) == 3:
            signal.raise_signal(signal.SIGINT)
        return game(again, decisions)

    monkeypatch.setattr(why.Again, "game", interrupted)
    monkeypatch.setattr(why, "TOGETHER", 1)
    words = [
        "alphabeta:depth=2",
        "greedy",
        "--rounds",
        "4",
        "--board",
        "5x4x4",
        "--openings",
        "plies:2",
        "--why",
        "--quiet",
        "-j",
        "1",
    ]
    answer = arena("run", *words, "--out", path)
    assert answer.code == INTERRUPTED
    assert f"arena run --resume {path} --why" in " ".join(answer.err.split())
    before = inside(path)
    assert {key for key, *_ in before}
    with Store.read(path) as store:
        stored = store.select("SELECT * FROM move")[1]
        assert store.value("SELECT count(*) FROM game") == 8
        assert 0 < len(missing(store, list(counting(store)))) < 8
    monkeypatch.undo()
    assert arena("run", "--resume", path, "--why", "--quiet", "-j", "1").code == 0
    with Store.read(path) as store:
        assert missing(store, list(counting(store))) == []
        assert store.select("SELECT * FROM move")[1] == stored
    assert set(before) <= set(inside(path))
