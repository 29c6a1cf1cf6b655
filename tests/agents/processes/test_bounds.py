"""What bounds an agent's process and what it says, each where it begins to hold."""

import os
import resource
import sys
import time

import pytest

from agents.agent import Analysis, Iteration, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import KEPT_TRACEBACK, Failure, ended, escaped, safe_repr
from agents.process_agent import ProcessLimits, Source
from agents.processes.agent import SubprocessAgent
from agents.processes.child import LONGEST_NUMBER, LONGEST_TEXT, plain
from agents.processes.launch import FILE_BYTES
from agents.processes.process import KEPT_OUTPUT, LONGEST_LINE, Process
from agents.specs import sources
from agents.specs.user_agents import agent_from


@pytest.fixture
def shell(tmp_path):
    """A function that starts a shell on a line."""
    started = []

    def start(line, **own):
        limited = ProcessLimits(memory=256)
        started.append(Process(["sh", "-c", line], str(tmp_path), os.environ, own, limited, own_pipe=False))
        return started[-1]

    yield start
    for each in started:
        each.close()


def soon():
    return time.perf_counter() + 10


def test_what_a_program_wrote_before_it_ended_is_read_first(shell):
    one = shell("printf 'one\\r\\ntwo\\n'; exit 3")
    one._ended(10)
    assert [one.receive(soon()), one.receive(soon())] == ["one", "two"]
    with pytest.raises(Failure, match=r"left \(exit code 3\)"):
        one.receive(soon())


def test_the_last_of_what_it_wrote_beside_its_answers_is_kept_until_it_is_taken(shell):
    one = shell("printf '%05000d' 0 >&2; echo end >&2; echo so; read line; echo more >&2; echo so; read line")
    one.receive(soon())
    assert one.output == "0" * (KEPT_OUTPUT - 4) + "end\n"
    assert one.taken_output().endswith("end\n")
    assert one.output == ""
    one.ask("go on", soon())
    assert one.output == "more\n"


def test_what_comes_before_the_question_is_no_answer_to_it(shell):
    one = shell(r"printf 'early\n4\n'; read line; echo late; read line")
    until = soon()
    while not one._buffer:
        one._buffer += os.read(one._answers, 100) if one._poll.poll(1000) else b""
        assert time.perf_counter() < until
    with pytest.raises(Failure, match=r"protocol error: wrote 'early.*' before it was asked"):
        one.ask("", soon())
    assert one.ask("", soon()) == "late"


def test_a_line_is_as_long_as_a_message_may_be_and_no_longer(shell):
    one = shell(f"printf '%0{LONGEST_LINE}d\\n' 4; printf '%0{3 * LONGEST_LINE}d\\n' 4; read line")
    assert len(one.receive(soon())) == LONGEST_LINE
    with pytest.raises(Failure, match=r"protocol error: its line has no end: '0000.*…'$"):
        one.receive(soon())


def test_a_pipe_that_is_closed_is_told_and_bytes_that_are_no_text_are_shown(shell):
    one = shell(r"printf '\377\n'; exec >&-; read line")
    assert one.receive(soon()) == r"\xff"
    one._ended = lambda seconds=0.0: None  # it is not waited for
    with pytest.raises(Failure, match="protocol error: closed its pipe"):
        one.receive(soon())


def test_its_own_variables_come_as_they_are(shell):
    letters = """printf '%s' "$ODD" | sed 's/./&,/g'"""  # as a whole it would be hidden
    one = shell(f'{letters}; echo "|$EMPTY|${{EMPTY+set}}"; read line', ODD="a b='$HOME'\";é", EMPTY="")
    assert one.receive(soon()).replace(",", "") == "a b='$HOME'\";é||set"
    bytes_of = shell("printf '%s' \"$ODD\" | od -An -tx1; read line", ODD="\udcff\udce9é")
    assert bytes_of.receive(soon()).split() == ["ff", "e9", "c3", "a9"]


def test_a_process_has_limits_of_its_files_and_of_its_memory(shell, tmp_path):
    one = shell(f"exec {sys.executable} -c 'import resource as r; print(*r.getrlimit(r.RLIMIT_FSIZE), "
                "*r.getrlimit(r.RLIMIT_CORE), *r.getrlimit(r.RLIMIT_DATA))'")  # fmt: skip
    told = [int(each) for each in one.receive(soon()).split()]
    assert told[:4] == [FILE_BYTES, FILE_BYTES, 0, 0]
    assert told[4:] == [256 << 20] * 2
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != FILE_BYTES, "the arena itself is not limited"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (0, "left (exit code 0)"),
        (255, "left (exit code 255)"),
        (-6, "crashed (SIGABRT)"),
        (-99, "crashed (signal 99)"),
    ],
)
def test_an_exit_code_is_a_kind_of_failure(code, kind):
    assert ended(code) == kind


def test_what_is_foreign_can_be_read_and_has_an_end():
    assert escaped("a\tb\nc\x1b[2J\ud800é") == "a\tb\nc\\x1b[2J\\ud800é"
    assert Failure("exception", traceback="0" * KEPT_TRACEBACK + "end").traceback == "0" * (KEPT_TRACEBACK - 3) + "end"
    assert safe_repr(list(range(1000))) == str(list(range(1000)))[:199] + "…"
    assert safe_repr("x" * 198) == f"'{'x' * 198}'"
    assert safe_repr("x" * 199) == f"'{'x' * 198}…"
    assert safe_repr(Broken()) == "an object of type Broken"
    assert str(Failure("exception")) == "exception"
    assert str(Failure("exception", "ValueError: so")) == "ValueError: so"
    assert str(Failure("illegal move", "column 9")) == "illegal move: column 9"


class Seven:
    """A number of a library's own."""

    def __index__(self):
        return 7


class Broken:
    """An object that shows itself to nobody."""

    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (3, 3),
        (True, True),
        (None, None),
        (0.5, 0.5),
        (Seven(), 7),
        pytest.param(2 ** (LONGEST_NUMBER - 1), 2 ** (LONGEST_NUMBER - 1), id="large"),
        pytest.param(10**5000, 2**LONGEST_NUMBER, id="too large"),
        pytest.param(-(10**5000), -(2**LONGEST_NUMBER), id="too small"),
        pytest.param("x" * LONGEST_TEXT, "x" * LONGEST_TEXT, id="long"),
        ([1], {"shown": "[1]"}),
        (Broken(), {"shown": "an object of type Broken"}),
    ],
)
def test_an_answer_is_sent_as_json_has_it(value, sent):
    assert plain(value) == {"column": sent}
    whole = plain(Analysis(3, value, 2, 7, (value,), (Iteration(1, 2, 0.5, 4, 3),)))
    assert (whole["column"], whole["score"], whole["pv"]) == (3, sent, [sent])
    assert whole["iterations"] == [[1, 2, 0.5, 4, 3]]


def test_an_agent_that_takes_the_board_alone_is_prepared_and_hears_of_games():
    heard = []

    class Agent:
        def prepare(self, rules):
            heard.append(rules)

        def new_game(self, seed):
            heard.append(seed)

        def choose(self, board):
            return 2

    made = agent_from(Agent, "agent", {})
    made.prepare(Rules())
    made.new_game(5)
    assert made.choose(Board(), Limits()) == 2
    assert heard == [Rules(), 5]


def test_an_agent_whose_limits_have_a_default_is_given_them():
    class Agent:
        def choose(self, board, limits=None):
            return limits.nodes

    assert agent_from(Agent, "agent", {}).choose(Board(), Limits(nodes=5)) == 5


def test_an_agent_of_kaggles_sees_the_board_from_above_and_whose_turn_it_is():
    seen = []
    agent = agent_from(lambda observation, configuration: seen.append((observation, configuration)), "agent", {})
    agent.choose(Board.from_moves("112", Rules(5, 4)), Limits())
    observation, configuration = seen[0]
    assert observation.board == [0] * 10 + [2, 0, 0, 0, 0] + [1, 1, 0, 0, 0]
    assert (observation["mark"], observation.step) == (2, 3)
    assert (configuration.columns, configuration.rows, configuration.inarow) == (5, 4, 4)
    assert not hasattr(observation, "missing")


@pytest.mark.parametrize(
    ("found", "options", "message"),
    [
        (lambda a, b, c: 3, {}, "agent 'x' needs a, b, c: it takes the board, or the board and the limits"),
        (lambda: 3, {}, r"agent 'x' has no method choose\(board, limits\)"),
        (lambda board, depth: 3, {"board": 1, "depth": 2}, r"agent 'x' has no method choose\(board, limits\)"),
    ],
)
def test_what_is_no_agent_is_refused_by_its_name(found, options, message):
    with pytest.raises(InputError, match=message):
        agent_from(found, "x", options)


ECHO = """#!/bin/sh
echo "a key is $KEY" >&2
while read line; do
  case $line in 1) echo "$KEY";; 2) exit 3;; *) echo 4;; esac
done
"""


@pytest.fixture
def keeper(tmp_path):
    """An agent whose program has a key, which it tells."""
    (tmp_path / "engine").write_text(ECHO)
    (tmp_path / "engine").chmod(0o755)
    agent = SubprocessAgent(
        sources.command("cmd:./engine", str(tmp_path), [("KEY", "a1b2c3d4")]), ProcessLimits(start_timeout=5.0)
    )
    yield agent
    agent.close()


def test_a_key_is_in_no_output_no_fault_and_nothing_that_was_written_meanwhile(keeper):
    keeper.prepare(Rules())
    assert keeper.output == "a key is ***\n"
    assert keeper.taken_output() == "a key is ***\n"
    assert keeper.output == ""
    with pytest.raises(Failure) as raised:
        keeper.choose(Board.from_moves("1"), Limits())
    assert raised.value.detail.startswith("answered '***'")
    with pytest.raises(Failure) as raised:
        keeper.choose(Board.from_moves("2"), Limits())
    assert (raised.value.kind, raised.value.output) == ("left (exit code 3)", "a key is ***\n")


def test_a_key_is_in_no_traceback(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("import os\ndef choose(board):\n    raise ValueError('no ' + os.environ['KEY'])")
    source = sources.python(bot, "", {})
    agent = SubprocessAgent(Source(source.protocol, source.words, source.folder, (), (("KEY", "a1b2c3d4"),)))
    with pytest.raises(Failure) as raised:
        agent.choose(Board(), Limits())
    assert raised.value.detail == "ValueError: no *** (bot.py, line 3)"
    assert raised.value.traceback.endswith("ValueError: no ***\n")


def test_a_process_is_begun_anew_for_another_board_alone(keeper):
    assert not keeper.running
    keeper.prepare(Rules())
    number = keeper._process.pid
    keeper.prepare(Rules())
    keeper.new_game(1)
    assert keeper._process.pid == number
    keeper.choose(Board(Rules(8, 7)), Limits())
    assert keeper._process.pid != number
    keeper.close()
    assert not keeper.running
    assert (keeper.output, keeper.taken_output()) == ("", "")


def test_a_folder_that_is_gone_is_named(tmp_path):
    (tmp_path / "file").touch()
    for name, problem in (("none", "No such file or directory"), ("file", "Not a directory")):
        agent = SubprocessAgent(Source("cmd", ("/bin/cat",), str(tmp_path / name)))
        with pytest.raises(InputError, match=f"{name}: {problem}"):
            agent.prepare(Rules())


@pytest.mark.parametrize(
    ("text", "python", "command"),
    [
        ("bot.py", True, False),
        ("a/bot.py:Bot", True, False),
        ("runs/12:30/bot.py", True, False),
        ("runs/12:30/bot.py:Bot", True, False),
        ("bot.pyc", False, False),
        ("greedy", False, False),
        ("cmd:./x", False, True),
        ("uci:x;Hash=1", False, True),
        ("pons:x", False, True),
        ("cmd", False, False),
        ("CMD:x", False, False),
    ],
)
def test_a_spec_shows_what_it_names(text, python, command):
    assert (sources.is_python(text), sources.is_command(text)) == (python, command)


@pytest.mark.parametrize(
    ("text", "words", "options"),
    [
        ("cmd:sh ';' a;b", (";", "a;b"), ()),
        ('uci:sh "x;y" z ; A B = c ;D=', ("x;y", "z"), (("A B ", " c"), ("D", ""))),
        ("uci:sh;Path=a=b", (), (("Path", "a=b"),)),
        ("uci:sh ';Hash=1';Hash=2", (";Hash=1",), (("Hash", "2"),)),
        (r"pons:sh a\ b", ("a b",), ()),
    ],
)
def test_words_and_options_of_a_command_are_split_once(tmp_path, text, words, options):
    source = sources.command(text, str(tmp_path), [("A", "1")])
    assert (source.protocol, source.words[1:], source.options) == (text.partition(":")[0], words, options)
    assert (source.folder, source.environment) == (str(tmp_path), (("A", "1"),))


@pytest.mark.parametrize("text", ["uci:sh;", "uci:sh;=16", "uci:sh;Hash", "uci:sh;Hash=1;;A=2"])
def test_an_option_without_a_name_or_a_value_is_refused(tmp_path, text):
    with pytest.raises(InputError, match="is not option=value"):
        sources.command(text, str(tmp_path))
