"""A process agent shows no more than four letters of a key, wherever its lines and its output were cut."""

import pytest

from agents.agent import Limits
from agents.board import Board
from agents.failure import Failure
from agents.process_agent import ProcessLimits, Source
from agents.processes.agent import SubprocessAgent
from agents.specs import sources

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM"


def shown(text, secret=PLAIN, letters=5):
    """Return the parts of a secret of five letters that stand in a text."""
    return [secret[at : at + letters] for at in range(len(secret) - letters + 1) if secret[at : at + letters] in text]


ENGINE = """#!/usr/bin/env python3
import os, sys
key, offset = os.environ["KEY"], int(os.environ["OFFSET"])
sys.stderr.write("x" * offset + key + "y" * (4096 - 20)); sys.stderr.flush()
sys.stdin.readline(); print(4, flush=True)
sys.stdin.readline(); print("z" * offset + key + "!", flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("offset", [0, 30, 41, 52, 60, 68, 76, 79])
def test_a_line_and_an_output_that_are_cut_inside_a_key_show_nothing_of_it(tmp_path, offset):
    (tmp_path / "engine").write_text(ENGINE)
    (tmp_path / "engine").chmod(0o755)
    source = sources.command("cmd:./engine", str(tmp_path), [("KEY", PLAIN), ("OFFSET", str(offset))])
    agent = SubprocessAgent(source, ProcessLimits(start_timeout=5.0))
    agent.prepare(Board().rules)
    with pytest.raises(Failure) as raised:
        agent.choose(Board.from_moves("1"), Limits())
    assert shown(raised.value.detail + raised.value.output) == []
    assert "zzz" in raised.value.detail or "***" in raised.value.detail


BOT = """import os
class Bot:
    def __init__(self): self.about = "x" * {offset} + os.environ["KEY"]
    def choose(self, board):
        key = "x" * {offset} + os.environ["KEY"]
        {do}
"""
DOES = {
    "an error": "raise ValueError(key + 'y' * 300)", "a text": "return key", "a long text": "return key + 'y' * 300",
    "an object": "return [key, key]", "a key of a dictionary": "raise KeyError({key: [key]})",
    "notes": "from agents import Analysis; return Analysis(3, extra={'said': key, key: [key]})",
}  # fmt: skip


@pytest.mark.parametrize("does", DOES)
@pytest.mark.parametrize("offset", [0, 170, 190, 275, 290])
def test_what_a_bot_in_python_returns_raises_and_notes_shows_nothing_of_its_key(tmp_path, does, offset):
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(offset=offset, do=DOES[does]))
    source = sources.python(bot, "", {})
    agent = SubprocessAgent(Source(source.protocol, source.words, source.folder, (), (("KEY", PLAIN),)))
    try:
        said = repr(agent.choose(Board(), Limits()))
    except Failure as failure:
        said = failure.detail + failure.traceback + failure.output
    assert shown(said + agent.about) == []
    agent.close()
