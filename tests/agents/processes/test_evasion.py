"""Agents that hide memory and processes from the watchdog are condemned, and killed with all that they began."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from needs import needs

from agents.agent import Limits
from agents.board import Board, Rules
from agents.failure import Failure

from .hiding_agents import HIDES, SETSID, agent_of, all_gone, left

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="nothing counts processes here")]


KINDS = dict.fromkeys(HIDES, "out of memory") | {"crowd": "too many processes"}


@needs("bwrap")
@pytest.mark.parametrize("way", HIDES)
def test_what_an_agent_starts_in_a_sandbox_is_counted_and_killed(tmp_path, way):
    memory = 1024 if way == "crowd" else 200  # pages that a fork shares count in each of the two
    agent = agent_of(tmp_path, HIDES[way], start_timeout=15.0, sandbox=True, memory=memory)
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
        "from pathlib import Path\nfrom hiding_agents import agent_of, SETSID\n"
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


@needs("bwrap")
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
    assert agent.choose(Board(), Limits()).column <= 128
    agent.close()


@needs("bwrap")
def test_a_sandbox_has_no_namespaces_of_the_agents_own(tmp_path):
    unshares = "\n    return os.system('unshare --user --mount true 2> /dev/null') != 0\n"
    agent = agent_of(tmp_path, unshares, sandbox=True)
    assert agent.choose(Board(), Limits()).column is True
    agent.close()


@needs("bwrap")
def test_a_sandbox_is_held_to_few_files_and_processes_and_ends_first_where_memory_is_short(tmp_path):
    asks = """
    from resource import RLIMIT_NOFILE, RLIMIT_NPROC, getrlimit
    limits = *getrlimit(RLIMIT_NOFILE), *getrlimit(RLIMIT_NPROC), int(open('/proc/self/oom_score_adj').read())
    return str(limits)
"""
    agent = agent_of(tmp_path, asks, wait=0, sandbox=True)
    assert agent.choose(Board(), Limits()).column == "(64, 64, 256, 256, 1000)"
    agent.close()
