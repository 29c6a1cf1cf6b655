"""A fault quotes what the other side sent, counts as its protocol does, and says what was nearly right."""

import shlex
import sys

import pytest

from agents.agent import Limits
from agents.board import Board, Rules
from agents.failure import Failure
from agents.process_agent import ProcessLimits
from agents.processes.agent import SubprocessAgent
from agents.processes.cmd import Cmd
from agents.processes.uci import Uci
from agents.specs import sources

from .dialogue import SOON, talk


@pytest.mark.parametrize(
    ("moves", "line", "told"),
    [
        ("", "0", "answered '0' (columns count from 1): column 0 does not exist (1 to 7)"),
        ("", "8 score=4", "answered '8 score=4' (columns count from 1): column 8 does not exist (1 to 7)"),
        ("", "-1", "answered '-1' (columns count from 1): column -1 does not exist (1 to 7)"),
        ("444444", "4", "answered '4' (columns count from 1): column 4 is full"),
    ],
)
def test_a_program_is_quoted_as_it_counts(moves, line, told):
    program, _ = talk(Cmd, line)
    with pytest.raises(Failure) as raised:
        program.choose(Board.from_moves(moves), Limits(), SOON)
    assert (raised.value.kind, raised.value.detail) == ("illegal move", told)


@pytest.mark.parametrize(
    ("line", "rules", "column"),
    [("d2", Rules(), 4), ("P@d2", Rules(), 4), ("bestmove P@d1", Rules(), 4), ("D6", Rules(), 4),
     ("P@p1", Rules(16, 3), 16)],
)  # fmt: skip
def test_a_program_that_answers_a_square_is_told_its_column(line, rules, column):
    program, _ = talk(Cmd, line)
    with pytest.raises(Failure) as raised:
        program.start(rules, SOON)
    told = f"an answer is a column alone, here {column}, and its disc falls to the lowest free row"
    assert raised.value.kind == "protocol error"
    assert raised.value.detail.startswith(f"answered {line!r}")
    assert raised.value.detail.endswith(told)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("BESTMOVE P@d1", "answered 'BESTMOVE P@d1': UCI writes bestmove in small letters"),
        ("Bestmove P@d1", "answered 'Bestmove P@d1': UCI writes bestmove in small letters"),
        ("bestmove p@d1", "answered 'bestmove p@d1', which names no legal drop: UCI writes this drop P@d1"),
        ("bestmove P@D1", "answered 'bestmove P@D1', which names no legal drop: UCI writes this drop P@d1"),
        (
            "bestmove P@d2",
            "answered 'bestmove P@d2', which names no legal drop: a disc in column d falls to P@d1",
        ),
        (
            "bestmove P@d9",
            "answered 'bestmove P@d9', which names no legal drop: a disc in column d falls to P@d1",
        ),
        ("bestmove P@h1", "answered 'bestmove P@h1', which names no legal drop"),
    ],
)
def test_an_engine_that_writes_large_for_small_is_told_so(line, told):
    engine, _ = talk(Uci, "readyok", line)
    with pytest.raises(Failure) as raised:
        engine.choose(Board(), Limits(), SOON)
    assert (raised.value.kind, raised.value.detail) == ("protocol error", told)


EARLY = """
for line in iter(input, "quit"):
    if line == "uci":
        print("uciok", flush=True)
    elif line == "isready":
        print("readyok", flush=True)
    elif line.startswith("position"):
        print("bestmove P@d1", flush=True)
"""


def test_an_engine_that_answered_before_its_go_is_told_so(tmp_path):
    (tmp_path / "early.py").write_text(EARLY)
    words = f"uci:{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'early.py'))}"
    agent = SubprocessAgent(sources.command(words, str(tmp_path)), ProcessLimits(start_timeout=1.0), Rules())
    with pytest.raises(Failure) as raised:
        agent.choose(Board(), Limits())
    told = "no answer within 1 s (a move); it wrote 'bestmove P@d1' before its go, and nothing after it"
    assert (raised.value.kind, raised.value.detail) == ("out of time", told)
