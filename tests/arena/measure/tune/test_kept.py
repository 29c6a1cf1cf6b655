"""What a tuning keeps, tries and confirms: its file, the weights that points stand for, runs that go on."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from recorded import holds, plain, tried

from agents.board import Rules
from agents.errors import InputError
from arena.measure.tuning import confirmation, tuning
from arena.measure.tuning.confirmation import Confirmation
from arena.measure.tuning.goals import Enough, Games, Moves, Scores, Task
from arena.measure.tuning.tuning import REFUSED, Held, State, Tuning, outcome, verdict
from arena.measure.tuning.weighted import Family, counts
from arena.measure.verify import sample
from arena.play.plan import Plan
from arena.play.run import Run
from arena.records import Interval
from arena.store.run_file import Store

SMALL = Rules(5, 4)
TASK = Task("windows(1,10,100,1000)", depth=1, positions=20, evaluations=9, openings="plies:2", optimiser="scipy",
            rules=SMALL)  # fmt: skip


def test_a_file_keeps_settings_values_and_outcomes_in_lines(tmp_path):
    path = tmp_path / "tuned.jsonl"
    settings = {"depth": 2, "rules": {"columns": 5}}
    state = State.begin(path, settings)
    state.add("a(1)", 0.5)
    state.conclude({"verdict": "Keep a(1)"})
    state.add("a(2)", -1e9)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines == [
        {"file": "connect4-arena tuning", **settings}, {"heuristic": "a(1)", "value": 0.5},
        {"outcome": {"verdict": "Keep a(1)"}}, {"heuristic": "a(2)", "value": -1e9},
    ]  # fmt: skip
    again = State.of(path, settings)
    assert (again.path, again.settings, again.values) == (path, settings, {"a(1)": 0.5, "a(2)": -1e9})
    before = path.read_bytes()
    with pytest.raises(InputError, match=rf"^{path} exists; --resume {path} continues it, --out names another$"):
        State.begin(path, settings)
    with pytest.raises(InputError, match="holds a tuning with other settings"):
        State.of(path, {**settings, "depth": 3})
    assert path.read_bytes() == before
    path.write_bytes(before + b'{"heuristic": "a(3)", "val')  # a kill cut it short
    assert State.resume(path).values == state.values
    assert path.read_bytes() == before
    with pytest.raises(InputError, match=r"cannot be written: No such file"):
        State.begin(tmp_path / "none" / "such", settings)
    for call in (State.resume, lambda place: State.of(place, settings)):
        with pytest.raises(InputError, match="cannot be read: Is a directory"):
            call(tmp_path)
    pair = {**settings, "depths": (2, 3), "rules": {1: 2}}
    assert State.of(tmp_path / "pair.jsonl", pair).settings == pair
    assert State.of(tmp_path / "pair.jsonl", pair).settings == {**settings, "depths": [2, 3], "rules": {"1": 2}}
    fresh = State.of(None, settings)
    fresh.add("a(1)", 1.0)
    assert (fresh.path, fresh.values) == (None, {"a(1)": 1.0})
    assert State.of(tmp_path / "new.jsonl", settings).values == {}
    assert (tmp_path / "new.jsonl").exists()


def searched(monkeypatch, heuristic, points, *, values=None, known=(), **more):
    """Return what a search tries for these points, what they were worth, and the points that it starts from."""
    task = replace(TASK, heuristic=heuristic, **more)
    state = State.begin(None, {})
    for text in known:
        state.add(text, 0.25)
    made, told, best = Tuning(task, state), [], []
    given = iter(np.linspace(0.1, 0.9, 30) if values is None else values)

    def answers(goal, weights):
        if 13 in weights:
            raise InputError("it refuses 13")
        return np.array([next(given), 0.0])

    def maximise(value, start, optimiser, seed):
        told.append([list(start), optimiser, seed])
        try:
            told.extend(value([each * size for each, size in zip(point, start, strict=True)]) for point in points)
        except Enough:
            told.append("enough")

    monkeypatch.setattr(made, "answers", answers)
    monkeypatch.setattr(tuning, "maximise", maximise)
    made.search(None, best.append)
    return [list(state.values.items()), told, best, made.live, list(made.best()), made.start]


POINTS = [(1, 1, 1), (1.04, 0.96, 1.5), (0.5, 2, -1), (2, 2, 2), (1.049, 0.951, 1), (0, 0, 0), (1.3, 1.3, 1.3)]


def test_points_stand_for_weights_without_a_common_factor(monkeypatch, request):
    found = {"windows": searched(monkeypatch, TASK.heuristic, POINTS)}
    found["known"] = searched(monkeypatch, TASK.heuristic, POINTS, known=["windows(1,10,100,1000)"])
    found["few"] = searched(monkeypatch, TASK.heuristic, POINTS, evaluations=2)
    found["falling"] = searched(monkeypatch, TASK.heuristic, POINTS, values=np.linspace(0.9, 0.1, 30))
    found["zeros"] = searched(monkeypatch, "windows(0,6,0,9)", POINTS)
    found["all zero"] = searched(monkeypatch, "windows(0,0,0,5)", [(1, 2, 3)])
    found["negative"] = searched(monkeypatch, "windows(-4,6,10,9)", POINTS, rules=Rules(6, 5))
    found["large"] = searched(monkeypatch, "windows(30000,4,900,9)", POINTS[:3])
    monkeypatch.setattr(tuning, "ASKS", 1)
    found["asked too often"] = searched(monkeypatch, TASK.heuristic, [POINTS[0]] * 20, evaluations=3)
    holds("tuned-points", plain(found), request)


def test_weights_that_are_refused_are_the_worst(monkeypatch):
    values, told, *_ = searched(monkeypatch, "windows(13,1,1,1)", [(1, 1, 1), (2, 1, 1)])
    assert values[0] == ("windows(13,1,1,1)", REFUSED)
    assert told[1] == REFUSED


def test_weights_that_play_alike_are_one(request):
    made = Tuning(TASK, State.begin(None, {}))
    found = {}
    for weights in ((1, 10, 100, 1000), (2, 20, 200, 7), (3, 6, 9, 1000), (0, 0, 0, 1000), (0, 4, 0, 1000),
                    (-2, -20, -200, 1000), (-1, 2, 3, 1000), (7, 70, 701, 1000)):  # fmt: skip
        found[str(weights)] = made.reduced(weights)
    even = Tuning(replace(TASK, heuristic="windows(4,-20,0,1000)"), State.begin(None, {}))
    for weights in ((4, -20, 0, 1000), (1, -5, 0, 1000), (-1, 5, 0, 1000), (2, -10, 0, 1000), (12, -60, 0, 1000),
                    (4, -20, 2, 1000), (6, -30, 3, 1000)):  # fmt: skip
        found[f"beside windows(4,-20,0,1000): {weights}"] = even.reduced(weights)
    made._is_sum = False
    found["no sum"] = made.reduced((2, 20, 200, 7))
    made.family, made._times = Family.read("windows(-3,0,8,2)"), 10
    found["sizes"] = made._sizes()
    found["grown"] = made._grown(5)
    found["weights"] = [made._weights(point, made._sizes()) for point in ((1.04, -0.5, 0.999), (0.51, 0.49, 2))]
    made.live = [1]
    found["all others zero"] = made._sizes()
    holds("tuned-alike", plain(found), request)


def test_families_are_read_and_written_as_specs_have_them(tmp_path, request):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "def make(rules, one, two=2):\n    return lambda own, opp: one * (own & 127) - two * (opp & 63)\n\n"
        "def square(rules, one, two):\n    return lambda own, opp: one * one * (own & 127) + two\n"
    )
    found = {}
    for text in ("windows(1,2,3,4)", "aware(40,17,15,4,2,13)", f"{mine}:make(3,two=5)", f"{mine}:make(one=3,two=5)",
                 f"{mine}:make(two=3,one=5)", f"{mine}:make(one=5,two=3)", "windows(1,2)", "windows()", "windows(1,",
                 "parity", "smart-aware", "zero", f"{mine}:make", "zugzwang(1,2,3,4,5,6,7,8,9)"):  # fmt: skip
        family = tried(Family.read, text)
        found[text] = family
        if not isinstance(family, str):
            made = Family.read(text)
            given = range(11, 11 + len(made.start))
            found[f"{text}, otherwise"] = made.text(list(given)), made.units()[:3]
    boards = sample(8, 2, SMALL)
    for text in ("windows(1,2,3,4)", f"{mine}:make(3,two=5)", f"{mine}:square(3,5)", f"{mine}:square(1,5)"):
        found[f"counts of {text}"] = counts(Family.read(text), boards)
    holds("tuned-families", json.loads(json.dumps(plain(found)).replace(str(tmp_path), "")), request)


def test_tasks_have_sets_and_searches_of_their_kind(tmp_path, request):
    found = {}
    for by, positions in (("moves", 20), ("score", 20), ("games", 7)):
        task = replace(TASK, by=by, positions=positions)
        steps = []
        sets = task.sets(1, lambda steps=steps: steps.append(1))
        assert {type(each) for each in sets} == {{"moves": Moves, "score": Scores, "games": Games}[by]}
        found[by] = [[board.text if by == "games" else board.board.text for board in
                      (each.openings if by == "games" else each.exercises)] for each in sets]  # fmt: skip
        found[f"{by}, solved and left"] = len(steps), len(task.unused_openings())
        if by == "games":
            found["opponent"] = sets[0].opponent.heuristic, sets[0].opponent.limits.depth
    agent = replace(TASK, search="minimax", depth=3).searcher("parity")
    found["searcher"] = agent.heuristic, agent.pruning, agent.limits.depth
    (tmp_path / "mine.py").write_text(
        f"open({str(tmp_path / 'run')!r}, 'w').close()\n\n\nclass Bot:\n    def __init__(self, **settings): ...\n"
        "    def choose(self, board, limits): ...\n"
    )
    with pytest.raises(InputError, match=r"mine\.py:Bot' must be minimax or alphabeta to be tuned"):
        replace(TASK, search=f"{tmp_path / 'mine.py'}:Bot").searcher("zero")
    assert not (tmp_path / "run").exists()
    for change in ({"search": "mcts"}, {"search": "alphabeta:depth=3"}, {"search": "random"}):
        found[str(change)] = tried(replace(TASK, **change).searcher, "zero")
    left = len(replace(TASK, by="games", positions=4).unused_openings()) + 4
    train, held_out = replace(TASK, by="games", positions=left - 1).sets(1, lambda: None)
    assert (len(train.openings), len(held_out.openings)) == ((left - 1) // 2, left // 2)
    for change in (
        {"by": "games", "positions": "a.txt"},
        {"by": "games", "positions": 400},
        {"by": "games", "positions": left},
        {"by": "moves", "positions": 4},
    ):
        found[str(change)] = tried(replace(TASK, **change).sets, 1, lambda: None)
    found["read back"] = Task.from_document(json.loads(json.dumps(TASK.document()))) == TASK
    for data in ({}, {**TASK.document(), "more": 1}, {**TASK.document(), "rules": {"x": 1}}):
        found[f"{len(data)} fields"] = tried(Task.from_document, data)
    holds("tuned-tasks", plain(found), request)


TUNED, START = "parity", "zero"


def test_a_confirmation_goes_on_with_the_run_of_its_own_plan(tmp_path, request):
    task, file = replace(TASK, by="games", positions=4), tmp_path / "mine.jsonl"
    steps, found = [], {}

    def confirmed(depth=1, rounds=3, tuned=TUNED, **more):
        steps.clear()
        row = confirmation.confirm(task, tuned, START, depth, "elo0=0,elo1=100", rounds, 1, lambda: steps.append(1),
                                   tuning=file, command="arena tune", **more)  # fmt: skip
        return {**plain(row), "file": row.file and row.file.replace(str(tmp_path), "~"), "steps": len(steps)}

    found["first"] = confirmed()
    found["again"] = confirmed()
    found["other weights"] = confirmed(tuned="powers-of-ten")
    found["deeper"] = confirmed(2, 2)
    (tmp_path / "mine-openings.txt").write_text("1\n")
    found["other openings"] = confirmed(rounds=2)
    found["files"] = sorted(path.name for path in tmp_path.iterdir())
    found["openings"] = (tmp_path / "mine-openings-2.txt").read_text().split()
    with Store.read(tmp_path / "mine-depth-1.sqlite") as store:
        plan = Plan.from_document(store.plan())
        found["plan"] = [plan.agents, plan.rounds, plan.seed, str(plan.rules), plan.sprt]
    file = None
    without = confirmed(rounds=2)
    assert without["file"] is None
    holds("tuned-confirmed", json.loads(json.dumps(plain(found)).replace(str(tmp_path), "~")), request)


def test_no_more_openings_are_asked_for_than_are_left(monkeypatch):
    def begun(plan, path, command):
        raise InputError(f"{plan.rounds} rounds in {path.name}, {command}")

    monkeypatch.setattr(confirmation, "_run", begun)
    task = replace(TASK, by="games", positions=4)
    for rounds, most in ((3, 3), (400, len(task.unused_openings()))):
        with pytest.raises(InputError, match=f"^{most} rounds in tuning-depth-2.sqlite, arena tune$"):
            confirmation.confirm(task, TUNED, START, 2, "elo0=0,elo1=9", rounds, 1, command="arena tune")


def test_a_file_that_is_no_run_is_left_alone(tmp_path):
    path = tmp_path / "a.sqlite"
    path.write_text("somebody's own")
    assert confirmation._plan(path) is None
    plan = Plan(("greedy", "random"), openings="plies:1", rounds=1, rules=SMALL)
    run = confirmation._run(plan, path, "arena tune")
    run.store.close()
    assert run.store.path == tmp_path / "a-2.sqlite"
    assert path.read_text() == "somebody's own"
    again = confirmation._run(plan, path, "")
    again.store.close()
    other = confirmation._run(replace(plan, seed=7), path, "")
    other.store.close()
    assert [each.store.path.name for each in (again, other)] == ["a-2.sqlite", "a-3.sqlite"]
    assert confirmation._plan(other.store.path) == replace(plan, seed=7)
    assert isinstance(again, Run)
    with pytest.raises(InputError, match="cannot be written"):
        confirmation._written(tmp_path / "none" / "such.txt", "1\n")


def match(depth, decision, elo, low=-5.0, high=5.0):
    strength = None if elo is None else Interval(elo, low, high)
    return Confirmation(depth, 40, (1, 2, 30, 2, 5), 0.5, strength, 1.0, 0.5, decision)


def test_verdicts_name_every_match_with_its_elo(request):
    gain, nothing, worse = (
        Held(100, 0.5, tuned, Interval(value, low, high))
        for tuned, value, low, high in ((0.6, 0.1, 0.01, 0.2), (0.5, 0.0, -0.1, 0.1), (0.5, 0.0, -0.1, -0.01))
    )
    found = {}
    for name, held_out in (("gain", gain), ("nothing", nothing), ("worse", worse)):
        for decision in ("H1", "H0", "continue"):
            for elo, low, high in ((0.0, -5.0, 5.0), (None, None, None), (-12.4, None, 3.0), (30.0, 0.0, None)):
                said = verdict(
                    "a(1)", "a(2)", "moves", 4, held_out, [match(6, "H0", 1.0), match(4, decision, elo, low, high)]
                )
                found[f"{name}, {decision}, {elo}"] = said
    for elo, low, high in ((math.inf, 12.0, None), (-math.inf, None, -9.0), (math.inf, None, None), (5.0, None, None)):
        found[f"without an end: {elo}, {low}, {high}"] = verdict(
            "a(1)", "a(2)", "games", 4, gain, [match(4, "H1", elo, low, high), match(8, "continue", elo, low, high)]
        )
    found["other depths"] = verdict("a(1)", "a(2)", "score", 4, gain, [match(6, "H1", 9.0), match(8, "H1", 0.2)])
    family = SimpleNamespace(text=lambda weights: f"a({weights})")
    made = SimpleNamespace(
        task=TASK, family=family, best=lambda: 2, start="a(1)", state=SimpleNamespace(values={1: 1, 2: 2})
    )
    found["outcome"] = result = outcome(made, gain, nothing, [match(1, "H1", 9.0)], {"python": "3"})
    found["document"] = result.document()
    holds("tuned-verdicts", plain(found), request)
