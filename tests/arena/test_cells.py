import pytest

from arena.cells import count, duration, elo_interval, fixed, gap, percent, rate, rating, significant


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
    assert elo_interval(None, -0.4, 0.4) == "+0 … +0"
    assert gap(-0.2, -3.4, 3.0) == "0 ± 3"
