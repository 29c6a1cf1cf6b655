"""Cut-offs of searches, counted beside a depth table."""

import json

import arena as api
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.specs.registry import expand
from arena.depth import cuts
from arena.depth.cost import CountedCost, depth_table, means
from arena.depth.cuts import CutCounter
from arena.table.rows import names

COUNTS = ("inner", "cuts", "first_move_cuts", "cut_share", "first_move_cut_rate")
EMPTY = [Board()]
DEPTHS = range(1, 7 if JIT else 4)
FILE = f"{__file__}:Deep"


class Deep:
    """Searches on its own."""

    def choose(self, board, limits):
        return Searcher(depth=limits.depth).choose(board, limits)


def table(*specs, depths=DEPTHS, boards=EMPTY, budget=60.0):
    return depth_table([each for text in specs for each in expand(text)], depths, boards, budget, why=True)


class Counted:
    """Alpha-beta in fail-soft form as a textbook has it, with the order of columns as they stand; it counts."""

    def __init__(self):
        self.inner = self.cuts = self.first = 0

    def search(self, board, depth, alpha, beta, value):
        if board.outcome is not None or depth == 0:
            return value(board)
        self.inner += 1
        best = -(10**9)
        for place, column in enumerate(board.legal_moves()):
            best = max(best, -self.search(board.play(column), depth - 1, -beta, -max(alpha, best), value))
            if best >= beta:
                self.cuts += 1
                self.first += place == 0
                break
        return best


def test_the_counts_are_those_of_a_textbooks_search(arena):
    board = Board.from_moves("12", Rules(4, 4))

    def value(board):
        return 0 if board.outcome is None or board.outcome.winner is None else board.ply - 1000

    for depth in (1, 3, 5):
        told = Counted()
        told.search(board, depth, -(10**9), 10**9, value)
        [row] = table("alphabeta:heuristic=zero,order=left-to-right", depths=[depth], boards=[board])
        assert (row.inner, row.cuts, row.first_move_cuts) == (told.inner, told.cuts, told.first)


def test_shares_are_those_of_the_counts():
    for row in table("alphabeta:order=centre", "alphabeta:table=on,deepening=on", "mollerhoj"):
        assert 0 <= row.first_move_cuts <= row.cuts <= row.inner <= row.nodes
        assert row.cut_share == row.cuts / row.inner
        assert row.first_move_cut_rate == (row.first_move_cuts / row.cuts if row.cuts else None)
    assert {(row.cuts, row.cut_share, row.first_move_cut_rate) for row in table("minimax")} == {(0, 0.0, None)}


def test_of_agents_that_do_not_count_and_of_skipped_rows_nothing_is_known():
    for row in (*table("minimax", budget=0.0)[-1:], *table(FILE)):
        assert isinstance(row, CountedCost)
        assert [getattr(row, name) for name in COUNTS] == [None] * 5


def test_a_mean_over_positions_is_that_of_the_counts():
    boards = [Board.from_moves(moves) for moves in ("44", "1234567")]
    one, other = table("alphabeta:order=centre", depths=[3], boards=boards)
    [mean] = means([one, other])
    assert (mean.inner, mean.cuts) == ((one.inner + other.inner) / 2, (one.cuts + other.cuts) / 2)
    assert mean.cut_share == (one.cuts + other.cuts) / (one.inner + other.inner)
    assert mean.first_move_cut_rate == (one.first_move_cuts + other.first_move_cuts) / (one.cuts + other.cuts)


def test_a_search_is_counted_from_a_cleared_memory():
    spec, board = "alphabeta:order=centre,table=on,table-size=1", Board.from_moves("44")
    first, again = table(spec, depths=[4], boards=[board, board])
    assert [getattr(first, name) for name in COUNTS] == [getattr(again, name) for name in COUNTS]


def test_whoever_counts_is_prepared_once_for_a_board_and_nobody_else(monkeypatch):
    done, prepare = [], cuts.prepare
    monkeypatch.setattr(
        cuts, "prepare", lambda agent, rules, name: done.append((name, rules)) or prepare(agent, rules, name)
    )
    counts, other = CutCounter(Searcher(), "counts"), CutCounter(Deep(), "other")
    for rules in (STANDARD, STANDARD, Rules(5, 4)):
        assert counts.search(Board(rules), 2)[0] > 0
        assert other.search(Board(rules), 2) is None
    assert done == [("counts", STANDARD), ("counts", Rules(5, 4))]


def test_the_command_shows_both_shares_and_names_the_counts_in_json(arena):
    words = ("depths", "alphabeta:order=centre", "--depth", "4", "--quiet")
    [row] = json.loads(arena(*words, "--why", "--json").out)
    assert row["nodes"] == 239
    assert row["cut_share"] == row["cuts"] / row["inner"]
    [plain] = json.loads(arena(*words, "--json").out)
    assert set(row) - set(plain) == set(COUNTS)
    assert "by the first" in arena(*words, "--why").out
    assert "by the first" not in arena(*words).out


def test_python_has_the_same_columns():
    found = api.depths(["alphabeta:order=centre"], 4, why=True, rules=STANDARD)
    assert list(found.columns) == names(CountedCost)
    assert "cut_share" not in api.depths(["alphabeta"], 2)
