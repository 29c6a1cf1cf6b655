"""What the solver counts and stores: places, entries and nodes; on boards of other shapes, too."""

import random
from contextlib import suppress

import pytest
from as_python import as_python
from slow_solver import SOLVED

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT, address_of
from agents.solver.claimeven import claimeven_bound, wild_rows
from agents.solver.node import Shape, slot
from agents.solver.solver import Solver, Stopped
from agents.solver.table import (
    BUCKET,
    NEAR_TABLES,
    bucket_of,
    empty_table,
    entry_effort,
    entry_lower,
    entry_remainder,
    entry_upper,
    far_bits,
    near_bits,
    near_start,
    packed_entry,
    probe,
    store,
)

from .few import COMPILED, few_of, python_solver

# Tables.


def drawn(rules, plies, number, seed):
    """Return positions of random games, of so many plies, that differ."""
    chance, boards = random.Random(seed), {}
    while len(boards) < number:
        board = Board(rules)
        while board.ply < plies and board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None and board.ply == plies:
            boards[board.key] = board
    return [*boards.values()]


@pytest.mark.parametrize(
    ("rules", "mebibytes"), [(STANDARD, 64), (STANDARD, 1), (Rules(8, 7), 16), (Rules(5, 4), 4), (Rules(20, 2, 3), 16)]
)
@pytest.mark.parametrize("thread", [0, 1])
def test_no_two_positions_have_the_same_place(rules, mebibytes, thread):
    bits, size = rules.columns * (rules.rows + 1), rules.columns * rules.rows
    near, far, start = near_bits(bits), far_bits(bits, mebibytes), near_start(bits, mebibytes, thread)
    shape = Shape(*rules.size, rules.bottom, wild_rows(rules.columns, rules.rows), near, far, start, 8)
    place = thread % NEAR_TABLES
    lengths = {True: (start, start + (BUCKET << near)), False: (0, BUCKET << far)}
    assert start == (BUCKET << far) + place * (BUCKET << near)
    edge = 1 << (rules.columns - 1) * (rules.rows + 1)
    for plies in (size // 2 - 2, size // 2 + 2):
        seen, boards = {}, drawn(rules, plies, 40, 5)
        boards += [Board(rules, board.own ^ edge, board.opp ^ edge, plies) for board in boards
                   if (board.own | board.opp) & edge]  # the same but for who has one cell  # fmt: skip
        is_near = plies > size // 2
        for board in boards:
            bucket, remainder = map(int, slot(board.own, board.own | board.opp, plies, shape))
            assert lengths[is_near][0] <= bucket < lengths[is_near][1]
            assert bucket % BUCKET == 0
            assert 0 <= remainder < 1 << bits - near
            key = board.key if is_near else min(board.key, board.mirror().key)
            assert seen.setdefault((bucket, remainder), key) == key
            assert entry_remainder(packed_entry(remainder, 5, -3, 7)) == remainder
        assert len({*seen.values()}) == len(seen)


def test_the_last_column_decides_the_place_like_any_other():
    bits = 49
    near, far = near_bits(bits), far_bits(bits, 64)
    assert (near, far) == (13, 20)
    for number in (0, 1, 1 << 12, 1 << 13, 1 << 19, (1 << 20) - 1):
        assert bucket_of(number << 29, bits, near, far, 8, False) == 8 * number
    for number in (0, 1, 1 << 12, (1 << 13) - 1):
        assert bucket_of(number << 36, bits, near, far, 8, True) == 8 * number + 8


@pytest.mark.parametrize("efforts", [(0, 1), (0, 1, 2, 3), (1, 5, 900, 1 << 40)])
def test_a_bucket_holds_what_was_stored_whatever_replaces_and_ages_it(efforts):
    table, chance, kept = empty_table(49, 0), random.Random(2), {}
    memory = address_of(table)
    for number in range(400):
        remainder = chance.randrange(1 << 36) if number % 3 or not kept else chance.choice([*kept])
        bounds = chance.randrange(-31, 0), chance.randrange(0, 31)
        store(memory, BUCKET, remainder, *bounds, chance.choice(efforts))
        kept[remainder] = bounds
        assert not table[:BUCKET].any()
        assert not table[2 * BUCKET : 3 * BUCKET].any()
        there = [int(entry) for entry in table[BUCKET : 2 * BUCKET] if entry]
        assert len(there) == min(BUCKET, len(kept))
        for entry in there:
            assert (entry_lower(entry), entry_upper(entry)) == kept[entry_remainder(entry)]
            assert probe(memory, BUCKET, int(entry_remainder(entry))) == entry
        assert remainder in {entry_remainder(entry) for entry in there}


# Bounds, scores and nodes.


NODES = {
    "7x6x4": 663,
    "4x4x4": 556,
    "5x4x4": 476,
    "4x5x4": 566,
    "5x5x4": 714,
    "6x6x4": 596,
    "5x5x3": 547,
    "6x6x5": 544,
    "8x7x4": 629,
    "2x20x4": 2162,
}
"""In sum over the thirty latest positions of a board: without a bound, a cut-off or an ordering there are more."""


@pytest.mark.parametrize("rules", few_of(SOLVED), ids=str)
def test_the_latest_positions_of_each_board_take_so_many_nodes(rules):
    solver = Solver(rules, 1)
    for board, score in sorted(SOLVED[rules], key=lambda pair: -pair[0].ply)[:30]:
        solver.forget()
        assert solver.score_of(board) == score
        columns = solver.column_scores(board.own, board.opp)
        assert max(value for value in columns if value is not None) == score
    if JIT:  # as plain Python some boards take a few nodes more
        assert solver.nodes == NODES[str(rules)]


def test_as_python_it_finds_the_same(monkeypatch):
    for rules, positions in SOLVED.items():
        written, compiled = python_solver(rules, monkeypatch), Solver(rules, 1) if rules in COMPILED else None
        for board, score in sorted(positions, key=lambda pair: -pair[0].ply)[5:8]:
            assert written.score_of(board) == score
            if compiled:
                assert (compiled.score_of(board), compiled.nodes) == (score, written.nodes)


def test_as_python_the_table_and_the_bounds_are_the_same():
    chance, bits = random.Random(4), 49
    tables = [empty_table(bits, 0) for _ in range(2)]
    writing = [(store, address_of(tables[0]), probe), (as_python(store), tables[1], as_python(probe))]
    for _ in range(60):
        arguments = (
            BUCKET,
            chance.randrange(1, 20),
            -chance.randrange(9),
            chance.randrange(9),
            chance.choice((1, 3, 70)),
        )
        values = [(put(memory, *arguments), get(memory, *arguments[:2])) for put, memory, get in writing]
        assert values[0] == values[1]
    assert tables[0].tolist() == tables[1].tolist()
    near, far = near_bits(bits), far_bits(bits, 1)
    shape = Shape(*STANDARD.size, STANDARD.bottom, wild_rows(7, 6), near, far, near_start(bits, 1, 0), 8)
    bound = as_python(claimeven_bound)
    for board, _ in SOLVED[STANDARD][:12]:
        for ply in (board.ply, 3):
            places = [part(board.own, board.own | board.opp, ply, shape) for part in (slot, as_python(slot))]
            assert list(map(int, places[0])) == list(map(int, places[1]))
        arguments = board.own, board.opp, 0, STANDARD.bottom, shape.wild, 6, 4, True
        assert int(bound(*arguments)) == int(claimeven_bound(*arguments))


def test_the_nodes_that_are_allowed_count_from_now_and_a_stop_lasts_until_it_is_lifted():
    solver = Solver(Rules(4, 4), 1)
    boards = [Board.from_moves(moves, Rules(4, 4)) for moves in ("1223", "13331", "11223")]
    needed = []
    for board in boards:
        before = solver.nodes
        solver.score_of(board)
        needed.append(solver.nodes - before)
        solver.forget()
    for board, nodes in zip(boards, needed, strict=True):
        before = solver.nodes
        solver.allow(nodes - 1)
        with pytest.raises(Stopped):
            solver.score_of(board)
        assert solver.nodes - before == nodes - 1
        solver.forget()
        solver.allow(nodes)
        score = solver.score_of(board)
        assert solver.nodes - before == 2 * nodes - 1
        solver.stop()
        solver.forget()
        with pytest.raises(Stopped):
            solver.score_of(board)
        solver.resume()
        assert solver.score_of(board) == score
        solver.forget()
    solver.allow(0)
    with pytest.raises(Stopped):
        solver.score_of(boards[0])


def test_a_search_that_is_stopped_stores_only_bounds_that_it_has():
    solver = Solver(Rules(4, 4), 1)
    for board, score in SOLVED[solver.rules][:5]:
        for nodes in range(1, 60, 3 if JIT else 15):
            solver.forget()
            solver.allow(nodes)
            with suppress(Stopped):
                solver.score_of(board)
            entries = [int(entry) for entry in solver._arrays[0][solver._arrays[0] != 0]]
            assert all(entry_effort(entry) <= nodes.bit_length() for entry in entries)
            assert all(-8 <= entry_lower(entry) <= entry_upper(entry) <= 8 for entry in entries)
            solver.resume()
            assert solver.score_of(board) == score


def test_a_book_ends_a_search_and_limits_narrow_it(monkeypatch):
    class Known:
        def __init__(self, score):
            self.score = score

        def lookup(self, own, opp):
            return self.score

    asked = []
    solver = Solver(Rules(4, 4), 1)
    monkeypatch.setattr(solver, "search", lambda own, opp, low, high: asked.append((low, high)) or 3)
    limits = [(-8, 8), (2, 4), (-4, -2), (-1, 1)]
    for score, expected, searched in ((5, 5, []), (0, 0, []), (None, 3, limits)):
        solver.book = Known(score)
        assert [solver.within(1, 2, low, high) for low, high in limits] == [expected] * 4
        assert asked == searched
        assert (solver.score(1, 2), solver.outcome(1, 2)) == (expected, int(expected > 0))
        assert asked[4:] == [(-16, 16), (-1, 1)][: len(searched)]
        asked.clear()
