from functools import partial

import pytest
from played import played as run_of

import arena as api
from agents.agent import Limits
from agents.board import Board, Rules
from agents.jit.compiler import JIT
from agents.search import compiled
from agents.specs.registry import parse
from arena.analysis.effort import PHASES, ProfiledEffort, effort, phases
from arena.analysis.frames import Frames
from arena.measure import profile
from arena.measure.minimal import minimal_nodes
from arena.measure.profile import counting_agents, profile_run
from arena.play.extend import Growth
from arena.play.run import Run
from arena.play.workers import InProcess
from arena.rows import names
from arena.store.findings import unprofiled_games
from arena.store.run_file import Store

SMALL = Rules(5, 4)
FIELD = ("alphabeta:depth=3,order=centre", "alphabeta:depth=4,table=on,deepening=on", "greedy", "random")


@pytest.fixture
def played(tmp_path):
    return partial(run_of, tmp_path / "run.sqlite", openings="plies:2", rules=SMALL)


def look(path, threads=2):
    with Store.resume(path) as store:
        agents = counting_agents(store)
        return profile_run(store, agents, unprofiled_games(store, list(agents)), threads)


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
    assert frames.profiles[keys].to_numpy().tolist() == expected[keys].to_numpy().tolist()


def test_searches_that_the_clock_ended_are_ended_at_the_same_node(played):
    path = played("alphabeta:seconds=0.003,table=on", "greedy", rules=Rules())
    assert look(path) == 0
    for row in effort(Frames.read(path)):
        if row.agent != "greedy":
            assert row.inner + row.leaves + row.table_cutoffs == pytest.approx(row.nodes)


def test_effort_has_the_means_and_null_for_agents_that_cannot_count(played):
    path = played(*FIELD)
    assert not isinstance(effort(Frames.read(path))[0], ProfiledEffort)
    look(path)
    rows = effort(Frames.read(path))
    assert all(isinstance(row, ProfiledEffort) for row in rows)
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
    prepared = compiled.heuristic("powers-of-ten", SMALL)
    games = dict(zip(frames.games["game"], frames.games["moves"], strict=True))
    agent = parse(FIELD[0]).build()
    for row in frames.profiles.itertuples():
        board = Board.from_moves(games[row.game][: row.ply], SMALL)
        score = agent.choose(board, Limits()).score
        assert row.minimal_nodes == minimal_nodes(board, row.depth, score, prepared)


def test_of_many_moves_only_a_sample_has_minimal_trees(played, monkeypatch):
    monkeypatch.setattr(profile, "SAMPLE", 5)
    path = played(FIELD[0], "greedy", rounds=4)
    look(path)
    inside = Frames.read(path).profiles
    assert 0 < inside["minimal_nodes"].notna().sum() < len(inside) / 2


def test_what_was_looked_into_is_not_looked_into_again_and_replayed_games_are(played):
    path = played(*FIELD[:3])
    look(path)
    before = len(Frames.read(path).profiles)
    with Store.read(path) as store:
        assert unprofiled_games(store, list(counting_agents(store))) == []
    run = Run.resume(path, Growth(replay=(FIELD[0],)))
    with run.store:
        left = len(Frames.read(path).profiles)
        assert 0 < left < before
        run.play(InProcess())
    look(path)
    assert len(Frames.read(path).profiles) == before


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


@pytest.mark.skipif(not JIT, reason="takes long as plain Python")
def test_python_has_it_too(tmp_path):
    found = api.run((*FIELD[:1], "greedy"), rounds=1, openings="plies:2", out=tmp_path / "run.sqlite", why=True)
    assert list(found.effort.columns) == names(ProfiledEffort)
    assert set(found.phases["phase"]) <= set(PHASES)
