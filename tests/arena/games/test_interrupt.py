"""Ctrl-C: what it stops at once, and what does not hear it."""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from contextlib import nullcontext

import pytest
from worker_games import odd, played_in, setting

from agents.board import Board
from agents.specs.registry import parse
from arena.depth.cost import depth_table
from arena.games.field import Field
from arena.games.formats import jobs, round_robin
from arena.games.interrupt import HEARD, block_sigint, stop, stoppable
from arena.games.workers import InProcess, Processes
from arena.records import Termination


@pytest.mark.process
def test_closing_ends_all_work_at_once_even_that_of_stubborn_agents():
    records = played_in(Processes(2), setting(odd("Leftmost"), odd("Stubborn")), jobs(round_robin(2), 3))
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
    records = played_in(Processes(1), field, games)
    first = next(records)
    for child in multiprocessing.active_children():
        os.kill(child.pid, signal.SIGINT)
    assert [first.termination, *(record.termination for record in records)] == [Termination.LINE] * 2


def test_ctrl_c_is_held_back_while_processes_start():
    def blocked():
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    assert not blocked()
    with block_sigint():
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
        with block_sigint():
            go.set()
            thread.join()
            passed.append(True)

    with pytest.raises(KeyboardInterrupt):
        start_processes()
    assert passed
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("pressed", [False, True])
def test_a_handler_of_the_programs_own_hears_ctrl_c_after_processes_have_started(pressed):
    heard = []

    def own(number, frame):
        heard.append(number)

    before = signal.signal(signal.SIGINT, own)
    try:
        with block_sigint():
            if pressed:
                os.kill(os.getpid(), signal.SIGINT)
            assert heard == []
        assert signal.getsignal(signal.SIGINT) is own
        assert heard == [signal.SIGINT] * pressed
        with pytest.raises(ZeroDivisionError), block_sigint():
            raise ZeroDivisionError
        assert signal.getsignal(signal.SIGINT) is own
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        with block_sigint():
            pass
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT}), "as it was before"
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, before)


def test_where_a_system_holds_no_signals_back_ctrl_c_comes_at_once(monkeypatch):
    monkeypatch.delattr(signal, "pthread_sigmask")
    passed = []
    with block_sigint():
        passed.append(signal.getsignal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt), block_sigint():
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(ZeroDivisionError), block_sigint():
        raise ZeroDivisionError
    assert passed == [signal.default_int_handler] == [signal.getsignal(signal.SIGINT)]


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


def test_a_run_hears_the_keyboard_a_polite_kill_and_the_end_of_its_terminal():
    assert {signal.Signals(number).name for number in HEARD} == {"SIGINT", "SIGTERM", "SIGHUP"}


@pytest.mark.parametrize("number", sorted(HEARD))
def test_every_signal_that_ends_a_run_stops_what_thinks_at_once(number):
    agent, before = Waiting(), signal.signal(number, lambda *arguments: None)
    try:
        with stoppable([agent]):
            os.kill(os.getpid(), number)
            assert agent.stopped.wait(10)
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGCHLD])
def test_another_signal_stops_nothing(unheard, number):
    agent, heard = Waiting(), []
    before = signal.signal(number, lambda number, frame: heard.append(number))
    try:
        with stoppable([agent]):
            os.kill(os.getpid(), number)
        assert (heard, agent.stopped.is_set()) == ([number], False)
        with stoppable([agent]):
            os.kill(os.getpid(), number)
            os.kill(os.getpid(), signal.SIGINT)
            assert agent.stopped.wait(10)
    finally:
        signal.signal(number, before)


def test_ctrl_c_stops_the_agents_of_this_process(monkeypatch, unheard):
    agent = Waiting()
    monkeypatch.setattr(Field, "agent", lambda field, place, copy: field.agents.setdefault((place, copy), agent))
    records = played_in(InProcess(), setting("random", "greedy"), jobs(round_robin(2), 1))
    assert next(records).termination is Termination.LINE
    assert agent.stopped.is_set()
    records.close()
    assert signal.set_wakeup_fd(-1) == -1


def test_ctrl_c_stops_the_agent_of_a_depth_table(monkeypatch, unheard):
    agent = Waiting()
    monkeypatch.setattr("arena.depth.cost._up_to", lambda depth, spec: agent)
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


def test_what_can_be_stopped_is_told_so():
    class Failing:
        def stop(self):
            raise ValueError

    agent = Waiting()
    assert [stop(each) for each in (agent, Failing(), object())] == [True, True, False]
    assert agent.stopped.is_set()


def test_another_thread_hears_nothing_and_plays_all_the_same():
    played = []
    field, games = setting("random", "greedy"), jobs(round_robin(2), 1)
    thread = threading.Thread(target=lambda: played.extend(played_in(InProcess(), field, games)))
    thread.start()
    thread.join()
    assert len(played) == 2


@pytest.mark.parametrize("fails", [False, True])
def test_after_a_search_within_another_ctrl_c_stops_the_outer_one(unheard, fails):
    outer, inner = Waiting(), Waiting()
    with stoppable([outer]):
        with pytest.raises(ZeroDivisionError) if fails else nullcontext(), stoppable([inner]):
            assert 1 // (not fails)
        os.kill(os.getpid(), signal.SIGINT)
        assert outer.stopped.wait(10)
    assert not inner.stopped.is_set()


def test_ctrl_c_within_an_inner_search_stops_the_outer_one_as_well(unheard):
    outer, inner = Waiting(), Waiting()
    with stoppable([outer]), stoppable([inner]):
        os.kill(os.getpid(), signal.SIGINT)
        assert inner.stopped.wait(10)
        assert outer.stopped.wait(10)


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize("number", sorted(HEARD | {signal.SIGUSR1}))
def test_a_program_with_an_event_loop_hears_signals_during_and_after_a_search(number, within):
    async def program():
        heard = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(number, heard.set)
        with stoppable([]):
            if within:
                os.kill(os.getpid(), number)
        if not within:
            os.kill(os.getpid(), number)
        await asyncio.wait_for(heard.wait(), 10)

    before = signal.getsignal(number)
    try:
        asyncio.run(program())
    finally:
        signal.signal(number, before)
    assert signal.set_wakeup_fd(-1) == -1


def test_a_program_that_takes_no_more_signals_stops_no_search(unheard):
    listening, full = os.pipe()
    os.set_blocking(full, False)
    os.write(full, bytes(1 << 16))
    before, agent = signal.set_wakeup_fd(full, warn_on_full_buffer=False), Waiting()
    try:
        with stoppable([agent]):
            for _ in range(3):
                agent.stopped.clear()
                os.kill(os.getpid(), signal.SIGINT)
                assert agent.stopped.wait(10)
        assert signal.set_wakeup_fd(before) == full
    finally:
        signal.set_wakeup_fd(before)
        os.close(listening)
        os.close(full)
