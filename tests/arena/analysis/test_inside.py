import pytest

from arena.analysis.effort import SearchProfile, profile_columns, uniform_nodes

ONE = SearchProfile(20, 8, 10, 2, (3, 1, 0), 6, 4, 10)
TWO = SearchProfile(60, 12, 48, 0, (1, 0, 1), 10, 1, None)


def test_of_one_search_its_counts_are_told():
    assert profile_columns([ONE], 2) == {
        "inner": 8, "leaves": 10, "table_cutoffs": 2, "probes": 6, "hits": 4, "cutoffs": (3, 1, 0),
        "cut_share": 4 / 8, "first_move_cut_rate": 3 / 4, "minimal_nodes": 10, "over_minimal": 2.0,
        "uniform_nodes": uniform_nodes(3, 2),
    }  # fmt: skip


def test_of_several_the_means_are_told_and_minimal_trees_of_those_that_have_one():
    found = profile_columns([ONE, TWO], 3)
    assert (found["inner"], found["leaves"], found["table_cutoffs"]) == (10, 29, 1)
    assert (found["probes"], found["hits"], found["cutoffs"]) == (8, 2.5, (2, 0.5, 0.5))
    assert (found["cut_share"], found["first_move_cut_rate"]) == pytest.approx((3 / 10, 2 / 3))
    assert (found["minimal_nodes"], found["over_minimal"]) == (10, 2.0)
    assert found["uniform_nodes"] == 1 + 3 + (3 + 3 - 1) + (3 + 9 - 1)


def test_without_searches_minimal_trees_or_cuts_nothing_is_told_of_them():
    assert profile_columns([], 2) == {}
    found = profile_columns([SearchProfile(1, 1, 0, 0, (0, 0), 0, 0, None)], 1)
    assert (found["minimal_nodes"], found["over_minimal"], found["first_move_cut_rate"]) == (None, None, None)
    assert found["cut_share"] == 0.0
