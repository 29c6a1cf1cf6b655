import functools
from contextlib import suppress

import numpy as np
import pytest

from agents.board import Rules
from agents.errors import InputError
from arena.measure.exercises import sample, solve
from arena.measure.tuning import tuning
from arena.measure.tuning import tuning as tuning_module
from arena.measure.tuning.goals import Enough, Task
from arena.measure.tuning.tuning import Tuning
from arena.measure.tuning.weighted import Weighted

SMALL = Rules(5, 4)
START = "windows(1,10,100,1000)"
TASK = Task(START, depth=2, positions=60, evaluations=12, rules=SMALL)


@pytest.fixture(autouse=True)
def shared(monkeypatch):
    """Compile each family once for all tests."""
    monkeypatch.setattr(tuning, "Weighted", compiled)


@functools.cache
def compiled(family, rules):
    return Weighted(family, rules)


def test_an_optimiser_that_asks_the_same_for_ever_is_left(monkeypatch):
    answered = []

    def insist(value, start, *_):
        with suppress(Enough):
            answered.extend(value(start) for _ in range(2 * tuning.ASKS * TASK.evaluations))

    monkeypatch.setattr(tuning, "maximise", insist)
    train, _ = TASK.sets(1, lambda: None)
    made = Tuning(TASK)
    made.search(train)
    assert (len(made.values), len(answered)) == (1, tuning.ASKS * TASK.evaluations)


def test_a_weight_that_never_counts_stays_and_common_factors_go():
    tuning = Tuning(TASK)
    assert tuning.live == [0, 1, 2]  # four in a row end the game
    assert tuning.reduced((10, 100, 1000, 1000)) == (1, 10, 100, 1000)
    assert tuning.reduced((4, 6, 10, 1000)) == (2, 3, 5, 1000)
    assert tuning.reduced((-4, -6, -10, 1000)) == (-2, -3, -5, 1000)


def test_the_best_on_the_training_set_wins_and_of_equals_the_start():
    tuning = Tuning(TASK)
    assert tuning.best() == (1, 10, 100, 1000)
    tuning.values |= {START: 0.5, "windows(1,2,3,4)": 0.5, "windows(2,3,4,5)": 0.4}
    assert tuning.best() == (1, 10, 100, 1000)
    tuning.values["windows(9,8,7,6)"] = 0.6
    assert tuning.best() == (9, 8, 7, 6)


def test_training_and_held_out_questions_share_nothing():
    boards = [{each.board for each in part.exercises} for part in TASK.sets(1, lambda: None)]
    assert all(boards)
    assert boards[0].isdisjoint(boards[1])


def test_solving_weakly_keeps_what_is_good():
    boards = sample(20, 2, range(6, 14), SMALL)
    weak, strong = solve(boards, strong=False), solve(boards)
    assert [each.good for each in weak] == [each.good for each in strong]
    assert {score for each in weak for score in each.scores} <= {1, 0, -1, None}
    assert max(score for each in strong for score in each.scores if score is not None) > 1


def test_weights_that_the_heuristic_refuses_are_refused_before_anything_is_asked():
    task = Task("windows(1,10,100,1000)", depth=1, positions=4, rules=Rules(5, 4))
    tuning = Tuning(task)
    asked = []
    with pytest.raises(InputError, match="windows"):
        tuning.answers(asked.append, (1, 10, 100, 10**9))
    assert asked == []


def test_small_weights_are_magnified_so_that_whole_numbers_are_fine_enough(monkeypatch):
    monkeypatch.setattr(tuning_module, "maximise", lambda value, start, *_: value([1.1 * start[0], *start[1:]]))
    task = Task("windows(1,10,100,1000)", depth=1, positions=4, rules=Rules(5, 4))
    made = Tuning(task)
    made.search(lambda agent: np.zeros(1))
    assert list(made.values) == ["windows(11,100,1000,1000)"]  # a tenth more of 1, where the fourth never counts
