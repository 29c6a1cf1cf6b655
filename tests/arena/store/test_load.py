import subprocess
import sys
import time

import pytest

from arena.store import machine
from arena.store.machine import Load, load

SPIN = "import time\nwhile time.process_time() < 0.5: pass"


def test_what_this_program_and_its_children_use_is_not_of_others():
    if machine._others() is None:
        pytest.skip("this system does not count processor time by program")
    # what others use is the same whether a child runs or has ended: its time moves to this process, and stays our own
    child = subprocess.Popen([sys.executable, "-c", f"{SPIN}\nprint(flush=True)\ninput()"], stdin=-1, stdout=-1)
    child.stdout.readline()
    running = machine._others()
    child.communicate(b"\n")
    assert abs(machine._others() - running) < 0.4


def test_an_orphan_of_somebody_else_is_of_others():
    if machine._others() is None:
        pytest.skip("this system does not count processor time by program")
    ended = load()
    subprocess.run(["sh", "-c", f'{sys.executable} -c "{SPIN}" >/dev/null 2>&1 &'], check=True)
    time.sleep(2.0)
    assert ended().others >= 0.15


@pytest.mark.parametrize(("before", "after", "others"), [(5.0, 5.0, 0.0), (5.0, 4.9, 0.0), (5.0, 999.0, 2.0)])
def test_the_load_lies_between_none_and_all_cores(monkeypatch, before, after, others):
    told = iter([before, after])
    monkeypatch.setattr(machine, "_others", lambda: next(told))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(machine, "SHORTEST", 0.0)
    assert load()() == Load(others, 2)


def test_the_load_average_stands_in_where_nothing_else_tells(monkeypatch):
    monkeypatch.setattr(machine, "_others", lambda: None)
    monkeypatch.setattr("os.getloadavg", lambda: (1.25, 9.0, 9.0))
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert str(load()()) == "rough: other programs used 1.2 of 4 cores"
    monkeypatch.setattr(machine, "BUSY", 0.25)
    assert load()().busy
    assert not Load(0.9, 4).busy
