import collections
import multiprocessing
import os
import pickle
import signal
import sys
import time
from contextlib import nullcontext
from dataclasses import astuple, replace
from types import SimpleNamespace

import pytest

from agents.agent import Limits
from agents.board import STANDARD, Board, Outcome
from agents.errors import InputError, Unavailable
from agents.process_agent import ProcessLimits, Source
from agents.rules import WORD_BITS
from agents.specs.registry import parse
from arena.games import workers
from arena.games.executor import LiveGame
from arena.games.field import Setting
from arena.games.formats import jobs, round_robin
from arena.games.referee import Conditions
from arena.games.workers import FAILED_STARTS, MOVES, NO_GAME, SHORT, InProcess, Processes, Worker, _die_with, _lost
from arena.records import FaultRecord, Job

OPENINGS = tuple(Board.from_moves(moves) for moves in ("", "44", "4354"))
SETTING = Setting(
    (parse("greedy"), parse("random")), OPENINGS, STANDARD, 1, Conditions(Limits()),
    (None, Source("cmd", ("engine",), "/")), ProcessLimits(start_timeout=10.0, margin=0.5),
)  # fmt: skip


LAST = Job(0, 1, 2)
NOW = 1e6


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    monkeypatch.setattr("arena.games.workers.time", SimpleNamespace(monotonic=lambda: NOW, time=time.time))


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
        second, other = (worker(Job(*ends, 0), (3,), seconds=seconds) for ends in ((0, 1), (1, 0)))
        second.end_if_stopped(setting)
        other.end_if_stopped(setting)
        assert (second.process.killed, other.process.killed) == (killed, 0), "the second player is to move"
    nobody = worker(ply=NO_GAME, seconds=1e6)
    nobody.end_if_stopped(setting)
    assert not nobody.process.killed


GAMES = [Job(0, 1, number) for number in range(10_000)]


@pytest.mark.parametrize(
    ("seconds", "games", "waiting", "given"),
    [
        (SHORT, 1000, 0, [2, 2]),  # one to play and one that waits
        (SHORT / 40, 1000, 0, [40, 40]),
        (SHORT / 40, 1000, 20, [20, 20]),
        (SHORT / 40, 1000, 21, []),  # half of them are left: that is soon enough
        (0.0, 10_000, 0, [256, 256]),
        (SHORT / 40, 20, 0, [5, 5]),  # near the end a part of what is left
        (SHORT / 40, 1, 0, [1]),
        (1.0, 3, 1, [1, 1]),
        (1.0, 3, 2, []),
        (1.0, 0, 0, []),
    ],
)
def test_workers_are_given_the_first_games_a_few_at_a_time_and_fewer_near_the_end(seconds, games, waiting, given):
    crew = [worker(waiting=waiting) for _ in range(2)]
    todo = collections.deque(GAMES[:games])
    assert Processes(2, workers=crew, todo=todo, typical=seconds)._send(SETTING) == bool(waiting or given)
    assert [sent for each in crew for sent in each.pipe.sent] == given
    assert [job for each in crew for job in [*each.waiting][waiting:]] == GAMES[: sum(given)]
    assert [*todo] == GAMES[sum(given) : games]


def starts(jobs):
    """Return how many processes a worker starts for these games, of which it keeps eight."""
    running, begun = [], 0
    for job in jobs:
        for place in (job.first, job.second):
            begun += place not in running
            running = [*(each for each in running if each != place), place][-8:]
    return begun


def test_games_of_a_class_are_given_so_that_few_processes_start_again(monkeypatch):
    for module in ("workers", "field"):
        monkeypatch.setattr(f"arena.games.{module}.MOST_RUNNING", 8)
    games = jobs(round_robin(46), 2)
    crew, shares = [worker(), worker()], [[], []]
    field = replace(SETTING, specs=SETTING.specs * 23, sources=SETTING.sources * 23)
    where = Processes(2, setting=field, workers=crew)
    monkeypatch.setattr(Processes, "_listen", lambda *given: [each.waiting.clear() for each in crew])
    for each, share in zip(crew, shares, strict=True):
        monkeypatch.setattr(each.pipe, "send", share.extend)
    assert list(where.play(games)) == []
    assert sorted(shares[0] + shares[1], key=astuple) == sorted(games, key=astuple)
    assert [job.opening for job in shares[0]] == sorted(job.opening for job in shares[0])
    assert starts(games) > 2 * 1035
    assert sum(map(starts, shares)) < 0.4 * 2 * 1035


def test_where_a_server_may_fail_each_idle_worker_gets_one_game():
    crew = [worker(waiting=1), worker(), worker()]
    served = replace(SETTING, specs=(parse("greedy"), parse("llm:m@http://x")))
    Processes(3, workers=crew, todo=collections.deque(GAMES[:9]), typical=SHORT / 40)._send(served)
    assert [each.pipe.sent for each in crew] == [[], [1], [1]]


def test_the_jobs_of_a_dead_worker_but_its_game_go_back_to_the_front_and_a_new_one_takes_its_place(monkeypatch):
    crew = [worker(Job(0, 1, number), waiting=1) for number in range(3)]
    crew[1].waiting.append(Job(1, 0, 2))
    monkeypatch.setattr(Worker, "cause_of_death", lambda dead: "exit code 3")
    monkeypatch.setattr(Worker, "start", lambda *given: given)
    where = Processes(3, workers=list(crew), todo=collections.deque(GAMES[:2]))
    where._replace(crew[1], SETTING)
    assert [*where.todo] == [Job(1, 0, 2), *GAMES[:2]]
    assert where.workers == [crew[0], (SETTING,), crew[2]]
    assert where.left_open == {Job(0, 1, 1): "a worker died in game 0-1-1 (exit code 3)"}
    assert where.failed_starts == 0
    for dead in (crew[0], crew[2]):
        dead.shared[0] = NO_GAME
        where._replace(dead, SETTING)
    assert (where.failed_starts, where.workers, len(where.left_open)) == (2, [(SETTING,)] * 3, 1)
    assert [*where.todo] == [Job(0, 1, 2), Job(0, 1, 0), Job(1, 0, 2), *GAMES[:2]]
    where.workers = [crew[1]]
    crew[1].shared[0] = NO_GAME
    with pytest.raises(InputError, match=r"^worker processes die before they play a game \(exit code 3\)$"):
        where._replace(crew[1], SETTING)


@pytest.mark.parametrize(("guilty", "outcome"), [(0, Outcome.SECOND_WINS), (1, Outcome.FIRST_WINS)])
def test_whoever_thought_as_two_workers_died_has_lost_at_the_opening(guilty, outcome):
    record = _lost(Job(0, 1, 2), guilty, SETTING, "signal SIGKILL")
    assert (record.job, record.moves, record.outcome) == (Job(0, 1, 2), "4354", outcome)
    assert record.termination == "worker killed"
    assert record.detail == "2 workers died while it was thinking (signal SIGKILL)"
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
    played = SimpleNamespace(pipe=pipe, waiting=[LAST], answers=lambda: [(LAST, pipe.recv())])
    processes = Processes(1, workers=[played], failed_starts=FAILED_STARTS - 1)
    other.send("a record")
    processes._listen(SETTING)
    assert (processes.failed_starts, list(processes.ended)) == (0, ["a record"])
    pipe.close()
    other.close()


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


@pytest.mark.parametrize("ahead", [False, True])
def test_a_worker_shows_each_position_that_it_thinks_about_and_then_none(monkeypatch, ahead):
    seen, calls = [], []
    shared = [NO_GAME] + [0.0] * (MOVES - 1 + WORD_BITS)
    hand = Worker(None, None, shared, OPENINGS)

    class Table:
        def __init__(self, setting):
            assert setting is SETTING

        def ahead(self, wanted):
            calls.append(wanted())

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
    assert calls == [*begun, *([False] if ahead else []), "closed"]
    jobs = [(0, 1, 0, 3), (1, 0, 1, 1), (0, 1, 2, 1)]
    assert line.sent == jobs
    assert seen == [(job, True, 0.0, plies + more) for job, plies in zip(jobs, (0, 2, 4), strict=True)
                    for more in range(3)]  # fmt: skip


class Kernel:
    """Stands in for the C library: it keeps what is asked of the kernel."""

    asked = ()

    def prctl(self, *given):
        self.asked = given


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread watches the parent")
def test_a_worker_is_killed_with_its_parent_by_what_it_cannot_ignore(monkeypatch):
    kernel = Kernel()
    monkeypatch.setattr("ctypes.CDLL", lambda name: kernel)
    _die_with(os.getppid())
    assert kernel.asked == (1, signal.SIGKILL)


def test_elsewhere_a_thread_ends_a_worker_when_its_parent_has_ended(monkeypatch):
    log, parent = [], SimpleNamespace(join=lambda: log.append("joined"))
    monkeypatch.setattr(workers.sys, "platform", "darwin")
    monkeypatch.setattr(workers.multiprocessing, "parent_process", lambda: parent)
    monkeypatch.setattr(workers.os, "_exit", log.append)
    threads = []
    monkeypatch.setattr(
        workers.threading, "Thread", lambda **given: threads.append(given) or SimpleNamespace(start=int)
    )
    _die_with(-1)
    assert log == []
    threads[0]["target"]()
    assert (log, threads[0]["daemon"]) == (["joined", 1], True)


class Dying:
    """A process that ends when it is killed, or at once."""

    def __init__(self, stubborn=False, exitcode=0):
        self.log, self.stubborn, self.exitcode = [], stubborn, exitcode

    def terminate(self):
        self.log.append("terminate")

    def join(self, *seconds):
        self.log.append(("join", *seconds))

    def is_alive(self):
        return self.stubborn

    def kill(self):
        self.log.append("kill")


@pytest.mark.parametrize("stubborn", [False, True])
def test_a_worker_is_asked_to_end_and_killed_after_a_second(stubborn):
    process, pipe = Dying(stubborn), SimpleNamespace(close=lambda: process.log.append("close"))
    Worker(process, pipe, None, ()).end()
    assert process.log == ["close", "terminate", ("join", 1.0), *(["kill", ("join",)] if stubborn else [])]


@pytest.mark.parametrize(
    ("code", "cause"), [(0, "exit code 0"), (3, "exit code 3"), (-9, "signal SIGKILL"), (None, "exit code None")]
)
def test_a_worker_died_of_a_signal_or_with_an_exit_code(code, cause):
    process = Dying(exitcode=code)
    pipe = SimpleNamespace(close=lambda: process.log.append("close"))
    assert Worker(process, pipe, None, ()).cause_of_death() == cause
    assert process.log == ["close", ("join",)]


def test_answers_are_read_as_far_as_they_are_there_and_a_dead_worker_is_given_jobs_all_the_same():
    sent, gone = [], collections.deque(["one", "two", "three"])

    def refuse(jobs):
        sent.append(jobs)
        raise BrokenPipeError

    pipe = SimpleNamespace(recv_bytes=lambda: pickle.dumps(gone.popleft()), poll=lambda: len(gone) > 1, send=refuse)
    one = Worker(None, pipe, None, ())
    one.send([1, 2])
    one.send([3])
    assert (sent, [*one.waiting]) == ([[1, 2], [3]], [1, 2, 3])
    assert [*one.answers()] == [(1, "one"), (2, "two")]
    assert [*one.waiting] == [3]
    assert [*one.answers()] == [(3, "three")]


@pytest.mark.parametrize("typed", [False, True])
def test_a_worker_runs_the_file_of_the_program_again_where_there_is_one(monkeypatch, typed, tmp_path):
    (tmp_path / "program.py").touch()
    path = str(tmp_path / ("none.py" if typed else "program.py"))
    home, seen = SimpleNamespace(__file__=path), []

    class Process:
        def __init__(self, **given):
            seen.append(given)

        def start(self):
            seen.append(getattr(home, "__file__", None))
            if typed:
                raise OSError

    context = SimpleNamespace(
        Pipe=lambda: ("ours", SimpleNamespace(close=lambda: seen.append("closed"))), Process=Process,
        RawArray=lambda kind, numbers: (kind, numbers),
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "__main__", home)
    monkeypatch.setattr(workers.multiprocessing, "get_context", {"spawn": context}.get)
    if typed:
        with pytest.raises(OSError):  # noqa: PT011  any
            Worker.start(SETTING, ahead=True)
    else:
        one = Worker.start(SETTING, ahead=True)
        assert (one.pipe, one.shared, one.openings) == ("ours", ("d", [-1] + [0.0] * (5 + WORD_BITS)), OPENINGS)
        assert seen[2:] == ["closed"]
    assert (home.__file__, seen[1]) == (path, None if typed else path)
    assert (seen[0]["args"][1:2], seen[0]["args"][3:], seen[0]["daemon"]) == ((SETTING,), (os.getpid(), True), True)


class Crew(Processes):
    """Processes whose workers answer with these, whatever they are asked."""

    answers: tuple = ()

    def _send(self, setting):
        return bool(self.answers)

    def _listen(self, setting):
        one, self.answers = self.answers[0], self.answers[1:]
        if isinstance(one, type):
            self.ended.append(GAME)
            raise one("no worker starts")
        if isinstance(one, BaseException) and not isinstance(one, Exception):
            self.ended.append(GAME)
            raise one
        if isinstance(one, str):
            self.left_open[Job(0, 1, len(self.answers))] = one
        else:
            self.ended.append(one)


GAME = SimpleNamespace(seconds=0.5)


def crew(*answers, **more):
    """Return what a crew yields, its error, and itself, where its workers answer so; a text leaves a game open."""
    made = Crew(2, setting=SETTING, workers=[worker(), worker()], **more)
    made.answers, found = answers, []
    try:
        found.extend(made.play(GAMES[:2]))
    except BaseException as error:  # noqa: BLE001  whatever it raises
        return len(found), f"{type(error).__name__}: {error}", made
    return len(found), None, made


def test_the_error_counts_the_games_that_are_left_open_and_names_three_reasons():
    assert crew(GAME, GAME)[:2] == (2, None)
    assert crew(GAME, "m: no key")[:2] == (1, "InputError: a game is left open: m: no key")
    found = crew("m: no key", GAME, "m: no key", "a worker died")
    assert found[:2] == (1, "InputError: 3 games are left open: m: no key; a worker died")
    assert crew(*"abcde")[1] == "InputError: 5 games are left open: a; b; c; and 2 more"
    assert crew(*"aabbcd")[1] == "InputError: 6 games are left open: a; b; c; and 1 more"
    assert crew(*"cabc")[1] == "InputError: 4 games are left open: c; a; b"
    assert list(found[2].play([])) == [], "of the batch before"


def test_where_an_agent_cannot_answer_its_games_that_nobody_has_yet_are_left_open_with_that_one():
    pairs = [(0, 1), (0, 2), (1, 2), (2, 0), (1, 0)]
    todo = collections.deque(Job(*pair, 0) for pair in pairs)
    busy = Unavailable("m: too many requests")
    busy.place = 1
    one = SimpleNamespace(pipe=(pipe := multiprocessing.Pipe())[0], waiting=[LAST], answers=lambda: [(LAST, busy)])
    where = Processes(1, workers=[one], todo=todo, left_open={GAMES[9]: "a worker died"})
    pipe[1].send("ready")
    where._listen(SETTING)
    assert [(job.first, job.second) for job in where.todo] == [(0, 2), (2, 0)]
    left = [LAST, *(Job(*pair, 0) for pair in pairs if 1 in pair)]
    assert where.left_open == {GAMES[9]: "a worker died"} | dict.fromkeys(left, "m: too many requests")
    assert not where.ended
    for end in pipe:
        end.close()


def test_what_has_ended_is_yielded_before_ctrl_c_and_before_an_error_of_a_game():
    assert crew(GAME, KeyboardInterrupt())[:2] == (2, "KeyboardInterrupt: ")
    assert crew(GAME, InputError("its file is gone"), GAME)[:2] == (1, "InputError: its file is gone")
    for error in (InputError, KeyboardInterrupt):
        assert crew(GAME, error)[:2] == (2, f"{error.__name__}: no worker starts")
    for error in (ZeroDivisionError("of a worker"), RuntimeError("of a worker")):
        assert crew(GAME, error, GAME)[:2] == (1, f"{type(error).__name__}: of a worker")


def test_answers_of_a_worker_are_yielded_in_the_order_in_which_they_came():
    pipe, other = multiprocessing.Pipe()
    answers = [GAME, SimpleNamespace(seconds=0.1), InputError("its file is gone"), InputError("another"), GAME]
    one = SimpleNamespace(pipe=pipe, waiting=[LAST], answers=lambda: ((LAST, answer) for answer in answers))
    where, records = Processes(1, workers=[one]), []
    where.ended.append(before := SimpleNamespace(seconds=0.2))
    other.send("ready")
    where._listen(SETTING)
    assert [*where.ended] == [before, *answers]
    with pytest.raises(InputError, match=r"^its file is gone$"):
        records.extend(where._read())
    assert records == [before, *answers[:2]]
    for end in (pipe, other):
        end.close()


@pytest.mark.parametrize("error", [KeyboardInterrupt, InputError, None])
def test_whatever_ends_the_block_ends_all_workers_and_all_agents_of_this_process(monkeypatch, error):
    log = []

    class Table:
        def __init__(self, setting):
            self.agents = {}
            log.append(setting)

        def close(self):
            log.append("closed")

    monkeypatch.setattr(workers, "Field", Table)
    for where in (InProcess(), Processes(2)):
        with pytest.raises(error) if error else nullcontext(), where.open(SETTING):
            if isinstance(where, Processes):
                where.workers += [SimpleNamespace(end=lambda: log.append("ended"))] * 2
            if error:
                raise error("of a game")
        assert getattr(where, "workers", []) == []
    assert log == [SETTING, "closed", "ended", "ended"]


def test_the_typical_game_follows_those_that_are_played_and_nothing_waits_once_all_is_yielded():
    _, _, made = crew(GAME, GAME, typical=0.1)
    assert made.typical == pytest.approx(0.1 + (0.4 / 32) * (1 + 31 / 32))
    assert made.idle()
    made.ended.append(GAME)
    assert not made.idle()


def test_as_many_workers_start_as_processes_but_no_more_than_games(monkeypatch):
    begun = []
    monkeypatch.setattr(Worker, "start", lambda setting: begun.append(setting) or worker())
    for games, number in ((9, 2), (1, 1), (0, 0)):
        begun.clear()
        made = Crew(2, setting=SETTING)
        assert list(made.play(GAMES[:games])) == []
        assert len(begun) == len(made.workers) == number


def test_the_worker_that_starts_early_ends_with_the_block(monkeypatch):
    begun, ended = [], []
    monkeypatch.setattr(Worker, "start", lambda setting, ahead: begun.append(ahead) or SimpleNamespace(
        end=lambda: ended.append(ahead), live_game=lambda: "a game"))  # fmt: skip
    made = Processes(3)
    made.start(SETTING)
    made.ended.append("of a batch before")
    with made.open(SETTING):
        assert (made.setting, len(made.ended), made.live_games()) == (SETTING, 0, ["a game"])
    assert (begun, ended, made.workers) == ([True], [True], [])
