"""Processes that want the same kernel, one after the other."""

import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from numba.core.errors import NumbaError

from agents.jit import cache as turn
from agents.jit.cache import one_at_a_time
from agents.jit.compiler import JIT, jit, word

pytestmark = pytest.mark.compiles

COUNT = """
from agents.search.compiled import no_order
print(sum(no_order.stats.cache_hits.values()))
"""


HOLD = """
import sys
from pathlib import Path
from agents.jit.cache import one_at_a_time
with one_at_a_time(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read(1)
"""


@contextmanager
def held(path):
    """Have another process hold the lock; yield that process, which lets go when it is told anything."""
    words = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_the_second_waits_until_the_first_is_done(tmp_path):
    with held(tmp_path / "lock") as process:
        timer = threading.Timer(0.2, process.communicate, ("x",))
        began = time.monotonic()
        timer.start()
        with one_at_a_time(tmp_path / "lock"):
            assert 0.2 <= time.monotonic() - began < 60
        timer.join()


def test_nobody_waits_for_ever_for_a_process_that_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(turn, "PATIENCE", 0.05)
    with held(tmp_path / "lock"):
        began = time.monotonic()
        with one_at_a_time(tmp_path / "lock"):
            assert 0.05 <= time.monotonic() - began < 60


def test_who_has_a_turn_waits_for_no_other(tmp_path):
    with held(tmp_path / "other"), one_at_a_time(tmp_path / "lock"):
        began = time.monotonic()
        with one_at_a_time(tmp_path / "other"), one_at_a_time(tmp_path / "lock"):
            assert time.monotonic() - began < 60
        assert [path.name for path in turn._HELD] == ["lock"]
    assert not turn._HELD


def test_whatever_becomes_of_a_compilation_nothing_stays_locked(tmp_path):
    def kernel(number):
        return number + 1

    def wrong(number):
        return number + "1"

    assert jit(word(word), directory=tmp_path)(kernel)(1) == 2
    with pytest.raises(NumbaError):
        jit(word(word), directory=tmp_path)(wrong)
    assert not turn._HELD
    assert not [each for each in Path("/proc/self/fd").iterdir() if str(each.resolve()).endswith(".lock")]


def test_where_no_file_can_be_there_is_no_waiting(tmp_path):
    with one_at_a_time(tmp_path / "gone" / "lock"), one_at_a_time(tmp_path / "gone" / "lock"):
        assert not [*tmp_path.iterdir()]


def test_where_there_are_no_locks_everybody_has_a_turn(tmp_path, monkeypatch):
    def unknown(file, operation):
        raise OSError(38, "Function not implemented")

    with monkeypatch.context() as patch:
        patch.setattr("fcntl.flock", unknown)
        with one_at_a_time(tmp_path / "lock"):
            assert [path.name for path in turn._HELD] == ["lock"]
    monkeypatch.setitem(sys.modules, "fcntl", None)  # as on Windows
    with one_at_a_time(tmp_path / "other"):
        assert not turn._HELD
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_an_error_ends_a_turn_too(tmp_path):
    with pytest.raises(KeyError), one_at_a_time(tmp_path / "lock"):
        raise KeyError
    assert not turn._HELD


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_of_two_processes_one_compiles_a_kernel_and_the_other_finds_it(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", COUNT], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert sorted(each.communicate(timeout=300)[0] for each in both) == ["0\n", "1\n"]
