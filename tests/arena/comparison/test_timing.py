import contextlib
import errno
import os
import statistics
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hand_made import FIRST, decision, frames, stored

from agents.agent import Analysis
from agents.board import Board, Rules
from agents.players.simple import Greedy
from arena.comparison import timing
from arena.comparison.timing import one_core, sample, time_alone
from arena.games.plan import Plan
from arena.games.progress import cores
from arena.games.referee import begin
from arena.games.run import Run
from arena.games.workers import InProcess
from arena.records import Termination
from arena.tournament.effort import ratio

SMALL = Rules(4, 4)
FIELD = ("alphabeta:depth=2", "greedy", "random")


@pytest.fixture
def played(tmp_path):
    def play(*agents, **plan):
        run = Run.begin(Plan(agents, openings="plies:2", rounds=2, rules=SMALL, **plan), tmp_path / "run.sqlite")
        run.play(InProcess())
        return run

    return play


def test_all_agents_search_the_same_positions_by_turns(played, monkeypatch):
    monkeypatch.setattr(timing, "POSITIONS", 5)
    run = played(*FIELD)
    time_alone(run)
    found = frames(run.store.path)
    positions = sample(found, run.plan)
    assert len(positions) == len(set(positions)) == 5
    times = found.table("times").groupby(["position", "agent"])["turn"].apply(list)
    assert dict(times.items()) == {
        (position, agent): list(range(timing.TURNS)) for position in positions for agent in FIELD
    }
    nodes = found.table("times")[found.table("times")["agent"] == FIELD[0]].groupby("position")["nodes"]
    assert (nodes.nunique() == 1).all(), "each search begins with a cleared memory"
    time_alone(run)
    run.store.close()
    assert len(frames(run.store.path).table("times")) == 5 * len(FIELD) * timing.TURNS, "the old searches are replaced"


@pytest.mark.parametrize("at", [0, 20])
def test_an_interruption_leaves_the_times_that_were_stored(played, monkeypatch, at):
    monkeypatch.setattr(timing, "POSITIONS", 5)
    run = played(*FIELD)
    time_alone(run)
    before = run.store.select("SELECT * FROM timing")[1]
    calls, decide = iter(range(at)), timing.decide

    def interrupted(*rest):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return decide(*rest)

    monkeypatch.setattr(timing, "decide", interrupted)
    with run.store, pytest.raises(KeyboardInterrupt):
        time_alone(run)
    found = frames(run.store.path).table("times")
    assert len(before) == len(found) == 5 * len(FIELD) * timing.TURNS


def test_turns_go_round_the_agents(played, monkeypatch):
    run = played(*FIELD)
    asked = []
    decide = timing.decide
    monkeypatch.setattr(timing, "decide", lambda agent, *rest: asked.append(agent) or decide(agent, *rest))
    monkeypatch.setattr(timing, "POSITIONS", 2)
    time_alone(run)
    run.store.close()
    assert len(asked) == 3 + 3 * 2 * timing.TURNS
    assert all(asked[place] is asked[place % 3] for place in range(len(asked)))


def test_the_positions_are_of_the_agents_own_moves_whatever_the_order_of_the_games(played):
    run = played(*FIELD)
    run.store.close()
    found = frames(run.store.path)
    positions = sample(found, run.plan)
    assert all(Board.from_moves(text, SMALL).outcome is None and len(text) >= 2 for text in positions)
    shuffled = found.moves.sample(frac=1.0, random_state=1)
    assert sample(frames(run.store.path), run.plan) == positions
    object.__setattr__(found, "moves", shuffled)
    assert sample(found, run.plan) == positions


def test_agents_that_made_no_move_search_nothing():
    assert timing._time(SimpleNamespace(plan=Plan(FIELD)), None, [0, 1], []) == []


@pytest.mark.parametrize("columns", [10, 11])
def test_positions_of_a_wide_board_are_texts_that_it_reads(tmp_path, columns):
    text, rules = f"{columns},1,10,2,{columns},3", Rules(columns, 4)
    games = [(0, 1, 0, text, FIRST, Termination.LINE, tuple(decision(ply, 1, 5, 0.1) for ply in (2, 3, 4, 5)))]
    path = stored(tmp_path / "wide.sqlite", ("greedy", "random"), games, openings=[text[:4]],
                  rules={"columns": columns, "rows": 4, "connect": 4})  # fmt: skip
    found = sample(frames(path), Plan(("greedy", "random"), rules=rules))
    assert sorted(found) == [text[:length] for length in (4, 7, 9, 12)]
    assert [Board.from_moves(each, rules).ply for each in sorted(found)] == [2, 3, 4, 5]


def test_the_load_of_the_machine_is_that_of_the_times_and_a_mistake_of_ours_is_no_fault(played, monkeypatch):
    run = played("greedy", "random")
    monkeypatch.setattr(timing, "POSITIONS", 1)
    time_alone(run)
    assert run.store.select("SELECT what, count(*) FROM load GROUP BY what")[1] == [("games", 1), ("times", 1)]
    monkeypatch.setattr(timing, "decide", lambda *_: {}["mistake"])
    with run.store, pytest.raises(KeyError):
        time_alone(run)


def test_ctrl_c_stops_the_search_of_whoever_is_timed(played, monkeypatch):
    monkeypatch.setattr(timing, "POSITIONS", 2)
    heard, asked, decide = [], [], timing.decide
    monkeypatch.setattr(timing, "stoppable", lambda agents: heard.append(agents) or contextlib.nullcontext())
    monkeypatch.setattr(timing, "decide", lambda *rest: asked.append(rest[0] in heard[0]) or decide(*rest))
    run = played(*FIELD)
    time_alone(run)
    run.store.close()
    assert len(heard) == 1
    assert asked == [True] * len(asked) != []


def test_a_pool_whose_time_is_over_has_been_searched_in_part(played, monkeypatch):
    monkeypatch.setattr(timing, "BUDGET", 0.0)
    run = played(*FIELD)
    time_alone(run)
    run.store.close()
    found = frames(run.store.path).table("times")
    assert (found["position"].nunique(), set(found["turn"]), len(found)) == (1, {0}, 3)


def test_each_pool_searches_its_own_positions_and_one_alone_none(played, monkeypatch):
    monkeypatch.setattr(timing, "POSITIONS", 4)
    agents = ("alphabeta:depth=1", "alphabeta:depth=2", "alphabeta:depth=1,order=centre",
              "alphabeta:depth=2,order=centre", "alphabeta:seconds=0.001", "greedy")  # fmt: skip
    run = played(*agents, pairs=((agents[0], agents[1]), (agents[3], agents[2]), (agents[4], agents[5])))
    asked, expected, decide = [], [], timing.decide
    monkeypatch.setattr(timing, "decide", lambda *given: asked.append(given[1].text) or decide(*given))
    time_alone(run)
    run.store.close()
    found = frames(run.store.path)
    pools = agents[:2], agents[2:4]
    assert set(found.table("times")["agent"]) == set(agents[:4])
    for members in pools:
        own = found.table("times")[found.table("times")["agent"].isin(members)]
        positions = sample(found.only(members), run.plan)
        assert len(positions) == 4
        games = found.games[found.games["first"].isin(members)]
        assert all(any(text.startswith(each) for text in games["moves"]) for each in positions)
        rows = set(own[["position", "agent", "turn"]].itertuples(index=False, name=None))
        assert rows == {
            (position, agent, turn) for turn in range(timing.TURNS) for position in positions for agent in members
        }
        expected += [positions[0]] * 2 + [position for position in positions for _ in members] * timing.TURNS
    assert asked == expected
    assert sample(found.only(pools[0]), run.plan) != sample(found.only(pools[1]), run.plan)


@pytest.mark.parametrize("seed", [1, 4])
def test_the_seed_of_the_run_draws_the_positions_and_begins_each_search(played, monkeypatch, seed):
    run = played(*FIELD, seed=seed)
    monkeypatch.setattr(timing, "POSITIONS", 6)
    seeds = []
    monkeypatch.setattr(timing, "begin", lambda agent, seed: seeds.append(seed) or begin(agent, seed))
    time_alone(run)
    run.store.close()
    found = frames(run.store.path)
    assert set(seeds) == {seed}
    every = {text[:ply] for text in found.games["moves"] for ply in range(2, len(text))}
    positions = sample(found, run.plan)
    assert set(positions) <= every
    assert sample(found, replace(run.plan, seed=9)) != positions


def test_an_agent_that_answers_now_and_then_is_asked_to_the_end(played, monkeypatch):
    run, calls, choose = played(*FIELD), [], Greedy.choose

    def choosing(self, board, limits):
        calls.append(board.text)
        return Analysis(99) if len(calls) % 4 else choose(self, board, limits)

    monkeypatch.setattr(Greedy, "choose", choosing)
    monkeypatch.setattr(timing, "POSITIONS", 4)
    time_alone(run)
    run.store.close()
    times = frames(run.store.path).table("times")
    assert len(calls) == 1 + 4 * timing.TURNS
    assert (times["agent"] == "greedy").sum() == timing.TURNS


def test_who_moves_by_the_clock_is_not_timed(played):
    run = played("alphabeta:seconds=0.001", "greedy", "random")
    time_alone(run)
    run.store.close()
    assert set(frames(run.store.path).table("times")["agent"]) == {"greedy", "random"}


def test_a_run_by_the_clock_has_nothing_to_time(played):
    run = played("greedy", "random", seconds=0.5)
    time_alone(run)
    run.store.close()
    assert frames(run.store.path).table("times").empty


@pytest.mark.parametrize(("fails", "asked"), [(range(10**6), 1 + timing.HOPELESS), (range(5), 4 * timing.TURNS + 1)])
def test_an_agent_that_fails_has_no_time_and_is_soon_asked_no_more(played, monkeypatch, fails, asked):
    run, calls, choose = played(*FIELD), [], Greedy.choose

    def failing(self, board, limits):
        calls.append(board)
        return Analysis(99) if len(calls) - 1 in fails else choose(self, board, limits)

    monkeypatch.setattr(Greedy, "choose", failing)
    monkeypatch.setattr(timing, "POSITIONS", 4)
    time_alone(run)
    run.store.close()
    times = frames(run.store.path).table("times")
    assert len(calls) == asked
    assert (times["agent"] == "greedy").sum() == max(0, asked - len(fails))
    assert (times["agent"] == FIELD[0]).sum() == 4 * timing.TURNS


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system does not tell")
def test_searches_keep_to_one_core_and_leave_it_after_a_fault():
    before = os.sched_getaffinity(0)

    def fail():
        with one_core():
            assert len(os.sched_getaffinity(0)) == 1
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert os.sched_getaffinity(0) == before


def test_where_the_system_lets_nobody_choose_a_core_searches_run_on_any(monkeypatch):
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    with pytest.raises(KeyboardInterrupt), one_core():
        raise KeyboardInterrupt


@pytest.mark.parametrize("may_use", [{2, 5}, {0}, {3}])
def test_all_searches_share_one_of_the_cores_that_this_process_may_use(played, monkeypatch, may_use):
    run, now, used, decide = played(*FIELD), set(may_use), [], timing.decide

    def keep_to(process, cores):
        if process != 0 or not cores & may_use:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        now.clear()
        now.update(cores & may_use)

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(now), raising=False)
    monkeypatch.setattr(os, "sched_setaffinity", keep_to, raising=False)
    monkeypatch.setattr(timing, "decide", lambda *given: used.append(tuple(now)) or decide(*given))
    monkeypatch.setattr(timing, "POSITIONS", 2)
    time_alone(run)
    run.store.close()
    assert len(used) == 3 + 3 * 2 * timing.TURNS
    assert [len(cores) for cores in set(used)] == [1], "the same for all, and alone"
    assert now == may_use


@pytest.mark.all_cores
@pytest.mark.parametrize(("agent", "plan"), [("alphabeta:seconds=1", {}), ("alphabeta:depth=1", {"seconds": 1.0})])
def test_a_game_by_the_clock_has_a_core_of_its_own(played, agent, plan):
    run = played(agent, "greedy", **plan)
    run.store.close()
    assert run.processes(64) == cores(None)
    assert run.processes(1) == 1


@pytest.mark.all_cores
@pytest.mark.parametrize(("agent", "plan"), [("alphabeta:seconds=1", {}), ("alphabeta:depth=1", {"seconds": 1.0})])
def test_games_by_the_clock_are_played_one_at_a_time_unless_asked(played, agent, plan, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3})
    run = played(agent, "greedy", **plan)
    run.store.close()
    assert (run.processes(None), run.processes(3)) == (1, 3)


@pytest.mark.all_cores
def test_other_games_may_share_a_core(played):
    run = played("alphabeta:depth=1", "greedy")
    run.store.close()
    assert run.processes(64) == 64
    assert run.processes(None) == cores(None)


@pytest.mark.slow
def test_ten_repetitions_of_a_comparison_agree(tmp_path):
    found = []
    for number in range(10):
        plan = Plan(("alphabeta:depth=5,heuristic=smart-aware", "alphabeta:depth=5,heuristic=powers-of-ten"), rounds=30)
        run = Run.begin(plan, tmp_path / f"{number}.sqlite")
        with run.store:
            run.play(InProcess())
            time_alone(run)
        found.append(ratio(frames(tmp_path / f"{number}.sqlite"), *plan.agents))
    middle = statistics.median(each.value for each in found)
    rows = [f"{each.value:.3f} [{each.low:.3f}, {each.high:.3f}]" for each in found]
    print(*rows, f"median {middle:.3f}", sep="\n")
    assert sum(each.low <= middle <= each.high for each in found) >= 9
    assert max(each.value for each in found[:4]) < 1.25 * min(each.value for each in found[:4])
