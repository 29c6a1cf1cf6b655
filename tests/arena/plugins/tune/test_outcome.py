import numpy as np
import pytest

from arena.plugins.tune.tuning import Held, held, verdict
from arena.records import Interval
from arena.statistics.means import mean_interval


@pytest.mark.parametrize("tuned", [[1.0, 1.0, 0.0, 1.0], [1.0]])
def test_both_are_held_against_each_other_question_by_question(tuned):
    start = [1.0, 0.0, 0.0, 0.0][: len(tuned)]
    row = held("train", np.array(start), np.array(tuned))
    mean = mean_interval([one - other for one, other in zip(tuned, start, strict=True)])
    assert (row.set, row.questions, row.start, row.tuned) == ("train", len(tuned), np.mean(start), np.mean(tuned))
    ends = [mean.value if end is None else end for end in (mean.low, mean.high)]
    assert row.gain == Interval(mean.value, *ends)


@pytest.mark.parametrize(("gain", "sentence"), [
    ((0.05, 0.03, 0.0712), ("new(1) answers better than old(1) at depth 4, +5.0 [+3.0 to +7.1] points of a hundred on "
                           "1,000 questions held out; no game was played.")),
    ((0.01, -0.01, 0.03), ("Keep old(1): new(1) is not shown to gain, +1.0 [-1.0 to +3.0] points of a hundred on 1,000 "
                          "questions held out.")),
    ((0.01, 0.0, 0.03), ("Keep old(1): new(1) is not shown to gain, +1.0 [+0.0 to +3.0] points of a hundred on 1,000 "
                        "questions held out.")),
    ((-0.02, -0.03, -0.01), ("Keep old(1): new(1) answers worse, -2.0 [-3.0 to -1.0] points of a hundred on 1,000 "
                            "questions held out.")),
])  # fmt: skip
def test_the_verdict_claims_no_more_than_the_held_out_set_shows(gain, sentence):
    held_out = Held("held out", 1000, 0.8, 0.85, Interval(*gain))
    assert verdict("old(1)", "new(1)", 4, held_out) == sentence


def test_where_nothing_better_was_found_the_start_is_kept():
    held_out = Held("held out", 1000, 0.8, 0.81, Interval(0.01, -0.01, 0.03))
    assert verdict("a(1)", "a(1)", 4, held_out).startswith("Keep a(1): nothing that was tried")
