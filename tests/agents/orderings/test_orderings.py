import functools
import itertools
import re

import pytest
from as_python import as_python
from hypothesis import given
from samples import STANDARD, cells_of, discs_of, moves_of, over, positions, published, windows

from agents.agent import Limits
from agents.board import Board, Rules
from agents.jit.compiler import JIT
from agents.orderings import static
from agents.orderings.open_windows import apart, make
from agents.players.searcher import Searcher
from agents.search import compiled
from agents.specs.components import ORDERINGS

from . import shapes

SOME_BOARDS = [STANDARD, Rules(14, 3, 3), Rules(8, 7), Rules(6, 5, 3)]
RUNS = {"down": (0, -1), "left": (-1, 0), "right": (1, 0), "up-right": (1, 1), "down-left": (-1, -1),
        "up-left": (-1, 1), "down-right": (1, -1)}  # fmt: skip


@functools.cache
def score_of(name, rules=STANDARD):
    """Return a score of columns: compiled on the standard board, on others as the Python that is compiled."""
    score = compiled.ordering(name, rules).score
    return score if rules == STANDARD else as_python(score)


def slow_column_score(own, opp, column, rules, *, as_published):
    cells = cells_of(own, opp, rules)
    row = sum((column, row) in cells for row in range(rules.rows))
    if row == rules.rows:
        return 0
    total = number = 0
    for name, (right, up) in RUNS.items():
        walk = [(column + step * right, row + step * up) for step in range(1, 5)]
        held = [cells.get((c, r)) for c, r in walk if 0 <= c < rules.columns and 0 <= r < rules.rows]
        if not as_published or name != "right":
            number = 0 if as_published else 1
        if held[:1] == [None] and not (as_published and "-" in name):
            continue
        for _ in itertools.takewhile(lambda cell, first=held[:1]: [cell] == first, held):
            total += number * 10**number * (2 if held[0] == 1 else 1)
            number += 1
    return total


def slow_open_windows(own, opp, column, rules):
    cells = cells_of(own, opp, rules)
    row = sum((column, row) in cells for row in range(rules.rows))
    total = 0
    for window in windows(rules):
        if (column, row) in window:
            discs = [cells[cell] for cell in window if cell in cells]
            for side, times in ((1, 2), (-1, 1)):
                if -side not in discs:
                    total += times * (1 << 40 if len(discs) == rules.connect - 1 else 4 ** len(discs))
    return total


@over("row", published("column_scores"), moves_of)
def test_column_scores_and_orders_equal_the_published_program(row):
    discs = discs_of(row["moves"])
    mover = len(row["moves"]) % 2
    score = score_of("column-score-published")
    for side, scores, order in ((mover, "scores", "sorted"), (1 - mover, "scores_other", "sorted_other")):
        found = [score(discs[side], discs[1 - side], column) for column in range(7)]
        assert found == [int(number) for number in row[scores].split()]
        by_score = sorted(static.centre(STANDARD), key=lambda column: -found[column])
        assert by_score == [int(number) - 1 for number in row[order].split()]


@given(positions(SOME_BOARDS))
def test_column_scores_equal_a_slow_walk(position):
    rules, own, opp = position
    for name, as_published in (("column-score", False), ("column-score-published", True)):
        score = score_of(name, rules)
        for column in range(rules.columns):
            assert score(own, opp, column) == slow_column_score(own, opp, column, rules, as_published=as_published)


def test_an_empty_board_has_no_runs_of_discs():
    assert [score_of("column-score")(0, 0, column) for column in range(7)] == [0] * 7


def test_an_own_run_counts_twice():
    own, opp = discs_of("112233")
    score = score_of("column-score")
    # Column 4 lands beside three own discs; up-left of it stands one of the other's.
    assert score(own, opp, 3) == 2 * (10 + 200 + 3000) + 10
    assert score(opp, own, 3) == 10 + 200 + 3000 + 2 * 10


@pytest.mark.parametrize(
    ("rules", "columns"),
    [(STANDARD, (3, 2, 4, 1, 5, 0, 6)), (Rules(4, 4), (1, 2, 0, 3)), (Rules(5, 4), (2, 1, 3, 0, 4))],
)
def test_centre_runs_from_the_middle_outwards_left_before_right(rules, columns):
    assert static.centre(rules) == columns
    assert static.left_to_right(rules) == tuple(range(rules.columns))


@pytest.mark.parametrize(("name", "count"), [("left-to-right", 3), ("centre", 7)])
def test_an_order_of_columns_is_told_as_it_is(name, count):
    columns = re.findall(r"\d+", ORDERINGS[name].summary)
    assert columns == [str(column + 1) for column in compiled.ordering(name, STANDARD).columns[: len(columns)]]
    assert len(columns) == count


@given(positions(SOME_BOARDS))
def test_open_windows_equals_a_list_of_windows(position):
    rules, own, opp = position
    score = score_of("open-windows", rules)
    for column in range(rules.columns):
        assert score(own, opp, column) == slow_open_windows(own, opp, column, rules)


WORDS = {
    Rules(3, 16, 2): (4, True), Rules(4, 11, 2): (4, True), Rules(2, 22, 2): (3, True), Rules(4, 10, 2): (3, False),
    Rules(9, 3, 2): (2, False), Rules(2, 14, 2): (2, True), Rules(6, 5, 6): (1, True),
}  # fmt: skip
"""The words that the windows of a board take, and whether those through any one cell fit into one."""


@pytest.mark.parametrize("rules", WORDS, ids=str)
def test_windows_in_any_number_of_words_are_scored_as_a_list_of_them(rules):
    packs, in_one_word = apart(rules)
    assert (sum(1 for pack in packs if pack[0]), in_one_word) == WORDS[rules]
    score = as_python(make(rules))
    for own, opp in shapes.positions(rules, 6, seed=3):
        for column in range(rules.columns):
            if own | opp | rules.columns_of_cells[column] != own | opp:
                assert score(own, opp, column) == slow_open_windows(own, opp, column, rules)


def test_open_windows_wins_before_it_blocks_before_all_else():
    own, opp = discs_of("121212")  # column 1 wins, column 2 stops the other
    scores = [score_of("open-windows")(own, opp, column) for column in range(7)]
    assert sorted(range(7), key=lambda column: -scores[column])[:2] == [0, 1]
    assert min(scores[:2]) > 2**39 > max(scores[2:])


@pytest.mark.skipif(not JIT, reason="a hundred thousand nodes")
@pytest.mark.parametrize("heuristic", ["powers-of-ten", "smart-simple", "smart-aware", "line-runs"])
def test_open_windows_saves_more_nodes_than_any_other_ordering(heuristic):
    boards = [Board.from_moves(f"{first}{second}") for first in range(1, 5) for second in range(1, 8)]
    nodes, scores = {}, {}
    for order in ORDERINGS:
        searcher = Searcher(depth=7, heuristic=heuristic, order=order)
        analyses = [searcher.choose(board, Limits()) for board in boards]
        nodes[order] = sum(analysis.nodes for analysis in analyses)
        scores[order] = [analysis.score for analysis in analyses]
    assert min(nodes, key=nodes.get) == "open-windows"
    assert nodes["open-windows"] < nodes["centre"] / 2
    assert all(found == scores["centre"] for found in scores.values())


@pytest.mark.parametrize("name", ORDERINGS)
def test_every_ordering_of_the_table_orders_every_column(name):
    order = compiled.ordering(name, Rules(6, 5))
    assert sorted(order.columns) == list(range(6))
    assert (order.score is None) == (name in {"left-to-right", "centre"})
    assert ORDERINGS[name].summary
    assert ORDERINGS[name].source


@pytest.mark.parametrize("discs", range(8, 14))
def test_more_than_twelve_discs_of_a_window_are_worth_no_more(discs):
    score = score_of("open-windows", Rules(2, 20, 15))
    windows = [len([row for row in range(start, start + 15) if row < discs]) for start in range(6) if start <= discs]
    own = (1 << discs) - 1
    assert score(own, 0, 0) == sum(2 * 4 ** min(held, 12) for held in windows)
    assert score(0, own, 0) == sum(4 ** min(held, 12) for held in windows)
