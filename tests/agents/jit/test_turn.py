"""Processes that want the same kernel, one after the other."""

import os
import subprocess
import sys
import threading
import time

import pytest

from agents import cache
from agents.jit import turn
from agents.jit.compiler import JIT
from agents.jit.turn import one_at_a_time

COUNT = """
from agents.search.parts import no_order
print(sum(no_order.stats.cache_hits.values()))
"""


def test_the_second_waits_until_the_first_is_done(tmp_path):
    order = []

    def second():
        with one_at_a_time(tmp_path / "lock"):
            order.append("second")

    thread = threading.Thread(target=second)
    with one_at_a_time(tmp_path / "lock"):
        thread.start()
        thread.join(0.1)
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


def test_nobody_waits_for_ever_for_a_process_that_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(turn, "PATIENCE", 0.05)
    with one_at_a_time(tmp_path / "lock"):
        began = time.monotonic()
        with one_at_a_time(tmp_path / "lock"):
            assert 0.05 <= time.monotonic() - began < 10


def test_where_no_file_can_be_there_is_no_waiting(tmp_path):
    with one_at_a_time(tmp_path / "gone" / "lock"), one_at_a_time(tmp_path / "gone" / "lock"):
        assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_of_two_processes_one_compiles_a_kernel_and_the_other_finds_it(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", COUNT], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert sorted(each.communicate(timeout=300)[0] for each in both) == ["0\n", "1\n"]


@pytest.mark.parametrize("folder", ["", "new", "new/below"])
def test_code_can_be_kept_where_a_folder_can_be_made(tmp_path, monkeypatch, folder):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / folder))
    assert cache.writable()
    assert not [*tmp_path.iterdir()]


def test_code_cannot_be_kept_below_a_file_or_where_nobody_knows_the_users_home(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "below"))
    assert not cache.writable()
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", lambda number: {}[number])
    assert not cache.writable()
