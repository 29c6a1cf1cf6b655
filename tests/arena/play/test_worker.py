import collections
import multiprocessing
import os
import pickle
import sys
import time
from dataclasses import astuple, replace
from types import SimpleNamespace

import pytest

from agents.agent import Limits
from agents.board import STANDARD, Board, Outcome
from agents.remote.limits import ProcessLimits, Source
from agents.rules import WORD_BITS
from agents.specs.registry import parse
from arena.play import workers
from arena.play.field import Setting
from arena.play.formats import jobs, round_robin
from arena.play.referee import Conditions
from arena.play.workers import MOVES, NO_GAME, PAUSE, TRIES, LiveGame, Processes, Todo, Worker, _die_with, _lost
from arena.records import FaultRecord, Job

OPENINGS = tuple(Board.from_moves(moves) for moves in ("", "44", "4354"))
SETTING = Setting(
    (parse("greedy"), parse("random")), OPENINGS, STANDARD, 1, Conditions(Limits()),
    (None, Source("cmd", ("engine",), "/")), ProcessLimits(patience=10.0, margin=0.5),
)  # fmt: skip


LAST = Job(0, 1, 2)
NOW = 1e6


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    monkeypatch.setattr("arena.play.workers.time", SimpleNamespace(monotonic=lambda: NOW, time=time.time))


class Process:
    killed = 0

    def kill(self):
        self.killed += 1


class Pipe:
    def __init__(self):
        self.sent = []

    def send(self, jobs):
        self.sent.append(len(jobs))


def worker(job=LAST, columns=(), ply=None, seconds=0.0, waiting=0):
    """Return a worker without a process, as it is after so many seconds of thought about a ply."""
    opening = OPENINGS[job.opening].moves
    turn = [len(opening) + len(columns) if ply is None else ply, NOW - seconds, *astuple(job)]
    turn += [0.0] * len(opening) + [float(column) for column in columns] + [0.0] * WORD_BITS
    return Worker(Process(), Pipe(), turn, OPENINGS, collections.deque([job] * waiting))


def test_what_a_worker_has_in_hand_is_its_opening_and_the_moves_since():
    game = worker(Job(1, 0, 2, 7), (5, 0, 6), seconds=3.0).live_game()
    assert (game.job, game.moves) == (Job(1, 0, 2), (3, 2, 4, 3, 5, 0, 6))
    assert (game.seconds, game.job.round) == (3.0, 7)
    assert game.mover == 0  # the second player of seven plies
    assert worker(ply=NO_GAME).live_game() is None
    assert worker(Job(0, 1, 0)).live_game().moves == ()


@pytest.mark.parametrize(("moves", "place"), [((), 4), ((3,), 7), ((3, 3), 4)])
def test_the_place_in_hand_is_that_of_the_agent_to_move(moves, place):
    assert LiveGame(Job(4, 7, 0), moves, 0.0).mover == place


@pytest.mark.parametrize(("limit", "longest"), [(None, 30.0), (2.0, 22.5)])
def test_a_worker_is_killed_five_seconds_after_all_that_its_stranger_may_take(limit, longest):
    setting = replace(SETTING, conditions=Conditions(Limits(seconds=limit)))
    for seconds, killed in ((longest + 5.0, 0), (longest + 5.01, 1)):
        stranger, own = worker(Job(1, 0, 0), seconds=seconds), worker(Job(0, 1, 0), seconds=seconds)
        stranger.end_if_stopped(setting)
        own.end_if_stopped(setting)  # what plays in the worker is never ended so
        assert (stranger.process.killed, own.process.killed) == (killed, 0)
    nobody = worker(ply=NO_GAME, seconds=1e6)
    nobody.end_if_stopped(setting)
    assert not nobody.process.killed


@pytest.mark.parametrize(
    ("seconds", "games", "waiting", "given"),
    [
        (PAUSE, 1000, 0, [2, 2]),  # one to play and one that waits
        (PAUSE / 20, 1000, 0, [40, 40]),  # as many short ones as take two pauses
        (PAUSE / 20, 1000, 20, [20, 20]),
        (PAUSE / 20, 1000, 21, []),  # half of them are left: that is soon enough
        (0.0, 10_000, 0, [256, 256]),
        (PAUSE / 20, 20, 0, [5, 5]),  # near the end a share of what is left
        (PAUSE / 20, 1, 0, [1]),
        (1.0, 3, 1, [1, 1]),
        (1.0, 3, 2, []),
        (1.0, 0, 0, []),
    ],
)
def test_workers_are_given_games_for_two_pauses_and_fewer_near_the_end(seconds, games, waiting, given):
    crew = [worker(waiting=waiting) for _ in range(2)]
    todo = Todo([Job(0, 1, number) for number in range(games)])
    Processes(2, workers=crew, typical=seconds)._send(todo)
    assert [sent for each in crew for sent in each.pipe.sent] == given
    assert len(todo) == games - sum(given)
    assert sum(len(each.waiting) for each in crew) == 2 * waiting + sum(given)


def starts(jobs):
    """Return how many processes a worker starts for these games, of which it keeps eight."""
    running, begun = [], 0
    for job in jobs:
        for place in (job.first, job.second):
            begun += place not in running
            running = [*(each for each in running if each != place), place][-8:]
    return begun


def test_games_of_a_class_are_shared_so_that_few_processes_start_again(monkeypatch):
    monkeypatch.setattr("arena.play.workers.MOST_RUNNING", 8)
    games = jobs(round_robin(46), 2)
    todo = Todo(games, 2)
    taken = [[todo.take(number) for _ in range(len(games) // 2)] for number in range(2)]
    assert sorted(taken[0] + taken[1], key=astuple) == sorted(games, key=astuple)
    assert [job.opening for job in taken[0]] == sorted(job.opening for job in taken[0])
    assert starts(games) > 2 * 1035
    assert sum(map(starts, taken)) < 0.35 * 2 * 1035


def test_a_worker_without_a_share_takes_from_the_longest_and_gets_its_own_back_first():
    todo = Todo(games := jobs(round_robin(3), 1), 2)
    assert [todo.take(0) for _ in range(4)] == [*games[:3], games[5]]
    todo.put_back(0, [games[0], games[1]])
    assert [todo.take(0), len(todo)] == [games[0], 3]
    assert list(Todo(games).shares[0]) == games


@pytest.mark.parametrize(("guilty", "outcome"), [(0, Outcome.SECOND_WINS), (1, Outcome.FIRST_WINS)])
def test_whoever_thought_as_three_workers_died_has_lost_at_the_opening(guilty, outcome):
    record = _lost(Job(0, 1, 2), guilty, SETTING, "signal SIGKILL")
    assert (record.job, record.moves, record.outcome) == (Job(0, 1, 2), "4354", outcome)
    assert record.termination == "worker killed"
    assert record.detail == "3 workers died while it was thinking (signal SIGKILL)"
    assert (record.seconds, record.decisions, record.fault) == (0.0, (), FaultRecord(4, "4354", "", ""))
    assert abs(record.started - time.time()) < 60


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread watches the parent")
@pytest.mark.parametrize(("parent", "code"), [(os.getpid, 0), (lambda: -1, 1)])
def test_a_worker_whose_parent_is_gone_before_it_could_be_watched_ends_at_once(parent, code):
    process = multiprocessing.get_context("spawn").Process(target=_die_with, args=(parent(),))
    process.start()
    process.join(100)
    assert process.exitcode == code


def test_workers_that_died_before_a_game_was_played_are_no_row_with_those_after_it():
    pipe, other = multiprocessing.Pipe()
    played = SimpleNamespace(pipe=pipe, waiting=["a game"], answers=lambda: [pipe.recv()])
    processes = Processes(1, workers=[played], typical=1.0, failed_starts=TRIES - 1)
    other.send("a record")
    processes._listen(None, Todo([]))
    assert (processes.failed_starts, list(processes.ended)) == (0, ["a record"])
    pipe.close()
    other.close()


@pytest.mark.parametrize(
    ("shared", "unavailable", "given"),
    [
        ({9: 1}, {}, [(0, 1), (0, 2)]),  # who waits for no other machine: as many games as there are processes
        ({1: 1}, {}, [(0, 1), (0, 2), (2, 0)]),
        ({1: 2}, {}, [(0, 1), (0, 2), (1, 2), (2, 0)]),
        ({1: 3, 2: 1}, {}, [(0, 1), (0, 2), (1, 0)]),
        ({0: 9, 1: 9}, {}, [(0, 1), (0, 2), (1, 2), (2, 0), (1, 0)]),
        ({0: 9, 1: 9}, {1: "no key"}, [(0, 2), (2, 0)]),
        ({1: 9}, {0: "no key", 1: "no key"}, [(0, 2), (2, 0)]),
    ],
)
def test_agents_that_wait_for_other_machines_play_as_many_games_as_those_take_and_the_others_share(
    shared, unavailable, given
):
    todo = Todo([Job(*pair, 0) for pair in ((0, 1), (0, 2), (1, 2), (2, 0), (1, 0))])
    crew = [worker(waiting=0) for _ in range(6)]
    Processes(2, workers=crew, unavailable=unavailable)._send_shared(todo, shared)
    assert [(job.first, job.second) for each in crew for job in each.waiting] == given
    assert len(todo) == 5 - len(given)
    crew = [worker(Job(0, 1, 0), waiting=1), worker(), worker()]
    todo = Todo([Job(1, 2, 0)])
    Processes(2, workers=crew)._send_shared(todo, {1: 1})
    assert [len(each.waiting) for each in crew] == [1, 0, 0]
    Processes(2, workers=crew)._send_shared(todo, {1: 2})
    assert [len(each.waiting) for each in crew] == [1, 1, 0]


class Line:
    """A pipe to a worker that is given three jobs, and then no more."""

    def __init__(self):
        self.asked, self.sent = [[Job(0, 1, 0, 3), Job(1, 0, 1)], [Job(0, 1, 2)]], []

    def poll(self):
        return False

    def recv(self):
        if not self.asked:
            raise EOFError
        return self.asked.pop(0)

    def send_bytes(self, answer):
        self.sent.append(astuple(pickle.loads(answer)))


@pytest.mark.parametrize("ahead", [None, 0, 1])
def test_a_worker_shows_each_position_that_it_thinks_about_and_then_none(monkeypatch, ahead):
    seen, calls = [], []
    shared = [NO_GAME] + [0.0] * (MOVES - 1 + WORD_BITS)
    hand = Worker(None, None, shared, OPENINGS)

    class Table:
        def __init__(self, setting):
            assert setting is SETTING

        def ahead(self, number, wanted):
            calls.append((number, wanted()))

        def answer(self, job, think):
            assert hand.live_game() is None
            board = OPENINGS[job.opening]
            for column in (*"15", None):
                think(board)
                game = hand.live_game()
                seen.append((astuple(game.job), game.moves == board.moves, game.seconds, len(game.moves)))
                board = board if column is None else board.play(int(column))
            return job

        def close(self):
            calls.append("closed")

    monkeypatch.setattr(workers, "Field", Table)
    monkeypatch.setattr(workers, "_die_with", calls.append)
    monkeypatch.setattr(workers.gc, "set_threshold", calls.append)
    monkeypatch.setattr(workers.signal, "signal", lambda number, what: calls.append((number.name, what.name)))
    monkeypatch.setattr(workers.os, "setpgid", lambda *given: calls.append(given))
    workers._work(line := Line(), SETTING, shared, 77, ahead)
    begun = [50_000, ("SIGINT", "SIG_IGN"), ("SIGHUP", "SIG_IGN"), (0, 0), 77]
    assert calls == [*begun, *([] if ahead is None else [(ahead, False)]), "closed"]
    jobs = [(0, 1, 0, 3), (1, 0, 1, 1), (0, 1, 2, 1)]
    assert line.sent == jobs
    assert seen == [(job, True, 0.0, plies + more) for job, plies in zip(jobs, (0, 2, 4), strict=True)
                    for more in range(3)]  # fmt: skip
