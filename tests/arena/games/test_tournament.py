import pytest
from played import GAMES, grown, held, play, played, rows
from samples import ODD

from agents.agent import Limits
from agents.board import Rules
from agents.errors import InputError
from arena.games.isolation import Isolation
from arena.games.plan import Plan
from arena.games.progress import cores
from arena.games.run import Run
from arena.games.workers import InProcess, Processes

FIELD = ("random", "greedy", "random", "minimax:depth=2,heuristic=zero")
PLAN = Plan(FIELD, rounds=2, seed=5, nodes=200)
NUMBERS = "SELECT key, id FROM game ORDER BY key"


def test_a_run_plays_every_game_of_its_plan_once(tmp_path):
    path = play(Run.begin(PLAN, tmp_path / "run.sqlite"))
    games, moves, *_ = held(path)
    assert [game[0] for game in games] == sorted(str(job) for job in PLAN.jobs())
    assert len(games) == 6 * 2 * 2
    assert len(moves) == sum(len(game[4]) - 4 for game in games)
    assert rows(path, "SELECT count(*) FROM search")[0][0] >= len(moves)


def test_a_run_with_any_number_of_workers_is_the_same_run(tmp_path):
    runs = [Run.begin(PLAN, tmp_path / f"{name}.sqlite") for name in ("here", "there")]
    here, there = (play(run, where) for run, where in zip(runs, (InProcess(), Processes(2)), strict=True))
    assert held(there) == held(here)
    assert rows(there, NUMBERS) == rows(here, NUMBERS)


@pytest.mark.parametrize("games", [1, 7, 23])
def test_a_run_that_was_stopped_is_resumed_to_the_same_end(tmp_path, games):
    whole = play(Run.begin(PLAN, tmp_path / "whole.sqlite"))
    path = play(Run.begin(PLAN, tmp_path / "stopped.sqlite"), stop=games)
    before = rows(path, "SELECT * FROM game ORDER BY id")
    assert len(before) == games
    assert held(grown(path)) == held(whole)
    assert rows(path, "SELECT * FROM game ORDER BY id")[:games] == before


def test_a_complete_run_is_resumed_by_doing_nothing(tmp_path):
    path = play(Run.begin(PLAN, tmp_path / "run.sqlite"))
    before = held(path)
    assert held(grown(path)) == before


def test_another_seed_is_another_run(tmp_path):
    one, other = (held(played(tmp_path / f"{seed}.sqlite", *FIELD, seed=seed, nodes=200)) for seed in (5, 6))
    assert all(of_one != of_other for of_one, of_other in zip(one[:3], other[:3], strict=True))


def test_the_seed_decides_the_games_and_not_only_the_openings(tmp_path):
    games = []
    for seed in (1, 2, 1):
        path = tmp_path / f"{len(games)}.sqlite"
        games.append(rows(played(path, "random", "random", rounds=1, openings="plies:0", seed=seed), GAMES))
    assert games[0] == games[2] != games[1]


def test_more_rounds_play_the_same_games_first(tmp_path):
    few, many = (rows(played(tmp_path / f"{n}.sqlite", "random", "greedy", rounds=n), GAMES) for n in (2, 4))
    assert set(few) < set(many)


def test_an_agent_that_is_named_twice_gets_two_names(tmp_path):
    path = played(tmp_path / "run.sqlite", "random", "random", rounds=1)
    assert rows(path, "SELECT name, spec FROM agent ORDER BY id") == [("random", "random"), ("random#2", "random")]
    one, other = rows(path, "SELECT moves FROM game")
    assert one != other


def test_agents_may_meet_themselves(tmp_path):
    games = rows(played(tmp_path / "run.sqlite", "random", "greedy", include_self=True), GAMES)
    assert sorted((game[1], game[2]) for game in games) == [(1, 1)] * 2 + [(1, 2)] * 2 + [(2, 1)] * 2 + [(2, 2)] * 2


def test_a_single_agent_meets_only_itself(tmp_path):
    games = rows(played(tmp_path / "run.sqlite", "random", include_self=True), GAMES)
    assert [(game[1], game[2]) for game in games] == [(1, 1)] * 2


def test_the_limits_of_a_plan_reach_the_agents(tmp_path):
    run = Run.begin(Plan(("random", "greedy"), nodes=7, seconds=2.5, margin=0.25), tmp_path / "run.sqlite")
    run.store.close()
    assert run.setting.conditions.limits == Limits(nodes=7, seconds=2.5)
    assert run.setting.conditions.margin == 0.25


def test_a_limit_of_nodes_holds(tmp_path):
    path = play(Run.begin(PLAN, tmp_path / "run.sqlite"))
    assert 0 < rows(path, "SELECT max(nodes) FROM move")[0][0] <= 210


def test_a_run_on_another_board(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random", openings="plies:2", rules=Rules(5, 4, 3))
    assert Run.resume(path).setting.rules == Rules(5, 4, 3)
    assert all(set(moves) <= set("12345") for (moves,) in rows(path, "SELECT moves FROM game"))


@pytest.mark.parametrize("name", ["CannotPrepare", "CannotBeMade", "ExitsWhenMade", "NoChoose", "not_callable"])
def test_what_cannot_play_in_this_process_is_told_before_there_is_a_file(tmp_path, name):
    plan = Plan(("random", f"{ODD}:{name}"), isolation=Isolation(nobody=True))
    with pytest.raises(InputError, match=name):
        Run.begin(plan, tmp_path / "run.sqlite")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["CannotPrepare", "CannotBeMade", "ExitsWhenMade", "NoChoose", "not_callable"])
def test_a_stranger_that_cannot_play_loses_its_games(tmp_path, name):
    games = rows(played(tmp_path / "run.sqlite", "random", f"{ODD}:{name}", rounds=1), GAMES)
    assert [(game[1], game[5]) for game in games] == [(1, "1-0"), (2, "0-1")]


def test_a_file_without_the_agent_is_told_before_there_is_a_file(tmp_path):
    with pytest.raises(InputError, match="'Gone'"):
        Run.begin(Plan(("random", f"{ODD}:Gone")), tmp_path / "run.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_fault_does_not_end_the_tournament(tmp_path):
    agents = ("greedy", f"{ODD}:Raises", f"{ODD}:Rubbish", f"{ODD}:Leftmost")
    games = rows(played(tmp_path / "run.sqlite", *agents, rounds=1), GAMES)
    assert len(games) == 12
    for _, first, second, _, _, result, termination, detail in games:
        if 2 in (first, second) and 3 not in (first, second):
            assert (result, termination) == ("0-1" if first == 2 else "1-0", "exception")
            assert detail.startswith("ValueError: no idea (odd_agents.py, line ")
        if {first, second} == {1, 4}:
            assert (termination, detail) == ("line completed", "")


def test_a_file_of_a_run_in_the_results_is_named_after_the_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs = [Run.begin(Plan(("random", "greedy"), rounds=1)) for _ in range(3)]
    for run in runs:
        run.store.close()
    names = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert len(names) == 3
    assert all(name.startswith("run-2") and name.endswith(".sqlite") for name in names)


def test_as_many_workers_as_processors():
    assert cores(3) == 3
    assert cores(None) >= 1
    for wrong in (0, -1, 1.5):
        with pytest.raises(InputError, match=f"{wrong} is no number of processes: it is a whole number from 1"):
            cores(wrong)


@pytest.mark.parametrize(("told", "found"), [(5, 5), (None, 1)])
def test_where_the_system_tells_no_processors_of_ones_own_there_are_those_of_all_or_one(monkeypatch, told, found):
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: told)
    assert cores(None) == found


def test_a_new_run_whose_workers_die_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.games.workers._work", print)
    run = Run.begin(Plan(("random", "greedy"), rounds=1), tmp_path / "run.sqlite")
    with run.store, pytest.raises(InputError, match="worker processes die"):
        run.play(Processes(1))
    assert list(tmp_path.iterdir()) == []


class Failing(InProcess):
    def play(self, jobs):
        raise InputError("nothing works")
        yield


@pytest.mark.parametrize(("resumed", "left"), [(False, False), (True, True)])
def test_only_a_new_run_that_played_nothing_leaves_no_file(tmp_path, resumed, left):
    path = tmp_path / "run.sqlite"
    run = Run.begin(Plan(("random", "greedy"), rounds=1), path)
    if resumed:
        run.store.close()
        run = Run.resume(path)
    with run.store, pytest.raises(InputError, match="nothing works"):
        run.play(Failing())
    assert path.exists() is left
