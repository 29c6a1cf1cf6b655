import math
import subprocess
import sys
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import STATISTICS

from agents.errors import InputError
from arena.statistics.elo import Z95, elo_of
from arena.statistics.pairing import Basis, pairing, pooled

COUNTS = st.one_of(*(st.lists(st.integers(0, 300), min_size=n, max_size=n).filter(any) for n in (3, 5)))


@pytest.mark.parametrize("row", STATISTICS["elo"], ids=lambda row: str(row["counts"]))
def test_every_printed_digit_of_published_tools_comes_out(row):
    found = asdict(pairing(row["counts"]))
    for name, printed in row["printed"].items():
        digits = len(str(printed).split(".")[1])
        assert round(found[name], digits) == printed, name


@pytest.mark.parametrize("times", [1, 5])
def test_any_number_of_pairs_gets_a_score_interval_and_the_published_error_beside_it(times):
    counts = [times * number for number in (10, 30, 40, 10, 40)]
    found = pairing(counts)
    assert found.basis is Basis.SCORE
    wide = (found.high - found.low) / 2
    assert 0 < abs(wide - found.elo_error) < 2
    assert found.high - found.elo != pytest.approx(found.elo - found.low, abs=0.01)


@pytest.mark.parametrize("pairs", [49, 50, 51])
def test_where_most_pairs_are_even_fifty_are_as_careful_as_forty_nine(pairs):
    found = pairing([0, 0, pairs - 4, 4, 0])
    assert found.basis is Basis.SCORE
    assert found.high - found.low > 1.2 * 2 * found.elo_error  # the normal interval held the truth in 88 of 100


def test_an_error_that_would_leave_the_scale_is_that_of_the_score_interval():
    found = pairing([0, 0, 0, 1, 90])
    assert found.low < found.elo < found.high
    assert found.elo_error == pytest.approx((found.high - found.low) / 2)


def test_the_likelihood_of_superiority_never_contradicts_its_interval():
    found = pairing([0, 0, 0, 3, 2])
    assert (round(found.los, 2), round(found.low), round(found.high)) == (100.0, -13, 486)
    assert found.los_score == pytest.approx(96.9, abs=0.1)


@given(COUNTS, st.sampled_from([None, 3000]))
def test_superiority_is_sure_to_95_percent_just_where_the_interval_leaves_out_0(counts, population):
    found = pairing(counts, population)
    sure = found.los_score > 97.5 or found.los_score < 2.5
    assert found.clear == sure or abs(abs(found.los_score - 50) - 47.5) < 1e-6


def test_results_all_alike_have_no_variance_and_no_error():
    won = pairing([0, 0, 0, 0, 20])
    assert won.basis is Basis.NO_VARIANCE
    assert (won.elo, won.elo_error, won.nelo, won.nelo_error, won.los, won.high) == (None,) * 6
    assert won.low > 0
    ends = [pairing(counts).interval for counts in ([0, 0, 20], [20, 0, 0], [5, 0, 5])]
    assert [(end.value, end.low is None, end.high is None) for end in ends] == [
        (math.inf, False, True), (-math.inf, True, False), (0.0, False, False),
    ]  # fmt: skip
    drawn = pairing([0, 0, 20, 0, 0])
    assert (drawn.elo, drawn.elo_error, drawn.los) == (0.0, None, None)
    assert drawn.low == pytest.approx(-drawn.high)


@pytest.mark.parametrize(
    ("low", "high", "clear"),
    [(0.1, 9.0, True), (-9.0, -0.1, True), (0.0, 9.0, False), (-9.0, 0.0, False), (-0.1, 9.0, False),
     (-9.0, 0.1, False), (None, 0.1, False), (-0.1, None, False), (0.1, None, True), (None, -0.1, True)],
)  # fmt: skip
def test_a_difference_shows_where_the_interval_leaves_out_0(low, high, clear):
    assert replace(pairing([1, 2, 3, 4, 5]), low=low, high=high).clear is clear


@pytest.mark.parametrize("place", range(5))
def test_any_number_of_results_all_alike_has_no_variance(place):
    for total in (*range(1, 120), 12_345_679):
        assert pairing([total if index == place else 0 for index in range(5)]).basis is Basis.NO_VARIANCE


def test_openings_drawn_from_a_finite_set_shrink_the_error():
    of_all, of_some = pairing([10, 20, 30, 25, 15]), pairing([10, 20, 30, 25, 15], population=121)
    factor = math.sqrt((121 - 100) / (121 - 1))
    assert of_some.elo == of_all.elo
    assert of_some.high - of_some.low == pytest.approx(factor * (of_all.high - of_all.low), rel=0.01)
    assert of_some.los_score > of_all.los_score
    assert of_some.low > of_all.low


def test_the_whole_set_of_openings_makes_the_result_exact():
    found = pairing([1, 2, 3, 4, 15], population=25)
    assert found.basis is Basis.EXACT
    assert found.low == found.high == pytest.approx(found.elo)
    swept = pairing([0, 0, 0, 0, 25], population=25)
    assert (swept.basis, swept.elo, swept.los_score) == (Basis.EXACT, None, 100.0)
    assert pairing([1, 0, 0, 0, 1], population=2).los_score == 50.0


@pytest.mark.parametrize("population", [100, 121, (60, 60)])
def test_what_other_tools_print_does_not_know_how_many_openings_there_are(population):
    of_all, of_some = pairing([10, 20, 30, 25, 15]), pairing([10, 20, 30, 25, 15], population)
    published = ("elo", "elo_error", "nelo", "nelo_error", "los")
    assert [getattr(of_some, name) for name in published] == [getattr(of_all, name) for name in published]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1, 2], "2 counts given"),
        ([1, 2, 3, 4], "4 counts given"),
        ([], "0 counts given"),
        ([1, -2, 3], "count -2 is negative"),
        ([1, -1, 3], "count -1 is negative"),
        ([0, 0, 0, 0, 0], "nothing was played"),
        ([1, 2.5, 3], "count 2.5 is not a whole number"),
        ([1, "2", 3], "count '2' is not a whole number"),
    ],
)
def test_counts_that_cannot_be_are_refused_in_one_line(counts, message):
    with pytest.raises(InputError, match=message) as caught:
        pairing(counts)
    assert "\n" not in str(caught.value)


def test_more_pairs_than_openings_are_refused():
    with pytest.raises(InputError, match="6 openings were played, but there are only 5"):
        pairing([1, 2, 3], population=5)


@given(COUNTS)
def test_no_number_is_ever_infinite_or_missing_without_a_reason(counts):
    found = pairing(counts)
    numbers = [value for value in asdict(found).values() if isinstance(value, float)]
    assert all(math.isfinite(number) for number in numbers)
    assert (found.elo_error is None) == (found.los is None) == (found.basis is Basis.NO_VARIANCE)
    assert (found.more is None) == (found.level or found.clear)


@given(COUNTS)
def test_seen_from_the_other_side_everything_turns_round(counts):
    mine, theirs = pairing(counts), pairing(counts[::-1])
    for one, other in ((mine.elo, theirs.elo), (mine.nelo, theirs.nelo), (mine.low, theirs.high)):
        assert (one is None) == (other is None)
        if one is not None:
            assert one == pytest.approx(-other, rel=1e-6, abs=1e-6)
    if mine.los is not None:
        assert mine.los == pytest.approx(100 - theirs.los, abs=1e-6)


def test_the_statistics_import_without_scipy_or_pandas():
    modules = ["pairing", "sprt", "ratings"]
    program = (
        "import sys; "
        + "; ".join(f"import arena.statistics.{name}" for name in modules)
        + "; print(sorted({'scipy', 'numba', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("counts", [[9, 1, 0, 0, 0], [0, 0, 0, 1, 9]])
def test_the_published_error_is_the_score_intervals_where_the_normal_one_leaves_the_scale(counts):
    found = pairing(counts)
    assert found.elo_error == pytest.approx((found.high - found.low) / 2)


@pytest.mark.parametrize("pairs", [49, 50, 51])
def test_the_interval_is_the_score_tests_below_and_from_fifty_pairs_on(pairs):
    won = pairs * 3 // 5
    found = pairing([pairs - won, 0, 0, 0, won])
    share, root = won / pairs, Z95 * math.sqrt(won / pairs * (1 - won / pairs) / pairs + Z95**2 / (4 * pairs**2))
    ends = [(share + Z95**2 / (2 * pairs) + side * root) / (1 + Z95**2 / pairs) for side in (-1, 1)]
    assert found.basis is Basis.SCORE
    assert (found.low, found.high) == pytest.approx([elo_of(end) for end in ends], abs=0.1)  # Wilson's, in closed form


@pytest.mark.parametrize("shares", [(1 / 6, 2 / 3, 2 / 3), (1 / 3, 1 / 3, 5 / 6), (0.0, 1 / 6, 11 / 12, 11 / 12)])
def test_thirds_that_make_one_half_over_all_openings_are_even(shares):
    found = pooled(shares, len(shares))
    assert (found.basis, found.score, found.clear, found.level) == (Basis.EXACT, 0.5, False, True)
    more = pooled((*shares, 2 / 3), len(shares) + 1)
    assert more.score == pytest.approx((sum(shares) + 2 / 3) / (len(shares) + 1))
    assert (more.basis, more.clear, more.level) == (Basis.EXACT, True, False)


@pytest.mark.parametrize(
    ("shares", "population", "basis"),
    [((0.5, 0.5), 2, Basis.EXACT), ((1.0, 1.0), 2, Basis.EXACT), ((1.0, 1.0), 3, Basis.NO_VARIANCE),
     ((1.0, 1.0), None, Basis.NO_VARIANCE), ((1.0, 0.5), 3, Basis.SCORE), ((1.0, 0.5), 2, Basis.EXACT)],
)  # fmt: skip
def test_a_result_over_all_openings_is_exact_also_where_all_ended_alike(shares, population, basis):
    counts = [0, 0, shares.count(0.5), 0, shares.count(1.0)]
    assert pairing(counts, population).basis is pooled(shares, population).basis is basis
    assert (pooled(shares).unit, pooled(shares).count, pooled(shares).more) == ("pairs", 2, None)
