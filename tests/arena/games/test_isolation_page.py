"""Each claim of docs/isolation.md, by the words of its row."""

import re
import time
from pathlib import Path

import pytest
from samples import BAD

from agents.agent import Limits
from agents.board import Board, Rules
from agents.process_agent import ProcessLimits
from agents.processes import watchdog
from agents.processes.agent import SubprocessAgent
from agents.specs import sources
from agents.specs.registry import parse
from arena.games.referee import Conditions, play_game
from arena.records import Job

ROOT = Path(__file__).parents[3]
PLAYS_ON = r"line completed|board full"
ALWAYS = {
    "changes modules, classes, the clock or the board": {
        "Moves": PLAYS_ON, "PatchesTime": PLAYS_ON, "Replaces": "exception", "RewritesTheBoard": PLAYS_ON,
    },
    "returns something other than a column, raises, or writes an endless line": {
        "Nine": "illegal move", "Raises": r"exception: .*\(bad_agents.py, line \d+\)", "EndlessLine": "exception",
    },
    "thinks too long, or sleeps": {"Loops": "out of time", "Sleeps": "out of time"},
    "takes too much memory": {"Hoards": "out of memory"},
    "crashes or leaves": {"Segfaults": r"crashed \(SIGSEGV\)", "Leaves": r"left \(exit code 3\)"},
    "breaks its protocol, or announces the game's result": {
        "Garbage": "protocol error: .*'", "ForgesAnEnd": "protocol error: .*line completed",
    },
    "forks or starts threads without end": {"ForkBomb": "too many processes: has .* allowed are 32"},
    "leaves children behind": {"Forks": PLAYS_ON},
    "ignores SIGTERM": {"IgnoresTerm": "out of time"},
    "writes a file of more than 16 MB, or dumps core": {
        "FillsTheDisk": "exception: OSError: .*File too large", "Tells": rf"illegal move: .*\[0, {16 << 20}\]",
    },
    "writes to stdout or stderr": {"Floods": PLAYS_ON, "Tells": "illegal move"},
    "reads its environment": {"Tells": r"illegal move: .*\['PATH'\]"},
    "looks for open descriptors": {"Tells": r"illegal move: .* 6[\"']"},
}  # fmt: skip
"""For each row the agents that do so, and how the games end that they lose or play on in."""
SANDBOX = {
    "kills or stops its parent, or its parent's group": "test_what_only_a_sandbox_stops_does_no_harm",
    "kills the run's own process": "test_an_agent_cannot_kill_its_referee",
    "kills other agents": "test_a_sandbox_hides_the_processes_of_others",
    "deletes or changes files, including the run's": (
        "test_a_file_that_was_deleted_while_it_was_written_is_written_again"
    ),
    "reads other agents' files": "test_an_agent_sees_of_a_shared_folder_what_is_its_own",
    "reads other processes' environment, such as `/proc/PPID/environ`": "test_a_sandbox_hides_the_callers_variables",
    "puts a module or a library beside others'": "test_no_module_beside_it_stands_in_for_an_installed_one",
    "writes caches of compiled code, in `__pycache__` or of numba": (
        "test_caches_of_compiled_code_are_not_there_to_be_written"
    ),
    "ponders on the opponent's clock": "",
    "opens sockets": "test_a_sandbox_has_no_network",
    "leaves its group by `setsid`": "test_what_leaves_its_group_ends_with_its_sandbox",
    "writes temporary files": "test_a_sandbox_is_read_only_but_for_a_private_temporary_folder",
}
"""For each row the test of it, elsewhere; the one without a test claims nothing."""


def rows(heading):
    section = (ROOT / "docs" / "isolation.md").read_text(encoding="utf-8").partition(f"## {heading}")[2]
    return re.findall(r"^\| (.+?) \|", section.partition("\n## ")[0], re.MULTILINE)[1:]


def test_every_row_of_the_page_is_tested():
    assert rows("Always") == list(ALWAYS)
    assert rows("Only with `--sandbox`") == list(SANDBOX)
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert all(f"def {name}" in tests for name in SANDBOX.values())


@pytest.mark.parametrize(("claim", "name"), [(claim, name) for claim in ALWAYS for name in ALWAYS[claim]])
def test_what_the_page_says_happens_always(claim, name, monkeypatch):
    monkeypatch.setenv("PASSWORD", "secret")
    bounds = Limits(seconds=0.2) if ALWAYS[claim][name] == "out of time" else Limits()
    process = ProcessLimits(start_timeout=20.0, memory=256 if name == "Hoards" else 512)  # filling them takes time
    agent = SubprocessAgent(sources.python(BAD, name, {}), process, Rules())
    record = play_game(Job(0, 1, 0), (agent, parse("greedy").build()), Board(), (1, 2), Conditions(bounds))
    said = f"{record.termination}: {record.detail}" if record.detail else record.termination
    assert re.match(ALWAYS[claim][name], said), said
    left = agent._process.pid if agent.running else None
    if claim == "writes to stdout or stderr":
        output = record.fault.output if record.fault else agent.output
        assert output == "a last word\n" or (len(output), output[-2:]) == (4096, "y\n")
    agent.close()
    until = time.monotonic() + 5
    while left is not None and watchdog.usage(left) != (0, 0):
        assert time.monotonic() < until
        time.sleep(0.02)
    (BAD.parent / "filler").unlink(missing_ok=True)
