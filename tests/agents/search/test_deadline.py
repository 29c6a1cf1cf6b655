"""What ends a search when its time is up, and what does not."""

import threading

import pytest

from agents.search import control
from agents.search.control import deadline


class Timer:
    """Stands in for a timer; it calls when it is told to."""

    def __init__(self, seconds, call):
        self.seconds, self.call, self.log = seconds, call, []
        self.daemon = False

    def start(self):
        self.log.append("started as a daemon" if self.daemon else "started")

    def cancel(self):
        self.log.append("cancelled")

    def join(self):
        self.log.append("joined")


@pytest.fixture
def timers(monkeypatch):
    made = []
    monkeypatch.setattr(control.threading, "Timer", lambda *given: made.append(Timer(*given)) or made[-1])
    return made


def test_a_deadline_stops_after_so_many_seconds_and_ends_with_its_block(timers):
    stopped = []
    with deadline(2.5, lambda: stopped.append(1)):
        [timer] = timers
        assert (timer.seconds, timer.log) == (2.5, ["started as a daemon"])
        timer.call()
    assert stopped == [1]
    assert timer.log == ["started as a daemon", "cancelled", "joined"]


def test_a_deadline_that_has_passed_stops_at_once_and_none_never(timers):
    with deadline(-1.0, print):
        assert timers[0].seconds == 0.0
    with deadline(None, print):
        assert len(timers) == 1


def test_whatever_ends_the_block_no_timer_is_left(timers):
    with pytest.raises(KeyError), deadline(5.0, print):
        raise KeyError
    assert timers[0].log[1:] == ["cancelled", "joined"]


def test_a_real_timer_calls_and_is_gone_afterwards():
    running, rung = set(threading.enumerate()), threading.Event()
    with deadline(0.001, rung.set):
        assert rung.wait(60)
    assert set(threading.enumerate()) <= running
