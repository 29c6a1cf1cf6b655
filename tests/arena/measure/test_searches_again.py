"""Searches that are made again: the rows of their profiles, the smallest trees, and the agents that repeat them."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from played import played
from recorded import holds, plain

from agents.agent import Analysis, Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.search import compiled
from agents.specs.registry import parse
from arena.analysis.frames import Frames
from arena.measure import minimal, profile
from arena.measure.minimal import minimal_nodes
from arena.measure.profile import ProfiledMove, Profiler, Repeater, counting_agents, profile_run
from arena.measure.verify import sample
from arena.store.findings import unprofiled_games
from arena.store.run_file import Store

SMALL = Rules(5, 4)
ORDERED = "alphabeta:order=centre,depth=2"


@pytest.mark.skipif(not JIT, reason="too many nodes for plain Python")
def test_the_smallest_trees_of_many_positions(request):
    found = {}
    late = [board for board in sample(90, 5, SMALL) if board.ply >= 10]
    for rules, boards, depths in ((SMALL, late, (1, 3, 6, 10)), (STANDARD, sample(12, 5, STANDARD), (2, 4))):
        for heuristic in ("powers-of-ten", "zero"):
            prepared = compiled.heuristic(heuristic, rules)
            for depth in depths:
                sizes = []
                for board in boards:
                    for normal in (True, False):
                        agent = Searcher(depth=depth, heuristic=heuristic, order="centre", normal_win=normal)
                        searched = agent.choose(board, Limits())
                        sizes.append(
                            minimal_nodes(board, depth, searched.score, prepared, normal_win=normal, limit=500)
                        )
                found[f"{heuristic} to {depth} on {rules}"] = sizes
    assert any(None in sizes for sizes in found.values())
    holds("searches-minimal", found, request)


def test_a_whole_rest_of_a_game_has_a_smallest_tree():
    prepared = compiled.heuristic("zero", SMALL)
    for board in sample(200, 9, SMALL):
        if board.ply >= 16:
            left = 20 - board.ply
            score = Searcher(depth=left, heuristic="zero", order="centre").choose(board, Limits()).score
            sizes = {minimal_nodes(board, depth, score, prepared) for depth in (left, left + 1, left + 9)}
            assert len(sizes) == 1
            assert None not in sizes


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return played(tmp_path_factory.mktemp("run") / "run.sqlite", ORDERED, "alphabeta:nodes=60,order=centre", "greedy",
                  openings="plies:2", rounds=2, rules=SMALL)  # fmt: skip


def test_the_moves_of_a_stored_game_are_made_again(run, monkeypatch, request):
    found = {}
    with Store.read(run) as store:
        agents = counting_agents(store)
        found["counting"] = {number: spec.text for number, spec in agents.items()}
        for share in (1, 1000):
            monkeypatch.setattr(profile, "SAMPLE", share)
            shares = profile._shares(store)
            found[f"shares of {share}"] = shares
            made = [profile._decisions(store, game, shares) for game in (1, 4)]
            found[f"moves of {share}"] = [
                [(each.place, each.board.text, each.nodes, each.depths, each.with_minimal) for each in game]
                for game in made
            ]
        games = unprofiled_games(store, list(agents))
        found["games"] = games
    steps = []
    with Store.resume(run) as store:
        found["lost"] = profile_run(store, agents, games[:3], 1, lambda: steps.append(1))
        found["left"] = unprofiled_games(store, list(agents))
        assert len(steps) == 3
        found["lost"] += profile_run(store, agents, games[3:], 2)
        assert unprofiled_games(store, list(agents)) == []
    table = Frames.read(run).profiles
    found["rows"] = table.to_dict("list")
    holds("searches-again", plain(found), request)


def repeater(limits=Limits(), text=ORDERED):  # noqa: B008  immutable
    found = Repeater(limits)
    found.add({3: parse(text)}, SMALL)
    return found


def decisions(text=ORDERED, limits=Limits(), moves="12", count=3):  # noqa: B008  immutable
    """Return moves of one side as a stored run has them, by searching once."""
    agent, board, made = parse(text).build(), Board.from_moves(moves, SMALL), []
    agent.new_game(0)
    for _ in range(count):
        answer = agent.choose(board, limits)
        depths = [(each.depth, each.nodes) for each in answer.iterations]
        made.append(ProfiledMove(3, board, answer.nodes, depths, with_minimal=True))
        board = board.play(answer.column).play(board.legal_moves()[0])
    return made


def test_what_came_out_otherwise_is_counted_with_all_that_follows():
    own = decisions()
    made = repeater()
    assert [type(agent) for agent in made.made] == [Searcher]
    rows, lost = made.game(own)
    assert (len(rows), lost) == (3, 0)
    assert [row[:2] for row in rows] == [(each.board.ply, 2) for each in own]
    assert all(row[-1] is not None for row in rows)
    unlike = [own[0], replace(own[1], depths=[(2, 1)]), own[2]]
    rows, lost = made.game(unlike)
    assert (len(rows), lost) == (1, 2)
    assert made.game([replace(each, place=4) for each in own]) == ([], 0)
    assert [row[-1] for row in made.game([replace(each, with_minimal=False) for each in own])[0]] == [None] * 3
    made.stopped = True
    assert made.game(own) == ([], 3)
    assert made.free.qsize() == 1


def test_searches_within_a_limit_of_nodes_or_time_end_where_they_did():
    free = "alphabeta:order=centre,nodes=80"
    own = decisions(free)
    assert repeater(Limits(), free).game(own)[1] == 0
    timed, plainer = "alphabeta:order=centre,seconds=60,depth=3", "alphabeta:order=centre,depth=3"
    for limits, text in ((Limits(), timed), (Limits(seconds=60.0), plainer)):
        made, own = repeater(limits, text), decisions(text, limits)
        seconds = made.made[0].limits.seconds
        rows, lost = made.game(own)
        assert (lost, len(rows)) == (0, 9)
        assert made.made[0].limits.seconds == seconds
        short = [replace(each, nodes=3, depths=[]) for each in own]  # the clock ended it before the first depth
        assert made.game(short) == ([], 0)
    few = repeater(Limits(nodes=3), "alphabeta:order=centre,depth=3")
    assert few.game([replace(each, depths=[]) for each in own]) == ([], 0)


@pytest.mark.parametrize("threads", [1, 2])
def test_each_game_is_told_and_kept_under_its_number_and_all_that_was_lost_adds_up(monkeypatch, threads):
    kept, steps = [], []
    monkeypatch.setattr(profile, "findings", SimpleNamespace(
        begin_profile=lambda store: kept.append("begun"), moves_by_agent=lambda store: {},
        add_profile=lambda store, rows: kept.append(rows)))  # fmt: skip
    monkeypatch.setattr(profile, "CHUNK", 2)
    monkeypatch.setattr(profile, "_decisions", lambda store, game, shares: (game, shares))
    monkeypatch.setattr(
        Repeater, "game", lambda self, asked: ([("row", asked[0], place) for place in range(asked[0] % 3)], asked[0])
    )
    store = SimpleNamespace(plan=dict, rules=lambda: SMALL, agents=lambda: ["one", "other"])
    games = [7, 5, 6, 2, 9]
    assert profile_run(store, {}, games, threads, lambda: steps.append(len(kept))) == sum(games)
    rows = [[(game, "row", game, place) for place in range(game % 3)] for game in games]  # none of 6 and 9
    assert (kept, steps) == (["begun", *rows], [2, 3, 4, 5, 6])
    monkeypatch.setattr(Repeater, "game", lambda self, asked: 1 // (asked[0] - 6))
    steps.clear()
    with pytest.raises(ZeroDivisionError):
        profile_run(store, {}, [6], threads, lambda: steps.append(1))
    assert steps == []


def test_both_sides_of_a_game_begin_anew_and_who_cannot_count_has_no_part(monkeypatch):
    made, begun, asked = Repeater(Limits()), [], []
    profilers = {place: SimpleNamespace(agent=f"agent {place}") for place in (2, 5)}
    made.free.put(profilers)
    monkeypatch.setattr(profile, "new_game", lambda agent, seed: begun.append((agent, seed)))

    def search(self, profiler, decision):
        asked.append((profiler.agent, decision.board.ply))
        return [f"{decision.board.ply}, {depth}" for depth in (1, 2)] if decision.nodes else None

    monkeypatch.setattr(Repeater, "_search", search)

    def game(first, second, *, broken=()):
        board, own = Board.from_moves("1", SMALL), []
        for ply in range(1, 7):
            own.append(ProfiledMove(second if ply % 2 else first, board, ply not in broken, [], with_minimal=False))
            board = board.play(ply % 5)
        begun.clear()
        asked.clear()
        return made.game(own)

    even, odd = ([f"{ply}, {depth}" for ply in plies for depth in (1, 2)] for plies in ((2, 4, 6), (1, 3, 5)))
    assert game(2, 5) == (even + odd, 0)
    assert begun == [("agent 2", 0), ("agent 5", 0)]
    assert game(5, 2) == (even + odd, 0)
    assert begun == [("agent 5", 0), ("agent 2", 0)]
    assert game(3, 5) == (odd, 0)
    assert begun == [("agent 5", 0)]
    assert game(2, 2, broken=(1, 4)) == (even[:2], 2 + 3)
    assert (begun, asked) == ([("agent 2", 0)] * 2, [("agent 2", ply) for ply in (2, 4, 1)])
    assert game(2, 3, broken=(6,)) == (even[:4], 1)
    assert (made.game([]), made.free.get_nowait()) == (([], 0), profilers)


@pytest.mark.parametrize(
    ("plan", "limits"),
    [({}, Limits()), ({"nodes": 7, "seconds": None}, Limits(nodes=7)), ({"seconds": 0.5}, Limits(seconds=0.5)),
     ({"nodes": None, "clock": "60+1"}, Limits(seconds=1.0)), ({"nodes": 3, "seconds": 2.0}, Limits(None, 3, 2.0))],
)  # fmt: skip
def test_the_limits_of_a_run_are_those_of_its_plan_and_a_clock_counts_as_one(monkeypatch, plan, limits):
    made, added = [], []
    monkeypatch.setattr(
        profile, "findings", SimpleNamespace(begin_profile=added.append, moves_by_agent=lambda store: {})
    )
    monkeypatch.setattr(profile, "Repeater", lambda given: made.append(Repeater(given)) or made[0])
    store = SimpleNamespace(plan=lambda: plan, rules=lambda: SMALL, agents=list)
    assert profile_run(store, {2: parse(ORDERED)}, [], 3) == 0
    assert (made[0].limits, added, made[0].free.qsize(), len(made[0].made)) == (limits, [store], 3, 3)
    assert made[0].stopped


def test_who_cannot_count_has_no_searches():
    class Other:
        def choose(self, board, limits):
            return Analysis(0)

    profiler = Profiler(Other(), "other")
    assert (profiler.counts, profiler.search(Board(), Limits(depth=2))) == (None, [])
    own = Profiler(Searcher(depth=3), "mine")
    first = own.search(Board.from_moves("12", SMALL), Limits())
    second = own.search(Board.from_moves("12", SMALL), Limits())
    assert [(each.depth, each.nodes) for each, _ in first] == [(each.depth, each.nodes) for each, _ in second]
    assert first[-1][1] == second[-1][1]  # it counts from the beginning of a move
    assert minimal.MOST_POSITIONS == 1_000_000
