from types import SimpleNamespace

import numpy as np
import pytest

from arena.measure.tuning.tuning import Held, held, verdict
from arena.records import Interval
from arena.statistics.means import mean_interval

GAIN = Held(1000, 0.8, 0.85, Interval(0.05, 0.03, 0.0712))
NOTHING = Held(1000, 0.8, 0.81, Interval(0.01, -0.01, 0.03))
WORSE = Held(1000, 0.8, 0.78, Interval(-0.02, -0.03, -0.01))


def test_an_interval_that_reaches_down_to_nothing_shows_no_gain():
    for low, said in ((0.0, "Keep a: b is not shown to gain, "), (0.001, "b answers better than a ")):
        assert verdict("a", "b", 4, Held(9, 0.5, 0.6, Interval(0.1, low, 0.2))).startswith(said)


@pytest.mark.parametrize("tuned", [[1.0, 1.0, 0.0, 1.0], [1.0]])
def test_both_are_held_against_each_other_question_by_question(tuned):
    start = [1.0, 0.0, 0.0, 0.0][: len(tuned)]
    answers = {"old": np.array(start), "new": np.array(tuned)}
    tuning = SimpleNamespace(family=SimpleNamespace(start="old"), answers=lambda goal, weights: answers[weights] + goal)
    found = held(tuning, 0.0, "new")
    whole = mean_interval([one - other for one, other in zip(tuned, start, strict=True)])
    assert (found.questions, found.start, found.tuned) == (len(tuned), np.mean(start), np.mean(tuned))
    ends = [whole.value if end is None else end for end in (whole.low, whole.high)]
    assert found.gain == Interval(whole.value, *ends)


@pytest.mark.parametrize(
    ("held_out", "sentence"),
    [
        (GAIN, ("new(1) answers better than old(1) at depth 4, +5.0 [+3.0 to +7.1] points of a hundred on 1,000 "
               "questions held out; no game was played.")),
        (NOTHING, ("Keep old(1): new(1) is not shown to gain, +1.0 [-1.0 to +3.0] points of a hundred on 1,000 "
                  "questions held out.")),
        (WORSE, ("Keep old(1): new(1) answers worse, -2.0 [-3.0 to -1.0] points of a hundred on 1,000 questions held "
                "out.")),
    ],
)  # fmt: skip
def test_the_verdict_claims_no_more_than_the_held_out_set_shows(held_out, sentence):
    assert verdict("old(1)", "new(1)", 4, held_out) == sentence


def test_where_nothing_better_was_found_the_start_is_kept():
    assert verdict("a(1)", "a(1)", 4, NOTHING).startswith("Keep a(1): nothing that was tried")
