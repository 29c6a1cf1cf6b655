import pytest

from agents.score import WIN, WIN_BOUND, coerce_score, ending, in_words, one_ply_earlier, plies_to_end, proven


def test_sooner_wins_and_later_losses_are_better():
    scores = [ending(sign, plies) for sign, plies in ((-1, 2), (-1, 40), (0, 42), (1, 41), (1, 1))]
    assert scores == sorted(set(scores))
    assert [plies_to_end(score) for score in scores if proven(score)] == [2, 40, 41, 1]


def test_what_a_heuristic_may_say_is_never_proven():
    assert not proven(WIN_BOUND - 1)
    assert not proven(1 - WIN_BOUND)
    assert proven(ending(1, 64))
    assert proven(ending(-1, 64))


def test_an_opinion_has_no_distance():
    with pytest.raises(AssertionError):
        plies_to_end(100)


def test_a_win_is_one_ply_further_from_the_move_before():
    assert one_ply_earlier(WIN - 3) == WIN - 4
    assert one_ply_earlier(3 - WIN) == 4 - WIN
    assert [one_ply_earlier(score) for score in (12, 0, -WIN_BOUND + 1)] == [12, 0, -WIN_BOUND + 1]


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (None, "-"),
        (0, "0"),
        (12, "+12"),
        (-3, "-3"),
        (WIN - 5, "win in 5"),
        (2 - WIN, "loss in 2"),
        (-(10**9), "-1000000000"),
    ],
)
def test_a_score_in_words(score, text):
    assert in_words(score) == text


@pytest.mark.parametrize(
    ("value", "score"),
    [(None, None), (3, 3), (-3.0, -3), (True, None), (False, None), (0.6, 1), (-12.4, -12), (1e300, None), ("3", None),
     (1 << 62, 1 << 62), (1 << 63, None)],
)  # fmt: skip
def test_a_score_of_others_is_rounded_to_a_number_of_a_word_or_is_nothing(value, score):
    assert coerce_score(value) == score
