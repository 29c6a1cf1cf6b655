"""The kernels of random games, of counting searches and of sorting, beside plain Python that does so on boards."""

import functools

import numpy as np
import pytest
from as_python import as_python

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT, address_of, jit, specialize
from agents.score import WIN
from agents.search import compiled, uct
from agents.search.control import (
    BUDGET,
    CONTROL_WORDS,
    COUNT,
    HISTORY,
    KILLERS,
    MAX_DEPTH,
    NODES,
    PRUNE,
    PV,
    PV_WORDS,
    PVS,
    SORT,
    TABLE_WORDS,
    TERMINAL_SCORES,
    UNLIMITED,
    new_memory,
)
from agents.search.counting import NodeCounts
from agents.search.kernel import clear_pv, update_pv
from agents.search.most_fours import MostFoursSearch
from agents.search.negamax import NegamaxSearch

from .slow_search import SlowSearch

SMALL, OTHER, WIDE, MOST = Rules(5, 4, 3), Rules(5, 4), Rules(13, 3, 3), Rules(4, 4, 3, most_fours=True)
"""Boards on which other tests compile the same kernels."""


class SlowUct:
    """The search of `agents.search.uct` on boards, with a dictionary for the tree."""

    def __init__(self, order, c, words):
        self.order, self.c, self.words = order, c, words
        self.visits, self.points, self.nodes = {}, {}, 1

    def draw(self):
        """Return Marsaglia's xorshift of four words."""
        x, y, z, w = self.words
        mixed = x ^ x << 11 & 0xFFFFFFFF
        self.words = [y, z, w, w ^ w >> 19 ^ mixed ^ mixed >> 8]
        return self.words[3]

    def game(self, root, tried):
        """Play a random game from a leaf below a root that tries these moves."""
        board, path = root, [root.moves]
        while board.outcome is None and not (len(path) > 1 and decided(board)):
            columns = [column for column in self.order if column in (tried if len(path) == 1 else board.legal_moves())]
            new = [column for column in columns if (*board.moves, column) not in self.visits]
            board = board.play(new[0] if new else max(columns, key=functools.partial(self.bound, board)))
            self.nodes += 1
            path.append(board.moves)
            if new:
                break
        known = board.outcome is not None or decided(board)
        points = points_of_last(board) if known else self.played(board)
        for place, at in enumerate(reversed(path)):
            self.visits[at] = self.visits.get(at, 0) + 1
            self.points[at] = self.points.get(at, 0) + (2 - points if place % 2 else points)

    def bound(self, board, column):
        """Return the upper confidence bound of a move."""
        child = (*board.moves, column)
        log = np.log(max(1, self.visits.get(board.moves, 0)))
        return self.points[child] / (2 * self.visits[child]) + self.c * np.sqrt(log / self.visits[child])

    def played(self, board):
        """Return the points, for the player of the last move, of a random game."""
        plies = 0
        while board.outcome is None:
            legal = board.legal_moves()
            board, plies = board.play(legal[self.draw() * len(legal) >> 32]), plies + 1
            self.nodes += 1
        return points_of_last(board) if plies % 2 == 0 else 2 - points_of_last(board)


def winning(board):
    """Return the moves that end the game with a line."""
    return [] if board.rules.most_fours else [c for c in board.legal_moves() if board.rules.line(board.play(c).opp)]


def decided(board):
    return bool(winning(board))


def points_of_last(board):
    """Return 2, 1 or 0 points of the player of the last move, who has lost where the other completes a line."""
    if board.outcome is None:
        return 0
    return 1 if board.outcome.winner is None else 2 * (board.outcome.winner != board.mover)


@pytest.mark.parametrize("rules", [STANDARD, OTHER, MOST], ids=str)
def test_random_games_are_those_of_a_slow_search(rules, monkeypatch):
    columns, size = rules.columns, uct.CHILDREN + rules.columns
    order = np.arange(columns - 1, -1, -1, dtype=np.int64)
    compiled_too, build = JIT and rules != MOST, uct.build  # no other test compiles this search where most fours win
    if not compiled_too:
        monkeypatch.setattr(uct, "jit", lambda _: lambda function: function)
        build = uct.build.__wrapped__
    kernel = build(columns, rules.rows, rules.connect, rules.decisive)
    for moves in ("", "1231", "112233", "1122333", "44132"):
        board = Board.from_moves(moves, rules)
        stops = winning(Board(rules, board.opp, board.own, board.ply))
        for c in (0.0, 0.7, 2.5):
            slow = SlowUct(order.tolist(), c, [5, 7, 11, 13])
            for _ in range(40):
                slow.game(board, winning(board) or stops or board.legal_moves())
            for search in [as_python(kernel), kernel] if compiled_too else [as_python(kernel)]:
                tree, chance = np.zeros(100 * size, np.int64), np.array([5, 7, 11, 13], np.int64)
                control = np.zeros(CONTROL_WORDS, np.int64)
                control[BUDGET] = UNLIMITED
                search(board.own, board.opp, 40, c, order, tree, chance, control)
                assert (chance.tolist(), control[NODES]) == (slow.words, slow.nodes)
                for column in range(columns):
                    at = tree[uct.CHILDREN + column]
                    child = (*board.moves, column)
                    found = (tree[at + uct.VISITS], tree[at + uct.POINTS]) if at else (0, 0)
                    assert found == (slow.visits.get(child, 0), slow.points.get(child, 0))


def some_value(own, opp):
    """Value a position; the same for both sides."""
    return (own * 7 & 1023) - (opp * 7 & 1023)


def some_score(own, opp, column):
    """Score a column for one side, with many ties."""
    return (own * 5 ^ opp) >> column & 3


@functools.cache
def leaves_on(rules):
    return compiled.compile_children(jit(inline=True)(some_value), "some", rules)


@functools.cache
def order_on(rules):
    return compiled.compile_order(jit(inline=True)(some_score), "some", rules)


FLAGS_OF = {
    "minimax": TERMINAL_SCORES, "alphabeta": TERMINAL_SCORES | PRUNE, "sorted": TERMINAL_SCORES | PRUNE | SORT,
    "no wins": PRUNE, "killers": TERMINAL_SCORES | PRUNE | KILLERS,
    "history": TERMINAL_SCORES | PRUNE | SORT | HISTORY, "pvs": TERMINAL_SCORES | PRUNE | SORT | PVS,
    "all": TERMINAL_SCORES | PRUNE | KILLERS | HISTORY | PVS,
}  # fmt: skip


def parts_on(rules, order, *, score):
    """Return a heuristic, and an ordering with a score or without."""
    ordering = compiled.CompiledOrdering(tuple(order), some_score if score else None, lambda: order_on(rules))
    return compiled.CompiledHeuristic(None, lambda: leaves_on(rules)), ordering


@pytest.mark.parametrize("name", FLAGS_OF)
def test_a_counting_search_finds_what_another_does_and_its_counts_add_up(name):
    flags, board = FLAGS_OF[name], Board.from_moves("255", SMALL)
    parts = parts_on(SMALL, range(5), score=flags & SORT)
    searches = [NegamaxSearch(SMALL, *parts, flags & ~SORT | count, 1) for count in (0, COUNT)]
    size, hint = searches[0].memory[TABLE_WORDS], -1
    for depth, megabytes in ((1, 0), (3, 0), (3, 1), (4, 1)):
        answers = []
        for search in searches:
            search.begin(UNLIMITED)
            search.memory[TABLE_WORDS] = size * megabytes
            answers.append([*search.run(board.own, board.opp, depth, hint), search.nodes, search.pv])
        assert answers[0] == answers[1]
        counts, hint = NodeCounts.read(searches[1].memory, 5), answers[0][1]
        assert counts.inner + counts.leaves + counts.table_cutoffs == answers[0][2]
        assert counts.table_cutoffs <= counts.hits <= counts.probes
        assert (counts.probes > 0) == (megabytes > 0 and depth > 2)
        assert (sum(counts.cutoffs) > 0) == (flags & PRUNE > 0 and depth > 1)


@pytest.mark.parametrize("pruning", [0, PRUNE])
@pytest.mark.parametrize("points", [0, 7])
def test_where_most_fours_win_a_search_is_the_slow_one_up_to_the_last_cell_and_short_of_it(points, pruning):
    order = (2, 1, 3, 0)

    def worth(end, distance, left):
        ahead = MOST.fours(end.own) - MOST.fours(end.opp)
        if points:
            return points * ahead if left else some_value(end.own, end.opp)
        return ((ahead > 0) - (ahead < 0)) * (WIN - distance)

    for moves in ("3343412234", "4433221144321", "334341223412112", "12341234"):
        board = Board.from_moves(moves, MOST)
        for depth in (1, 2, 3, 6, 9) if board.ply > 9 else (1, 3):
            search = MostFoursSearch(
                MOST, *parts_on(MOST, order, score=False), TERMINAL_SCORES | pruning, points=points
            )
            slow = SlowSearch(some_value, lambda _: order, bool(pruning), worth=worth)
            value, line = slow.search(board, depth)
            assert (*search.run(board.own, board.opp, depth), search.nodes) == (value, line[0], slow.nodes)
            assert search.pv == line


def test_a_line_of_any_length_is_the_move_and_the_line_below_it():
    memory, line = new_memory(range(7), 0), []
    for ply in reversed(range(MAX_DEPTH)):
        as_python(clear_pv)(memory, ply)
        as_python(update_pv)(memory, ply, 6)
        as_python(update_pv)(memory, ply, ply % 7)
        line = [ply % 7, *line]
        assert memory[PV + ply * PV_WORDS :][: len(line) + 1].tolist() == [*line, -1]
    as_python(clear_pv)(memory, 1)
    as_python(update_pv)(memory, 0, 5)
    assert memory[PV:][:3].tolist() == [5, -1, 2]
    assert memory[PV + 2 * PV_WORDS :][:3].tolist() == [2, 3, 4]


@pytest.mark.parametrize("rules", [STANDARD, WIDE], ids=str)
def test_columns_are_sorted_by_their_score_then_from_the_centre(rules):
    chance = np.random.default_rng(3)
    lanes = compiled.lanes_of(rules.columns)
    by_worth = [order_by_worth(rules, worth) for worth in (-(1 << 60), 1 << 60)[: 1 if rules == WIDE else 2]]
    for _ in range(12):
        board = Board(rules)
        for _ in range(chance.integers(0, rules.columns * rules.rows - 3)):
            after = board.play(int(chance.choice(board.legal_moves())))
            board = after if after.outcome is None else board
        scores = np.zeros(100, np.int64)
        order_on(rules)(board.own, board.opp, lanes, address_of(scores), 60)
        by_score = {column: -some_score(board.own, board.opp, column) for column in board.legal_moves()}
        ranked = sorted(
            range(rules.columns),
            key=lambda column: (by_score.get(column, 9), abs(2 * column - rules.columns + 1), column),
        )
        full = [column for column in ranked if column not in by_score]
        assert scores[60 : 60 + rules.columns].tolist() == [*[each for each in ranked if each not in full], *full]
        keys = scores[lanes : lanes + rules.columns].tolist()
        assert sorted(range(rules.columns), key=lambda column: -keys[column]) == [
            *[each for each in ranked if each not in full],
            *full,
        ]
        assert [key & compiled.COLUMN for key in keys] == list(range(rules.columns))
        nearest = sorted(range(rules.columns), key=lambda column: (abs(2 * column - rules.columns + 1), column))
        for order in by_worth:  # beyond what a key can hold: all are equal, full columns last
            order(board.own, board.opp, lanes, address_of(scores), 60)
            expected = [*[each for each in nearest if each not in full], *[each for each in nearest if each in full]]
            assert scores[60 : 60 + rules.columns].tolist() == expected


def order_by_worth(rules, worth):
    """Return the order by a score that is the same for all columns."""
    score = specialize(equally, f"worth{worth}", None, inline=True, WORTH=worth)
    return compiled.compile_order(score, f"worth{worth}", rules)


WORTH = 0


def equally(own, opp, column):
    return WORTH
