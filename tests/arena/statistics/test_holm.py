import random

from hypothesis import given
from hypothesis import strategies as st

from arena.statistics.intervals import survivors

LIKELIHOODS = st.lists(st.floats(0.0, 100.0), max_size=12)


def test_each_in_turn_is_held_against_what_is_left():
    # Two-sided chances 0.005, 0.011, 0.02, 0.04 of four against 0.05/4, 0.05/3, 0.05/2 and 0.05.
    assert survivors([99.75, 0.55, 99.0, 2.0]) == [True] * 4
    # 0.03 fails against 0.05/2, and then 0.04 is not looked at although it is below 0.05.
    assert survivors([99.75, 98.5, 2.0]) == [True, False, False]
    assert survivors([]) == []
    assert [survivors([98.0, 50.0], share) for share in (0.05, 0.1)] == [[False, False], [True, False]]


def test_sixty_three_equal_sides_give_false_differences_seldom():
    chance = random.Random(2)
    runs = [survivors([100 * chance.random() for _ in range(63)]) for _ in range(1000)]
    assert sum(any(kept) for kept in runs) / 1000 < 0.07


@given(LIKELIHOODS)
def test_survivors_are_those_surest(likelihoods):
    kept = survivors(likelihoods)
    sure = [abs(los - 50.0) for los in likelihoods]
    assert all(sure[i] >= sure[j] for i in range(len(kept)) for j in range(len(kept)) if kept[i] and not kept[j])
    assert all(abs(los - 50.0) >= 47.5 - 1e-9 for los, each in zip(likelihoods, kept, strict=True) if each)
