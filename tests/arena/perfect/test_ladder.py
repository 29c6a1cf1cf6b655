import math

import pytest

import arena as package
from agents.board import Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.specs.registry import expand
from arena.perfect.exercises import sample, solve
from arena.perfect.grading import Grade, Grading, ReferenceLadder, candidates
from arena.table.rows import frame

SMALL, WIDER = Rules(4, 4), Rules(5, 4)


@pytest.fixture(scope="module")
def exercises():
    return solve(sample(60, 1, range(3, 13), SMALL), 1, 1)


def sat(text, exercises, **asked):
    """What one agent's grading says."""
    who = candidates(expand(text), [2])
    [found] = Grading(exercises, 1, **asked).grades(who, [each.spec.build() for each in who])
    return found


@pytest.fixture(scope="module")
def wider():
    return solve(sample(60, 1, range(3, 13), WIDER), 1, 1)


@pytest.fixture(scope="module")
def ladder(wider):
    if not JIT:
        pytest.skip("a ladder to depth 10 takes minutes as plain Python")
    return ReferenceLadder.climb([1, 4, 10], wider, 1)


def test_a_rung_of_the_ladder_plays_like_itself(wider, ladder):
    shares = [sum(rung) for rung in ladder.perfect]
    assert shares == sorted(set(shares))
    for depth in ladder.depths:
        found = sat(f"alphabeta:depth={depth}", wider, ladder=ladder)
        assert found.plays_like.value == pytest.approx(depth)
    assert sat("alphabeta:depth=4", wider).plays_like is None


def test_beyond_the_ladder_no_depth_is_named(wider, ladder):
    above, below = (sat(text, wider, ladder=ladder) for text in ("perfect:table-size=1", "random"))
    assert (above.plays_like.value, above.plays_like.high) == (math.inf, None)
    assert (below.plays_like.value, below.plays_like.low) == (-math.inf, None)
    assert above.plays_like.low <= 10
    assert below.plays_like.high >= 1
    assert [frame([row], Grade)["plays_like"].isna().all() for row in (above, below)] == [True, True]


def test_a_ladder_has_two_rungs(exercises):
    with pytest.raises(InputError, match="two depths or more"):
        ReferenceLadder.climb([3], exercises, 1)


def test_from_python_a_grade_says_which_depth_plays_like_it():
    one = package.grade(["alphabeta:depth=2"], positions=40, plies=[6, 8], ladder=[1, 4], rules="4x4")
    assert one[["plays_like", "plays_like_low", "plays_like_high"]].notna().any(axis=None)
