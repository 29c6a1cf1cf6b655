import pytest
from hypothesis import given
from samples import STANDARD, cells_of, discs_of, moves_of, over, positions, published

from agents.board import Rules
from agents.errors import InputError
from agents.heuristics import line_runs_published

from .built import built


def repunit(discs):
    return int("1" * discs) if discs else 0


def slow_chunks(line, connect):
    """The text's reading of a line of 1, -1 and None: for each side, runs without the other cut into whole chunks."""
    total = 0
    for side in (1, -1):
        run = []
        for cell in line:
            run = [] if cell == -side else [*run, cell]
            if len(run) == connect:
                total += side * repunit(run.count(side))
                run = []
    return total


def slow_published(line):
    """The published scan of a line, in which marks outlive the run they were made in."""
    total = 0
    places = {1: 0, -1: 0}
    marked = {1: set(), -1: set()}
    for cell in line:
        if cell:
            marked[cell].add(places[cell])
            places[-cell] = 0
        for side in (1, -1):
            places[side] += cell != -side
            if places[side] == 4:
                full_house = len(marked[side]) == 4 and side == 1
                total += 0 if full_house else side * repunit(len(marked[side]))
                places[side] = 0
                marked[side] = set()
    return total


def slow_line_runs(own, opp, rules):
    cells = cells_of(own, opp, rules)
    lines = {}
    for column in range(rules.columns):
        for row in range(rules.rows):
            cell = cells.get((column, row))
            for line in (("up", column), ("right", row), ("rising", row - column), ("falling", row + column)):
                lines.setdefault(line, []).append(cell)
    return sum(slow_chunks(line, rules.connect) for line in lines.values())


def slow_line_runs_published(own, opp):
    cells = cells_of(own, opp, STANDARD)
    lines = [[(column, row) for row in range(6)] for column in range(7)]
    lines += [[(column, row) for column in range(7)] for row in range(6)]
    lines += [[(column, column + 2 - x) for column in range(6)] for x in range(8)]
    lines += [[(column, x + 3 - column) for column in range(6)] for x in range(8)]
    return sum(slow_published([cells.get(cell) for cell in line]) for line in lines)


def line_value(line):
    """The compiled reading of one line, which alone owns bit 0."""
    own = tuple(int(line[step : step + 1] == "1") for step in range(7))
    opp = tuple(int(line[step : step + 1] == "2") for step in range(7))
    own_free = tuple(int(line[step : step + 1] in {".", "1"}) for step in range(7))
    opp_free = tuple(int(line[step : step + 1] in {".", "2"}) for step in range(7))
    marks, worth = line_runs_published.marks, line_runs_published.worth
    return worth(marks(own, own_free), 0) - worth(marks(opp, opp_free), 1111)


def test_every_line_equals_the_published_program():
    rows = published("line_runs_of_a_line")
    assert len(rows) == 1620
    assert {row["line"]: line_value(row["line"]) for row in rows} == {row["line"]: int(row["value"]) for row in rows}


@over("row", published("line_runs"), moves_of)
def test_every_board_equals_the_published_program(row):
    first, second = discs_of(row["moves"])
    evaluate = built("line-runs-published")
    assert evaluate(first, second) == int(row["first"])
    assert evaluate(second, first) == int(row["second"])


@given(positions([STANDARD]))
def test_the_published_form_equals_a_slow_reading(position):
    _, own, opp = position
    assert built("line-runs-published")(own, opp) == slow_line_runs_published(own, opp)


@given(positions())
def test_line_runs_equals_a_slow_reading(position):
    rules, own, opp = position
    assert built("line-runs", rules)(own, opp) == slow_line_runs(own, opp, rules)


@pytest.mark.parametrize(
    ("moves", "value"),
    [
        ("4", 4),  # its column, row and both diagonals
        ("1", 3),  # one diagonal of column 1's bottom cell is too short
        ("12", 2 - 3),  # the first player's row is broken at once, the second's runs from column 2 to 5
    ],
)
def test_line_runs_counts_chunks(moves, value):
    first, second = discs_of(moves)
    assert built("line-runs")(first, second) == value


def test_a_chunk_that_is_full_is_worth_a_digit_more():
    own = sum(1 << 7 * column for column in range(4))  # four in the bottom row
    assert built("line-runs")(own, 0) == slow_line_runs(own, 0, Rules())
    assert built("line-runs")(own, 0) > 1111


def test_the_published_form_refuses_other_boards():
    with pytest.raises(InputError, match="7x6x4 only"):
        built("line-runs-published", Rules(8, 6))


def test_the_published_program_reads_the_standard_board_under_either_rules_and_no_other():
    standard, most = (line_runs_published.make(rules) for rules in (Rules(), Rules(most_fours=True)))
    assert standard is most
    for rules in (Rules(7, 6, 5), Rules(6, 7), Rules(8, 6), Rules(7, 5)):
        with pytest.raises(InputError) as raised:
            line_runs_published.make(rules)
        assert str(raised.value) == f"it is defined on 7x6x4 only, not on {rules}"
