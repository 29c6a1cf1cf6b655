"""Agents that hide memory and processes from the watchdog are condemned, and killed with all that they began."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from walls import inside

from agents.agent import Limits
from agents.board import Board, Rules
from agents.remote import sandbox, spec
from agents.remote.agent import RemoteAgent
from agents.remote.failure import Failure
from agents.remote.limits import ProcessLimits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nothing counts processes here")

HIDES = {
    "memfds": """
    for _ in range(30):
        file = os.memfd_create("hidden")
        os.write(file, bytes(10 << 20))
        kept.append(file)
""",
    "unlinked": """
    for number in range(30):
        file = open(f"/dev/shm/{os.getpid()}-{number}", "wb+")
        os.unlink(file.name)
        file.write(bytes(10 << 20))
        file.flush()
        kept.append(file)
""",
    "shared": """
    kept.append(mmap.mmap(-1, 300 << 20))
    kept[0].write(bytes(300 << 20))
""",
    "setsid": """
    for _ in range(2):
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            kept.append(bytearray(b"x") * (150 << 20))
            time.sleep(1000)
""",
    "crowd": """
    for number in range(40):
        if os.fork() == 0:
            os.setsid() if number % 2 else os.setpgid(0, 0)
            if os.fork():
                os._exit(0)
            time.sleep(1000)
""",
}
KINDS = dict.fromkeys(HIDES, "out of memory") | {"crowd": "too many processes"}


SETSID = """
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
"""


def agent_of(folder, body, **limits):
    """Return an agent whose move begins with these lines."""
    bot = folder / "hides.py"
    end = f"    time.sleep({limits.pop('wait', 20)})\n    return 0\n"
    bot.write_text(f"import mmap, os, time\nkept = []\ndef choose(board):\n    pass{body}{end}")
    source = replace(spec.python(bot, "", {}), environment=(("MARKER", str(folder)),))
    return RemoteAgent(source, ProcessLimits(**{"memory": 200} | limits))


def left(folder):
    """Return the processes of this folder's agent."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state = (path / "stat").read_bytes().rpartition(b")")[2].split()[0]
            if state != b"Z" and f"MARKER={folder}".encode() in (path / "environ").read_bytes():
                found.append(path.name)
        except OSError:
            continue
    return found


def all_gone(folder):
    until = time.monotonic() + 10
    while left(folder):
        assert time.monotonic() < until, left(folder)
        time.sleep(0.05)


@pytest.mark.parametrize("walls", [False, pytest.param(True, marks=inside)])
@pytest.mark.parametrize("way", HIDES)
def test_what_is_hidden_from_the_watchdog_is_counted_and_killed(tmp_path, way, walls):
    if walls and way == "unlinked":
        pytest.skip("a sandbox has no such room")
    memory = 1024 if way == "crowd" else 200  # pages that a fork shares count in each of the two
    agent = agent_of(tmp_path, HIDES[way], patience=15.0, sandbox=walls, memory=memory)
    agent.prepare(Rules())
    with pytest.raises(Failure) as raised:
        agent.choose(Board(), Limits())
    assert raised.value.kind == KINDS[way]
    agent.close()
    all_gone(tmp_path)


def test_a_child_that_left_its_group_is_killed_when_the_agent_is_closed(tmp_path):
    agent = agent_of(tmp_path, SETSID, wait=0)
    assert agent.choose(Board(), Limits()).column == 0
    assert len(left(tmp_path)) >= 2
    agent.close()
    all_gone(tmp_path)


def test_a_child_that_left_its_group_ends_with_the_process_that_began_the_agent(tmp_path):
    begun = (
        "from pathlib import Path\nfrom test_evasion import agent_of, SETSID\n"
        "from agents.agent import Limits\nfrom agents.board import Board\n"
        f"agent_of(Path({str(tmp_path)!r}), SETSID).choose(Board(), Limits())\n"
    )
    path = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    with subprocess.Popen([sys.executable, "-c", begun], env=os.environ | path) as process:
        until = time.monotonic() + 20
        while len(left(tmp_path)) < 2:
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    all_gone(tmp_path)


def test_programs_that_an_agent_begins_and_forgets_are_no_crowd(tmp_path):
    agent = agent_of(tmp_path, "\n    for _ in range(40):\n        os.system('true &')\n", wait=0.5)
    assert agent.choose(Board(), Limits()).column == 0
    agent.close()


@inside
def test_a_sandbox_has_little_room_to_write(tmp_path):
    fill = """
    written = 0
    for folder in ("/dev/shm", "/tmp", "/dev", "/"):
        try:
            for number in range(30):
                with open(f"{folder}/{number}", "wb") as file:
                    written += file.write(bytes(10 << 20))
        except OSError:
            pass
    return written >> 20
"""
    agent = agent_of(tmp_path, fill, wait=0, sandbox=True)
    sized = "--size" in sandbox.bubblewrap()
    assert not sized or agent.choose(Board(), Limits()).column <= 128
    agent.close()


@inside
def test_a_sandbox_has_no_namespaces_of_the_agents_own(tmp_path):
    unshares = "\n    return os.system('unshare --user --mount true 2> /dev/null') != 0\n"
    agent = agent_of(tmp_path, unshares, sandbox=True)
    closed = "--disable-userns" in sandbox.bubblewrap()
    assert not closed or agent.choose(Board(), Limits()).column is True
    agent.close()
