"""What a stranger finds around it."""

import os
import sys
from dataclasses import replace

from agents.agent import Limits
from agents.board import Board
from agents.process_agent import ProcessLimits
from agents.processes.agent import SubprocessAgent
from agents.processes.sandbox import environment
from agents.specs import sources
from agents.specs.plugins import find


def test_a_process_agent_sees_a_short_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("PASSWORD", "secret")
    bot = tmp_path / "bot.py"
    bot.write_text("import os\ndef choose(board):\n    return ' '.join(sorted(os.environ))")
    agent = SubprocessAgent(sources.python(bot, "", {}))
    seen = agent.choose(Board(), Limits()).column.split()
    agent.close()
    assert "PASSWORD" not in seen
    assert "ARENA_BOARD" in seen


def test_nothing_but_its_pipes_is_open(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("import os\ndef choose(board):\n    return ' '.join(os.listdir('/proc/self/fd'))")
    kept = os.open(bot, os.O_RDONLY)
    os.set_inheritable(kept, True)
    agent = SubprocessAgent(sources.python(bot, "", {}))
    seen = agent.choose(Board(), Limits()).column.split()
    agent.close()
    os.close(kept)
    assert len(seen) == 6  # stdin, stdout, stderr, its two pipes, and the folder that is listed


def test_numba_is_not_imported_for_plain_python(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\ndef choose(board):\n    return str('numba' in sys.modules or 'numpy' in sys.modules)")
    agent = SubprocessAgent(sources.python(bot, "", {}))
    assert agent.choose(Board(), Limits()).column == "False"
    agent.close()


def test_one_of_our_own_agents_can_live_there(tmp_path):
    agent = SubprocessAgent(sources.built_in("greedy", str(tmp_path)))
    assert agent.choose(Board.from_moves("112233"), Limits()).column == 3
    agent.close()


def test_no_folder_that_counts_from_an_agents_own_is_searched_for_programs(monkeypatch):
    monkeypatch.setenv("PATH", "bin:/usr/bin::/bin")
    monkeypatch.setenv("LD_LIBRARY_PATH", ".")
    given = environment()
    assert given["PATH"] == "/usr/bin:/bin"
    assert "LD_LIBRARY_PATH" not in given


def test_an_agent_has_its_users_language_and_caches_and_one_thread_for_numbers(monkeypatch):
    passed = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH", "NUMBA_CACHE_DIR",
              "NUMBA_DISABLE_JIT")  # fmt: skip
    for name in (*passed, "LC_TIME"):
        monkeypatch.setenv(name, f"/{name}")
    fixed = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    assert environment() == {name: f"/{name}" for name in passed} | fixed
    monkeypatch.setenv("TZ", "")
    assert "TZ" not in environment()


def test_what_may_be_a_key_among_its_own_variables_is_shown_nowhere(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("import os\ndef choose(board):\n    return os.environ['KEY'] + os.environ['SHORT']")
    agent = SubprocessAgent(
        replace(sources.python(bot, "", {}), environment=(("KEY", "a1b2c3d4"), ("SHORT", "7654321")))
    )
    assert agent.choose(Board(), Limits()).column == "***7654321"
    agent.close()


def test_the_tighter_of_its_own_limits_and_the_games_hold(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(board, limits):\n    return f'{limits.depth} {limits.nodes} {limits.seconds}'")
    agent = SubprocessAgent(replace(sources.python(bot, "", {}), limits=Limits(nodes=70, seconds=4.0)))
    found = [agent.choose(Board(), limits).column for limits in (Limits(), Limits(5, 90, 9.0), Limits(5, 9, 2.0))]
    assert found == ["None 70 4.0", "5 70 4.0", "5 9 2.0"]
    agent.close()


def test_a_key_is_shown_in_no_line_of_the_conversation(tmp_path):
    engine, talk = tmp_path / "engine", tmp_path / "talk.txt"
    engine.write_text('#!/bin/sh\nwhile read moves; do echo "$KEY" >&2; echo "4 note=$KEY"; done\n')
    engine.chmod(0o755)
    source = replace(sources.command(f"cmd:{engine}", str(tmp_path)), environment=(("KEY", "a1b2c3d4"),))
    agent = SubprocessAgent(source, ProcessLimits(debug=str(talk)))
    assert agent.choose(Board.from_moves("12"), Limits()).column == 3
    agent.close()
    said = talk.read_text()
    assert "< 4 note=***" in said
    assert "a1b2c3d4" not in said


READS_ARGUMENTS = """
import argparse, sys
parser = argparse.ArgumentParser()
parser.add_argument("--depth", type=int, default=4)
DEPTH, WORDS, INPUT = parser.parse_args().depth, sys.argv, sys.stdin.read()
def choose(board):
    return f"{DEPTH} {WORDS == [__file__]} {INPUT!r}"
"""


def test_its_file_is_its_whole_command_line(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(READS_ARGUMENTS)
    agent = SubprocessAgent(sources.python(bot, "choose", {}))
    assert agent.choose(Board(), Limits()).column == "4 True ''"
    agent.close()


def test_its_file_is_its_whole_command_line_in_the_process_of_the_arena(tmp_path, monkeypatch):
    bot = tmp_path / "bot.py"
    bot.write_text(READS_ARGUMENTS)
    words = ["arena", "run", "--rounds", "2"]
    monkeypatch.setattr("sys.argv", words)
    choose = find("agent", f"{bot}:choose", {})
    assert choose(Board()) == "4 True ''"
    assert sys.argv is words
