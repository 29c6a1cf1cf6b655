from types import SimpleNamespace

import numpy as np
import pytest

from agents.board import Outcome, Rules
from agents.errors import InputError
from arena.measure.tune import goals
from arena.measure.tune import tuning as tuning_module
from arena.measure.tune.goals import Games
from arena.measure.tune.outcome import Held, gain_text, held, verdict
from arena.measure.tune.state import State
from arena.measure.tune.task import Task
from arena.measure.tune.tuning import Tuning
from arena.statistics.means import mean_interval

GAIN = Held(1000, 0.8, 0.85, 0.05, 0.03, 0.0712)


def test_a_gain_is_in_nats_of_loss_or_in_points_of_a_hundred():
    assert gain_text("score", GAIN) == "+0.0500 [+0.0300 to +0.0712] nats of loss"
    for by in ("moves", "games"):
        assert gain_text(by, GAIN) == "+5.0 [+3.0 to +7.1] points of a hundred"


def test_an_interval_that_reaches_down_to_nothing_shows_no_gain():
    assert verdict("a", "b", "moves", 4, Held(9, 0.5, 0.6, 0.1, 0.0, 0.2), []).startswith("Keep a: b shows no gain, ")
    assert verdict("a", "b", "moves", 4, Held(9, 0.5, 0.6, 0.1, 0.001, 0.2), []).startswith("b answers better than a ")


@pytest.mark.parametrize("tuned", [[1.0, 1.0, 0.0, 1.0], [1.0]])
def test_both_are_held_against_each_other_question_by_question(tuned):
    start = [1.0, 0.0, 0.0, 0.0][: len(tuned)]
    answers = {"old": np.array(start), "new": np.array(tuned)}
    tuning = SimpleNamespace(family=SimpleNamespace(start="old"), answers=lambda goal, weights: answers[weights] + goal)
    found = held(tuning, 0.0, "new")
    whole = mean_interval([one - other for one, other in zip(tuned, start, strict=True)])
    assert (found.questions, found.start, found.tuned) == (len(tuned), np.mean(start), np.mean(tuned))
    ends = [whole.value if end is None else end for end in (whole.low, whole.high)]
    assert (found.gain, found.gain_low, found.gain_high) == (whole.value, *ends)


@pytest.mark.parametrize(
    ("as_first", "as_second", "share"),
    [(Outcome.FIRST_WINS, Outcome.SECOND_WINS, 1.0), (Outcome.SECOND_WINS, Outcome.FIRST_WINS, 0.0),
     (Outcome.FIRST_WINS, Outcome.FIRST_WINS, 0.5), (Outcome.DRAW, Outcome.SECOND_WINS, 0.75),
     (Outcome.SECOND_WINS, Outcome.DRAW, 0.25)],
)  # fmt: skip
def test_an_openings_worth_is_the_share_of_the_points_of_both_colours(monkeypatch, as_first, as_second, share):
    def play(key, players, opening, seeds):
        return SimpleNamespace(outcome=as_first if players == ("new", "old") else as_second)

    monkeypatch.setattr(goals, "play_game", play)
    assert Games(["an opening"] * 3, "old")("new").tolist() == [share] * 3


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
