"""What a check of several agents asks of each; tests/arena/games has the check of one."""

from pathlib import Path

import pytest

from agents.agent import Limits
from agents.board import Rules
from arena.tournament.check import check

BOT = "def choose(board):\n    return board.legal_moves()[0]\n"


@pytest.fixture
def asked(monkeypatch):
    """What the check of one agent was given, each time."""
    given = []
    monkeypatch.setattr(
        "arena.games.check.check", lambda row, spec, *more: given.append((row.agent, spec.text, *more[:4]))
    )
    return given


def test_each_agent_is_asked_within_the_limits_on_the_board(asked, here):
    Path("bots").mkdir()
    for name in ("ada", "ben"):
        Path("bots", f"{name}.py").write_text(BOT)
    Path("bots", "broken.py").write_text("def choose(board:\n")
    settings = {"seconds": 0.5, "nodes": 7, "margin": 0.3, "rules": "5x4", "positions": 9}
    done = check(["bots", "greedy", "nobody"], **settings)
    assert [row[:2] for row in asked] == [("ada", "ada"), ("ben", "ben"), ("greedy", "greedy")]
    assert {row[2:] for row in asked} == {(Limits(nodes=7, seconds=0.5), 0.3, Rules(5, 4), 9)}
    assert {row.agent: row.ok for row in done.rows} == {
        "broken": False, "ada": True, "ben": True, "greedy": True, "nobody": False
    }  # fmt: skip
    assert "'nobody'" in done.rows[-1].problems[0]


def test_an_interruption_keeps_the_rows_so_far(asked, monkeypatch):
    def interrupted(row, *_):
        row.positions = 3
        if row.agent == "random":
            raise KeyboardInterrupt

    monkeypatch.setattr("arena.games.check.check", interrupted)
    done = check(["greedy", "random", "minimax"], positions=9)
    assert [row.agent for row in done.rows] == ["greedy", "random"]
    assert done.interrupted == "at random, after 3 of 9 positions"
