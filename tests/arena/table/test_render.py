"""What of a report fits into a narrow terminal."""

from types import SimpleNamespace

import pytest

from arena.table.parts import Table
from arena.table.render import fitted, kept
from arena.table.rows import Column

COLUMNS = [Column("first", "a"), Column("spare", "b", least=2), Column("dear", "c", least=1)]


def table(*rows):
    return Table("rows", "", SimpleNamespace, rows, COLUMNS)


@pytest.mark.parametrize(
    ("width", "headers"), [(18, ["first", "spare", "dear"]), (17, ["first", "dear"]), (10, ["first"])]
)
def test_the_columns_of_the_highest_number_are_left_out_first(width, headers):
    row = SimpleNamespace(a="x", b="y", c="z")
    assert [column.header for column in kept(table(row), width).columns] == headers


def test_a_table_without_rows_takes_no_line():
    assert fitted([table()], 80) == []
