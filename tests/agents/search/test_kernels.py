"""Every kernel of a search, as it was recorded, with the jit and without; some as Python beside the compiled ones."""

import functools

import numpy as np
import pytest
from as_python import as_python
from recorded import holds, plain

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import EVALUATE_SIGNATURE, JIT, SORT_SIGNATURE, address_of, jit, specialize, word
from agents.search import compiled, perft, published, uct
from agents.search.control import (
    BUDGET,
    CONTROL_WORDS,
    COUNT,
    COUNTS,
    EVALUATE,
    HISTORY,
    HISTORY_SCORES,
    KILLER_CELLS,
    KILLERS,
    NODES,
    PRUNE,
    PV,
    PVS,
    SORT,
    SORT_MOVES,
    STOP,
    TABLE_WORDS,
    TERMINAL_SCORES,
    UNLIMITED,
)
from agents.search.kernel import Search
from agents.search.most_fours import MostFoursSearch, last_cell
from agents.search.negamax import NegamaxSearch

SMALL, OTHER, WIDE, MOST = Rules(5, 4, 3), Rules(5, 4), Rules(14, 3, 3), Rules(4, 4, 3, most_fours=True)
"""Boards on which other tests compile the same kernels."""
POSITIONS = {
    STANDARD: ("", "4453", "22752461", "354513556", "44444427", "2231147774324737456622246376", "112233"),
    SMALL: ("", "255", "42121", "25241444", "5144512443"),
    OTHER: ("", "255", "42121", "25241444", "5144512443"),
}
LATE = {STANDARD: ("515132745561151372365127666", "2231147774324737456622246376"), OTHER: ("5144512443", "42121344")}


def both(kernel):
    """Return a kernel as plain Python and, where there is one, compiled."""
    return [as_python(kernel), kernel] if JIT else [as_python(kernel)]


def sorting_above(rules, cells):
    """Return `oneil` for a board, where nodes with more empty cells than this sort their moves."""
    columns, rows, connect = rules.size
    return specialize(
        published.oneil, f"{rules}-above-{cells}", word(*[word] * 7), COLUMNS=columns, ROWS=rows, CONNECT=connect,
        BOTTOM=rules.bottom, CELLS=rules.cells, WIDTH=8, SORTED_ABOVE=cells,
    )  # fmt: skip


def words(budget=UNLIMITED):
    control = np.zeros(CONTROL_WORDS, np.int64)
    control[BUDGET] = budget
    return control


def alike(kernels, ask):
    """Return what a kernel answers in plain Python; compiled it answers the same."""
    answers = [plain(ask(kernel)) for kernel in kernels]
    assert answers[1:] in ([], answers[:1])
    return answers[0]


def test_random_games_are_the_same_and_stay(request):
    found = {}

    def ask(kernel, board, playouts, c, size, budget):
        tree, chance, control = np.zeros(size, np.int64), np.array([5, 7, 11, 13], np.int64), words(budget)
        order = np.arange(board.rules.columns - 1, -1, -1, dtype=np.int64)
        kernel(board.own, board.opp, playouts, c, order, tree, chance, control)
        node = uct.CHILDREN + board.rules.columns
        nodes = tree[: size // node * node].reshape(-1, node)
        return [nodes[:12].tolist(), int(nodes[:, 0].sum()), chance.tolist(), int(control[NODES])]

    given = {STANDARD: POSITIONS[STANDARD], OTHER: POSITIONS[OTHER]}
    for rules, positions in {**given, MOST: ("", "1234", "44332211441", "111122223333")}.items():
        kernels = both(uct.build(rules.columns, rules.rows, rules.connect, rules.decisive))
        for moves in positions:
            board = Board.from_moves(moves, rules)
            for given in ((25, 0.7, 4000, UNLIMITED), (40, 0.0, 100, UNLIMITED), (30, 2.5, 4000, 90)):
                found[f"{rules} {moves} {given[:2]}"] = alike(
                    kernels, lambda kernel, board=board, given=given: ask(kernel, board, *given)
                )
    holds("search-uct", found, request)


def test_numbers_of_games_are_the_same_and_stay(request):
    found = {}
    given = {STANDARD: POSITIONS[STANDARD], SMALL: POSITIONS[SMALL]}
    for rules, positions in {**given, MOST: ("", "12343", "44332211441")}.items():
        kernels = both(perft.build(rules.columns, rules.rows, rules.decisive))
        for moves in (*positions, *LATE.get(rules, ())):
            board = Board.from_moves(moves, rules)
            found[f"{rules} {moves}"] = alike(
                kernels, lambda kernel, board=board: [kernel(board.own, board.opp, depth) for depth in range(5)]
            )
    holds("search-perft", found, request)


def some_value(own, opp):
    """Value a position; the same for both sides."""
    return (own * 7 & 1023) - (opp * 7 & 1023)


def some_score(own, opp, column):
    """Score a column for one side, with many ties."""
    return (own * 5 ^ opp) >> column & 3


def lopsided(own, opp):
    """Value a position, not the same for both sides."""
    return (own * 7 & 1023) - (opp * 5 & 511)


@functools.cache
def leaves_on(rules):
    return compiled.compile_children(jit(inline=True)(some_value), "some", rules)


@functools.cache
def order_on(rules):
    return compiled.compile_order(jit(inline=True)(some_score), "some", rules)


FLAGS_OF = {
    "minimax": TERMINAL_SCORES, "alphabeta": TERMINAL_SCORES | PRUNE, "sorted": TERMINAL_SCORES | PRUNE | SORT,
    "no wins": PRUNE,
    "killers": TERMINAL_SCORES | PRUNE | KILLERS, "history": TERMINAL_SCORES | PRUNE | SORT | HISTORY,
    "pvs": TERMINAL_SCORES | PRUNE | SORT | PVS, "all": TERMINAL_SCORES | PRUNE | KILLERS | HISTORY | PVS,
}  # fmt: skip


@pytest.mark.parametrize("counting", [False, True])
def test_depth_limited_searches_stay(request, counting):
    """With each flag, hint, table and budget."""
    found = {}
    for rules in (STANDARD, SMALL):
        for enhanced in (False, True):
            for moves in POSITIONS[rules][1:3]:
                board = Board.from_moves(moves, rules)
                for name, flags in FLAGS_OF.items():
                    if (flags >= KILLERS) == enhanced:
                        found[f"{rules} {moves} {name}"] = deepened(board, flags | COUNT * counting)
    holds(f"search-negamax{'-counted' * counting}", plain(found), request)


def parts_on(rules, order, *, score):
    """Return a heuristic, and an ordering with a score or without."""
    ordering = compiled.CompiledOrdering(tuple(order), some_score if score else None, lambda: order_on(rules))
    return compiled.CompiledHeuristic(None, lambda: leaves_on(rules)), ordering


def deepened(board, flags):
    """Return what searches say, with a table that stays, and hints."""
    search = NegamaxSearch(
        board.rules, *parts_on(board.rules, range(board.rules.columns), score=flags & SORT), flags & ~SORT, 1
    )
    memory, rows, hint = search.memory, [], -1
    size = memory[TABLE_WORDS]
    for depth, megabytes, budget in (
        (1, 0, UNLIMITED),
        (3, 0, UNLIMITED),
        (3, 1, UNLIMITED),
        (4, 1, UNLIMITED),
        (4, 0, 60),
    ):
        memory[[BUDGET, NODES, TABLE_WORDS, PV]] = budget, 0, size * megabytes, -1
        value, hint = search.run(board.own, board.opp, depth, hint)
        counts = memory[COUNTS : COUNTS + 6 + board.rules.columns].tolist()
        rows.append([value, hint, search.nodes, list(search.pv), counts])
    history, killers = memory[HISTORY_SCORES:KILLER_CELLS], memory[KILLER_CELLS : KILLER_CELLS + 10]
    return [rows, [int(history.sum()), int(abs(history).sum()), int(np.flatnonzero(history).sum())], killers.tolist()]


def test_searches_to_the_last_cell_where_most_fours_win_stay(request):
    found = {}
    for points in (0, 7):
        counted = as_python(last_cell(4, 4, 3, points))
        for moves in ("334341223412112", "443322114432113"):
            board = Board.from_moves(moves, MOST)
            values = np.zeros(8, np.int64)
            found[f"{points} {moves} last"] = [counted(board.own, board.opp, 0, 0, 4, values), values.tolist()]
        for moves in ("3343412234", "4433221144321", "12341234"):
            board = Board.from_moves(moves, MOST)
            for depth in (1, 2, 3, 6, 9):
                for flags, name in ((TERMINAL_SCORES | PRUNE, 5), (PRUNE | SORT, 3), (TERMINAL_SCORES, 4)):
                    left = 16 - board.ply
                    if depth > left + 1 or (flags == TERMINAL_SCORES and depth > 4):
                        continue
                    parts = parts_on(MOST, (2, 1, 3, 0), score=flags & SORT)
                    search = MostFoursSearch(MOST, *parts, flags & ~SORT, points=points)
                    answer = search.run(board.own, board.opp, depth)
                    found[f"{points} {moves} {depth} {name}"] = [*answer, search.nodes, list(search.pv)]
    holds("search-most-fours", plain(found), request)


def test_the_published_searches_are_the_same_and_stay(request):
    found = {}
    late = {
        SMALL: ("5144512443", "42121344", "25141"),
        Rules(6, 5, 5): ("23164421114531366443253", "16332233663164562224415"),
    }
    evaluate = {EVALUATE: (jit(EVALUATE_SIGNATURE)(lopsided), EVALUATE_SIGNATURE)}
    for rules, positions in {**LATE, **late}.items():
        order = sorted(range(rules.columns), key=lambda column: abs(2 * column - rules.columns + 1))
        kernel, leaves = (published.build(search, *rules.size) for search in (published.oneil, published.itu))
        sort = {SORT_MOVES: (order_on(rules), SORT_SIGNATURE)}
        for moves in positions:
            board = Board.from_moves(moves, rules)
            left = rules.columns * rules.rows - board.ply
            for budget in (UNLIMITED, 500, 40, 0):
                for name, stop in (("", 0), (" stopped", 1)):
                    row = asked(Search(kernel, order, sort, SORT), board, left, budget, stop) if left < 20 else []
                    found[f"oneil {rules} {moves} {budget}{name}"] = row
            if left < 11:  # with sorted moves as far as to a node with so many empty cells
                for above in (4, left - 1, left):
                    sorting = sorting_above(rules, above)
                    found[f"oneil {rules} {moves} above {above}"] = asked(
                        Search(sorting, order, sort, SORT), board, left
                    )
        for moves in (*POSITIONS.get(rules, ())[:4], *positions):
            board = Board.from_moves(moves, rules)
            for depth, budget in ((1, UNLIMITED), (2, UNLIMITED), (4, UNLIMITED), (4, 77)):
                search = Search(leaves, order, evaluate)
                search.__class__ = published.ItuSearch  # with another order
                found[f"itu {rules} {moves} {depth} {budget}"] = asked(search, board, depth, budget)
    holds("search-published", plain(found), request)


def asked(search, board, depth, budget=UNLIMITED, stop=0):
    """Return what a search with a limit answers, its nodes and its line; of O'Neil's move only if it was aborted."""
    search.memory[[STOP, BUDGET]] = stop, budget
    value, column = search.run(board.own, board.opp, depth)
    answer = column if isinstance(search, published.ItuSearch) else min(column, 0)
    return [value, answer, search.nodes, list(search.pv)]


@pytest.mark.parametrize("rules", [STANDARD, SMALL, WIDE], ids=str)
def test_columns_are_sorted_by_their_score_then_from_the_centre(rules):
    chance = np.random.default_rng(3)
    lanes = compiled.lanes_of(rules.columns)
    by_worth = [order_by_worth(rules, worth) for worth in (-(1 << 60), 1 << 60)]
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
