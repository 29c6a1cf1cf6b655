import multiprocessing
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from agents.agent import Limits
from agents.board import STANDARD, Board, Outcome
from agents.errors import InputError
from agents.registry import parse
from agents.remote.terms import Terms
from arena.measure.depths import depth_table
from arena.play.field import Field, Setting
from arena.play.interrupt import deaf, stoppable
from arena.play.match import Conditions
from arena.play.schedule import jobs, round_robin
from arena.play.worker import Worker
from arena.play.workers import InProcess, Processes, executor
from arena.store.records import Job, Termination

ODD = Path(__file__).parents[2] / "data" / "odd_agents.py"
OPENINGS = tuple(Board.from_moves(moves) for moves in ("44", "12", "4354"))


def setting(*specs, **rest):
    plan = {"openings": OPENINGS, "rules": STANDARD, "seed": 1, "conditions": Conditions()} | rest
    return Setting(tuple(map(parse, specs)), **plan)


def odd(name):
    return f"{ODD}:{name}"


def timeless(record):
    decisions = tuple(
        each._replace(seconds=0.0, iterations=tuple(replace(one, seconds=0.0) for one in each.iterations))
        for each in record.decisions
    )
    return replace(record, started=0.0, seconds=0.0, decisions=decisions)


def played(where, setting, games):
    return {record.key: timeless(record) for record in where.run(setting, [games])}


def test_in_this_process_games_are_played_in_their_order():
    games = jobs(round_robin(2), 3)
    records = list(InProcess().run(setting("random", "greedy"), [games]))
    assert [record.key for record in records] == [job.key for job in games]


def test_processes_play_the_same_games_as_this_one():
    field = setting("random", "greedy", "minimax:depth=2", conditions=Conditions(Limits(nodes=100)))
    games = jobs(round_robin(3, include_self=True), 2)
    here = played(InProcess(), field, games)
    assert set(here) == {job.key for job in games}
    assert played(Processes(2), field, games) == here
    assert not multiprocessing.active_children()


def test_the_order_of_the_games_changes_nothing():
    field = setting("random", "greedy", odd("Leftmost"))
    games = jobs(round_robin(3), 3)
    assert played(InProcess(), field, games[::-1]) == played(InProcess(), field, games)


def test_the_seed_changes_the_games_of_chance():
    games = jobs(round_robin(2), 1)
    one, other = (played(InProcess(), setting("random", "random", seed=seed), games) for seed in (1, 2))
    assert [record.moves for record in one.values()] != [record.moves for record in other.values()]


def test_an_agent_that_meets_itself_is_two_agents(monkeypatch):
    monkeypatch.setattr("arena.play.field.play_game", lambda key, players, *rest, **more: players)
    table = Field(setting("random", "greedy"))
    one, other = table.play(Job(0, 0, 0))
    assert one is not other
    assert table.play(Job(0, 0, 1)) == (one, other)
    assert table.play(Job(1, 0, 0)) == (table.agent(1, 0), one)


@pytest.mark.parametrize(("name", "termination"), [("Dies", "left (exit code 3)"), ("Killed", "crashed (SIGKILL)")])
def test_a_stranger_that_ends_its_process_loses_that_game_alone(name, termination):
    games = jobs(round_robin(3), 1)
    field = setting("greedy", odd(name), odd("Leftmost"))
    field = replace(field, sources=tuple(spec.source() if spec.stranger else None for spec in field.specs))
    records = played(Processes(2), field, games)
    assert set(records) == {job.key for job in games}
    faults = [job for job in games if records[job.key].fault is not None]
    assert len(faults) >= 2
    for job in faults:
        record = records[job.key]
        assert 1 in (job.first, job.second)
        assert record.outcome is (Outcome.SECOND_WINS if job.first == 1 else Outcome.FIRST_WINS)
        assert record.termination == termination


def test_a_game_that_kills_its_workers_is_tried_three_times_and_left_open_while_the_others_are_played():
    games = jobs(round_robin(3), 1)
    records = Processes(2).run(setting("greedy", odd("Killed"), "random"), [games])
    found = []
    with pytest.raises(InputError, match=r"left open, since 3 workers died in it: game .*0-1-0 \(signal SIGKILL\)"):
        found.extend(record.key for record in records)
    assert sorted(found) == ["0-2-0", "2-0-0"]


def test_a_stranger_under_which_three_workers_died_has_lost_the_game():
    source = parse(f"{ODD.with_name('bad_agents.py')}:KillsItsParent").source()
    field = replace(setting("greedy", odd("Leftmost")), sources=(None, source))
    record = next(Processes(1).run(field, [[Job(0, 1, 0)]]))
    assert (record.termination, record.outcome) == ("worker killed", Outcome.FIRST_WINS)
    assert record.detail == "3 workers died while it was thinking (signal SIGKILL)"


def test_a_stranger_that_stops_its_referee_three_times_has_lost_the_game(monkeypatch):
    monkeypatch.setattr("arena.play.worker.SLACK", 0.1)
    source = parse(f"{ODD.with_name('bad_agents.py')}:StopsItsParent").source()
    field = setting("greedy", odd("Leftmost"))
    field = replace(field, sources=(None, source), terms=Terms(patience=1.0), openings=(Board(),))
    [record] = played(Processes(1), field, [Job(1, 0, 0)]).values()
    assert (record.termination, record.outcome) == ("worker killed", Outcome.SECOND_WINS)


def test_a_killed_worker_is_replaced_and_its_game_played_again():
    field, games = setting(odd("Slow"), odd("Leftmost")), jobs(round_robin(2), 3)
    records = Processes(1).run(field, [games])
    keys = [next(records).key]
    for child in multiprocessing.active_children():
        os.kill(child.pid, signal.SIGKILL)
    keys += [record.key for record in records]
    assert sorted(keys) == sorted(job.key for job in games)


def test_what_a_worker_cannot_play_is_told():
    nothing = f"minimax:depth=1,heuristic={ODD.with_name('odd_heuristics.py')}:missing"
    with pytest.raises(InputError, match="has no function or class 'missing'"):
        list(Processes(1).run(setting("random", nothing), [jobs(round_robin(2), 1)]))
    assert not multiprocessing.active_children()


def test_a_mistake_of_our_own_in_a_worker_is_not_hidden():
    games = [replace(job, opening=99) for job in jobs(round_robin(2), 1)]
    with pytest.raises(RuntimeError, match="IndexError"):
        list(Processes(1).run(setting("random", "greedy"), [games]))


def test_processes_that_cannot_start_are_no_fault_of_the_agents(monkeypatch):
    monkeypatch.setattr("arena.play.worker._work", print)
    with pytest.raises(InputError, match=r"worker processes die before they play a game \(exit code 0\)"):
        list(Processes(1).run(setting("random", "greedy"), [jobs(round_robin(2), 1)]))


def test_a_worker_that_dies_between_two_games_is_no_fault_of_those_who_played_the_first(tmp_path):
    (tmp_path / "dies.py").write_text("import os\nos._exit(3)\n")
    dies = f"minimax:depth=1,heuristic={tmp_path / 'dies.py'}:evaluate"
    records = Processes(1).run(setting("random", "greedy", dies), [[Job(0, 1, 0), Job(2, 0, 1)]])
    assert next(records).termination is Termination.LINE
    with pytest.raises(InputError, match=r"worker processes die before they play a game \(exit code 3\)"):
        next(records)


def test_short_games_are_let_gather_for_less_than_they_may_wait_to_be_stored(monkeypatch):
    slept = []
    monkeypatch.setattr("arena.play.workers.time.sleep", slept.append)
    field = replace(setting("random", "greedy"), openings=(Board(),) * 60)
    assert len(played(Processes(1), field, jobs(round_robin(2), 60))) == 120
    assert slept
    assert max(slept) < 0.05


def test_what_storing_takes_is_a_part_of_the_pause(monkeypatch):
    slept = []
    monkeypatch.setattr("arena.play.workers.time.sleep", slept.append)
    processes = Processes(1)
    field = replace(setting("random", "greedy"), openings=(Board(),) * 60)
    for _ in processes.run(field, [jobs(round_robin(2), 60)]):
        while processes.idle() and time.monotonic() < processes.heard + 0.03:
            pass
    assert set(slept) == {0.0}


def test_between_two_games_a_worker_has_none_in_hand():
    worker = Worker.hire(setting("random", "greedy"))
    try:
        for number in range(2):
            worker.take([Job(0, 1, number)])
            assert len(list(worker.answers())) == 1
            assert worker.in_hand() is None
            assert os.getpgid(worker.process.pid) == worker.process.pid, "a stranger may kill its referee's group"
    finally:
        worker.dismiss()


def test_closing_ends_all_work_at_once_even_that_of_stubborn_agents():
    records = Processes(2).run(setting(odd("Leftmost"), odd("Stubborn")), [jobs(round_robin(2), 3)])
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        _interrupt_after(1.5, records)
    records.close()
    assert not multiprocessing.active_children()
    assert time.monotonic() - began < 15


def _interrupt_after(seconds, records):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        list(records)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_workers_do_not_hear_the_keyboard():
    field = setting(odd("Slow"), odd("Leftmost"))
    games = jobs(round_robin(2), 1)
    records = Processes(1).run(field, [games])
    first = next(records)
    for child in multiprocessing.active_children():
        os.kill(child.pid, signal.SIGINT)
    assert [first.termination, *(record.termination for record in records)] == [Termination.LINE] * 2


def test_ctrl_c_is_held_back_while_processes_start():
    def blocked():
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    assert not blocked()
    with deaf():
        process = multiprocessing.get_context("spawn").Process(target=print)
        process.start()
        assert blocked()
    assert not blocked()
    process.join()


def test_ctrl_c_that_another_thread_takes_comes_late_and_is_not_lost():
    go, passed = threading.Event(), []
    thread = threading.Thread(target=lambda: (go.wait(), signal.raise_signal(signal.SIGINT)))
    thread.start()

    def start_processes():
        with deaf():
            go.set()
            thread.join()
            passed.append(True)

    with pytest.raises(KeyboardInterrupt):
        start_processes()
    assert passed
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Waiting:
    """Presses Ctrl-C as it thinks, and thinks on until it is stopped."""

    def __init__(self):
        self.stopped = threading.Event()

    def stop(self):
        self.stopped.set()

    def choose(self, board, limits):
        os.kill(os.getpid(), signal.SIGINT)
        return board.legal_moves()[0] if self.stopped.wait(10) else None


@pytest.fixture
def unheard():
    """Python does not act on Ctrl-C, as while compiled code runs."""
    before = signal.signal(signal.SIGINT, lambda *arguments: None)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_stops_the_agents_of_this_process(monkeypatch, unheard):
    agent = Waiting()
    monkeypatch.setattr(Field, "agent", lambda field, place, copy: field.made.setdefault((place, copy), agent))
    records = InProcess().run(setting("random", "greedy"), [jobs(round_robin(2), 1)])
    assert next(records).termination is Termination.LINE
    assert agent.stopped.is_set()
    records.close()
    assert signal.set_wakeup_fd(-1) == -1


def test_ctrl_c_stops_the_agent_of_a_depth_table(monkeypatch, unheard):
    agent = Waiting()
    monkeypatch.setattr("arena.measure.depths._up_to", lambda depth, spec: agent)
    assert len(depth_table([parse("minimax")], [1], [Board()], 1.0)) == 1
    assert agent.stopped.is_set()


def test_what_cannot_be_stopped_is_let_alone(unheard):
    class Clumsy:
        def stop(self, when):
            raise AssertionError

    agent = Waiting()
    with stoppable([object(), Clumsy(), agent]):
        os.kill(os.getpid(), signal.SIGINT)
        assert agent.stopped.wait(10)


def test_another_thread_hears_nothing_and_plays_all_the_same():
    played = []
    field, games = setting("random", "greedy"), jobs(round_robin(2), 1)
    thread = threading.Thread(target=lambda: played.extend(InProcess().run(field, [games])))
    thread.start()
    thread.join()
    assert len(played) == 2


def test_one_worker_is_this_process():
    assert isinstance(executor(1), InProcess)
    assert executor(3) == Processes(3)


def test_no_more_processes_start_than_there_are_games():
    records = Processes(50).run(setting("random", "greedy"), [jobs(round_robin(2), 1)])
    next(records)
    assert len(multiprocessing.active_children()) <= 2
    records.close()


def test_nothing_to_play_starts_nothing():
    assert list(Processes(2).run(setting("random", "greedy"), [])) == []
