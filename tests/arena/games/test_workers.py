"""Games that are played in this process and in others, and what a worker's death means for its game."""

import collections
import multiprocessing
import os
from dataclasses import replace
from types import SimpleNamespace

import pytest
from samples import BAD
from worker_games import odd, played_in, records_of, setting

from agents.agent import Limits
from agents.board import Outcome
from agents.process_agent import Source
from agents.specs.registry import parse
from arena.games.field import Field
from arena.games.formats import jobs, round_robin
from arena.games.isolation import Isolation
from arena.games.plan import Plan
from arena.games.referee import Conditions
from arena.games.run import Run, processes
from arena.games.workers import InProcess, Processes, Worker
from arena.records import Job


def test_in_this_process_games_are_played_in_their_order():
    games = jobs(round_robin(2), 3)
    records = list(played_in(InProcess(), setting("random", "greedy"), games))
    assert [record.job for record in records] == games


@pytest.mark.process  # runs are the same with any number of workers in test_tournament.py
def test_processes_play_the_same_games_as_this_one():
    field = setting("random", "greedy", "minimax:depth=2", conditions=Conditions(Limits(nodes=100)))
    games = jobs(round_robin(3, include_self=True), 2)
    here = records_of(InProcess(), field, games)
    assert set(here) == set(games)
    assert records_of(Processes(2), field, games) == here
    assert not multiprocessing.active_children()


def test_the_order_of_the_games_changes_nothing():
    field = setting("random", "greedy", odd("Leftmost"))
    games = jobs(round_robin(3), 3)
    assert records_of(InProcess(), field, games[::-1]) == records_of(InProcess(), field, games)


def test_the_seed_changes_the_games_of_chance():
    games = jobs(round_robin(2), 1)
    one, other = (records_of(InProcess(), setting("random", "random", seed=seed), games) for seed in (1, 2))
    assert [record.moves for record in one.values()] != [record.moves for record in other.values()]


def test_an_agent_that_meets_itself_is_two_agents(monkeypatch):
    monkeypatch.setattr("arena.games.field.play_game", lambda key, players, *rest, **more: players)
    table = Field(setting("random", "greedy"))
    one, other = table.play(Job(0, 0, 0))
    assert one is not other
    assert table.play(Job(0, 0, 1)) == (one, other)
    assert table.play(Job(1, 0, 0)) == (table.agent(1, 0), one)


def test_between_two_games_a_worker_has_none_live_game():
    worker = Worker.start(setting("random", "greedy"))
    try:
        for number in range(2):
            worker.send([Job(0, 1, number)])
            assert len(list(worker.answers())) == 1
            assert worker.live_game() is None
            assert os.getpgid(worker.process.pid) == worker.process.pid, "a stranger may kill its referee's group"
    finally:
        worker.end()


def test_one_worker_is_this_process_unless_agents_live_in_processes_of_their_own(tmp_path):
    plan = Plan(("random", "greedy"), rounds=1)
    with (run := Run.begin(plan, tmp_path / "run.sqlite")).store:
        assert isinstance(run.executor(1), InProcess)
        assert (run.executor(3), run.executor(3).count) == (run.workers, 3)
    with (run := Run.begin(replace(plan, isolation=Isolation(everyone=True)), tmp_path / "apart.sqlite")).store:
        assert (run.executor(1), run.executor(1).count) == (run.workers, 1)


def test_no_more_processes_start_than_there_are_games():
    records = played_in(Processes(50), setting("random", "greedy"), jobs(round_robin(2), 1))
    next(records)
    assert len(multiprocessing.active_children()) <= 2
    records.close()


def test_nothing_to_play_starts_nothing():
    assert list(played_in(Processes(2), setting("random", "greedy"), [])) == []


@pytest.mark.all_cores
def test_where_anything_moves_by_the_clock_one_game_is_played_at_a_time(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    clock = Conditions(Limits(seconds=1.0))
    for field in (setting("greedy", "mcts:seconds=1"), setting("greedy", "random", conditions=clock)):
        assert [processes(field, jobs) for jobs in (None, 3, 9)] == [1, 3, 4]
    assert [processes(setting("greedy", "random"), jobs) for jobs in (None, 3, 9)] == [4, 3, 9]


def test_agents_live_apart_where_any_of_them_has_a_process_of_its_own():
    source = Source("cmd", ("engine",), "/")
    for sources, apart in (((), False), ((None, None), False), ((None, source), True), ((source, source), True)):
        assert setting("greedy", "random", sources=sources).apart is apart


@pytest.mark.parametrize(
    ("thinking", "lost"), [((0, 0), True), ((1, 1), True), ((0, 1), False), ((0, 2), False), ((2,), False)]
)
def test_only_a_stranger_that_was_thinking_both_times_has_lost(monkeypatch, thinking, lost):
    source = parse(f"{BAD}:KillsItsParent").source()
    field = replace(setting("greedy", "random", "random"), sources=(source, source, None))
    where = Processes(1, setting=field)
    monkeypatch.setattr(Worker, "start", lambda _: None)
    job = Job(2, 1, 0) if thinking == (2,) else Job(0, 1, 0)
    for number, player in enumerate(thinking):
        assert [*where.todo] == [job] * number  # it is to be played again after the first
        where.todo.clear()
        game = SimpleNamespace(job=job, mover=player)
        dead = SimpleNamespace(live_game=lambda game=game: game, cause_of_death=str, waiting=collections.deque([job]))
        where.workers = [dead]
        where._replace(dead, field)
    assert [record.outcome for record in where.ended] == ([Outcome(1 - thinking[0])] if lost else [])
    assert [*where.left_open] == ([] if lost else [job])
    assert not where.todo
