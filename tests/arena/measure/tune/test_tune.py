import functools
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import arena as package
from agents.board import Rules
from agents.errors import InputError
from arena.analysis.frames import Frames
from arena.analysis.pairings import duel, sprt_estimate
from arena.measure.exercises import sample, solve
from arena.measure.tuning import goals, tuning
from arena.measure.tuning import tuning as tuning_module
from arena.measure.tuning.confirmation import confirm
from arena.measure.tuning.goals import Enough, Task
from arena.measure.tuning.tuning import State, Tuning
from arena.measure.tuning.weighted import Weighted
from arena.play.openings import shuffled
from arena.statistics.sprt import Sprt

SMALL = Rules(5, 4)
START = "windows(1,10,100,1000)"
TASK = Task(START, depth=2, positions=60, evaluations=12, openings="plies:4", optimiser="scipy", rules=SMALL)


@pytest.fixture(autouse=True)
def shared(monkeypatch):
    """Compile each family once for all tests."""
    monkeypatch.setattr(tuning, "Weighted", compiled)


@functools.cache
def compiled(family, rules):
    return Weighted(family, rules)


def test_an_optimiser_that_is_not_installed_is_told_and_the_other_does(monkeypatch):
    monkeypatch.setattr(goals, "default", lambda: "scipy")
    assert replace(TASK, optimiser="scipy") == TASK
    with pytest.raises(InputError, match="cmaes is not installed"):
        replace(TASK, optimiser="cmaes")


def test_an_optimiser_that_asks_the_same_for_ever_is_left(monkeypatch):
    answered = []

    def insist(value, start, *_):
        with suppress(Enough):
            answered.extend(value(start) for _ in range(2 * tuning.ASKS * TASK.evaluations))

    monkeypatch.setattr(tuning, "maximise", insist)
    train, _ = TASK.sets(1, lambda: None)
    state = State.begin(None, {})
    Tuning(TASK, state).search(train)
    assert (len(state.values), len(answered)) == (1, tuning.ASKS * TASK.evaluations)


def test_games_that_confirm_are_weighed_by_all_of_their_pairs(tmp_path):
    task = replace(TASK, by="games", search="alphabeta", positions=5)
    found = confirm(task, START, "zero", 2, "elo0=0,elo1=150", 15, 1, tuning=tmp_path / "mine.jsonl")
    frames = Frames.read(Path(found.file))
    met = duel(frames, task.spec(START, 2), task.spec("zero", 2))
    assert found.elo == sprt_estimate(frames) != met.elo  # the test has stopped early
    assert (found.depth, found.counts, found.score, found.nodes_ratio) == (2, met.counts, met.score, met.nodes_ratio)
    assert found.pairs == sum(found.counts) > 2
    evidence = Sprt.parse("elo0=0,elo1=150").weigh(found.counts)
    assert (found.llr, found.decision) == (evidence.llr, evidence.decision)


def test_a_weight_that_never_counts_stays_and_common_factors_go():
    tuning = Tuning(TASK, State.begin(None, {}))
    assert tuning.live == [0, 1, 2]  # four in a row end the game
    assert tuning.reduced((10, 100, 1000, 1000)) == (1, 10, 100, 1000)
    assert tuning.reduced((4, 6, 10, 1000)) == (2, 3, 5, 1000)
    assert tuning.reduced((-4, -6, -10, 1000)) == (-2, -3, -5, 1000)


def test_the_best_on_the_training_set_wins_and_of_equals_the_start():
    state = State.begin(None, {})
    tuning = Tuning(TASK, state)
    assert tuning.best() == (1, 10, 100, 1000)
    for text, value in ((START, 0.5), ("windows(1,2,3,4)", 0.5), ("windows(2,3,4,5)", 0.4)):
        state.add(text, value)
    assert tuning.best() == (1, 10, 100, 1000)
    state.add("windows(9,8,7,6)", 0.6)
    assert tuning.best() == (9, 8, 7, 6)


def test_a_tuning_that_stopped_goes_on_as_if_it_had_not(tmp_path):
    whole = State.begin(tmp_path / "whole.jsonl", TASK.document())
    train, _ = TASK.sets(1, lambda: None)
    Tuning(TASK, whole).search(train)
    assert len(whole.values) == 12
    lines = (tmp_path / "whole.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "half.jsonl").write_text("".join([*lines[:6], lines[6][:9]]))  # killed within a line
    half = State.resume(tmp_path / "half.jsonl")
    assert (len(half.values), Task.from_document(half.settings)) == (5, TASK)
    Tuning(TASK, half).search(train)
    assert half.values == whole.values
    assert (tmp_path / "half.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]\n", '{"file": "else"}\n', '{"file": "connect4-arena tuning"}\n{"a": 1}\n']
)
def test_a_file_of_something_else_is_refused(text, tmp_path):
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match="is no file that arena tune --out began"):
        State.resume(path)


def test_training_and_held_out_questions_and_confirmations_share_nothing():
    train, held_out = TASK.sets(1, lambda: None)
    boards = [{each.board for each in part.exercises} for part in (train, held_out)]
    assert all(boards)
    assert boards[0].isdisjoint(boards[1])
    games = Task(START, "games", positions=20, openings="plies:4", optimiser="scipy", rules=SMALL)
    train, held_out = games.sets(1, lambda: None)
    left = games.unused_openings()
    assert set(train.openings).isdisjoint(held_out.openings)
    assert {*train.openings, *held_out.openings}.isdisjoint(left)
    assert len(left) + 20 == len(shuffled("plies:4", 1, SMALL))


def test_from_python_a_tuning_has_fields_and_goes_on_with_its_file(tmp_path):
    path = tmp_path / "tuned.jsonl"
    settings = {
        "depth": 2,
        "positions": 40,
        "evaluations": 5,
        "rounds": 0,
        "rules": "5x4",
        "optimiser": "scipy",
        "out": path,
    }
    found = package.tune(START, by="score", **settings)
    assert found.train.tuned >= found.train.start
    assert package.tune(START, by="score", **settings) == found
    with pytest.raises(InputError, match="other settings"):
        package.tune(START, by="moves", **settings)


def test_solving_weakly_keeps_what_is_good():
    boards = sample(20, 2, range(6, 14), SMALL)
    weak, strong = solve(boards, strong=False), solve(boards)
    assert [each.good for each in weak] == [each.good for each in strong]
    assert {score for each in weak for score in each.scores} <= {1, 0, -1, None}
    assert max(score for each in strong for score in each.scores if score is not None) > 1


def test_openings_after_those_that_were_used_are_left():
    assert len(replace(TASK, by="games", positions=5).unused_openings()) == len(shuffled("plies:4", 1, SMALL)) - 5
    assert np.isfinite(len(replace(TASK, openings="plies:2").unused_openings()))


def test_weights_that_the_heuristic_refuses_are_refused_before_anything_is_asked():
    task = Task(
        "windows(1,10,100,1000)", depth=1, positions=4, openings="plies:4", optimiser="scipy", rules=Rules(5, 4)
    )
    tuning = Tuning(task, State.begin(None, {}))
    asked = []
    with pytest.raises(InputError, match="windows"):
        tuning.answers(asked.append, (1, 10, 100, 10**9))
    assert asked == []


def test_small_weights_are_magnified_so_that_whole_numbers_are_fine_enough(monkeypatch):
    monkeypatch.setattr(tuning_module, "maximise", lambda value, start, *_: value([1.1 * start[0], *start[1:]]))
    task = Task(
        "windows(1,10,100,1000)", depth=1, positions=4, openings="plies:4", optimiser="scipy", rules=Rules(5, 4)
    )
    state = State.begin(None, {})
    Tuning(task, state).search(lambda agent: np.zeros(1))
    assert list(state.values) == ["windows(11,100,1000,1000)"]  # a tenth more of 1, where the fourth never counts
