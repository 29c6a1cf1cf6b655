import pytest

from arena.statistics.pairing import pairing, verdict

EXAMPLE = pairing([8, 24, 69, 50, 49])
FRESH = "; a fresh run of about"
TELLS = "would tell 30 Elo from none, at 80 % power"


def test_the_sentence_says_who_by_how_much_how_surely_and_at_what_cost():
    assert verdict(
        "smart-aware", "powers-of-ten", EXAMPLE, where="at depth 6", distinct=187, effort=1.31
    ) == (
        "smart-aware beats powers-of-ten by 96 Elo [67 to 125] at depth 6 (LOS 99.9 %, 200 pairs, 187 distinct), "
        "at 1.3 times the nodes."
    )  # fmt: skip


@pytest.mark.parametrize(
    ("counts", "population", "sentence"),
    [
        ([50, 60, 50, 20, 20], None, "b beats a by 89 Elo [56 to 120] (LOS 99.9 %, 200 pairs)"),
        (
            [10, 20, 50, 20, 11],
            None,
            f"no difference seen between a and b: -31 to +38 Elo (111 pairs){FRESH} 329 pairs {TELLS}",
        ),
        ([10, 20, 90, 20, 10], None, "a and b are level, -25 to +25 Elo (150 pairs)"),
        ([0, 2, 5, 6, 3], None, "a beats b by 112 Elo [20 to 207] (LOS 98.7 %, 16 pairs)"),
        ([3, 6, 5, 2, 0], None, "b beats a by 112 Elo [20 to 207] (LOS 98.7 %, 16 pairs)"),
        (
            [0, 0, 20],
            None,
            "a beats b in every game, by 287 Elo or more (no variance, 20 games)",
        ),
        (
            [1, 0, 0],
            None,
            f"no difference seen between a and b: +234 Elo or less (no variance, 1 game){FRESH} 1,154 games {TELLS}",
        ),
        (
            [0, 0, 20, 0, 0],
            None,
            f"no difference seen between a and b: -56 to +56 Elo (no variance, 20 pairs){FRESH} 91 pairs {TELLS}",
        ),
        ([6, 6, 5, 2, 0], 19, "b beats a by 156 Elo (exact over these openings, 19 pairs)"),
        ([1, 0, 1], 2, "a and b are even (exact over these openings, 2 games)"),
        ([0, 0, 4], 4, "a beats b in every game (exact over these openings, 4 games)"),
    ],
)
def test_each_kind_of_result_has_its_sentence(counts, population, sentence):
    assert verdict("a", "b", pairing(counts, population)) == sentence + "."


def test_a_difference_that_does_not_survive_the_many_comparisons_says_so():
    found = verdict("a", "b", pairing([0, 2, 5, 6, 3]), survives=False)
    assert found.endswith("(LOS 98.7 %, 16 pairs), which may be chance among so many pairings.")
    even = pairing([1, 2, 4, 2, 1])
    assert verdict("a", "b", even, survives=False) == verdict("a", "b", even)


def test_the_cost_is_that_of_the_side_that_is_ahead():
    assert verdict("a", "b", pairing([50, 60, 50, 20, 20]), effort=1.3) == (
        "b beats a by 89 Elo [56 to 120] (LOS 99.9 %, 200 pairs), at 0.77 times the nodes."
    )


@pytest.mark.parametrize(
    ("effort", "cost"),
    [
        (0.95, ", at the same number of nodes."),
        (1.02, ", at the same number of nodes."),
        (1.05, ", at 1.1 times the nodes."),
        (25.3, ", at 25 times the nodes."),
        (0.041, ", at 0.041 times the nodes."),
        (0.9499, ", at 0.95 times the nodes."),
        (1.0499, ", at the same number of nodes."),
        (9.94, ", at 9.9 times the nodes."),
        (9.95, ", at 10 times the nodes."),
        (1234.5, ", at 1234 times the nodes."),
    ],
)
def test_the_cost_is_named_in_few_digits(effort, cost):
    assert verdict("a", "b", EXAMPLE, effort=effort).endswith(cost)


def test_without_effort_no_cost_is_claimed():
    assert verdict("a", "b", EXAMPLE).endswith("(LOS 99.9 %, 200 pairs).")
    assert verdict("a", "b", EXAMPLE, effort=0.0).endswith("(LOS 99.9 %, 200 pairs).")


def test_where_nobody_is_ahead_interval_and_cost_are_those_of_the_first():
    said = verdict("a", "b", pairing([1, 0, 1, 0, 0]), effort=0.5)
    assert said.startswith("no difference seen between a and b: ")
    assert said.endswith(f" (2 pairs), a at 0.5 times the nodes{FRESH} 618 pairs {TELLS}.")
    alike = verdict("a", "b", pairing([1, 0, 1, 0, 0]), effort=1.0)
    assert alike.endswith(f" (2 pairs), at the same number of nodes{FRESH} 618 pairs {TELLS}.")
    edge = verdict("a", "b", pairing([1, 0, 1, 0, 0]), effort=1.05)
    assert edge.endswith(f" (2 pairs), a at 1.1 times the nodes{FRESH} 618 pairs {TELLS}.")


def test_the_fresh_run_is_for_the_margin_that_was_asked_for():
    counts = [1, 2, 4, 2, 1]
    found = verdict("a", "b", pairing(counts, margin=60.0), margin=60.0)
    assert found.endswith("; a fresh run of about 92 pairs would tell 60 Elo from none, at 80 % power.")
    assert "more pairs" not in found


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (1.34, "at the same number of nodes, a used 1.34 times b's time."),
        (0.5, "at the same number of nodes, b used 2.00 times a's time."),
        (1.04, "at the same number of nodes."),
        (0.95, "at the same number of nodes."),
        (1.05, "at the same number of nodes, a used 1.05 times b's time."),
        (None, "at the same number of nodes."),
    ],
)
def test_where_one_side_took_more_of_the_same_time_the_sentence_says_so(time, said):
    assert verdict("a", "b", EXAMPLE, effort=1.0, time=time).endswith(said)


@pytest.mark.parametrize("time", [2.0, 0.25, 1.0, None])
@pytest.mark.parametrize("effort", [4.0, 0.125, 1.0, None])
def test_a_sentence_is_the_same_whoever_is_named_first(effort, time):
    lost = verdict("a", "b", pairing([49, 50, 69, 24, 8]), effort=effort, time=time)
    assert lost == verdict("b", "a", EXAMPLE, effort=effort and 1 / effort, time=time and 1 / time)
