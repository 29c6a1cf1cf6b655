"""What an agent leaves running in its sandbox stops between its moves."""

import time
from types import SimpleNamespace

import pytest
from needs import needs

from agents.agent import Limits
from agents.board import Board
from agents.process_agent import ProcessLimits
from agents.processes import pause, process
from agents.processes.agent import SubprocessAgent
from agents.specs import sources
from arena.games.referee import Conditions, decide

SPINNERS = {
    "thread": "threading.Thread(target=spin, daemon=True).start()",
    "child": "os.fork() or spin()",
    "orphan in a session of its own": "os.fork() or (os.setsid(), os.fork() or spin(), os._exit(0))",
}
BOT = """
import os, threading
def spin():
    while True:
        pass
begun = []
def choose(board):
    if not begun:
        begun.append({start})
    return board.legal_moves()[0]
"""


def spent(leader):
    """Return the processor time of all processes below a leader, in ticks."""
    ticks = 0
    for number in pause.offspring(leader):
        fields = pause.stat(number)
        ticks += int(fields[11]) + int(fields[12])
    return ticks


@needs("bwrap")
@pytest.mark.parametrize("kind", SPINNERS)
def test_what_spins_in_a_sandbox_gets_no_time_between_moves(tmp_path, kind):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(start=SPINNERS[kind]))
    agent = SubprocessAgent(sources.python(bot, "", {}), ProcessLimits(sandbox=True))
    try:
        for moves in ("", "12"):
            assert decide(agent, Board.from_moves(moves)).column == 0
            before = spent(agent._process.pid)
            time.sleep(0.3)
            assert spent(agent._process.pid) == before
        agent._process.resume()
        until = time.monotonic() + 20
        while spent(agent._process.pid) <= before + 10:
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        agent.close()


@needs("bwrap")
def test_a_process_that_forks_without_end_is_stopped_whole(tmp_path):
    bot = tmp_path / "bot.py"
    forks = "os.fork() or [os.fork() and os.wait() or os._exit(0) for _ in iter(int, 1)]"
    bot.write_text(BOT.format(start=forks))
    agent = SubprocessAgent(sources.python(bot, "", {}), ProcessLimits(sandbox=True))
    try:
        decide(agent, Board())
        family = pause.offspring(agent._process.pid)
        time.sleep(0.2)
        assert pause.offspring(agent._process.pid) == family
        assert {pause.stat(number)[0] for number in family} <= {b"T", b"Z"}
    finally:
        agent.close()


@needs("bwrap")
def test_an_agent_in_a_sandbox_ends_by_itself_after_its_last_move(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "QUIT_TIMEOUT", 10.0)
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(board):\n    return 0\n")
    agent = SubprocessAgent(sources.python(bot, "", {}), ProcessLimits(sandbox=True))
    decide(agent, Board())
    program = agent._process._process
    agent.close()
    assert program.returncode == 0


@needs("bwrap")
def test_deadlines_count_from_the_question_not_from_the_stop(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("import time\ndef choose(board):\n    time.sleep(0.2)\n    return 0\n")
    agent = SubprocessAgent(sources.python(bot, "", {}), ProcessLimits(sandbox=True))
    try:
        for moves in ("", "12"):
            made = decide(agent, Board.from_moves(moves), Conditions(Limits(seconds=1.0)))
            assert made.column == 0
            assert made.seconds >= 0.2
            time.sleep(1.1)
    finally:
        agent.close()


class Family:
    """Processes below a leader as they are found at each look, and their states; time passes with each look."""

    SIGSTOP, SIGCONT = "stop", "go on"

    def __init__(self, looks, states, step=0.001):
        self.looks, self.states, self.step, self.now, self.log = looks, states, step, 50.0, []

    def offspring(self, leader):
        assert leader == 5
        self.now += self.step
        return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]

    def stat(self, number):
        return self.states.get(number, [])

    def kill(self, number, sign):
        self.log.append((number, sign))
        if number == 9:
            raise ProcessLookupError

    def perf_counter(self):
        return self.now


@pytest.mark.parametrize(
    ("looks", "states", "step", "stopped", "left"),
    [
        ([[7], [7, 8], [7, 8], [99]], {7: [b"T"], 8: [b"Z"]}, 0.001, [7, 8], 1),
        ([[], [], [7]], {}, 0.001, [], 2),
        ([[9, 7], [7], [7], [99]], {7: [b"t"]}, 0.001, [9, 7], 1),
        ([[7], [8], [7], [7], [99]], {7: [b"T"], 8: [b"T"]}, 0.001, [7, 8], 1),
        ([[7]] * 9, {7: [b"D"]}, 0.02, [7], 5),  # it waits for a device: the fourth look is after 0.06 s
        ([[number] for number in range(20, 30)], {}, 0.3, [20, 21, 22, 23], 6),
    ],
)  # fmt: skip
def test_all_are_stopped_when_two_looks_see_the_same_or_time_is_up(monkeypatch, looks, states, step, stopped, left):
    family = Family([*looks], states, step)
    for name, part in (("os", family), ("time", family), ("signal", family)):
        monkeypatch.setattr(pause, name, part)
    monkeypatch.setattr(pause, "offspring", family.offspring)
    monkeypatch.setattr(pause, "stat", family.stat)
    assert sorted(pause.pause(5)) == sorted(stopped)
    assert sorted(family.log) == [(number, "stop") for number in sorted(stopped)]
    assert len(family.looks) == left
    family.log.clear()
    pause.resume([9, *stopped])
    assert family.log == [(number, "go on") for number in (9, *stopped)]


def test_the_offspring_are_those_of_all_threads_of_all_processes_below(monkeypatch):
    children = {(5, 5): "7 8", (5, 6): "9\n", (7, 7): "", (9, 9): "10"}

    def listdir(path):
        number = int(path.split("/")[2])
        if number == 8:
            raise FileNotFoundError
        return ["404"] * (number == 5) + [str(thread) for process, thread in children if process == number]

    def read(path):
        _, _, process, _, thread, _ = path.split("/")
        if thread == "404":
            raise ProcessLookupError
        return children[int(process), int(thread)].encode()

    monkeypatch.setattr(pause, "os", type("Os", (), {"listdir": staticmethod(listdir)}))
    monkeypatch.setattr(pause, "_read", read)
    assert sorted(pause.offspring(5)) == [7, 8, 9, 10]
    monkeypatch.setattr(pause, "_read", lambda path: b"7 (a) b) S 5 7")
    assert pause.stat(7) == [b"S", b"5", b"7"]


@pytest.mark.parametrize("ended", [False, True])
def test_a_list_of_many_children_is_read_whole_and_its_file_closed(monkeypatch, ended):
    children, closed = " ".join(map(str, range(10_000, 20_000))).encode(), []

    def read(descriptor, most):
        if ended:
            raise ProcessLookupError
        return children[:most]

    monkeypatch.setattr(pause, "os", SimpleNamespace(
        open=lambda path, flags: (path, flags), read=read, O_RDONLY=0, close=closed.append, listdir=lambda path: ["5"],
    ))  # fmt: skip
    assert pause._children(5) == ([] if ended else list(range(10_000, 20_000)))
    assert closed == [("/proc/5/task/5/children", 0)]
    assert pause.stat(5) == ([] if ended else children.split())
    assert closed[1:] == [("/proc/5/stat", 0)]
