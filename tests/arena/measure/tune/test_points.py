"""What a tuning tries: the weights that points stand for, and the families that they belong to."""

import json
from dataclasses import replace

import numpy as np
from recorded import holds, plain, tried

from agents.board import Rules
from agents.errors import InputError
from arena.measure.tuning import tuning
from arena.measure.tuning.goals import Enough, Task
from arena.measure.tuning.tuning import REFUSED, Tuning
from arena.measure.tuning.weighted import Family, counts
from arena.measure.verify import sample

SMALL = Rules(5, 4)
TASK = Task("windows(1,10,100,1000)", depth=1, positions=20, evaluations=9, rules=SMALL)


def searched(monkeypatch, heuristic, points, *, values=None, known=(), **more):
    """Return what a search tries for these points, what they were worth, and the points that it starts from."""
    task = replace(TASK, heuristic=heuristic, **more)
    made, told, best = Tuning(task), [], []
    made.values.update(dict.fromkeys(known, 0.25))
    given = iter(np.linspace(0.1, 0.9, 30) if values is None else values)

    def answers(goal, weights):
        if 13 in weights:
            raise InputError("it refuses 13")
        return np.array([next(given), 0.0])

    def maximise(value, start, seed):
        told.append([list(start), seed])
        try:
            told.extend(value([each * size for each, size in zip(point, start, strict=True)]) for point in points)
        except Enough:
            told.append("enough")

    monkeypatch.setattr(made, "answers", answers)
    monkeypatch.setattr(tuning, "maximise", maximise)
    made.search(None, best.append)
    return [list(made.values.items()), told, best, made.live, list(made.best()), made.start]


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
    made = Tuning(TASK)
    found = {}
    for weights in ((1, 10, 100, 1000), (2, 20, 200, 7), (3, 6, 9, 1000), (0, 0, 0, 1000), (0, 4, 0, 1000),
                    (-2, -20, -200, 1000), (-1, 2, 3, 1000), (7, 70, 701, 1000)):  # fmt: skip
        found[str(weights)] = made.reduced(weights)
    even = Tuning(replace(TASK, heuristic="windows(4,-20,0,1000)"))
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
