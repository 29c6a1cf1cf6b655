"""Exit codes for programs: what a run fails by."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "ci.md"
SPRT = ["--sprt", "elo0=-100,elo1=0"]
BOT = "def choose(board):\n    return {}(board.legal_moves())\n"

BETTER = """
def choose(board):
    return min(board.legal_moves(), key=lambda column: (board.play(column).outcome is None, abs(column - 3)))
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A bot, its last release that was better, and one that always crashes, in the folder that is the current one."""
    (tmp_path / "release").mkdir()
    (tmp_path / "bot.py").write_text(BOT.format("max"))
    (tmp_path / "broken.py").write_text(BOT.format("len"))
    (tmp_path / "release" / "bot.py").write_text(BETTER)
    monkeypatch.chdir(tmp_path)


def run(arena, *words):
    return arena("run", *words, "-q", "-j", 1, "--no-store", "--in-process")


def failed(done):
    return [line for line in done.err.splitlines() if line.startswith("failed: ")]


def test_a_decision_that_was_not_to_be_is_the_exit_code(arena, bots):
    done = run(arena, "bot.py", "release/bot.py", *SPRT, "--fail-if", "H0")
    assert (done.code, failed(done)) == (1, ["failed: the sequential test says H0"])
    assert "H0 accepted" in done.out


def test_other_decisions_are_none_of_it(arena, bots):
    done = run(arena, "bot.py", "release/bot.py", *SPRT, "--fail-if", "H1", "--fail-if", "undecided")
    assert (done.code, failed(done)) == (0, [])


def test_a_match_that_runs_out_of_openings_is_undecided(arena, bots):
    done = run(arena, "bot.py", "release/bot.py", *SPRT, "--rounds", 2, "--fail-if", "undecided")
    assert (done.code, failed(done)) == (1, ["failed: the sequential test says undecided"])


def test_to_fail_by_a_test_takes_one(arena, bots):
    done = run(arena, "bot.py", "greedy", "--rounds", 1, "--fail-if", "H0")
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith("arena: --fail-if asks what a sequential test says")


def test_an_agent_that_only_faults_fails_loudly_where_that_is_asked_for(arena, bots):
    words = ["broken.py", "bot.py", "--rounds", 3]
    assert run(arena, *words).code == 0
    done = run(arena, *words, "--fail-if", "faults")
    assert done.code == 1
    [line] = failed(done)
    assert line.startswith("failed: broken.py lost all 6 games by its own fault: illegal move: answered 7 ")


def test_without_faults_nothing_fails(arena, bots):
    assert run(arena, "bot.py", "greedy", "--rounds", 2, "--fail-if", "faults").code == 0


def test_the_commands_of_the_page_are_commands(arena):
    text = re.search(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[1]
    known = {name: arena(name, option).out for name, option in (("run", "--help-all"), ("diff", "--help"))}
    options = [
        (name, option)
        for name, rest in re.findall(r"arena (run|diff) ((?:.|\n)*?)(?:>>|\)|\n *arena|$)", text)
        for option in re.findall(r"--[a-z-]+", rest)
    ]
    assert len(options) > 10
    for name, option in options:
        assert option in known[name], option
