"""The watchdog, and whose group is killed."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from agents.errors import InputError
from agents.failure import CROWD, MEMORY, Failure
from agents.process_agent import ProcessLimits
from agents.processes import watchdog
from agents.processes.process import Process


class Group:
    """A group that no process has."""

    pid = 1 << 30
    most_memory = 1

    def __init__(self):
        self.condemned = threading.Event()
        self.verdict = None

    def condemn(self, verdict):
        self.verdict = verdict
        self.condemned.set()


@pytest.fixture
def process(tmp_path):
    """A function that starts a shell on a line."""
    started = []

    def start(line):
        started.append(Process(["sh", "-c", line], str(tmp_path), os.environ, {}, ProcessLimits(), own_pipe=False))
        return started[-1]

    yield start
    for each in started:
        if each._questions >= 0:
            each.close()


def test_a_process_that_has_ended_keeps_its_number_until_its_group_is_killed(process, monkeypatch):
    one = process("exit 3")
    with pytest.raises(Failure, match=r"left \(exit code 3\)"):
        one.receive(time.perf_counter() + 10)
    assert os.waitid(os.P_PID, one.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT).si_status == 3
    killed = []
    monkeypatch.setattr(os, "killpg", lambda group, number: killed.append(group))
    one.close()
    assert killed == [one.pid]
    one.kill()
    assert killed == [one.pid], "its number may be another's"


def test_what_a_process_leaves_behind_is_killed_also_where_it_cannot_be_waited_for_without_reaping(
    process, monkeypatch
):
    monkeypatch.delattr(os, "waitid")
    one = process("sleep 1000 & echo $!; exec sleep 0.2")
    child = int(one.receive(time.perf_counter() + 10))
    with pytest.raises(Failure, match=r"left \(exit code 0\)"):
        one.receive(time.perf_counter() + 10)
    until = time.monotonic() + 5
    while _runs(child):
        assert time.monotonic() < until
        time.sleep(0.01)


def _runs(number):
    state = subprocess.run(["ps", "-o", "state=", "-p", str(number)], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in {"", "Z"}


@pytest.mark.skipif(sys.platform != "linux", reason="nothing counts processes here")
def test_a_child_that_outlives_its_leader_is_killed_when_it_is_closed(process):
    one = process("sleep 1000 & echo $!")
    child = int(one.receive(time.perf_counter() + 10))
    assert _runs(child)
    one.close()
    until = time.monotonic() + 5
    while _runs(child):
        assert time.monotonic() < until
        time.sleep(0.01)


class Turns:
    """Stands in for the event that there is a group: true for three looks of the thread, always for other threads."""

    def __init__(self, looks):
        self.looks, self.thread = looks, None

    def wait(self):
        return threading.current_thread() is not self.thread or len(self.looks) < 3

    def clear(self):
        """Change nothing: the program's own thread may look meanwhile."""


def test_looks_that_wait_for_a_busy_machine_do_not_make_the_next_ones_late(monkeypatch):
    looks = []
    turns = Turns(looks)

    def slow():
        if threading.current_thread() is turns.thread:
            looks.append(time.monotonic())
            time.sleep(0.2)

    monkeypatch.setattr(watchdog, "look", slow)
    monkeypatch.setattr(watchdog, "_any_group", turns)
    turns.thread = threading.Thread(target=watchdog._rounds, daemon=True)
    turns.thread.start()
    turns.thread.join(5)
    assert len(looks) == 3


def test_who_is_late_and_holds_too_much_fails_by_what_it_holds(process, monkeypatch):
    one = process("exec sleep 1000")
    monkeypatch.setattr(watchdog, "look", lambda: one.condemn(Failure(MEMORY, "holds too much")))
    with pytest.raises(Failure, match="out of memory: holds too much"):
        one.receive(time.perf_counter() - 1.0)


FIELDS = [b"S", *[b"0"] * 16, b"3", b"0", b"0", b"0", b"5"]
"""Those of a process of three threads and five pages."""


@pytest.mark.parametrize(("ended", "counted"), [(3, 6), (watchdog.MOST_ENDED, 6), (watchdog.MOST_ENDED + 1, 519)])
def test_processes_count_by_their_threads_and_pages_and_those_that_have_ended_where_they_are_many(
    monkeypatch, ended, counted
):
    family = {7: FIELDS, 8: [b"T", *FIELDS[1:]], 9: []}
    family |= {10 + number: [b"Z", *FIELDS[1:]] for number in range(ended)}
    monkeypatch.setattr(watchdog, "offspring", lambda leader: [number for number in family if number != leader])
    monkeypatch.setattr(watchdog, "stat", family.get)
    assert watchdog.usage(7) == (counted, 10 * os.sysconf("SC_PAGE_SIZE"))


def test_between_two_looks_is_a_tenth_of_a_second_or_fifty_times_what_the_last_one_took(monkeypatch):
    here, slept, looks = threading.current_thread(), [], []
    turns = Turns(looks)
    turns.thread = here
    times = iter([5.0, 5.001, 6.0, 6.01, 7.0, 7.0])
    sleep, thread_time = time.sleep, time.thread_time
    monkeypatch.setattr(watchdog, "_any_group", turns)
    monkeypatch.setattr(watchdog, "look", lambda: looks.append(None) if threading.current_thread() is here else None)
    monkeypatch.setattr(
        watchdog.time,
        "sleep",
        lambda length: slept.append(length) if threading.current_thread() is here else sleep(0.1),
    )
    monkeypatch.setattr(
        watchdog.time, "thread_time", lambda: next(times) if threading.current_thread() is here else thread_time()
    )
    watchdog._rounds()
    monkeypatch.undo()
    assert slept == pytest.approx([0.1, 0.1, 0.5])


@pytest.mark.parametrize(
    ("processes", "memory", "verdict"),
    [
        (watchdog.MOST_PROCESSES, 5 << 20, None),
        (watchdog.MOST_PROCESSES + 1, 0, (CROWD, "has 33 processes and threads, allowed are 32")),
        (1, (7 << 20) + 5, (MEMORY, "its processes hold 7 MB, allowed are 5")),
        (99, 7 << 20, (CROWD, "has 99 processes and threads, allowed are 32")),
    ],
)
def test_a_group_above_a_limit_is_condemned_with_what_it_has_and_may_have(monkeypatch, processes, memory, verdict):
    group, other = Group(), Group()
    group.most_memory, other.pid = 5 << 20, Group.pid + 1
    monkeypatch.setattr(watchdog, "_groups", {group.pid: group, other.pid: other})
    monkeypatch.setattr(watchdog, "usage", {group.pid: (processes, memory), other.pid: (1, 1)}.get)
    watchdog.look()
    found = group.verdict and (group.verdict.kind, group.verdict.detail)
    assert (found, other.verdict) == (verdict, None)


def test_a_file_to_write_all_lines_to_that_cannot_be_written_is_named(tmp_path):
    debug = ProcessLimits(debug=str(tmp_path))
    with pytest.raises(InputError) as raised:
        Process(["true"], str(tmp_path), os.environ, {}, debug, own_pipe=False)
    assert str(raised.value) == f"--debug {tmp_path}: Is a directory"


@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are counted in /proc")
def test_a_process_that_the_system_refuses_leaves_nothing_open(tmp_path, monkeypatch):
    def refused(*words, **rest):
        raise OSError(11, "Resource temporarily unavailable")

    before = len([*Path("/proc/self/fd").iterdir()])
    monkeypatch.setattr(subprocess, "Popen", refused)
    with pytest.raises(OSError, match="temporarily unavailable"):
        Process(["true"], str(tmp_path), os.environ, {}, ProcessLimits(), own_pipe=False)
    assert len([*Path("/proc/self/fd").iterdir()]) == before


def test_a_group_is_watched_until_it_is_left_and_nobody_looks_where_there_is_none(monkeypatch):
    monkeypatch.setattr(watchdog, "_groups", {})
    monkeypatch.setattr(watchdog, "_any_group", threading.Event())
    monkeypatch.setattr(watchdog, "_begin", lambda: begun.append(None))
    looked, begun = [], []
    monkeypatch.setattr(watchdog, "usage", lambda leader: looked.append(leader) or (1, 1))
    one, other = Group(), Group()
    other.pid = Group.pid + 1
    for group in (one, other):
        watchdog.watch(group)
        assert watchdog._any_group.is_set()
    watchdog.look()
    watchdog.leave(one)
    watchdog.leave(one)
    watchdog.look()
    assert watchdog._any_group.is_set()
    watchdog.leave(other)
    watchdog.look()
    assert not watchdog._any_group.is_set()
    assert (looked, len(begun)) == ([one.pid, other.pid, other.pid], 2)
