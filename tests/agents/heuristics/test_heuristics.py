import importlib
import re

import pytest
from as_python import as_python
from hypothesis import given
from samples import BOARDS, STANDARD, cells_of, discs_of, mirrored, moves_of, over, positions, published, windows

from agents import heuristics
from agents.board import Rules
from agents.errors import InputError
from agents.score import WIN_BOUND
from agents.search import compiled
from agents.specs.components import HEURISTICS, ORDERINGS, complete

from .built import built

FOURS = [rules for rules in BOARDS if rules.connect == 4]


def slow_windows(own, opp, rules, weights):
    cells = cells_of(own, opp, rules)
    total = 0
    for window in windows(rules):
        discs = [cells[cell] for cell in window if cell in cells]
        if discs and len(set(discs)) == 1:
            total += discs[0] * weights[len(discs) - 1]
    return total


def slow_smart(own, opp, rules, *, aware, weights=(40, 17, 15, 4, 2, 13)):
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
            horizontal = window[0][1] == window[-1][1]
            seen = discs.count(owner), discs.count(-owner), level, ends[0] is None, horizontal
            total += owner * (aware_points(*seen, weights) if aware else simple_points(*seen))
    return total


def simple_points(own, other, _level, reverse, horizontal):
    if reverse:
        return 3 if horizontal and own == 3 and not other else 0
    if other:
        return -1 if own == 3 else 0
    return own if own >= 2 else 0


def aware_points(own, other, level, reverse, horizontal, weights):
    four, three_now, three, two_now, two, blocked = weights
    if other:
        return -blocked if own == 3 and not reverse else 0
    if own == 2 and reverse:
        return two_now if level == 4 else two if level == 3 and not horizontal else 0
    return {2: two_now if level == 4 else two, 3: three_now if level == 4 else three, 4: four}.get(own, 0)


@over("row", published("powers_of_ten"), moves_of)
def test_powers_of_ten_equals_the_published_program(row):
    first, second = discs_of(row["moves"])
    assert built("powers-of-ten")(first, second) == int(row["value"])


@over("name", ["simple", "aware"])
@over("row", published("smart"), moves_of)
def test_the_smart_heuristics_equal_the_published_program(row, name):
    first, second = discs_of(row["moves"])
    assert built(f"smart-{name}")(first, second) == int(row[name])


@given(positions())
def test_powers_of_ten_equals_a_sum_over_a_list_of_windows(position):
    rules, own, opp = position
    assert built("powers-of-ten", rules)(own, opp) == slow_windows(own, opp, rules, [1, 10, 100, 1000, 10_000])


@given(positions(FOURS))
def test_the_smart_heuristics_equal_a_sum_over_a_list_of_windows(position):
    rules, own, opp = position
    assert built("smart-simple", rules)(own, opp) == slow_smart(own, opp, rules, aware=False)
    assert built("smart-aware", rules)(own, opp) == slow_smart(own, opp, rules, aware=True)


@pytest.mark.parametrize(
    ("name", "other"), [("windows", "powers-of-ten"), ("aware", "smart-aware"), ("zugzwang", "parity")]
)
@given(positions([Rules(6, 6)]))
def test_the_weights_that_a_summary_tells_are_those_that_it_is_about(name, other, position):
    rules, own, opp = position
    weights = ",".join(re.findall(r"\d+", HEURISTICS[name].summary))
    assert built(f"{name}({weights})", rules)(own, opp) == built(other, rules)(own, opp)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("powers-of-ten", [1, 10, 100, 1000]), ("smart-simple", [4, 3, 2, -1]), ("smart-aware", [40, 15, 2, 2, -13]),
     ("line-runs", [1, 11, 111])],
)  # fmt: skip
def test_a_summary_tells_what_discs_are_worth(name, numbers):
    summary = HEURISTICS[name].summary.rpartition(":")[2]
    assert [int(number) for number in re.findall(r"-?\d+", summary)] == numbers


@pytest.mark.parametrize("name", [name for name in HEURISTICS | ORDERINGS if name != "centre"])
def test_a_list_credits_the_paper_or_program_that_the_file_does(name):
    row = (HEURISTICS | ORDERINGS)[name]
    titles = r'[\w\']+(?: et al\.)?, "[^"]+",.*? \d{4}'
    credited = re.findall(titles, row.source)
    file = " ".join(importlib.import_module(row.where.partition(":")[0]).__doc__.split())
    assert re.findall(titles, file) == credited


@given(positions([STANDARD]))
def test_swapping_the_colours_negates_every_heuristic_that_is_fair(position):
    _, own, opp = position
    for name in {*complete(HEURISTICS)} - {"line-runs-published", "parity"}:
        assert built(name)(own, opp) == -built(name)(opp, own), name


@given(positions([STANDARD]))
def test_powers_of_ten_sees_the_same_in_a_mirror(position):
    rules, own, opp = position
    evaluate = built("powers-of-ten")
    assert evaluate(mirrored(own, rules), mirrored(opp, rules)) == evaluate(own, opp)


@given(positions())
def test_zero_is_zero(position):
    rules, own, opp = position
    assert built("zero", rules)(own, opp) == 0


@pytest.mark.parametrize("name", ["powers-of-ten", "line-runs"])
def test_lines_that_would_outgrow_a_win_are_refused(name):
    assert built(name, Rules(7, 7, 7))(0, 0) == 0
    with pytest.raises(InputError, match=f"^heuristic '{name}': .* 7 is the limit$"):
        built(name, Rules(8, 6, 8))


@pytest.mark.parametrize("name", ["smart-simple", "smart-aware", "aware(1,2,3,4,5,6)"])
def test_the_smart_heuristics_refuse_other_lines_than_four(name):
    with pytest.raises(InputError, match="only where four in a row win"):
        built(name, Rules(7, 7, 5))


@given(positions())
def test_powers_of_ten_are_windows_with_those_weights(position):
    rules, own, opp = position
    powers = ",".join(str(10**discs) for discs in range(rules.connect))
    assert built("powers-of-ten", rules)(own, opp) == built(f"windows({powers})", rules)(own, opp)


@given(positions(FOURS))
def test_smart_aware_is_aware_with_the_published_points(position):
    rules, own, opp = position
    assert built("smart-aware", rules)(own, opp) == built("aware(40,17,15,4,2,13)", rules)(own, opp)


@given(positions())
def test_windows_equals_a_sum_over_a_list_of_windows(position):
    rules, own, opp = position
    weights = (-3, 7, 0, 11, 5)[: rules.connect]
    found = built(f"windows({','.join(map(str, weights))})", rules)(own, opp)
    assert found == slow_windows(own, opp, rules, weights)


@given(positions(FOURS))
def test_aware_equals_a_sum_over_a_list_of_windows(position):
    rules, own, opp = position
    points = built("aware(four=101,three_now=53,three=29,two_now=11,two=-7,blocked=3)", rules)(own, opp)
    assert points == slow_smart(own, opp, rules, aware=True, weights=(101, 53, 29, 11, -7, 3))


def test_weights_are_given_by_position_or_by_name():
    own, opp = discs_of("4455332")
    found = {
        built(f"windows({text})")(own, opp)
        for text in ("1,10,100,1000", "1,10,four=1000,three=100", "one=1,two=10,three=100,four=1000")
    }
    assert found == {built("powers-of-ten")(own, opp)}


@pytest.mark.parametrize("rules", [Rules(3, 4, 2), Rules(2, 20, 15)], ids=str)
def test_every_number_of_discs_up_to_a_whole_line_has_a_weight_of_its_name(rules):
    words = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
             "thirteen", "fourteen", "fifteen")  # fmt: skip
    weights = [3 * discs + discs % 4 for discs in range(1, rules.connect + 1)]
    named = ",".join(reversed([f"{word}={weight}" for word, weight in zip(words, weights, strict=False)]))
    evaluate = built(f"windows({named})", rules)
    for discs in range(rules.rows + 1):
        one, other = (1 << discs) - 1, 1 << rules.rows + 1
        assert evaluate(one, 0) == slow_windows(one, 0, rules, weights) == -evaluate(0, one)
        assert evaluate(one, other) == slow_windows(one, other, rules, weights)


def test_a_users_file_gets_all_functions_for_writing_heuristics_by_a_star():
    functions = {name for name, value in vars(heuristics).items() if name.islower() and callable(value)}
    assert {*heuristics.__all__} == {name for name in functions if name[0] != "_"}


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("windows(1,10,100)", STANDARD, "there must be 4 weights on a 7x6x4 board, not 3"),
        ("windows(1,10,100,1000)", Rules(7, 6, 5), "there must be 5 weights on a 7x6x5 board, not 4"),
        ("windows(1,10,four=1000)", STANDARD, "there must be 4 weights on a 7x6x4 board, not 3"),
        ("windows(four=1)", Rules(4, 5), "there must be 4 weights on a 4x5x4 board, not 1"),
        ("windows()", STANDARD, "there must be 4 weights on a 7x6x4 board, not 0"),
        ("windows(1,2,3,fuor=5)", STANDARD, "'fuor': did you mean four?"),
        ("windows(1,2,3,three=5)", STANDARD, "three is given twice"),
        ("windows(1,10,100,13044)", STANDARD, "a weight of 13044 in 69 windows outgrows a win; 13043 is the limit"),
        ("windows(1,10,-13044,1)", STANDARD, "a weight of 13044 in 69 windows outgrows a win; 13043 is the limit"),
        ("aware(1,2,3,4,5)", STANDARD, "missing a required argument: 'blocked'; it takes (four, three_now, "),
        ("aware(1,2,3,4,5,6,7)", STANDARD, "too many positional arguments; it takes (four, three_now, "),
        ("aware(1,2,3,4,5,block=6)", STANDARD, "'block': did you mean blocked?"),
        ("aware(99999,2,3,4,5,6)", STANDARD, "a weight of 99999 in 69 windows outgrows a win"),
        ("aware(1,2,3,4,5,-13044)", STANDARD, "a weight of 13044 in 69 windows outgrows a win; 13043 is the limit"),
        ("windows(1,2,3,90000)", Rules(4, 4), "a weight of 90000 in 10 windows outgrows a win; 89999 is the limit"),
        ("windows(-90000,2,3,4)", Rules(4, 4), "a weight of 90000 in 10 windows outgrows a win; 89999 is the limit"),
        ("zugzwang(1,2,3,4,5,6,7,8,13008)", STANDARD, "a weight of 13044 in 69 windows outgrows a win; 13043 is the"),
        ("zugzwang(13008,-2,-3,4,5,-6,7,8,-1)", STANDARD, "a weight of 13044 in 69 windows outgrows a win; 13043 is"),
        ("windows(1,2,3,4,five=5)", STANDARD, "'five': there are four, one, three, two"),
        ("windows(1,one=1,two=2,three=3)", STANDARD, "one is given twice"),
        ("windows(1,2,3,4,5)", STANDARD, "there must be 4 weights on a 7x6x4 board, not 5"),
        (
            f"windows({','.join(map(str, range(16)))})",
            Rules(2, 20, 16),
            "no more than 15 discs in a window can be counted",
        ),
    ],
)
def test_weights_that_make_no_sense_are_refused_in_one_line(text, rules, message):
    with pytest.raises(InputError) as error:
        built(text, rules)
    assert str(error.value).startswith(f"heuristic '{text}': ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_largest_weights_that_are_allowed_stay_below_a_win():
    full = sum(1 << bit for bit in range(48) if bit % 7 != 6)
    evaluate = as_python(compiled.plain_heuristic("windows(13043,13043,13043,13043)", STANDARD))
    assert evaluate(full, 0) == 69 * 13043 < WIN_BOUND
