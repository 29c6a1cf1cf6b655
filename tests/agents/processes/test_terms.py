"""The terms under which an agent starts and answers, and how a fault or a refusal of its is told."""

import itertools
import sys

import pytest

from agents.agent import MOST_ITERATIONS, MOST_MOVES, Analysis, Iteration, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import Failure, described
from agents.process_agent import ProcessLimits, Source
from agents.processes.agent import SubprocessAgent
from agents.processes.child import Child, plain
from agents.processes.protocol import Protocol
from agents.processes.python import ReturnedRepr
from agents.specs import sources

COUNTING = """#!/bin/sh
echo started >> starts
echo "said beside" >&2
while read line; do
  case $line in
    uci) echo uciok;;
    4) sleep 1000;;
    *) echo 4;;
  esac
done
"""


@pytest.fixture
def started(tmp_path):
    """A function that starts the program under a protocol; each start is a line in `starts`."""
    (tmp_path / "engine").write_text(COUNTING)
    (tmp_path / "engine").chmod(0o755)
    agents = []

    def start(protocol, **source):
        agents.append(
            SubprocessAgent(Source(protocol, ("./engine",), str(tmp_path), **source), ProcessLimits(5.0, 0.05))
        )
        return agents[-1]

    yield start
    for agent in agents:
        agent.close()


def test_an_agent_with_seconds_of_its_own_has_no_more_where_the_game_has_no_limit(started):
    agent = started("cmd", limits=Limits(seconds=0.05))
    agent.prepare(Rules())
    with pytest.raises(Failure, match=r"out of time: no answer within 0\.1 s"):
        agent.choose(Board.from_moves("4"), Limits())


def test_a_refusal_comes_with_what_the_engine_wrote(started):
    agent = started("uci", options=(("Hash", "1"),))
    with pytest.raises(InputError, match="no option 'Hash': it lists none") as raised:
        agent.prepare(Rules())
    assert raised.value.output == "said beside\n"


def test_a_key_in_a_score_is_hidden_as_well_as_one_in_a_column(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os\nfrom agents.agent import Analysis\n"
        "def choose(board):\n    return Analysis(3, os.environ['KEY'])\n"
    )  # fmt: skip
    made = sources.python(bot, "choose", {})
    agent = SubprocessAgent(Source(made.protocol, made.words, made.folder, (), (("KEY", "a1b2c3d4"),)))
    assert agent.choose(Board(), Limits()).score == "***"
    agent.close()


BOT = """
import shared

class Bot:
    def __init__(self, near=0):
        self.near = near
    def prepare(self, rules):
        self.rules = rules
    def choose(self, board, limits):
        return f"{self.near} {self.rules} {board.rules} {board.ply} {limits.nodes} {shared.ONE}"
"""


def test_a_child_makes_its_agent_with_its_parameters_for_its_board(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "path_hooks", [*sys.path_hooks])
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "shared.py").write_text("ONE = 1\n")
    child = Child()
    source = sources.python(tmp_path / "bot.py", "Bot", {"near": 2})
    begin = {"do": "start", "rules": [8, 7, 4, False], "words": source.words, "options": dict(source.options)}
    assert child.answer(begin) == {"about": ""}
    asked = {"do": "choose", "own": 0, "opp": 0, "moves": [], "limits": [None, 5, None]}
    assert child.answer(asked) == {"column": "2 8x7x4 8x7x4 0 5 1"}
    sys.modules.pop("shared")


def test_lists_without_end_are_cut_where_the_referee_refuses_them():
    endless = Analysis(3, pv=itertools.repeat(3), iterations=itertools.repeat(Iteration(1, 2, 0.5, 4, 3)))
    sent = plain(endless)
    assert (len(sent["pv"]), len(sent["iterations"])) == (MOST_MOVES + 1, MOST_ITERATIONS + 1)


def test_a_fault_is_told_by_its_cause_and_a_line_of_the_agents_own():
    def raises():
        try:
            {}["weights"]
        except KeyError as error:
            raise InputError("heuristic x cannot be made") from error

    with pytest.raises(InputError) as raised:
        raises()
    text, trace = described(raised.value)
    assert text == f"KeyError: 'weights' (test_terms.py, line {raises.__code__.co_firstlineno + 2})"
    assert trace.endswith("KeyError: 'weights'\n")


def told(raises):
    """Return how an error of a call is described."""
    try:
        raises()
    except Exception as error:  # noqa: BLE001  whatever it raises
        return described(error)


def test_of_a_deep_call_the_last_frames_are_kept_and_of_a_syntax_error_its_own_line():
    def deep(left):
        return deep(left - 1) if left else 1 // left

    text, trace = told(lambda: deep(40))
    line = deep.__code__.co_firstlineno + 1
    assert text == f"ZeroDivisionError: integer division or modulo by zero (test_terms.py, line {line})"
    assert trace.startswith("Traceback (most recent call last):\n")
    assert trace.endswith("ZeroDivisionError: integer division or modulo by zero\n")
    assert f"line {line}, in deep" in trace
    assert "in told" not in trace

    def few():
        return deep(3)

    assert "in few" in told(few)[1]
    text, _ = told(lambda: compile("def choose(:\n", "bot.py", "exec"))
    assert text.startswith("SyntaxError: ")
    assert text.endswith(" (bot.py, line 1)")
    assert text.count("line") == 1
    text, _ = told(lambda: {}["weights"])
    assert text.startswith("KeyError: 'weights' (test_terms.py, line ")


def test_an_error_that_an_agent_makes_of_another_is_told_and_the_other_stands_in_its_traceback():
    def chained(kind):
        try:
            {}["weights"]
        except KeyError as error:
            raise kind("no weights") from error

    line = chained.__code__.co_firstlineno + 4
    text, trace = told(lambda: chained(ValueError))
    assert text == f"ValueError: no weights (test_terms.py, line {line})"
    assert "KeyError: 'weights'" in trace
    assert trace.endswith("ValueError: no weights\n")
    text, trace = told(lambda: chained(InputError))
    assert text == f"KeyError: 'weights' (test_terms.py, line {line - 2})"
    assert "no weights" not in trace

    def refuses():
        raise InputError("no such board")

    text, _ = told(refuses)
    assert text == f"no such board (test_terms.py, line {refuses.__code__.co_firstlineno + 1})"


def test_an_agent_describes_itself_in_a_text_of_some_length(monkeypatch):
    child = Child()
    for about, said in (("x" * 500, {"about": "x" * 200}), ("so", {"about": "so"}), (7, {}), (None, {})):
        agent = type("Agent", (), {"about": about})()
        monkeypatch.setattr("agents.processes.child.build", lambda words, options, agent=agent: agent)
        assert child.answer({"do": "start", "rules": [7, 6, 4, False], "words": ["x"], "options": {}}) == said
    monkeypatch.setattr("agents.processes.child.build", lambda words, options: object())
    assert child.answer({"do": "start", "rules": [7, 6, 4, False], "words": ["x"], "options": {}}) == {"about": ""}


class StandIn:
    """Stands in for a process that has said a key, and for a protocol that fails or answers."""

    name, about, pondering, output = "n a1b2c3d4", "x a1b2c3d4", False, "\x1bsaid a1b2c3d4"

    def __init__(self, answer=None):
        self.log, self.answer = [], answer

    def __getattr__(self, name):
        def noted(*given):
            self.log.append((name, *given))
            if isinstance(self.answer, BaseException) and name not in {"kill", "close", "quit", "resume"}:
                raise self.answer
            return self.output if name == "taken_output" else self.answer

        return noted


def told_by(answer):
    """Return an agent with a key, whose protocol answers or fails so, and its process."""
    agent = SubprocessAgent(
        Source("cmd", ("/none",), "/", (), (("KEY", "a1b2c3d4"),)), ProcessLimits(start_timeout=7.0), Rules()
    )
    agent._process, agent._protocol = StandIn(), StandIn(answer)
    return agent, agent._process


def test_all_that_an_agent_tells_hides_its_key():
    agent, process = told_by(Analysis(ReturnedRepr("<a1b2c3d4>"), "a1b2c3d4 5"))
    assert (agent.name, agent.about) == ("n ***", "x ***")
    assert agent.output == agent.taken_output() == "\x1bsaid ***"
    found = agent.choose(Board(), Limits())
    assert (found.column, type(found.column), found.score, type(found.score)) == ("<***>", ReturnedRepr, "*** 5", str)
    answer = Analysis(3, 5)
    agent._protocol.answer = answer
    assert agent.choose(Board(), Limits()) is answer
    assert [name for name, *_ in process.log] == ["taken_output", "resume", "resume"]
    agent._process = None
    assert (agent.output, agent.taken_output()) == ("", "")
    assert SubprocessAgent(agent.source).name == SubprocessAgent(agent.source).about == ""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Failure("out of time", "so a1b2c3d4"), "out of time: no answer within 7 s (new_game); so ***"),
        (Failure("out of time"), "out of time: no answer within 7 s (new_game)"),
        (Failure("exception", "E: a1b2c3d4", traceback="line a1b2c3d4"), "E: ***"),
        (InputError("no a1b2c3d4"), "no ***"),
        (KeyError("a1b2c3d4"), "'a1b2c3d4'"),  # a fault of ours
    ],
)
def test_whatever_ends_a_question_ends_the_process_and_hides_the_key(error, told):
    agent, process = told_by(error)
    with pytest.raises(type(error)) as raised:
        agent.new_game(3)
    assert str(raised.value) == told
    assert [name for name, *_ in process.log] == ["resume", "kill", "close"]
    assert not agent.running
    if not isinstance(error, KeyError):
        assert raised.value.output == "\\x1bsaid ***"
    if isinstance(error, Failure):
        assert raised.value.traceback == error.traceback.replace("a1b2c3d4", "***")


@pytest.mark.parametrize(("ponders", "pauses"), [(False, ["resume", "pause"]), (True, ["resume"])])
def test_an_agent_rests_after_each_game_begins_unless_it_ponders(ponders, pauses):
    agent, process = told_by(None)
    agent._protocol.pondering = ponders
    agent.new_game(3)
    assert [name for name, *_ in process.log] == pauses
    process.log.clear()
    agent.stop_pondering()
    assert [name for name, *_ in process.log] == pauses


def test_a_board_that_failed_is_not_tried_again_but_one_that_was_played_is(monkeypatch):
    begun, fault = [], Failure("left (exit code 1)")
    monkeypatch.setattr("agents.processes.agent.Process", lambda *_, **__: begun.append(1) or StandIn(fault))
    agent, _ = told_by(None)
    for rules, starts in ((Rules(5, 4), 1), (Rules(5, 4), 1), (Rules(), 2), (Rules(), 2), (Rules(5, 4), 3)):
        with pytest.raises(Failure, match=r"left \(exit code 1\)"):
            agent.prepare(rules)
        assert len(begun) == starts
    played, _ = told_by(None)
    played._process = None  # it has ended meanwhile
    for starts in (4, 5):
        with pytest.raises(Failure):
            played.prepare(Rules())
        assert len(begun) == starts


class Choosy(Protocol):
    """A protocol that refuses a board of five columns, and lists what it is asked."""

    def start(self, rules, deadline):
        self.log.append(str(rules))
        if rules.columns == 5:
            raise InputError("no such board")

    def choose(self, board, limits, deadline):
        return Analysis(board.ply)


def test_a_board_that_was_refused_is_no_reason_to_refuse_another_one_later(monkeypatch):
    monkeypatch.setattr("agents.processes.agent.Process", lambda *_, **__: StandIn())
    monkeypatch.setattr("agents.processes.agent.protocol_of", lambda source: Choosy)
    monkeypatch.setattr(Choosy, "log", [], raising=False)
    agent, _ = told_by(None)
    for _ in range(2):
        with pytest.raises(InputError, match="no such board"):
            agent.choose(Board(Rules(5, 4)), Limits())
    for moves in ("", "1"):
        assert agent.choose(Board.from_moves(moves), Limits()).column == len(moves)
        agent.prepare(Rules())
        agent._process = None  # it has ended meanwhile
    with pytest.raises(InputError, match="no such board"):
        agent.prepare(Rules(5, 4))
    agent.prepare(Rules(6, 5))
    assert Choosy.log == ["5x4x4", "7x6x4", "7x6x4", "5x4x4", "6x5x4"]
