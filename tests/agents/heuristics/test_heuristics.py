import importlib

import pytest
from hypothesis import given
from samples import BOARDS, STANDARD, cells_of, discs_of, mirrored, positions, published, windows

from agents.board import Rules
from agents.errors import InputError
from agents.heuristics import HEURISTICS, line_runs, powers_of_ten, smart, zero

FOURS = [rules for rules in BOARDS if rules.connect == 4]


def built(name, rules=STANDARD):
    module, _, function = HEURISTICS[name].where.partition(":")
    return getattr(importlib.import_module(module), function)(rules)


def slow_powers_of_ten(own, opp, rules):
    cells = cells_of(own, opp, rules)
    total = 0
    for window in windows(rules):
        discs = [cells[cell] for cell in window if cell in cells]
        if discs and len(set(discs)) == 1:
            total += discs[0] * 10 ** (len(discs) - 1)
    return total


def slow_smart(own, opp, rules, *, aware):
    cells = cells_of(own, opp, rules)
    total = 0
    for window in windows(rules):
        ends = cells.get(window[0]), cells.get(window[-1])
        owner = ends[0] or ends[1]
        if owner:
            discs = [cells.get(cell) for cell in window]
            level = sum(
                cell in cells or row == 0 or (column, row - 1) in cells for cell in window for column, row in [cell]
            )
            points = aware_points if aware else simple_points
            horizontal = window[0][1] == window[-1][1]
            total += owner * points(discs.count(owner), discs.count(-owner), level, ends[0] is None, horizontal)
    return total


def simple_points(own, other, _level, reverse, horizontal):
    if reverse:
        return 3 if horizontal and own == 3 and not other else 0
    if other:
        return -1 if own == 3 else 0
    return own if own >= 2 else 0


def aware_points(own, other, level, reverse, horizontal):
    if other:
        return -13 if own == 3 and not reverse else 0
    if own == 2 and reverse:
        return 4 if level == 4 else 2 if level == 3 and not horizontal else 0
    return {2: 4 if level == 4 else 2, 3: 17 if level == 4 else 15, 4: 40}.get(own, 0)


@pytest.mark.parametrize("row", published("powers_of_ten"), ids=lambda row: row["moves"])
def test_powers_of_ten_equals_the_published_program(row):
    first, second = discs_of(row["moves"])
    assert built("powers-of-ten")(first, second) == int(row["value"])


@pytest.mark.parametrize("name", ["simple", "aware"])
@pytest.mark.parametrize("row", published("smart"), ids=lambda row: row["moves"])
def test_the_smart_heuristics_equal_the_published_program(row, name):
    first, second = discs_of(row["moves"])
    assert built(f"smart-{name}")(first, second) == int(row[name])


@given(positions())
def test_powers_of_ten_equals_a_sum_over_a_list_of_windows(position):
    rules, own, opp = position
    assert powers_of_ten.build(rules)(own, opp) == slow_powers_of_ten(own, opp, rules)


@given(positions(FOURS))
def test_the_smart_heuristics_equal_a_sum_over_a_list_of_windows(position):
    rules, own, opp = position
    assert smart.build_simple(rules)(own, opp) == slow_smart(own, opp, rules, aware=False)
    assert smart.build_aware(rules)(own, opp) == slow_smart(own, opp, rules, aware=True)


@given(positions([STANDARD]))
def test_swapping_the_colours_negates_every_heuristic_that_is_fair(position):
    _, own, opp = position
    for name in HEURISTICS.keys() - {"line-runs-published"}:
        assert built(name)(own, opp) == -built(name)(opp, own), name


@given(positions([STANDARD]))
def test_powers_of_ten_sees_the_same_in_a_mirror(position):
    rules, own, opp = position
    evaluate = built("powers-of-ten")
    assert evaluate(mirrored(own, rules), mirrored(opp, rules)) == evaluate(own, opp)


@given(positions())
def test_zero_is_zero(position):
    rules, own, opp = position
    assert zero.build(rules)(own, opp) == 0


@pytest.mark.parametrize("build", [powers_of_ten.build, line_runs.build])
def test_lines_that_would_outgrow_a_win_are_refused(build):
    assert build(Rules(7, 7, 7))(0, 0) == 0
    with pytest.raises(InputError, match="7 is the limit"):
        build(Rules(8, 6, 8))


@pytest.mark.parametrize("build", [smart.build_simple, smart.build_aware])
def test_the_smart_heuristics_refuse_other_lines_than_four(build):
    with pytest.raises(InputError, match="only where four in a row win"):
        build(Rules(7, 7, 5))
