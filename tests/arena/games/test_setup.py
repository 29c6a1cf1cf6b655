"""How a plan is made ready: engines give their names, and who cannot play is found before the first game."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from scripted import Middle

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.process_agent import ProcessAgent, ProcessLimits, Source
from agents.specs.registry import parse
from arena.games import setup
from arena.games.entries import Entry
from arena.games.extend import newcomers
from arena.games.field import Field
from arena.games.isolation import Isolation
from arena.games.object_agent import ObjectAgent
from arena.games.plan import Plan
from arena.games.referee import Conditions
from arena.games.run import Run
from arena.games.setup import introduced, make_ready, new_agents, setting_of, stored_agents
from arena.games.time_control import TimeControl

LOG = []


@ProcessAgent.register
class Engine:
    """Stands in for a process agent: it has the name that its last word gives it, or fails by it."""

    may_refuse, running = True, False

    def __init__(self, source, limits, rules=None):
        self.source, self.limits, self.rules, self.name = source, limits, rules, ""
        LOG.append(("made", source.words[-1], source.folder, limits))

    def prepare(self, rules):
        word = self.source.words[-1]
        LOG.append(("prepared", word, rules))
        if word == "fails":
            raise Failure("out of time")
        if word == "refuses":
            raise InputError("it does not list the variant")
        self.name = "" if word == "nameless" else word.title()

    def close(self):
        LOG.append(("closed", self.source.words[-1]))


@pytest.fixture
def engines(monkeypatch):
    LOG.clear()
    monkeypatch.setattr(setup, "start", Engine)
    monkeypatch.setattr("arena.games.field.start", Engine)
    return LOG


def test_engines_are_asked_for_their_names_and_all_else_keeps_its_own(engines):
    entry = Entry("uci:sh mine", "greedy", "/f")
    isolation = Isolation(patience=3.0, memory=99, folder="/usr")
    names = (
        "greedy",
        "uci:sh deep",
        "uci:sh mine",
        "uci:sh fails",
        "uci:sh nameless",
        "cmd:sh other",
        "uci:sh wide;A=b",
    )
    found, known = introduced(names, (None, None, entry, None, None, None, None), isolation)
    assert found == ("greedy", "Deep", "uci:sh mine", "uci:sh fails", "uci:sh nameless", "cmd:sh other", "Wide")
    assert known == (
        None, Entry("Deep", "uci:sh deep", "/usr"), entry, None, None, None, Entry("Wide", "uci:sh wide;A=b", "/usr"),
    )  # fmt: skip
    words = ("deep", "fails", "nameless", "wide")
    assert engines == [
        each for word in words for each in (("made", word, "/usr", ProcessLimits(3.0, 0.0, 99)),
                                            ("prepared", word, STANDARD), ("closed", word))
    ]  # fmt: skip
    with pytest.raises(InputError, match="it does not list the variant"):
        introduced(("uci:sh refuses",), (None,), isolation)
    engines.clear()
    walls = Isolation(patience=4.0, sandbox=True, folder="/usr", debug="talk.txt")
    introduced(("uci:sh deep",), (None,), walls)
    assert engines[0][3] == ProcessLimits(4.0, 0.0, 1024, sandbox=True, debug="talk.txt")


def test_engines_that_join_a_run_are_asked_for_their_names_under_its_own_terms(engines, tmp_path):
    plan = Plan(("greedy", "random"), rounds=1, isolation=Isolation(patience=5.0, memory=256, folder="/usr"))
    Run.begin(plan, tmp_path / "run.sqlite").store.close()
    engines.clear()
    found = newcomers(tmp_path / "run.sqlite", ("uci:sh deep", "mcts"), (None, None))
    assert found == (("Deep", "mcts"), (Entry("Deep", "uci:sh deep", "/usr"), None), "")
    assert engines[0] == ("made", "deep", "/usr", ProcessLimits(5.0, 0.0, 256))


def source(word):
    return Source("uci", ("sh", word), "/")


def ready(*words):
    specs = tuple(parse("greedy") for _ in words)
    sources = tuple(word and source(word) for word in words)
    return replace(setting_of(Plan(("greedy", "random"), rules=Rules(5, 4)), specs, ()), sources=sources)


def test_engines_that_may_refuse_are_started_once_for_the_board_and_end_again(engines, monkeypatch):
    make_ready(ready("one", None, "fails", "two"))
    steps = [(step, word) for step, word, *_ in engines]
    assert [each for each in steps if each[0] != "closed"] == [
        (step, word) for word in ("one", "fails", "two") for step in ("made", "prepared")
    ]
    assert {rules for step, _, rules, *_ in (each for each in engines if each[0] == "prepared")} == {Rules(5, 4)}
    last = steps.index(("made", "two"))
    assert {("closed", "one"), ("closed", "fails")} <= {*steps[:last]}
    assert ("closed", "two") in steps
    engines.clear()
    with pytest.raises(InputError, match="it does not list the variant"):
        make_ready(ready("one", "refuses", "two"))
    assert [word for step, word, *_ in engines if step == "made"] == ["one", "refuses"]
    assert ("closed", "refuses") in engines
    engines.clear()
    monkeypatch.setattr(Engine, "may_refuse", False)
    make_ready(ready("refuses"))
    assert [step for step, *_ in engines if step == "prepared"] == []


def test_an_object_that_is_not_there_is_passed_over_and_all_others_are_made(monkeypatch):
    made = []
    monkeypatch.setattr(Field, "agent", lambda field, place, copy: made.append((place, copy)))
    specs = (parse("greedy"), ObjectAgent("mine", "object:here:Mine", {}), ObjectAgent.of(Middle), parse("random"))
    make_ready(replace(setting_of(Plan(("greedy", "random")), specs, ())))
    assert made == [(0, 0), (2, 0), (3, 0)]


def test_the_games_of_a_plan_share_its_limits_its_clock_and_its_openings(tmp_path):
    (tmp_path / "bot.py").write_text("def choose(board):\n    return 0\n")
    isolation = Isolation(patience=3.0, memory=99, folder=str(tmp_path), debug="talk.txt")
    plan = Plan(("greedy", "bot.py"), nodes=7, seconds=2.0, margin=0.3, seed=8, rules=Rules(5, 4), isolation=isolation)
    specs = [isolation.spec(place, text) for place, text in enumerate(plan.agents)]
    found = setting_of(plan, specs, [Board(Rules(5, 4))])
    assert found.conditions == Conditions(Limits(nodes=7, seconds=2.0), 0.3, None)
    assert (found.specs, found.openings, found.rules, found.seed) == (
        tuple(specs), (Board(Rules(5, 4)),), Rules(5, 4), 8,
    )  # fmt: skip
    assert found.process_limits == ProcessLimits(3.0, 0.3, 99, debug="talk.txt")
    assert [each and each.words[0] for each in found.sources] == [None, str(tmp_path / "bot.py")]
    clocked = setting_of(Plan(("greedy", "random"), clock="60+1.5", nodes=3), specs[:1], [])
    assert clocked.conditions == Conditions(Limits(nodes=3), 0.1, TimeControl(60.0, 1.5))
    absent = ObjectAgent("bot.py", "object:here:Mine", {})
    assert setting_of(plan, [specs[0], absent], []).sources == (None, None)


def test_agents_are_stored_with_who_wrote_them_and_whether_they_live_apart(tmp_path):
    (tmp_path / "bot.py").write_text("def choose(board):\n    return 0\n")
    entries = (None, Entry("ann", f"{tmp_path}/bot.py:choose", str(tmp_path), author="Ann"), None, None)
    isolation = Isolation(folder=str(tmp_path), entries=entries)
    plan = Plan(("greedy", "ann", "greedy", "Middle"), isolation=isolation)
    given = {place: isolation.spec(place, plan.agents[place]) for place in (2, 1)} | {3: ObjectAgent.of(Middle)}
    found = new_agents(plan, given)
    assert [(each.name, each.spec, each.stranger, each.author) for each in found] == [
        ("greedy#2", given[2], False, None),
        ("ann", given[1], True, "Ann"),
        ("Middle", given[3], False, None),
    ]
    assert [each.digest for each in found] == [None, None, ObjectAgent.of(Middle).digest()]


def test_agents_of_a_stored_run_are_read_again_from_where_it_began_and_objects_are_those_that_were_given(tmp_path):
    (tmp_path / "own.py").write_text("def evaluate(own, opp):\n    return 0\ndef choose(board):\n    return 0\n")
    folder = str(tmp_path)
    heuristic = "minimax:depth=1,heuristic=own.py:evaluate"
    plan = Plan(("greedy", heuristic, "own.py:choose", "mine", "yours", "gone"),
                isolation=Isolation(folder=folder))  # fmt: skip
    stored = [
        (parse("greedy"), False), (parse(heuristic, folder), False), (parse("own.py:choose", folder), True),
        (ObjectAgent.of(Middle, "mine"), False), (ObjectAgent.of(Middle, "yours"), False), (parse("random"), False),
    ]  # fmt: skip
    mine = ObjectAgent.of(Middle, "mine")
    pairs = tuple((name, "greedy") for name in plan.agents[1:5])
    found = stored_agents(replace(plan, pairs=pairs), SimpleNamespace(agents=lambda: stored), {3: mine})
    assert found[:2] == [parse("greedy"), replace(parse(heuristic, folder), parameters=found[1].parameters)]
    assert found[1].parameters == {"depth": 1, "heuristic": f"{folder}/own.py:evaluate"}
    assert (found[2].kind, found[3]) == ("own.py:choose", mine)
    assert [(each.text, each.what) for each in found[4:]] == [("yours", None), ("random", None)]
    assert found[4].kind == "object:scripted:Middle"
    assert stored_agents(plan, SimpleNamespace(agents=lambda: stored), {})[5] == parse("random")
