import random

import pytest
from as_python import as_python
from hypothesis import given
from samples import BOARDS, cells_of, discs_after, mirrored, positions, windows

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.search import compiled

from .built import built

EVEN = [rules for rules in BOARDS if rules.connect == 4 and rules.rows % 2 == 0]
WEIGHTS = {"one": 16, "two": 50, "three": 26, "low": 216, "high": 140, "other": 66,
           "control": 18, "forced": 173, "decided": 5000}  # fmt: skip


def slow_parity(own, opp, rules, weight=WEIGHTS):
    cells = cells_of(own, opp, rules)  # {(column, row): 1 for own, -1 for opp}
    mover = 0 if len(cells) % 2 == 0 else 1
    value, threats = 0, {1: set(), -1: set()}
    for window in windows(rules):
        discs = [cells[cell] for cell in window if cell in cells]
        if len(set(discs)) == 1:
            side = discs[0]
            value += side * (0, weight["one"], weight["two"], weight["three"], 0)[len(discs)]
            if len(discs) == 3:
                threats[side] |= set(window) - cells.keys()
    landing = {(column, next((row for row in range(rules.rows) if (column, row) not in cells), None))
               for column in range(rules.columns)}  # fmt: skip
    controlled = True
    for column in range(rules.columns):
        later = [cell for cell in threats[1] | threats[-1] if cell[0] == column and cell not in landing]
        if later:
            lowest = min(later, key=lambda cell: cell[1])
            for side in (1, -1):
                if lowest in threats[side]:
                    player = mover if side == 1 else 1 - mover
                    fits = lowest[1] % 2 == player  # rows count from 0: the first player's are 0, 2, 4
                    controlled &= not (fits and player == 0)
                    value += side * (weight["other"] if not fits else weight["low" if lowest[1] < 3 else "high"])
    if controlled:
        value += weight["control"] if mover == 1 else -weight["control"]
    must = threats[-1] & landing
    value -= weight["forced"] if must else 0
    if len(must) > 1 or any((column, row + 1) in threats[-1] for column, row in must):
        value = -weight["decided"]
    return weight["decided"] if threats[1] & landing else value


@given(positions(EVEN))
def test_parity_equals_threats_counted_one_by_one(position):
    rules, own, opp = position
    assert built("parity", rules)(own, opp) == slow_parity(own, opp, rules)


@given(positions(EVEN))
def test_every_weight_counts_what_it_says(position):
    rules, own, opp = position
    weights = dict(zip(WEIGHTS, (1, 10, 100, 3, 7, 31, 2, 5, 1000), strict=True))
    found = built(f"zugzwang({','.join(map(str, weights.values()))})", rules)(own, opp)
    assert found == slow_parity(own, opp, rules, weights)


def test_the_first_players_threats_alone_decide_who_controls_the_endgame_whoever_is_to_move():
    weights = dict(zip(WEIGHTS, (0, 0, 0, 1, 10, 100, 1000, 0, 5000), strict=True))
    evaluate = as_python(compiled.plain_heuristic(f"zugzwang({','.join(map(str, weights.values()))})", STANDARD))
    chance, seen = random.Random(8), (set(), set())
    for _ in range(300):
        discs = discs_after(chance.choices(range(7), k=chance.randrange(8, 40)))
        for own, opp in (discs, discs[::-1]):
            value = slow_parity(own, opp, STANDARD, weights)
            assert evaluate(own, opp) == value, (own, opp)
            seen[(own | opp).bit_count() % 2].add(value)
    # No threat, one of the second player, low or high, or two, one of the first player, and one of each.
    assert {-1000, -1001, -1010, -1020, 1, 10, -9} <= seen[0]
    assert {1000, 1001, 1010, 1020, -1, -10, 9} <= seen[1]


@given(positions(EVEN))
def test_parity_sees_the_same_in_a_mirror(position):
    rules, own, opp = position
    evaluate = built("parity", rules)
    assert evaluate(mirrored(own, rules), mirrored(opp, rules)) == evaluate(own, opp)


@pytest.mark.parametrize(
    ("moves", "decided"),
    [("121212", 1), ("4455", 0), ("12121", 0), ("44553", -1), ("46224764713", -1), ("2233556", 0)],
    ids=["a line to complete", "nothing", "one threat", "two threats", "two, one on top", "own on top"],
)
def test_what_can_be_had_at_once_decides(moves, decided):
    board = Board.from_moves(moves)
    found = built("parity", board.rules)(board.own, board.opp)
    assert (found == 5000 * decided) if decided else abs(found) < 5000


@pytest.mark.parametrize("rules", [Rules(7, 7, 4), Rules(7, 6, 5)])
def test_where_rows_have_no_such_parity_it_is_powers_of_ten_and_its_family_is_refused(rules):
    own, opp = 1 << rules.rows + 1 | 2, 1
    assert built("parity", rules)(own, opp) == built("powers-of-ten", rules)(own, opp) != 0
    with pytest.raises(InputError, match="rows are even in number"):
        built("zugzwang(1,2,3,4,5,6,7,8,9)", rules)
