from types import SimpleNamespace

import numpy as np
import pytest

from arena.measure.tuning.confirmation import Confirmation
from arena.measure.tuning.tuning import Held, gain_text, held, verdict
from arena.records import Interval
from arena.statistics.means import mean_interval

GAIN = Held(1000, 0.8, 0.85, Interval(0.05, 0.03, 0.0712))
NOTHING = Held(1000, 0.8, 0.81, Interval(0.01, -0.01, 0.03))
WORSE = Held(1000, 0.8, 0.78, Interval(-0.02, -0.03, -0.01))


def test_a_gain_is_in_nats_of_loss_or_in_points_of_a_hundred():
    assert gain_text("score", GAIN) == "+0.0500 [+0.0300 to +0.0712] nats of loss"
    for by in ("moves", "games"):
        assert gain_text(by, GAIN) == "+5.0 [+3.0 to +7.1] points of a hundred"


def test_an_interval_that_reaches_down_to_nothing_shows_no_gain():
    for low, said in ((0.0, "Keep a: b is not shown to gain, "), (0.001, "b answers better than a ")):
        assert verdict("a", "b", "moves", 4, Held(9, 0.5, 0.6, Interval(0.1, low, 0.2)), []).startswith(said)


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


def match(depth, decision, elo=20.0):
    strength = None if elo is None else Interval(elo, 2.0, 40.0)
    return Confirmation(depth, 100, (10, 20, 30, 20, 20), 0.55, strength, 1.0, 3.0, decision)


@pytest.mark.parametrize(
    ("held_out", "matches", "sentence"),
    [
        (GAIN, [match(4, "H1")], "tuned(1) is better than start(1) at depth 4: +5.0 [+3.0 to +7.1] points of a"),
        (GAIN, [match(4, "H1")], "held out; in games at depth 4 stronger after 100 pairs, +20 Elo [+2 to +40]."),
        (GAIN, [match(4, "H0"), match(6, "H1")], "but games do not show that it wins more; in games at depth 4 not "),
        (GAIN, [match(4, "H0"), match(6, "H1")], "after 100 pairs, +20 Elo [+2 to +40], at depth 6 stronger after 100"),
        (GAIN, [match(4, "continue", None)], "games do not show that it wins more; in games at depth 4 not decided"),
        (GAIN, [], "tuned(1) answers better than start(1) at depth 4, +5.0 [+3.0 to +7.1] points of a hundred on"),
        (GAIN, [], "; no game was played."),
        (NOTHING, [match(4, "H0")], "Keep start(1): tuned(1) is not shown to gain, +1.0 [-1.0 to +3.0] points"),
        (NOTHING, [match(6, "H1")], "Keep start(1): tuned(1) is not shown to gain, +1.0 [-1.0 to +3.0] points"),
        (NOTHING, [match(4, "H1")], "tuned(1) is stronger than start(1) in games at depth 4, but is not shown to"),
        (NOTHING, [match(4, "H1")], "to answer better, +1.0 [-1.0 to +3.0] points of a hundred on 1,000 questions"),
        (WORSE, [match(4, "H0")], "Keep start(1): tuned(1) answers worse, -2.0 [-3.0 to -1.0] points"),
        (WORSE, [match(4, "H1")], "stronger than start(1) in games at depth 4, but answers worse, -2.0 [-3.0 to -1.0]"),
    ],
)  # fmt: skip
def test_the_verdict_claims_no_more_than_both_show(held_out, matches, sentence):
    assert sentence in verdict("start(1)", "tuned(1)", "moves", 4, held_out, matches)


def test_where_nothing_better_was_found_the_start_is_kept():
    assert verdict("a(1)", "a(1)", "score", 4, NOTHING, []).startswith("Keep a(1): nothing that was tried")
