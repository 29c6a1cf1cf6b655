import json
import re

import pytest
from samples import published

from agents.specs.components import ORDERINGS

EMPTY = {"left-to-right": "1234567", "centre": "4352617", "column-score-published": "3526174"}


def order(arena, *words, stdin=""):
    done = arena("order", *words, "--json", stdin=stdin)
    assert (done.code, done.err) == (0, "")
    return json.loads(done.out)


def test_every_ordering_sorts_the_empty_board(arena):
    rows = order(arena)
    assert [row["ordering"] for row in rows] == list(ORDERINGS)
    assert {row["position"] for row in rows} == {""}
    for row in rows:
        assert "".join(map(str, row["columns"])) == EMPTY.get(row["ordering"], "4352617")


def test_the_scores_stand_in_the_order_of_the_columns(arena):
    (row,) = order(arena, "--ordering", "column-score-published")
    assert dict(zip(row["columns"], row["scores"], strict=True)) == {
        1: 3210, 2: 3210, 3: 3220, 4: 420, 5: 3220, 6: 3210, 7: 3210,
    }  # fmt: skip
    assert row["scores"] == sorted(row["scores"], reverse=True)


def test_static_orders_have_no_scores_and_full_columns_are_left_out(arena):
    rows = order(arena, "444444", "--ordering", "centre", "--ordering", "left-to-right")
    assert [row["columns"] for row in rows] == [[3, 5, 2, 6, 1, 7], [1, 2, 3, 5, 6, 7]]
    assert [row["scores"] for row in rows] == [None, None]


def test_below_a_board_stand_scores_or_the_places_in_an_order_that_never_changes(arena):
    words = ["444444", "--ordering", "centre", "--ordering", "column-score"]
    lines = [line.split() for line in arena("order", *words, "--show-board").out.splitlines()]
    assert ["centre", "5", "3", "1", "-", "2", "4", "6"] in lines
    assert [row["ordering"] for row in order(arena, "44", *words, "--show-board")] == ["centre", "column-score"] * 2
    row = order(arena, *words, "--show-board")[1]
    scores = dict(zip(row["columns"], row["scores"], strict=True))
    assert ["column-score", *(str(scores.get(column, "-")) for column in range(1, 8))] in lines


def test_the_published_order_is_sorted_as_its_program_sorted_it(arena):
    rows = [row for row in published("column_scores") if row["moves"]][:20]
    found = order(arena, "-", "--ordering", "column-score-published", stdin="\n".join(row["moves"] for row in rows))
    assert [row["position"] for row in found] == [row["moves"] for row in rows]
    for row, published_row in zip(found, rows, strict=True):
        legal = [column for column in map(int, published_row["sorted"].split()) if column in row["columns"]]
        assert row["columns"] == legal


def test_a_line_that_cannot_be_read_makes_the_code_and_the_others_are_sorted(arena):
    done = arena("order", "-", "--ordering", "centre", "--json", stdin="4\n9\n44\n")
    assert (done.code, [row["position"] for row in json.loads(done.out)]) == (2, ["4", "44"])


def test_a_finished_game_has_nothing_to_sort(arena):
    assert {tuple(row["columns"]) for row in order(arena, "1212121")} == {()}


def test_an_ordering_of_ones_own_is_shown_with_the_others(arena, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def right(own, opp, column):\n    return column\n")
    assert order(arena, "--ordering", f"{mine}:right")[0]["columns"] == [7, 6, 5, 4, 3, 2, 1]
    assert order(arena, "--board", "4x4", "--ordering", f"{mine}:right")[0]["columns"] == [4, 3, 2, 1]


def test_the_table_shows_columns_and_scores(arena):
    lines = arena("order", "4453").out.splitlines()
    assert len(lines) == 2 + len(ORDERINGS)
    cells = {line.split()[1]: re.split(" {2,}", line.strip())[2:] for line in lines[2:]}
    assert cells["centre"] == ["4 3 5 2 6 1 7", "-"]
    [row] = order(arena, "4453", "--ordering", "column-score")
    assert cells["column-score"] == [" ".join(map(str, row[key])) for key in ("columns", "scores")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ordering", "center"], "'center': did you mean centre?"),
        (["4", "centre"], "arena: 'centre' is no position, which is digits such as 4453: --ordering centre names it"),
        (["49"], "arena: move 2: column 9 does not exist (1 to 7)"),
        (["1", "49"], "arena: position '49': move 2: column 9 does not exist (1 to 7)"),
    ],
)
def test_bad_input_is_one_line(arena, words, message):
    done = arena("order", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
