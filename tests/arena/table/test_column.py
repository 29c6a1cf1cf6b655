from dataclasses import replace
from types import SimpleNamespace

import pytest

from arena.table.parts import Cells, Table, cells, render
from arena.table.rows import Column, known


def test_numbers_stand_to_the_right_and_words_to_the_left():
    rows = [SimpleNamespace(name="1, 2, 3", words="4 of 5", n="5", w="3-1-0")]
    rows.append(SimpleNamespace(name="b", words="x", n="1,000", w=None))
    lines = render(rows, [Column(name, name) for name in ("name", "words", "n", "w")], "plain").splitlines()
    assert lines[2:] == ["1, 2, 3  4 of 5      5  3-1-0", "b        x       1,000      -"]


@pytest.mark.parametrize(
    ("texts", "side"),
    [
        ("12.5 M|45.6 k|999", "right"), ("3-1-0|-", "right"), ("+30 ± 8|-30 [← … 20]", "right"), ("← … +3|→", "right"),
        ("1.00 s|12 ms|4 µs", "right"), ("-253 *|+96", "right"), ("skipped|to end|7", "right"), ("45.7 %|", "right"),
        ("yes|no", "left"), ("1 of 2", "left"), ("7|none", "left"), ("12 m", "left"), ("3 x 4", "left"),
    ],
)  # fmt: skip
def test_a_column_of_numbers_stands_to_the_right_and_one_with_any_other_text_to_the_left(texts, side):
    assert Cells("x", texts.split("|"), []).side == side


def test_a_column_without_a_writer_shows_a_value_as_it_is_and_a_whole_fraction_as_a_whole_number():
    values = {2.0: "2", 0.5: "0.5", 0.1 + 0.2: "0.3", 1234567: "1234567", 0: "0", "a b": "a b", None: "-"}
    rows = [SimpleNamespace(x=value) for value in values]
    assert cells(rows, [Column("x", "x")])[0].cells == [*values.values()]


def test_a_note_on_stars_stands_below_a_table_that_has_one():
    for text, meaning in (("+3 *", "Elo: * it is marked; games: all of them"), ("+3", "games: all of them")):
        columns = [Column("Elo", "elo", note="* it is marked"), Column("games", "games", note="all of them")]
        row = SimpleNamespace(elo=text, games=2)
        assert Table("t", "", SimpleNamespace, [row], columns).meaning == meaning


def test_notes_are_of_the_columns_that_are_shown_and_the_tables_own_replace_them():
    columns = [
        Column("Elo", "elo", note="* it is marked"), Column("games", "games", note="all of them"),
        Column("games", "n", note="of the second"), Column("kept", "kept", when=known, note="of nobody"),
        Column("n", "n"), Column("who", "who", note="* an agent"),
    ]  # fmt: skip
    one, two = (SimpleNamespace(elo=text, games=2, kept=None, n=1, who="a") for text in ("+3", "+4 *"))
    table = Table("t", "", SimpleNamespace, [one], columns, lines=[two, one])
    assert table.meaning == "Elo: * it is marked; games: all of them"
    more = replace(table, notes={"n": "a number", "games": "some of them", "kept": "of nobody", "who": "* so"})
    assert more.meaning == "Elo: * it is marked; games: some of them; n: a number"
    assert replace(more, columns=columns[4:5]).meaning == "n: a number"
    assert replace(more, lines=[one], columns=columns[:1]).meaning == ""
