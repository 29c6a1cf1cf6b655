"""What the solver counts and writes, word by word: proofs, tables, bounds, nodes; on boards of other shapes, too."""

import gzip
import random

import numpy as np
import pytest
from as_python import as_python
from recorded import holds, plain
from scored import SOLVED

from agents.board import STANDARD, Board, Outcome, Rules
from agents.jit.memory import address_of
from agents.rules import bottom_row
from agents.solver import proof as proof_module
from agents.solver.claimeven import follow_up_bound, wild_rows
from agents.solver.node import CONTROL_WORDS, NEAR_START, Shape, slot
from agents.solver.proof import DONE, MORE, PartReplay, Proof, check, prove
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

PROVEN = [
    *((Rules(4, 4), moves) for moves in ("1223", "11223", "13331", "12341234", "432131")),
    *((Rules(5, 4, 3), moves) for moves in ("1", "15", "3", "33", "1212")),
    (Rules(3, 3, 2), ""), (Rules(6, 3, 5), "12345614253"), (Rules(2, 9), "12211221"),
    (STANDARD, "67335234212226725317455115"), (STANDARD, "2231147774324737456622246376"),
]  # fmt: skip
"""Wins, losses and draws; with the first move of the prover, and of the other side."""


@pytest.fixture(scope="module")
def proofs():
    """The proofs of all these positions, each with the number of times that its progress was told."""
    found, solvers = {}, {}
    for rules, moves in PROVEN:
        told = []
        solver = solvers.setdefault(rules, Solver(rules, 1))
        found[rules, moves] = prove(solver, Board.from_moves(moves, rules), lambda told=told: told.append(0)), len(told)
    return found


def text_of(moves):
    return "".join(str(each + 1) if each < 9 else f"({each + 1})" for each in moves)


def test_every_proof_and_what_checks_say_of_its_damages_stay(proofs, request):
    found = {}
    for (rules, moves), (proof, told) in proofs.items():
        assert told == len(proof.moves)  # once a move
        assert Solver(rules, 1).outcome_of(proof.board) == proof.outcome
        whole, row = proof.moves, [proof.outcome, told, text_of(proof.moves[:60]), list(check(proof))]
        damaged = whole[:-1], whole[: len(whole) // 2], whole + b"\1", b"\x09" + whole[1:], whole[::-1], b""
        row += [list(check(Proof(proof.board, proof.outcome, each))) for each in damaged]
        row += [list(check(Proof(proof.board, outcome, whole))) for outcome in (1, 0, -1)]
        found[f"{rules} {moves}"] = row
    holds("solver-proofs", plain(found), request)


def test_a_file_of_a_proof_begins_with_what_it_proves(proofs, tmp_path):
    wide = Proof(Board.from_moves("10,1,11", Rules(11, 3)), -1, bytes([10, 0, 9]))
    for proof in [*(proof for proof, _ in proofs.values()), wide]:
        path = tmp_path / "a.proof"
        size = proof.write(path)
        assert size == path.stat().st_size
        word = {1: "win", 0: "draw", -1: "loss"}[proof.outcome]
        head, _, rest = gzip.decompress(path.read_bytes()).partition(b"\n")
        assert head.decode() == f"connect4-arena proof {proof.board.rules} {word} {proof.board.text}"
        assert rest == proof.moves
        assert Proof.read(path) == proof
        written = path.read_bytes()
        proof.write(path)
        assert path.read_bytes() == written  # whenever it is written


def test_a_set_of_proven_positions_of_any_size_grows_with_what_it_holds(proofs, monkeypatch):
    for name in ("build", "refill"):
        made = getattr(proof_module, name)
        stand_in = as_python(made) if name == "refill" else lambda rules, made=made: as_python(made(rules))
        monkeypatch.setattr(proof_module, name, stand_in)
    for (rules, moves), (proof, _) in proofs.items():
        left, positions = np.frombuffer(bytearray(proof.moves), np.uint8), 0
        if rules.size == STANDARD.size or len(left) > 300:
            continue
        for prover, draws in proof.parts():
            replay = PartReplay(proof.board, prover, draws=draws, moves=left)
            replay._proven = np.zeros(2, np.int64)
            assert replay.run() == DONE, moves
            held = replay._proven[replay._proven != 0]
            assert len({*held.tolist()}) == len(held) == replay.state[proof_module.COUNT]
            assert len(held) <= len(replay._proven) / 2 + 1
            positions += len(held)
            left = left[replay.state[proof_module.CURSOR] :]
        assert (positions, "") == check(proof)


def test_a_replay_stands_where_the_next_move_is_missing(proofs):
    proof, _ = proofs[Rules(4, 4), "13331"]
    [(prover, draws)] = proof.parts()
    for length in (0, 1, 3, len(proof.moves) - 1):
        moves = np.frombuffer(proof.moves[:length], np.uint8).copy()
        replay = PartReplay(proof.board, prover, draws=draws, moves=moves)
        assert replay.run() == MORE
        here = Board.from_moves(replay.line, proof.board.rules)
        assert here.text.startswith(proof.board.text)
        assert here.mover == (proof.board.mover if prover == 0 else 1 - proof.board.mover)
        assert here.outcome is None
    replay = PartReplay(proof.board, prover, draws=draws, moves=np.frombuffer(bytearray(proof.moves), np.uint8))
    assert replay.run() == DONE


def test_replies_that_need_no_proof_are_not_counted():
    board = Board.from_moves("33", Rules(5, 4, 3))
    replay = PartReplay(board, 0, draws=False, moves=np.zeros(0, np.uint8))
    assert replay.run() == MORE
    own, opp = board.own, board.opp
    cells = [1 << column * 5 + (column == 2) * 2 for column in range(5)]
    # Beside the first disc, two in a row win unless the other stops them; then few replies are left to prove.
    assert [replay.unproven(own | cell, opp) for cell in cells] == [
        sum(needs_proof(board.play(column), reply) for reply in range(5)) for column in range(5)
    ]
    board = Board.from_moves("1252", Rules(5, 4, 3))  # the other side has two in column 2
    own, opp = board.own, board.opp
    replay = PartReplay(board, 0, draws=False, moves=np.zeros(0, np.uint8))
    assert replay.unproven(own | 1 << 2 * 5, opp) == -1
    assert replay.unproven(own | 1 << 5 + 2, opp) >= 0


@pytest.mark.parametrize("rules", [Rules(4, 4), Rules(5, 4)], ids=str)
def test_near_the_end_replies_that_fill_the_board_need_no_proof_and_those_that_win_cannot_have_one(rules):
    made, seen = as_python(proof_module.build_count(rules)), set()
    for board, _ in SOLVED[rules]:
        if rules.columns * rules.rows - board.ply > 5:
            continue
        replay = PartReplay(board, 0, draws=True, moves=np.zeros(0, np.uint8))
        replay._unproven = made
        for column in board.legal_moves():
            after = board.play(column)
            if after.outcome is None:
                found = replay.unproven(after.opp, after.own)
                won = any(after.play(reply).outcome == Outcome(after.mover) for reply in after.legal_moves())
                assert found == (-1 if won else sum(needs_proof(after, reply) for reply in after.legal_moves()))
                seen.add(found)
    assert seen >= {-1, 0, 1}


def needs_proof(board, reply):
    """Return whether the prover cannot win at once after this reply."""
    after = board.play(reply)
    ends = (after.play(column).outcome for column in after.legal_moves())
    return after.outcome is None and all(end in {None, Outcome.DRAW} for end in ends)


# Tables.


def drawn(rules, plies, number, seed):
    """Return positions of random games, of so many plies, that differ."""
    chance, found = random.Random(seed), {}
    while len(found) < number:
        board = Board(rules)
        while board.ply < plies and board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None and board.ply == plies:
            found[board.key] = board
    return [*found.values()]


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


def test_every_entry_of_a_busy_bucket_stays(request):
    table, chance, found = empty_table(49, 0), random.Random(3), {}
    memory = address_of(table)
    for number in range(60):
        store(memory, 0, chance.randrange(1, 25), -number % 20, number % 25, chance.choice((1, 2, 5, 40, 3000)))
        found[str(number)] = [
            [int(part(entry)) for part in (entry_remainder, entry_effort, entry_lower, entry_upper)]
            for entry in table[:BUCKET]
        ]
    found["sizes"] = [
        [rules, mebibytes, near_bits(bits), far_bits(bits, mebibytes), near_start(bits, mebibytes, 3 * NEAR_TABLES),
         len(empty_table(bits, mebibytes)) - (NEAR_TABLES << near_bits(bits)) * BUCKET]
        for rules, bits in (("7x6", 49), ("4x4", 20), ("8x7", 64), ("3x3", 12), ("2x2", 6)) for mebibytes in (0, 1, 3)
    ]  # fmt: skip
    holds("solver-table", plain(found), request)


# Bounds, scores and nodes.


def test_bounds_from_following_up_stay(request):
    found = {}
    for rules, positions in SOLVED.items():
        bottom, wild = bottom_row(rules.columns, rules.rows), wild_rows(rules.columns, rules.rows)
        rows = []
        for board, _ in sorted(positions, key=lambda each: each[0].text)[:30]:
            taken = board.own | board.opp
            empty = [1 << place for place in range(63) if rules.cells & ~taken & 1 << place]
            wins = sum(cell for cell in empty if rules.fours(board.opp | cell) > rules.fours(board.opp))
            given = board.own, board.opp, wins, bottom, wild, rules.rows, rules.connect
            rows.append([int(follow_up_bound(*given, loss)) for loss in (False, True)])
        found[str(rules)] = rows
    holds("solver-bounds", plain(found), request)


def test_scores_and_nodes_on_boards_of_every_shape_stay(request):
    found = {}
    for rules, positions in SOLVED.items():
        solver = Solver(rules, 1)
        assert len(solver.control) == CONTROL_WORDS
        assert solver.control[NEAR_START] > 0
        latest = sorted(positions, key=lambda each: -each[0].ply)
        rows = []
        for board, score in latest[:14]:
            solver.forget()
            before = solver.nodes
            assert solver.score_of(board) == score
            own, opp = board.own, board.opp
            narrow = [int(solver.within(own, opp, low, low + 1)) for low in (-5, -1, 0, 4)]
            rows.append([board.text, score, solver.nodes - before, narrow, solver.column_scores(own, opp)])
        found[str(rules)] = rows
    holds("solver-scores", plain(found), request)


def test_as_python_it_finds_proves_and_checks_the_same(proofs, monkeypatch):
    for rules, positions in SOLVED.items():
        solver, written = Solver(rules, 1), Solver(rules, 1)
        monkeypatch.setattr(written, "_solve", as_python(written._solve))
        for board, score in sorted(positions, key=lambda each: -each[0].ply)[5:8]:
            assert [each.score_of(board) for each in (solver, written)] == [score] * 2
            assert written.nodes == solver.nodes
    for name in ("build", "build_count"):
        made = getattr(proof_module, name)
        monkeypatch.setattr(proof_module, name, lambda rules, made=made: as_python(made(rules)))
    for place in ((Rules(5, 4, 3), "1"), (Rules(4, 4), "13331"), (Rules(4, 4), "12341234")):
        proof, _ = proofs[place]
        written = Solver(place[0], 1)
        monkeypatch.setattr(written, "_solve", as_python(written._solve))
        assert prove(written, proof.board) == proof
        assert check(proof)[1] == ""


def test_as_python_the_table_and_the_bounds_are_the_same():
    chance, bits = random.Random(4), 49
    tables = [empty_table(bits, 0) for _ in range(2)]
    writing = [(store, address_of(tables[0]), probe), (as_python(store), tables[1], as_python(probe))]
    for _ in range(60):
        given = BUCKET, chance.randrange(1, 20), -chance.randrange(9), chance.randrange(9), chance.choice((1, 3, 70))
        found = [(put(memory, *given), get(memory, *given[:2])) for put, memory, get in writing]
        assert found[0] == found[1]
    assert tables[0].tolist() == tables[1].tolist()
    near, far = near_bits(bits), far_bits(bits, 1)
    shape = Shape(*STANDARD.size, STANDARD.bottom, wild_rows(7, 6), near, far, near_start(bits, 1, 0), 8)
    bound = as_python(follow_up_bound)
    for board, _ in SOLVED[STANDARD][:12]:
        for ply in (board.ply, 3):
            places = [part(board.own, board.own | board.opp, ply, shape) for part in (slot, as_python(slot))]
            assert list(map(int, places[0])) == list(map(int, places[1]))
        given = board.own, board.opp, 0, STANDARD.bottom, shape.wild, 6, 4, True
        assert int(bound(*given)) == int(follow_up_bound(*given))


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


def test_books_and_limits_narrow_what_is_searched(monkeypatch):
    class Known:
        def __init__(self, kind, value):
            self.kind, self.value = kind, value

        def lookup(self, own, opp):
            return self.value

    asked = []
    solver = Solver(Rules(4, 4), 1)
    monkeypatch.setattr(solver, "search", lambda own, opp, low, high: asked.append((low, high)) or 3)
    for kind, value in (
        ("scores", 5),
        ("scores", None),
        ("values", 0),
        ("values", 1),
        ("values", -1),
        ("values", None),
    ):
        solver.book = Known(kind, value)
        found = [solver.within(1, 2, low, high) for low, high in ((-8, 8), (2, 4), (-4, -2), (-1, 1))]
        expected = {"scores5": [5] * 4, "values0": [0] * 4}.get(f"{kind}{value}", [3] * 4)
        assert found == expected
        assert asked == {
            None: [(-8, 8), (2, 4), (-4, -2), (-1, 1)],
            1: [(1, 8), (2, 4), (1, 1), (1, 1)],
            -1: [(-8, -1), (-1, -1), (-4, -2), (-1, -1)],
        }.get(value, [])
        assert solver.score(1, 2) == (expected[0])
        assert solver.outcome(1, 2) == (expected[0] > 0) - (expected[0] < 0)
        whole = {None: [(-16, 16), (-1, 1)], 1: [(1, 16), (1, 1)], -1: [(-16, -1), (-1, -1)]}
        assert asked[4:] == whole.get(value, [])
        asked.clear()
