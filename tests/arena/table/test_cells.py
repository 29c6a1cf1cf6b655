import pytest

from arena.records import Interval, Outcomes
from arena.table import cells
from arena.table.cells import (
    count,
    duration,
    ends,
    fixed,
    gain,
    gap,
    of_hundred,
    percent,
    rate,
    rating,
    signed,
    significant,
)

EXACT = "exact over these openings"


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (count, 7, "7"),
        (fixed(1), -0.04, "0.0"),
        (count, 7.75, "7.8"),
        (count, 1234567.8, "1,234,568"),
        (rate, 12_345_678, "12.3 M"),
        (rate, 45_600, "45.6 k"),
        (rate, 999, "999"),
        (fixed(2), 3.14159, "3.14"),
        (significant(3), 0.00123456, "0.00123"),
        (significant(3), 1234.5, "1,234"),
        (significant(3), 0, "0"),
        (percent, 0.4567, "45.7 %"),
        (duration, 12.3456, "12.3 s"),
        (duration, 0.0123456, "12.3 ms"),
        (duration, 0.0000123456, "12.3 µs"),
        (duration, 1e-9, "0.00100 µs"),
    ],
)
def test_numbers_are_written_for_readers(write, value, text):
    assert write(value) == text


def test_no_rating_is_a_negative_zero():
    assert rating(-0.3, marked=False) == "+0"
    assert ends(signed)(Interval(0.0, -0.4, 0.4)) == "+0 … +0"
    assert gap(Interval(-0.2, -3.4, 3.0)) == "0 ± 3"


@pytest.mark.parametrize(
    ("name", "values", "text"),
    [
        ("plain", (1234567,), "1234567"), ("plain", (0.1 + 0.2,), "0.3"), ("plain", ("a b",), "a b"),
        ("agent_label", ("greedy:a=2",), "greedy:a=2"), ("place", ("",), "(empty)"), ("place", ("4433",), "4433"),
        ("count", (99.5,), "99.5"), ("count", (100,), "100"), ("count", (100.4,), "100"), ("count", (3.0,), "3"),
        ("rate", (1e6,), "1.0 M"), ("rate", (999_900,), "999.9 k"), ("rate", (1000,), "1.0 k"), ("rate", (99.4,), "99"),
        ("quoted", ("two\n lines\tof it ",), "two lines of it"), ("quoted", ("x" * 60,), "x" * 60),
        ("quoted", ("x" * 61,), "x" * 59 + "…"),
        ("duration", (1.0,), "1.00 s"), ("duration", (0.999,), "999 ms"), ("duration", (0.001,), "1.00 ms"),
        ("duration", (0.00099,), "990 µs"), ("duration", (0,), "0 µs"),
        ("percent", (0.99949,), "99.9 %"),
        ("of_hundred", (0.1234,), "12.3"),
        ("gain", (0.0312,), "+3.1"), ("gain", (-0.0312,), "-3.1"), ("gain", (-0.0004,), "+0.0"),
        ("milliseconds", (Interval(12.345, None, None),), "12.3"),
        ("milliseconds", (Interval(12.345, 11.69, 13.0),), "12.3 ± 0.65"),
        ("milliseconds_of", (Interval(0.012345, 0.01169, 0.013),), "12.3 ± 0.65"),
        ("milliseconds_of", (Interval(0.5, None, None),), "500"),
        ("dashed", ((3, 0, 12),), "3-0-12"), ("plain", (Outcomes(3, 0, 12),), "3-0-12"),
        ("listed", ((3, 1, 2),), "3 1 2"), ("signed", (12.4,), "+12"),
        ("gap", (Interval(2.0, 0.0, 0.0),), "2 [0 … 0]"),
        ("gap", (Interval(0.0, 0.0, 0.0),), "0 ± 0"), ("milliseconds", (Interval(0.0, 0.0, 0.0),), "0 ± 0"),
        ("superiority", (50.0, ""), "50.0"),
        ("rating", (12.6, True), "+13 *"), ("rating", (-12.6, False), "-13"),
        ("gap", (Interval(30.0, 20.4, 39.6),), "30 ± 10"), ("gap", (Interval(30.0, 20.0, 41.0),), "30 ± 11"),
        ("gap", (Interval(30.0, 20.0, 41.5),), "30 [20 … 42]"), ("gap", (Interval(30.0, None, 41.0),), "30 [← … 41]"),
        ("gap", (Interval(30.0, 20.0, None),), "30 [20 … →]"),
        ("step", (Interval(30.0, 20.0, 40.0),), "+30 ± 10"), ("step", (Interval(-30.0, -40.0, -20.0),), "-30 ± 10"),
        ("step", (Interval(30.0, 20.0, 48.0),), "+30 [20 … 48]"), ("step", (Interval(30.0, 30.0, 30.0),), "+30"),
        ("step", (Interval(-30.0, -30.0, -30.0),), "-30"), ("step", (Interval(0.0, -4.0, 4.0),), "0 ± 4"),
        ("number", (1234567.25,), "1,234,567.25"), ("number", (0.1 + 0.2,), "0.3"), ("number", (3.0,), "3"),
        ("yes", (True,), "yes"), ("yes", (False,), "no"),
        ("superiority", (100.0,), "99.9"), ("superiority", (0.0,), "0.1"), ("superiority", (100.0, EXACT), "100"),
        ("superiority", (97.46, "score interval"), "97.5"), ("superiority", (0.0, EXACT), "0"),
    ],
)  # fmt: skip
def test_each_kind_of_cell_is_written_in_one_way(name, values, text):
    assert getattr(cells, name)(*values) == text


@pytest.mark.parametrize(
    ("write", "values", "text"),
    [
        (of_hundred, (0.5, 0.1234, 0.98765), "12.3 … 98.8"), (gain, (0.1, -0.0312, 0.2), "-3.1 … +20.0"),
        (gain, (0.0, -0.0004, 0.0004), "+0.0 … +0.0"), (fixed(2), (1.0, 0.912, 1.238), "0.91 … 1.24"),
        (fixed(2), (1.0, None, 1.238), "← … 1.24"), (fixed(2), (1.0, 0.912, None), "0.91 … →"),
        (signed, (0.0, None, 12.4), "← … +12"), (signed, (0.0, -12.6, None), "-13 … →"),
        (signed, (0.0, 0.0, 0.0), "+0 … +0"), (signed, (0.0, None, None), "← … →"),
    ],
)  # fmt: skip
def test_the_ends_of_an_interval_are_written_as_its_value_is(write, values, text):
    assert ends(write)(Interval(*values)) == text


def test_a_star_marks_a_number_of_any_kind():
    assert [cells.starred(fixed(1))(0.25, marked) for marked in (True, False)] == ["0.2 *", "0.2"]
    assert [significant(digits)(number) for digits, number in ((4, 0.0999951), (2, 99.6), (3, -1234.5), (3, 10.0))] == [
        "0.10000", "100", "-1,234", "10.0",
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "shorter"), [
    ("minimax:depth=3", "minimax"), ("a:c=1,depth=3", "a:c=1"), ("a:depths=3", "a:depths=3"), ("random", "random"),
    ("bot.py:Bot:max-depth=9,depth=2,c=1", "bot.py:Bot:max-depth=9,c=1"),
])  # fmt: skip
def test_a_name_beside_a_column_for_the_depth_leaves_out_that_key_alone(name, shorter):
    assert cells.without_depth(name) == shorter
