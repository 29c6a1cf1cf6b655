import math

import numpy as np
import pytest

from agents.board import Board
from agents.errors import InputError
from arena.perfect import grading
from arena.perfect.exercises import Exercise
from arena.perfect.grading import ReferenceLadder, perfect
from arena.records import Interval, MoveRecord
from arena.statistics.isotonic import place

DEPTHS = (2, 4, 8)


def ladder(shares, questions=200):
    rungs = tuple(tuple(number < share * questions for number in range(questions)) for share in shares)
    return ReferenceLadder(DEPTHS[: len(shares)], rungs)


def own(share, questions=200):
    return [number < share * questions for number in range(questions)]


def expected(rungs, answers):
    return place(rungs.depths, np.array(rungs.perfect, float), np.array(answers, float))


def test_between_two_rungs_an_agent_plays_like_a_depth_between_theirs():
    rungs = ladder((0.2, 0.5, 0.8))
    found, whole = rungs.plays_like(own(0.6)), expected(rungs, own(0.6))
    assert found == whole
    assert 4 < found.low < found.value < found.high < 8
    assert found.value == pytest.approx(4 + 4 / 3)


def test_beyond_an_end_only_the_end_of_the_interval_on_the_ladders_side_is_told():
    rungs = ladder((0.2, 0.5, 0.8))
    assert rungs.plays_like(own(1.0)) == Interval(math.inf, 8, None)
    assert rungs.plays_like(own(0.0)) == Interval(-math.inf, None, 2)
    random = np.random.default_rng(2)
    loose = (random.random(60) < 0.85).tolist()
    noisy = ladder((0.2, 0.5, 0.8), 60)
    whole = expected(noisy, loose)
    assert math.isinf(whole.value) and whole.low < 8  # noqa: PT018  so that the next line says something
    assert noisy.plays_like(loose) == Interval(math.inf, whole.low, None)


@pytest.mark.parametrize(("share", "ends"), [(0.24, (None, True)), (0.76, (True, None))])
def test_near_an_end_the_interval_may_be_open_there(share, ends):
    rungs = ladder((0.2, 0.5, 0.8), 60)
    answers = (np.random.default_rng(5).permutation(60) < share * 60).tolist()
    found = rungs.plays_like(answers)
    assert 2 < found.value < 8
    assert [end is None for end in (found.low, found.high)] == [end is None for end in ends]


def test_ends_beyond_the_ladder_are_its_own_or_open(monkeypatch):
    far = math.inf
    monkeypatch.setattr(grading, "place", lambda depths, rungs, own: Interval(*given))
    for given, ends in (
        ((5.0, 3.0, 6.0), (3.0, 6.0)), ((5.0, 1.0, 9.0), (2, 8)), ((5.0, -far, 6.0), (None, 6.0)),
        ((5.0, 3.0, far), (3.0, None)), ((5.0, -far, far), (None, None)), ((8.0, -far, 8.0), (2, 8)),
        ((2.0, 2.0, far), (2, 8)), ((2.0, -far, 3.0), (None, 3.0)), ((8.0, 7.0, far), (7.0, None)),
        ((far, 6.0, far), (6.0, None)), ((far, 9.0, far), (8, None)), ((far, -far, far), (2, None)),
        ((-far, -far, 4.0), (None, 4.0)), ((-far, -far, 1.0), (None, 2)), ((-far, -far, far), (None, 8)),
    ):  # fmt: skip
        assert ladder((0.2, 0.5, 0.8)).plays_like(own(0.5)) == Interval(given[0], *ends), given


def test_a_ladder_on_which_no_rung_is_better_says_nothing():
    assert ladder((0.5, 0.5)).plays_like(own(0.5)) is None


def test_a_ladder_needs_two_depths_and_its_rungs_answer_every_position():
    with pytest.raises(InputError, match=r"a ladder has two depths or more, such as 1\.\.8"):
        ReferenceLadder.climb([3], [], 1)
    exercises, done = [Exercise(Board.from_moves(moves), (1, 0, -1, 0, 0, 0, 0)) for moves in ("", "4", "44")], []
    climbed = ReferenceLadder.climb([1, 3], exercises, 1, lambda: done.append(1))
    assert climbed.depths == (1, 3)
    assert [len(rung) for rung in climbed.perfect] == [3, 3]
    assert len(done) == 6


def test_an_answer_is_perfect_where_no_column_is_better():
    exercises = [Exercise(None, (3, 5, 5, None)), Exercise(None, (0, -1, None, 0))]
    assert perfect(exercises, [MoveRecord(0, 0, 0.0), MoveRecord(0, 3, 0.0)]) == (False, True)
