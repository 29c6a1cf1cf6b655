import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from samples import BAD, DATA

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.failure import KEPT_TRACEBACK, Failure
from agents.process_agent import ProcessLimits
from agents.processes.agent import SubprocessAgent
from agents.specs import sources
from arena.games.referee import Fault, decide

POSITIONS = [Board.from_moves(moves) for moves in ("", "12", "1213", "121314")]


def started(name, start_timeout=10.0, memory=256, **process_limits):
    return SubprocessAgent(
        sources.python(BAD, name, {}), ProcessLimits(start_timeout=start_timeout, memory=memory, **process_limits)
    )


def alive(group):
    """Return the processes of a group that have not ended."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] not in "ZX":
                found.append(int(entry.name))
    return found


def wait_for_nobody(group, seconds=2):
    until = time.monotonic() + seconds
    while alive(group):
        assert time.monotonic() < until, f"group {group} lives on: {alive(group)}"
        time.sleep(0.02)


def play(agent):
    """Let it make four moves."""
    agent.prepare(Rules())
    agent.new_game(1)
    return [agent.choose(board, Limits()) for board in POSITIONS]


FAULTS = {
    "Raises": ("exception", r"ValueError: no idea \(bad_agents.py, line \d+\)"),
    "Loops": ("out of time", "no answer within 0.2 s"),
    "Sleeps": ("out of time", "no answer within 0.2 s"),
    "IgnoresTerm": ("out of time", ""),
    "Exits": (r"left (exit code 5)", r"SystemExit: 5 \(bad_agents.py, line \d+\)"),
    "Leaves": ("left (exit code 3)", ""),
    "KillsItself": ("crashed (SIGKILL)", ""),
    "Segfaults": ("crashed (SIGSEGV)", ""),
    "Hoards": ("out of memory", "MemoryError"),
    "Recurses": ("exception", "RecursionError"),
    "RecursesDeeply": ("crashed (SIGSEGV)", ""),
    "RaisesWhenMade": ("exception", "ValueError: not today"),
    "LoopsWhenMade": ("out of time", r"\(start\)"),
    "RaisesInNewGame": ("exception", "ValueError: not this one"),
    "ForkBomb": ("too many processes", r"has \d+ processes and threads, allowed are 32"),
    "ClosesAll": ("left (exit code 0)", ""),
    "Garbage": ("protocol error", "rubbish|column"),
    "FillsTheDisk": ("exception", "OSError: .*File too large"),
    "Replaces": ("exception", ""),
    "ForgesAnEnd": ("protocol error", "line completed"),
    "ForgesAWorker": ("protocol error", "worker killed"),
    "ForgesRubbish": ("exception", r"^\\ud800\\x1b\[2J$"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_a_process_agent_does_wrong_is_named_and_its_process_ends(name):
    kind, detail = FAULTS[name]
    agent = started(name, 0.2 if name == "LoopsWhenMade" else 10.0, memory=1024 if name == "ForkBomb" else 256)
    with pytest.raises(Failure) as raised:  # noqa: PT012  some fail before they move
        agent.prepare(Rules())
        group = agent._process.pid
        if kind == "out of time":
            agent.process_limits = replace(agent.process_limits, start_timeout=0.2)
        play(agent)
    assert raised.value.kind == kind
    assert re.search(detail, raised.value.detail)
    assert not agent.running
    if "WhenMade" not in name:
        wait_for_nobody(group)
    (DATA / "filler").unlink(missing_ok=True)


@pytest.mark.parametrize(
    "name",
    ["Leftmost", "Numpy", "Floods", "Forks", "Threads", "ClosesStandard", "Moves", "PatchesTime"],
)
def test_what_harms_nobody_plays_on(name):
    agent = started(name)
    assert [answer.column for answer in play(agent)] == [0, 0, 0, 0]
    group = agent._process.pid
    agent.close()
    wait_for_nobody(group)


@pytest.mark.parametrize(("name", "answer"), [("Nine", 9), ("Nothing", None), ("Text", "4"), ("Float", 3.0)])
def test_an_answer_that_is_no_move_comes_as_it_is(name, answer):
    agent = started(name)
    assert play(agent)[-1] == Analysis(answer)
    agent.close()


@pytest.mark.parametrize(
    ("name", "kind", "detail"),
    [
        ("NoIndex", "illegal move", "answered an object of type NoIndex, which is no column"),
        ("BadIteration", "exception", "not finite"),
    ],
)
def test_an_answer_that_is_no_number_is_judged_by_the_referee_alone(name, kind, detail):
    agent = started(name)
    with pytest.raises(Fault) as raised:  # noqa: PT012  some fail later
        for board in POSITIONS:
            decide(agent, board)
    assert raised.value.termination == kind
    assert detail in raised.value.detail
    agent.close()


def test_an_object_is_shown_as_python_shows_it_and_a_text_in_quotes(tmp_path):
    file = tmp_path / "odd.py"
    file.write_text("def choose(board):\n    return '4' if board.ply else {'column': 3}\n")
    agent = SubprocessAgent(sources.python(file, "choose", {}), ProcessLimits(start_timeout=10.0))
    for moves, shown in (("", "answered {'column': 3}"), ("4", "answered '4'")):
        with pytest.raises(Fault, match=re.escape(shown)):
            decide(agent, Board.from_moves(moves))
    agent.close()


def test_an_endless_line_is_cut_where_the_referee_refuses_it():
    for name in ("EndlessLine", "LongLine"):
        agent = started(name)
        assert len(play(agent)[-1].pv) == 65
        agent.close()


def test_the_next_game_after_a_fault_begins_with_a_new_process():
    agent = started("Leaves")
    with pytest.raises(Failure):
        play(agent)
    agent.new_game(2)
    assert agent.choose(Board(), Limits()) == Analysis(0)
    agent.close()


def test_a_limit_is_kept_to_milliseconds():
    agent = started("Loops", margin=0.05)
    agent.prepare(Rules())
    agent.choose(Board(), Limits())
    agent.choose(Board(), Limits())
    began = time.perf_counter()
    with pytest.raises(Failure, match="out of time"):
        agent.choose(Board(), Limits(seconds=0.1))
    assert 0.15 <= time.perf_counter() - began < 2


def test_what_it_wrote_is_kept_to_the_last_4_kb():
    agent = started("Floods")
    play(agent)
    assert agent._process.output.endswith("y\n")
    assert len(agent._process.output) == 4096
    agent.close()


def test_a_traceback_comes_along():
    agent = started("Raises")
    with pytest.raises(Failure) as raised:
        play(agent)
    assert raised.value.traceback.endswith("ValueError: no idea\nno second line\n")


def test_what_forks_while_nobody_asks_it_is_killed_then_and_told_when_it_is_asked():
    agent = started("BombsOthersTime", memory=1024)
    play(agent)
    wait_for_nobody(agent._process.pid, 20)
    with pytest.raises(Failure, match="too many processes: has "):
        agent.choose(Board(), Limits())


def test_what_a_process_agent_tells_can_be_printed_and_stored():
    agent = started("ForgesRubbish")
    with pytest.raises(Failure) as raised:
        play(agent)
    told = raised.value.traceback
    assert told.replace("\n", "").isprintable()
    assert told.encode()
    assert len(told) <= KEPT_TRACEBACK


def test_a_process_agent_dies_with_its_referee_and_so_do_its_children(tmp_path):
    script = f"""
import os, sys, time
from pathlib import Path
from agents.agent import Limits
from agents.board import Board
from agents.specs import sources
from agents.processes.agent import SubprocessAgent
from agents.process_agent import ProcessLimits
from arena.games.referee import Fault, decide
agent = SubprocessAgent(sources.python(Path({str(BAD)!r}), "Forks", {{}}))
for moves in ("", "12", "1213"):
    agent.choose(Board.from_moves(moves), Limits())
print(agent._process.pid, flush=True)
time.sleep(100)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        group = int(process.stdout.readline())
        assert len(alive(group)) == 2
        process.kill()
    wait_for_nobody(group)
