"""What the process of an agent in Python makes of agents and of their answers, asked in this process."""

import functools
import json
import math
import os
import sys
from types import SimpleNamespace

import pytest

from agents.agent import MOST_EXTRA, Analysis, Limits
from agents.board import Board, Rules
from agents.bridges import submission
from agents.errors import InputError
from agents.processes import child
from agents.processes.child import LONGEST_TEXT, Child, plain
from agents.specs import build, user_agents
from agents.specs.user_agents import agent_from

QUESTION = {"do": "choose", "own": 0, "opp": 0, "moves": [], "limits": [None, None, 0.5]}


def answer(choose):
    """Return what the child answers where its agent's `choose` is this."""
    child = Child()
    child.rules = Rules()
    child.agent = agent_from(choose, "agent", {})
    return child.answer(QUESTION)


@pytest.mark.parametrize(("code", "said"), [((), 0), ((None,), 0), ((5,), 5), (("so",), 1)])
def test_an_agent_that_exits_has_left_with_the_code_that_a_shell_would_see(code, said):
    found = answer(lambda board: sys.exit(*code))
    assert found["kind"] == f"left (exit code {said})"


def test_an_agent_starts_with_its_file_alone_as_words_and_its_description_is_cut(monkeypatch):
    described = SimpleNamespace(about=f"mine{'x' * LONGEST_TEXT}")
    monkeypatch.setattr(sys, "argv", ["arena", "run"])
    monkeypatch.setattr(child, "build", lambda words, options: described)
    told = Child().answer({"do": "start", "rules": [7, 6, 4], "words": ["bot.py", "Bot"], "options": {}})
    assert told == {"about": f"mine{'x' * (LONGEST_TEXT - 4)}"}
    assert sys.argv == ["bot.py"]


def test_a_text_is_sent_as_far_as_the_referee_quotes_it():
    assert answer(lambda board: "x" * 100_000) == {"column": "x" * LONGEST_TEXT}


@pytest.mark.parametrize(
    "function",
    [
        lambda position: 3,
        lambda board=None, limits=None: 3,
        lambda position, bounds: 3 if bounds.seconds else 0,
        lambda board, more=4: 3,
    ],
)
def test_a_function_of_the_board_and_perhaps_of_the_limits_is_an_agent_whatever_it_calls_them(function):
    assert agent_from(function, "agent", {}).choose(Board(), Limits(seconds=0.5)) == 3


def test_an_agent_of_kaggles_is_given_the_limit_or_kaggles_two_seconds():
    agent = agent_from(lambda obs, configuration: (configuration.timeout, configuration["actTimeout"]), "agent", {})
    for limits, told in (
        (Limits(seconds=0.5), 0.5),
        (Limits(), 2.0),
        (Limits(seconds=90.0), 90.0),
        (Limits(3, 9), 2.0),
    ):
        assert agent.choose(Board(), limits) == (told, told)


class Any:
    def choose(self, *given):
        return len(given)


class Named:
    def choose(self, board, *, most=5):
        return most


class Three:
    def choose(self, board, limits, more=7):
        return more if limits.seconds else 0


class Built:
    choose = slice
    """A function without a signature that can be read."""


@pytest.mark.parametrize(
    ("shape", "answer"), [(Any, 2), (Named, 5), (Three, 7), (Built, slice(Board(), Limits(seconds=0.5)))]
)
def test_what_chooses_by_the_board_alone_is_given_no_limits_and_all_else_is_given_both(shape, answer):
    assert agent_from(shape, "agent", {}).choose(Board(), Limits(seconds=0.5)) == answer


class Callable:
    """An agent of Kaggle's that is an object, in which it counts no arguments."""

    def __call__(self, observation, configuration):
        return configuration.columns + observation.step


@pytest.mark.parametrize(
    ("function", "answer"),
    [
        (Callable(), 9),
        (functools.partial(lambda factor, obs, config: factor * config.rows, 3), 18),
        (lambda obs: obs.step, 2),
        (lambda obs, conf: conf.inarow, 4),
    ],
)
def test_an_agent_of_kaggles_may_be_any_object_that_can_be_called(function, answer):
    assert agent_from(function, "agent", {}).choose(Board.from_moves("12"), Limits()) == answer


def test_what_an_agent_of_kaggles_takes_beyond_a_limit_is_taken_of_its_overage_of_the_game(monkeypatch):
    times = iter([5.0, 5.5, 10.0, 13.0, 20.0, 21.5, 30.0, 130.0, 140.0, 141.0, 150.0, 151.0])
    monkeypatch.setattr(user_agents.time, "perf_counter", lambda: next(times))
    agent = user_agents._Kaggle(lambda observation: observation.remainingOverageTime, "/x/bot.py")
    bounds = (Limits(), Limits(), Limits(seconds=0.5), Limits(), Limits())
    left = [agent.choose(Board(), limits) for limits in bounds]
    agent.new_game(1)
    left.append(agent.choose(Board(), Limits()))
    assert left == [60.0, 60.0, 59.0, 58.0, 0.0, 60.0]


def test_what_an_agent_of_kaggles_changes_of_its_arguments_it_sees_as_items_and_as_attributes():
    observation = user_agents.Struct(step=3, mark=1)
    observation.step, observation["mark"], observation.mine = 4, 2, [5]
    assert (observation.step, observation.mark, observation.mine) == (4, 2, [5])
    assert observation == {"step": 4, "mark": 2, "mine": [5]}
    assert not hasattr(observation, "other")


def test_an_agent_of_kaggles_is_told_its_file_and_the_time_of_a_game():
    told = agent_from(lambda observation, configuration: configuration, "/x/bot.py:agent", {}).choose(Board(), Limits())
    assert told == {
        "columns": 7, "rows": 6, "inarow": 4, "timeout": 2.0, "actTimeout": 2.0, "agentTimeout": 60.0,
        "runTimeout": 1200, "steps": 1000, "episodeSteps": 1000, "__raw_path__": "/x/bot.py",
    }  # fmt: skip


@pytest.mark.parametrize("rules", [Rules(8, 7, 5), Rules(5, 4, 3)], ids=str)
def test_an_agent_of_kaggles_sees_the_board_of_the_rules(rules):
    agent = agent_from(lambda obs, conf: (obs, conf), "agent", {})
    for moves in ("", "112", "5431"):
        board = Board.from_moves(moves, rules)
        seen, told = agent.choose(board, Limits())
        cells = [cell for row in board.grid() for cell in row]
        assert seen == {"board": cells, "mark": len(moves) % 2 + 1, "step": len(moves), "remainingOverageTime": 60.0}
        assert (told.columns, told.rows, told.inarow) == rules.size


def test_a_file_is_asked_for_the_class_or_function_that_was_named_or_for_what_it_defines_last(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "path_hooks", [*sys.path_hooks])
    file = tmp_path / "bot.py"
    file.write_text("def one(obs): return 1\ndef two(obs, conf): return conf['__raw_path__']\nNUMBER = 3\n")
    assert user_agents.load((str(file), "one"), {}).choose(Board(), Limits()) == 1
    for agent in (user_agents.load((str(file), "two"), {}), user_agents.last_callable(file)):
        assert agent.choose(Board(), Limits()) == str(file)
    assert sys.path[-1] == str(tmp_path)
    for name in ("NUMBER", "three"):
        with pytest.raises(InputError) as raised:
            user_agents.object_in(file, name)
        assert str(raised.value) == f"{file} has no class or function {name!r}"
    file.write_text("NUMBER = 3\n")
    with pytest.raises(InputError, match=r"bot\.py has no function$"):
        user_agents.last_callable(file)


DECORATED = """# -*- coding: latin-1 -*-
import functools
def doubled(function):
    @functools.wraps(function)
    def inner(one, two=None):
        return 2 * (function(one) if two is None else function(one, two))
    return inner
@doubled
def choose(board):
    return len("é") + (__name__ != "__main__")
if __name__ == "__main__":
    raise SystemExit("no agent")
@doubled
def last(observation, configuration):
    return len("é") + configuration.inarow
"""


def test_a_file_is_loaded_in_its_coding_with_its_decorators_and_not_as_a_program(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "path_hooks", [*sys.path_hooks])
    file = tmp_path / "bot.py"
    file.write_bytes(DECORATED.encode("latin-1"))
    assert user_agents.load([str(file), "choose"], {}).choose(Board(), Limits()) == 4
    for agent in (user_agents.load([str(file), "last"], {}), user_agents.last_callable(file)):
        assert agent.choose(Board(Rules(5, 4, 3)), Limits()) == 8


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("Mute", {}, "agent '{}:Mute' has no method choose(board, limits)"),
        ("three", {}, "agent '{}:three' needs a, b, c: it takes the board, or the board and the limits"),
        ("Fixed", {"dept": 3}, "agent '{}:Fixed': no parameter 'dept': did you mean depth?"),
        ("Fixed", {"depth": 3}, ""),
    ],
)
def test_what_a_file_has_that_is_no_agent_is_named_with_the_file(tmp_path, monkeypatch, name, options, said):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "path_hooks", [*sys.path_hooks])
    file = tmp_path / "bot.py"
    file.write_text(
        "class Mute: ...\ndef three(a, b, c, d=1): ...\n"
        "class Fixed:\n    def __init__(self, depth=1): self.depth = depth\n    def choose(self, board, limits): ...\n"
    )
    if said:
        with pytest.raises(InputError) as raised:
            user_agents.load([str(file), name], options)
        assert str(raised.value) == said.format(file)
    else:
        assert user_agents.load([str(file), name], options).depth == 3


class Told:
    """Keeps what it is told; answers the first player with an analysis and the second with a column."""

    def __init__(self):
        self.log = []

    def prepare(self, rules):
        self.log.append(rules)

    def new_game(self, seed):
        self.log.append(seed)

    def choose(self, board, limits):
        self.log.append((board.text, board.rules, limits))
        return 4 if board.mover else Analysis(3)


def test_one_of_our_agents_plays_as_kaggle_asks_within_a_share_of_its_time(monkeypatch):
    agent, made = Told(), []
    monkeypatch.setattr(submission, "build", lambda words, options: made.append((words, options)) or agent)
    player = submission.ForKaggle("greedy", 77, 0.25)
    assert made == [(("greedy",), {})]
    small = Rules(5, 4, 3)
    for rules, moves in (
        (Rules(8, 7, 5), "8"),
        (Rules(), ""),
        (Rules(), "44"),
        (Rules(), "4"),
        (small, "1"),
        (small, "123"),
    ):
        board = Board.from_moves(moves, rules)
        cells = [cell for row in board.grid() for cell in row]
        asked = {"columns": rules.columns, "rows": rules.rows, "inarow": rules.connect, "actTimeout": 2.0}
        del agent.log[:]
        answer = player({"board": cells, "mark": board.mover + 1}, asked)
        begins = [rules, 77] if len(moves) < 2 else []
        assert agent.log[:-1] == begins
        assert (agent.log[-1][1:], answer) == ((rules, Limits(seconds=0.5)), 3 + board.mover)
        assert Board.from_moves(agent.log[-1][0], rules).grid() == board.grid()


def test_a_file_with_parameters_and_a_player_of_another_framework_play_as_kaggle_asks(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "path_hooks", [*sys.path_hooks])
    (tmp_path / "bot.py").write_text(
        "class Bot:\n    def __init__(self, near=0, *, far='x'): self.column = near + len(far)\n"
        "    def choose(self, board, limits): return self.column\n"
    )
    asked = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 2.0}
    player = submission.ForKaggle(f"{tmp_path}/bot.py:Bot:near=2,far=abc", 5, 0.5)
    assert player({"board": [0] * 42, "mark": 1}, asked) == 5
    assert submission.ForKaggle(f"{tmp_path}/bot.py:Bot", 5, 0.5)({"board": [0] * 42, "mark": 1}, asked) == 1


def test_an_agent_is_made_of_a_spec_a_file_and_a_name_or_another_framework_with_its_options(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr("agents.specs.registry.adapted", lambda *given: asked.append(("adapted", *given)) or "adapter")
    monkeypatch.setattr(build, "load", lambda *given: asked.append(("load", *given)) or "own")
    options = {"depth": 2, "name": "x"}
    assert build.build(["bot.py", "Bot"], options) == "own"
    assert build.build(["mcts", "", "openspiel"], options) == "adapter"
    assert asked == [("load", ["bot.py", "Bot"], options), ("adapted", ["mcts", "", "openspiel"], options)]
    assert build.build(["alphabeta:depth=2"], {}).limits.depth == 2


@pytest.mark.parametrize("rules", [Rules(), Rules(9, 5, 3), Rules(most_fours=True)])
@pytest.mark.parametrize("moves", ["", "1", "4453", "44511"])
def test_an_agent_is_shown_the_whole_position_with_the_moves_that_led_to_it_and_all_limits(rules, moves):
    told, one = [], Child()
    one.rules, board = rules, Board.from_moves(moves, rules)
    one.agent = agent_from(lambda board, limits: told.append((board, limits)) or 3, "agent", {})
    asked = {"do": "choose", "own": board.own, "opp": board.opp, "moves": list(board.moves)}
    for bounds in ([None] * 3, [1, 2, 3.0, 4.0, 5.0, 6.0]):
        assert one.answer(asked | {"limits": bounds}) == {"column": 3}
        seen, limits = told.pop()
        assert (seen, seen.moves, seen.text, seen.outcome) == (board, board.moves, moves, None)
        assert (seen.ply, seen.mover, limits) == (len(moves), len(moves) % 2, Limits(*bounds))


@pytest.mark.parametrize(
    ("error", "kind", "detail"),
    [(ValueError("mine"), "exception", "ValueError: mine"), (MemoryError(), "out of memory", "MemoryError"),
     (SystemExit(3), "left (exit code 3)", "SystemExit: 3"), (KeyboardInterrupt(), "exception", "KeyboardInterrupt"),
     (InputError("mine"), "exception", "KeyError: 'lost'")],
    ids=repr,
)  # fmt: skip
def test_a_fault_is_told_and_not_its_cause_unless_it_is_one_of_ours(error, kind, detail):
    lines = []

    def fails(board):
        try:
            lines.append(sys._getframe().f_lineno + 1)
            {}["lost"]
        except KeyError as cause:
            lines.append(sys._getframe().f_lineno + 1)
            raise error from cause

    reply = answer(fails)
    line = lines[0 if "lost" in detail else 1]
    assert (reply["kind"], reply["detail"]) == (kind, f"{detail} (test_child.py, line {line})")
    assert reply["traceback"].startswith("Traceback (most recent call last):\n")
    assert "KeyError: 'lost'\n" in reply["traceback"]
    assert reply["traceback"].splitlines()[-1] == detail


@pytest.mark.parametrize(("lines", "kept"), [(1000, None), (9000, 8000)])
def test_a_fault_is_sent_with_all_that_its_message_says_up_to_some_length(lines, kept):
    def fails(board):
        raise ValueError("\n".join(["so"] * lines))

    found = answer(fails)
    line = fails.__code__.co_firstlineno + 1
    assert (found["kind"], found["detail"]) == ("exception", f"ValueError: so (test_child.py, line {line})")
    assert found["traceback"].endswith("so\nso\n")
    if kept is None:
        assert found["traceback"].startswith("Traceback (most recent call last):\n")
        assert found["traceback"].count("so\n") == lines
    else:
        assert len(found["traceback"]) == kept


def test_questions_are_read_however_they_come_and_end_with_the_pipe():
    reader, writer = os.pipe()
    os.set_blocking(reader, False)  # what is lost is missed and not waited for
    lines = child._lines(reader)
    os.write(writer, b'{"id": 1}\n{"id": 2}\n{"id"')
    assert [next(lines), next(lines)] == [{"id": 1}, {"id": 2}]
    os.write(writer, b": 3}\n")
    assert next(lines) == {"id": 3}
    os.write(writer, b'{"id": 4')
    os.close(writer)
    assert list(lines) == []
    os.close(reader)
    assert list(child._lines(reader)) == []


def test_a_child_answers_each_question_by_its_number_and_leaves_when_nobody_reads(monkeypatch):
    (asking, asked), (answered, answering) = os.pipe(), os.pipe()
    for descriptor in (asking, answering):
        os.set_inheritable(descriptor, True)
    ends, write = [], os.write

    def few(descriptor, data):  # as a full pipe does
        return write(descriptor, data[:7]) if descriptor == answering else write(descriptor, data)

    monkeypatch.setattr(sys, "argv", ["-c", "/root", str(asking), str(answering)])
    monkeypatch.setattr(child.os, "_exit", lambda code: ends.append((code, os.get_inheritable(asking))))
    monkeypatch.setattr(child.os, "write", few)
    begin = {"id": 1, "do": "start", "rules": [7, 6, 4, False], "words": ["greedy"], "options": {}}
    questions = [begin, {"id": 2, "do": "new_game", "seed": 3}, {"id": 7, "do": "choose"} | QUESTION | {"moves": [3]},
                 {"id": 5, "do": "é♥\ud800"}]  # fmt: skip
    write(asked, b"".join(json.dumps(each).encode() + b"\n" for each in questions))
    os.close(asked)
    child.main()
    answers = [json.loads(line) for line in os.read(answered, 1 << 16).splitlines()]
    assert [each["id"] for each in answers] == [1, 2, 7, 5]
    assert answers[:2] == [{"id": 1, "about": ""}, {"id": 2}]
    assert answers[2]["column"] in range(7)
    assert "é♥" in answers[3]["detail"]
    assert (ends, os.get_inheritable(answering)) == ([(0, False)], False)
    asking, asked = os.pipe()
    os.close(answered)
    monkeypatch.setattr(sys, "argv", ["-c", "/root", str(asking), str(answering)])
    write(asked, b'{"id": 1, "do": "nothing"}\n' * 2)
    child.main()
    assert len(ends) == 2
    for descriptor in (asking, asked, answering):
        os.close(descriptor)


def test_notes_are_sent_as_json_has_them_or_else_shown():
    most = MOST_EXTRA - len('{"a": ""}')
    for extra, sent in (
        ({"a": (1, None)}, {"a": [1, None]}),
        ({1: "x"}, {"1": "x"}),
        ({"a": "x" * most}, {"a": "x" * most}),
        ({"a": "x" * (most + 1)}, f"{MOST_EXTRA + 1:,} characters of JSON"),
        ({"a": math.nan}, "{'a': nan}"),
        ({"a": {1}}, "{'a': {1}}"),
        (7, "7"),
    ):
        assert plain(Analysis(3, extra=extra))["extra"] == sent
    assert "extra" not in plain(Analysis(3))
