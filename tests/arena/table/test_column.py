from types import SimpleNamespace

from arena.table.parts import Table, cells, render
from arena.table.rows import Column


def test_numbers_stand_to_the_right_and_words_to_the_left():
    rows = [SimpleNamespace(name="1, 2, 3", words="4 of 5", n="5", w="3-1-0")]
    rows.append(SimpleNamespace(name="b", words="x", n="1,000", w=None))
    lines = render(rows, [Column(name, name) for name in ("name", "words", "n", "w")], "plain").splitlines()
    assert lines[2:] == ["1, 2, 3  4 of 5      5  3-1-0", "b        x       1,000      -"]


def test_a_column_without_a_writer_shows_a_value_as_it_is_and_a_whole_fraction_as_a_whole_number():
    values = {2.0: "2", 0.5: "0.5", 0.1 + 0.2: "0.3", 1234567: "1234567", 0: "0", "a b": "a b", None: "-"}
    rows = [SimpleNamespace(x=value) for value in values]
    assert cells(rows, [Column("x", "x")])[0].cells == [*values.values()]


def test_a_note_on_stars_stands_below_a_table_that_has_one():
    for text, meaning in (("+3 *", "Elo: * it is marked; games: all of them"), ("+3", "games: all of them")):
        columns = [Column("Elo", "elo", note="* it is marked"), Column("games", "games", note="all of them")]
        row = SimpleNamespace(elo=text, games=2)
        assert Table("t", "", SimpleNamespace, [row], columns).meaning == meaning
