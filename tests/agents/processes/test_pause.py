"""What an agent leaves running in its sandbox stops between its moves."""

import time

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
