"""What of a report fits into a narrow terminal."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from arena.table.cells import agent_label
from arena.table.labels import cut
from arena.table.parts import Table, cells
from arena.table.render import _left_out, fitted, hanging, kept, write
from arena.table.rows import Column

COLUMNS = [Column("first", "a"), Column("spare", "b", least=2), Column("dear", "c", least=1)]


def table(*rows):
    return Table("rows", "", SimpleNamespace, rows, COLUMNS)


@pytest.mark.parametrize(
    ("width", "headers"), [(18, ["first", "spare", "dear"]), (17, ["first", "dear"]), (10, ["first"]), (3, ["first"])]
)
def test_the_columns_of_the_highest_number_are_left_out_first(width, headers):
    row = SimpleNamespace(a="x", b="y", c="z")
    assert [column.header for column in kept(table(row), width).columns] == headers


def test_the_lines_that_a_table_shows_decide_its_width_and_not_its_rows():
    short, long = (SimpleNamespace(a="x", b=text, c=text * 2) for text in ("y", "y" * 6))
    columns = [*COLUMNS, Column("said", "c", cuts=cut)]
    for rows, lines, width, narrower in (([short], [long], 41, 33), ([long], [short], 24, 17)):
        whole = Table("rows", "", SimpleNamespace, rows, columns, lines=lines)
        assert len(kept(whole, width).columns) == 4
        assert len(kept(whole, width - 1).columns) == 3
        table, left = write([whole], "plain", width=width - 1).split("\n\n")
        assert max(map(len, table.splitlines())) == narrower
        assert left.startswith("left out: spare")


def test_a_table_without_rows_takes_no_line():
    assert fitted([table()], 80) == []


@pytest.mark.parametrize("style", ["plain", "github", "html"])
@pytest.mark.parametrize("detail", [False, True])
def test_of_a_long_table_people_see_the_first_thousand_rows_and_programs_all(style, detail):
    rows = [SimpleNamespace(a=number, b=-number, c="") for number in range(1, 1002)]
    thousand, more = (replace(table(*rows[:most]), detail=detail) for most in (1000, 1001))
    assert "rows:" not in write([thousand], style)
    for longer in (more, replace(more, rows=rows[:1], lines=rows), replace(thousand, rows=rows)):
        text = write(["Before.", longer, "After."], style)
        assert (text.count("-1000"), text.count("1001")) == (1, 0)
        assert text.index("-1000") < text.index("the first 1,000 of 1,001 rows") < text.index("After.")


def test_what_is_left_out_is_named_below_the_table_with_the_column_before_where_two_have_one_name():
    row = SimpleNamespace(a="x", b="y", c="z")
    [shown, below] = fitted([table(row)], 10)
    assert [column.header for column in shown.columns] == ["first"]
    assert below.split() == ["left", "out:", "spare,", "dear", "(--wide", "shows", "all)"]
    twice = replace(table(row), columns=[COLUMNS[0], replace(COLUMNS[1], header="95 %"), COLUMNS[2],
                                         replace(COLUMNS[1], header="95 %")])  # fmt: skip
    left = kept(twice, 14)
    assert _left_out(twice, left) == "left out: 95 % after first, 95 % after dear (--wide shows all)"
    hidden = replace(twice, columns=[*twice.columns[:3], replace(twice.columns[3], when=lambda _: False)])
    assert _left_out(hidden, kept(hidden, 14)) == "left out: 95 % (--wide shows all)"
    many = [Column(f"c{number}", "b", least=1) for number in range(7)]
    assert _left_out(
        replace(twice, columns=[COLUMNS[0], *many]), kept(replace(twice, columns=[COLUMNS[0], *many]), 9)
    ) == ("left out: c0, c1, …, c6 (--wide shows all)")
    six = replace(twice, columns=[COLUMNS[0], *many[:6]])
    assert _left_out(six, kept(six, 9)) == "left out: c0, c1, c2, c3, c4, c5 (--wide shows all)"
    assert _left_out(twice, twice) == ""


def test_names_that_do_not_fit_are_shortened_in_all_tables_and_explained_before_the_first():
    names = [f"alphabeta:depth={depth},heuristic=powers-of-ten,order=open-windows" for depth in (1, 2)]
    rows = [SimpleNamespace(agent=name, n=1) for name in names]
    wide = Table("rows", "A title", SimpleNamespace, rows, [Column("agent", "agent", agent_label), Column("n", "n")])
    explanation, first, _, second, _ = fitted([wide, wide], 40)
    assert explanation.splitlines()[:2] == [
        "Short names:", "  alphabeta:depth=1  alphabeta:depth=1,"
    ]  # fmt: skip
    assert [first.labels.of(name) for name in names] == ["alphabeta:depth=1", "alphabeta:depth=2"]
    assert second.labels == first.labels
    assert fitted([wide, "a line"], 100)[0].labels.of(names[0]) == names[0]
    of_nobody = replace(wide, columns=wide.columns[1:])
    assert fitted([of_nobody, wide], 40)[2] == explanation


def test_lines_are_wrapped_and_those_of_a_tree_keep_their_indent():
    assert fitted(["one two three\nfour"], 8) == ["one two\nthree\nfour"]
    assert hanging(f"* {'x' * 60}", 10).splitlines() == ["*", f"{' ' * 5}{'x' * 60}"]
    line = f"*    {'word ' * 12}".rstrip()
    assert hanging(line, None) == hanging(line, 200) == line
    assert hanging(line, 10).splitlines() == [f"*    {'word ' * 8}".rstrip(), f"{' ' * 8}{'word ' * 4}".rstrip()]


def test_cells_that_may_be_cut_share_the_room_that_is_left():
    columns = [Column("first", "a"), Column("said", "b", cuts=cut), Column("why", "c", cuts=cut)]
    row = SimpleNamespace(a="x", b="y" * 50, c="z" * 50)
    for width, widths in ((60, [26, 25]), (33, [12, 12])):
        shown = fitted([Table("rows", "", SimpleNamespace, [row], columns)], width)[0]
        assert [len(column.cells[0]) for column in cells([row], shown.columns)[1:]] == widths
