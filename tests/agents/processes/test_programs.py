"""Programs of a few lines of shell, and what they do wrong."""

import time

import pytest

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.failure import KEPT_DETAIL, Failure
from agents.processes.cmd import parse_answer

SHELL = """#!/bin/sh
while read moves; do echo $(( ${#moves} % 7 + 1 )) score=-3 depth=2 nodes=${#moves}; done
"""


def program(folder, text):
    path = folder / "engine"
    path.write_text(text)
    path.chmod(0o755)
    return "cmd:./engine"


def test_a_program_that_reads_a_line_and_writes_a_line_plays(engine, tmp_path):
    agent = engine(program(tmp_path, SHELL))
    agent.prepare(Rules())
    agent.new_game(1)
    assert agent.choose(Board(), Limits()) == Analysis(0, -3, 2, 0)
    assert agent.choose(Board.from_moves("4453"), Limits()) == Analysis(4, -3, 2, 4)


def test_a_fault_is_told_in_one_line_of_some_length():
    told = Failure("exception", "a\nb " * 1000).detail
    assert told.startswith("a b a b")
    assert len(told) == KEPT_DETAIL == 500
    assert Failure("exception", "\x1b" * 501).detail == "\\x1b" * 125
    assert Failure("exception", " a \x1c\tb\u2028 \n c\x00\r ").detail == "a \\x1c b\\u2028 c\\x00\\r"
    assert Failure("exception", "x" * 499 + " y").detail == "x" * 499 + " "


def test_no_word_of_a_fault_reaches_the_terminal_as_a_command():
    told = Failure("exception", "a\x1b[2J", traceback="b\x1b[31m\n\tc\u202e", output="d\x07\n")
    assert (told.detail, told.traceback, told.output) == ("a\\x1b[2J", "b\\x1b[31m\n\tc\\u202e", "d\\x07\n")
    assert str(told) == "a\\x1b[2J"


def test_a_dash_claims_nothing():
    assert parse_answer("3 score=- depth=4 nodes=-") == Analysis(2, None, 4)


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        ("echo four", "answered 'four', which is not COLUMN"),
        ("echo", "answered ''"),
        ("echo 3 score=x", "answered '3 score=x'"),
        ("echo 4; echo 4", "4\\n' before it was asked"),
        ("printf '%0200000d' 1", "its line has no end: '0000"),
    ],
)
def test_a_line_that_breaks_the_protocol_is_quoted(engine, tmp_path, answer, detail):
    agent = engine(program(tmp_path, f"#!/bin/sh\nwhile read moves; do {answer}; sleep 0.01; done\n"))
    with pytest.raises(Failure, match="protocol error") as raised:  # noqa: PT012  some break it once they are asked twice
        for _ in range(3):
            agent.choose(Board(), Limits())
            time.sleep(0.05)
    assert detail in raised.value.detail


def test_a_program_that_ends_is_said_to_have_left(engine, tmp_path):
    with pytest.raises(Failure, match=r"left \(exit code 3\)"):
        engine(program(tmp_path, "#!/bin/sh\nexit 3\n")).prepare(Rules())


def test_a_program_that_cannot_run_says_why(engine, tmp_path):
    with pytest.raises(Failure, match=r"left \(exit code 127\): .*/engine: No such file or directory"):
        engine(program(tmp_path, "#!/no/such/interpreter\n")).prepare(Rules())


def test_what_a_program_says_beside_its_answers_comes_with_its_fault(engine, tmp_path):
    with pytest.raises(Failure) as raised:
        engine(program(tmp_path, "#!/bin/sh\necho 'no book found' >&2\nexit 1\n")).prepare(Rules())
    assert raised.value.output == "no book found\n"


def test_an_environment_names_the_board(engine, tmp_path):
    agent = engine(program(tmp_path, "#!/bin/sh\nwhile read m; do echo $(( ${ARENA_BOARD%%x*} )); done\n"))
    agent.prepare(Rules(9, 6))
    assert agent.choose(Board(Rules(9, 6)), Limits()) == Analysis(8)


def test_a_score_with_more_digits_than_a_number_may_have_is_a_fault(engine, tmp_path):
    program(tmp_path, "#!/bin/sh\nread line; echo $line 18\nread line; echo $line 000000000$(printf '%05000d' 9)\n")
    agent = engine("pons:./engine")
    with pytest.raises(Failure, match="protocol error"):
        agent.choose(Board.from_moves("44"), Limits())


DEAF = """#!/bin/sh
echo uciok; echo readyok; exec sleep 1000
"""


def test_an_engine_that_reads_nothing_ends_all_the_same(engine, tmp_path):
    program(tmp_path, DEAF)
    agent = engine("uci:./engine")
    agent.prepare(Rules())
    while True:
        try:
            agent._process.send("x" * 100, time.perf_counter() + 0.1)
        except Failure:
            break
    began = time.monotonic()
    agent.close()
    assert time.monotonic() - began < 2


COUNTED = """#!/bin/sh
echo started >> starts
[ -e once ] || exec sh -c 'echo no book found >&2; exit 4'
read line; echo 1; rm once; exit 0
"""


def starts(folder):
    return len((folder / "starts").read_text().splitlines())


def test_a_program_that_does_not_start_is_not_started_for_every_game(engine, tmp_path):
    agent = engine(program(tmp_path, COUNTED))
    for _ in range(3):
        with pytest.raises(Failure, match=r"left \(exit code 4\)") as raised:
            agent.prepare(Rules())
        assert raised.value.output == "no book found\n"
        with pytest.raises(Failure):
            agent.new_game(1)
    assert starts(tmp_path) == 1


def test_a_program_that_has_started_before_is_tried_again(engine, tmp_path):
    (tmp_path / "once").touch()
    agent = engine(program(tmp_path, COUNTED))
    agent.prepare(Rules())
    for _ in range(3):
        with pytest.raises(Failure):
            agent.choose(Board(), Limits())
    assert starts(tmp_path) == 3
