from types import SimpleNamespace

from arena.table.parts import render
from arena.table.rows import Column


def test_numbers_stand_to_the_right_and_words_to_the_left():
    rows = [SimpleNamespace(name="1, 2, 3", words="4 of 5", n="5", w="3-1-0")]
    rows.append(SimpleNamespace(name="b", words="x", n="1,000", w=None))
    lines = render(rows, [Column(name, name) for name in ("name", "words", "n", "w")], "plain").splitlines()
    assert lines[2:] == ["1, 2, 3  4 of 5      5  3-1-0", "b        x       1,000      -"]
