import functools
import itertools

import numpy as np
import pytest
from as_python import as_python
from grid import SIZES, open_boards
from hypothesis import given
from hypothesis import strategies as st
from slow_search import SlowSearch, value_at_the_end

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.search import compiled as prepared
from agents.search import negamax
from agents.search.enhancements import KILLED, NUMBERS, learn, reorder, scout, search_again
from agents.search.frame import ALPHA, BEST, BETA, HASH_MOVE, MOVES, OPP, OWN, RANK, TRY
from agents.search.task import (
    ABORTED,
    BATCH,
    BUDGET,
    CONTROL_WORDS,
    COUNTING_WORDS,
    ENHANCEMENT_WORDS,
    HISTORY,
    INFINITY,
    KILLERS,
    NODES,
    NORMAL_WIN,
    OPEN,
    PRUNE,
    PVS,
    SORT,
    STOPPED,
    UNLIMITED,
    Shape,
    Task,
)
from agents.search.transpositions import empty_table
from agents.specs.parts import ORDERINGS
from agents.specs.registry import parse
from arena.measure.cuts import counting

BOARDS = [STANDARD, Rules(5, 4, 3)] if JIT else SIZES
ALL = [sum(chosen) for number in (1, 2, 3) for chosen in itertools.combinations((KILLERS, HISTORY, PVS), number)]
DEEPEST = 5 if JIT else 3
ORDERS = ["left-to-right", "centre", "open-windows"]
boards, depths, orders = open_boards(BOARDS), st.integers(1, DEEPEST), st.sampled_from(ORDERS)


@functools.cache
def parts_on(rules, order):
    return prepared.heuristic("powers-of-ten", rules), prepared.ordering(order, rules)


def words(budget=UNLIMITED):
    control = np.zeros(CONTROL_WORDS + COUNTING_WORDS + ENHANCEMENT_WORDS, np.int64)
    control[BUDGET] = budget
    return control


def search(board, depth, order, enhancements=0, *, hash_move=-1, table=None, control=None):
    """Run the kernel, the plain one without options; return (value, column, nodes, principal variation)."""
    heuristic, ordering = parts_on(board.rules, order)
    kernel = negamax.bind(board.rules, heuristic.evaluate_children, ordering.sort_moves, enhancements=enhancements != 0)
    control = words() if control is None else control
    pv = np.full((depth + 1) ** 2, -1, np.int64)
    flags = enhancements | PRUNE | NORMAL_WIN | (SORT if ordering.score else 0) | (BATCH if heuristic.compiled else 0)
    table = empty_table(0) if table is None else table
    columns = np.array(ordering.columns, np.int64)
    value, column = kernel(board.own, board.opp, depth, flags, columns, hash_move, table, control, pv)
    line = pv[: depth + 1].tolist()
    return int(value), int(column), int(control[NODES]), tuple(line[: line.index(-1)])


@given(boards, depths, orders, st.sampled_from(ALL), st.data())
def test_no_option_changes_value_or_move_and_the_line_ends_in_the_value(board, depth, order, enhancements, data):
    hash_move = data.draw(st.sampled_from([-1, *board.legal_moves()]))
    table = empty_table(data.draw(st.sampled_from([0, 1])))
    value, column, _, line = search(board, depth, order, enhancements, hash_move=hash_move, table=table)
    assert (value, column) == search(board, depth, order)[:2]
    assert line[0] == column
    assert value_at_the_end(board, line, depth, parts_on(board.rules, order)[0].evaluate) == value


@given(boards, st.integers(1, DEEPEST - 1), orders, st.sampled_from(ALL))
def test_value_and_move_are_those_of_the_slow_search(board, depth, order, enhancements):
    heuristic, ordering = parts_on(board.rules, order)

    def arranged(board):
        legal = [column for column in ordering.columns if column in board.legal_moves()]
        return sorted(legal, key=lambda column: -ordering.score(board.own, board.opp, column) if ordering.score else 0)

    value, line = SlowSearch(heuristic.evaluate, arranged, pruning=True).search(board, depth)
    assert search(board, depth, order, enhancements)[:2] == (value, line[0])


@given(boards, depths, orders, st.sampled_from(ALL), st.booleans())
def test_what_was_learned_from_other_depths_and_positions_changes_neither(board, depth, order, enhancements, tabled):
    control, table = words(), empty_table(1 if tabled else 0)
    for position, plies in itertools.product((board, board.mirror()), range(1, depth + 1)):
        found = search(position, plies, order, enhancements, table=table, control=control)
        assert found[:2] == search(position, plies, order)[:2]


@given(boards, depths, orders, st.sampled_from(ALL), st.data())
def test_a_budget_is_spent_to_the_last_node_and_not_beyond(board, depth, order, enhancements, data):
    needed = search(board, depth, order, enhancements)
    control = words(data.draw(st.integers(1, needed[2] + 5)))
    found = search(board, depth, order, enhancements, control=control)
    if control[BUDGET] < needed[2]:
        assert found[1:3] == (ABORTED, control[BUDGET])
    else:
        assert found == needed


@given(boards, depths, orders)
def test_up_to_two_plies_there_is_nothing_to_learn_and_nothing_to_ask_twice(board, depth, order):
    for enhancements in ALL:
        found = search(board, min(depth, 2), order, enhancements)
        assert found == search(board, min(depth, 2), order)


def test_killers_are_the_last_two_cells_that_cut_and_history_counts_cuts_less_vain_tries():
    board, control = Board.from_moves("44"), words()
    search(board, 4, "left-to-right", KILLERS | HISTORY, control=control)
    by_ply = control[KILLED : KILLED + 8].reshape(4, 2).tolist()
    assert by_ply[0] == by_ply[3] == [0, 0]  # the root is never cut, the last ply's moves are valued all at once
    for last, before in by_ply[1:3]:
        assert last != before
        assert last > 0
    mine, theirs = control[NUMBERS : NUMBERS + 64], control[NUMBERS + 64 : NUMBERS + 128]
    assert mine.any()
    assert theirs.any()
    assert np.all(mine % 4 == 0)  # (4 - 2)**2 at ply 2, and
    assert np.all(theirs % 9 == 0)  # (4 - 1)**2 at ply 1
    assert mine.max() > 0 > mine.min()


@pytest.mark.skipif(not JIT, reason="it takes minutes as plain Python")
@pytest.mark.parametrize(("order", "option", "share"), [
    ("left-to-right", "killers", 0.6), ("left-to-right", "history", 0.5), ("centre", "killers", 0.8),
    ("column-score", "pvs", 0.8), ("open-windows", "pvs", 0.95),
])  # fmt: skip
def test_where_an_option_pays_it_saves_nodes(order, option, share):
    with_it, without = (
        parse(f"alphabeta:order={order}{extra}").build().choose(Board(), Limits(10)) for extra in (f",{option}=on", "")
    )
    assert (with_it.score, with_it.column) == (without.score, without.column)
    assert with_it.nodes <= share * without.nodes


@functools.cache
def searchers_with(spec):
    """Return a searcher, and one that counts with its counts."""
    agent, counter = parse(spec).build(), parse(spec).build()
    return agent, counter, counting(counter)


@given(open_boards(BOARDS[:1]), st.sampled_from(list(ORDERINGS)), st.booleans(), st.sampled_from(ALL))
def test_a_searcher_with_options_chooses_alike_forgets_games_and_counts_every_node(
    board, order, deepening, enhancements
):
    spec = f"alphabeta:order={order},depth={DEEPEST},table=on,table_size=1,deepening={'on' if deepening else 'off'}"
    names = {"killers": KILLERS, "history": HISTORY, "pvs": PVS}
    agent, counter, counted = searchers_with(
        spec + "".join(f",{name}=on" for name in names if enhancements & names[name])
    )
    answers = []
    for searcher in (agent, agent, searchers_with(spec)[0]):
        searcher.new_game(0)
        answers.append(searcher.choose(board, Limits()))
    found, again, expected = answers
    assert (found.score, found.column) == (expected.score, expected.column)
    assert [each.score for each in found.iterations] == [each.score for each in expected.iterations]
    counted.clear()
    counter.new_game(0)
    assert counter.choose(board, Limits()).nodes == again.nodes == found.nodes
    assert [sum((each.inner, each.leaves, each.table_cutoffs)) for each in counted] == [
        iteration.nodes for iteration in found.iterations
    ]


@pytest.mark.parametrize("depth", [4, 11])
def test_where_most_fours_win_no_option_changes_value_or_move(depth):
    board = Board.from_moves("12341", Rules(4, 4, 3, most_fours=True))
    found = set()
    for killers, history, pvs in itertools.product((False, True), repeat=3):
        agent = Searcher(depth=depth, killers=killers, history=history, pvs=pvs)
        answer = agent.choose(board, Limits())
        found.add((answer.score, answer.column))
    assert len(found) == 1


SHAPE = Shape(7, 6, 4, STANDARD.bottom, STANDARD.cells, 8)
FRAME_AT, ROW = 40, 80
"""Where the tests below have a node, and the order of its moves."""


def task_of(flags, control, stack, depth=6):
    return Task(depth, flags, UNLIMITED, control, stack, None, None, 0, 0)


def cell(column, row):
    return column * 7 + row


@pytest.mark.parametrize("ply", [0, 1, 2, 5])
@pytest.mark.parametrize(
    ("flags", "order"),
    [
        (0, (3, 2, 4, 1, 5, 0, 6)),
        (KILLERS, (5, 1, 3, 2, 4, 0, 6)),
        (HISTORY, (6, 0, 3, 4, 1, 5, 2)),
        (KILLERS | HISTORY, (5, 1, 6, 0, 3, 4, 2)),
    ],
)
def test_the_last_killer_comes_first_then_the_one_before_it_then_the_best_in_history(ply, flags, order):
    board, control, stack = Board.from_moves("44444423"), words(), np.zeros(120, np.int64)
    stack[[FRAME_AT + OWN, FRAME_AT + OPP]] = board.own, board.opp
    stack[ROW : ROW + 7] = 3, 2, 4, 1, 5, 0, 6  # the middle is full
    control[[KILLED + 2 * ply, KILLED + 2 * ply + 1]] = cell(5, 0) + 1, cell(1, 1) + 1
    control[KILLED + 2 * ply + 2] = cell(4, 0) + 1  # of another ply
    history, other = (NUMBERS + 64 * (side % 2) for side in (ply, ply + 1))
    for column, row, score in ((6, 0, 50), (0, 0, 20), (2, 1, -5), (6, 1, -9), (4, 3, 99)):
        control[history + cell(column, row)] = score
    control[other : other + 64] = np.arange(64)
    assert as_python(reorder)(FRAME_AT, ROW, ply, SHAPE, task_of(flags, control, stack)) == FRAME_AT + MOVES
    assert tuple(stack[FRAME_AT + MOVES : FRAME_AT + MOVES + 7].tolist()) == order


@pytest.mark.parametrize("ply", [0, 1, 3])
@pytest.mark.parametrize("flags", [0, KILLERS, HISTORY, KILLERS | HISTORY])
def test_a_cut_is_remembered_as_a_killer_and_in_the_history_of_its_side_and_vain_tries_are_debited(ply, flags):
    control, stack = words(), np.zeros(120, np.int64)
    playable = Board.from_moves("44444423")
    playable = (playable.own | playable.opp) + STANDARD.bottom & STANDARD.cells
    stack[ROW : ROW + 7] = 3, 2, 4, 1, 5, 0, 6
    killers, side, credit = KILLED + 2 * ply, NUMBERS + 64 * (ply % 2), (6 - ply) ** 2
    expected = control.copy()
    for cut, tried in ((4, 2), (4, 2), (5, 4), (2, -1)):  # the last is a hash move: none was tried before
        stack[FRAME_AT + TRY] = tried
        as_python(learn)(FRAME_AT, ROW, ply, cut, playable, SHAPE, task_of(flags, control, stack))
        cells = {2: cell(2, 1), 4: cell(4, 0), 1: cell(1, 1), 5: cell(5, 0)}
        if flags & KILLERS and expected[killers] != cells[cut] + 1:
            expected[[killers, killers + 1]] = cells[cut] + 1, expected[killers]
        if flags & HISTORY:
            expected[side + cells[cut]] += credit
            for column in (3, 2, 4, 1)[: max(tried, 0)]:
                if column not in {3, cut}:  # the middle is full
                    expected[side + cells[column]] -= credit
        assert control.tolist() == expected.tolist()


def test_null_windows_are_asked_after_the_first_move_above_the_frontier_alone():
    stack, control = np.zeros(120, np.int64), words()
    ask = as_python(scout)
    for best, flags, ply, beta, bound in (
        (5, PVS, 0, 90, 6), (5, PVS, 3, 90, 6), (5, PVS, 4, 90, 90), (5, PVS, 5, 90, 90), (5, KILLERS, 0, 90, 90),
        (-INFINITY, PVS, 0, 90, 90), (5, PVS | HISTORY, 0, 6, 6), (5, PVS, 0, 5, 5),
    ):  # fmt: skip
        stack[FRAME_AT + BEST] = best
        assert ask(FRAME_AT, ply, 5, beta, task_of(flags, control, stack)) == bound


@pytest.mark.parametrize(
    ("value", "again"), [(-19, False), (-20, True), (-21, True), (-89, True), (-90, False), (-91, False), (7, False)]
)
@pytest.mark.parametrize("nodes", [49, 50])
def test_a_move_that_beats_its_null_window_is_searched_again_from_its_value_on(value, again, nodes):
    stack, child = np.zeros(120, np.int64), FRAME_AT + MOVES + 7
    stack[FRAME_AT + BETA] = 90
    stack[[child + OWN, child + OPP, child + ALPHA, child + BETA, child + RANK]] = 11, 22, -20, -19, 2
    stack[child + MOVES : child + MOVES + 7] = 3, 2, 4, 1, 5, 0, 6
    before = stack.copy()
    task = task_of(PVS, words(), stack)._replace(budget=50)
    found = as_python(search_again)(FRAME_AT, value, nodes, SHAPE, task)
    if not again:
        assert found == (value, nodes)
    elif nodes == 50:
        assert found == (STOPPED, 50)
    else:
        assert found == (OPEN, 50)
        before[[child + ALPHA, child + BETA, child + HASH_MOVE]] = -90, value + 1, 4
    assert stack.tolist() == before.tolist()
