import functools
import itertools

import numpy as np
import pytest
from as_python import as_python
from grid import SIZES, open_boards
from hypothesis import given
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.score import proven
from agents.search import compiled as prepared
from agents.search.control import (
    ABORTED,
    BUDGET,
    FLAGS,
    HISTORY,
    HISTORY_SCORES,
    KILLER_CELLS,
    KILLERS,
    LMR,
    MOVES,
    NODES,
    PRUNE,
    PVS,
    TERMINAL_SCORES,
    UNLIMITED,
    BoardConstants,
    new_memory,
)
from agents.search.counting import NodeCounts
from agents.search.negamax import NegamaxSearch, build, learn, reorder
from agents.specs.components import ORDERINGS
from agents.specs.registry import parse
from arena.depth.cuts import count_nodes

from .slow_search import SlowSearch, value_at_the_end

BOARDS = [STANDARD, Rules(5, 4, 3)] if JIT else SIZES
ALL = [sum(chosen) for number in (1, 2, 3) for chosen in itertools.combinations((KILLERS, HISTORY, PVS), number)]
DEEPEST = 5 if JIT else 3
ORDERS = ["left-to-right", "centre", "open-windows"]
boards, depths, orders = open_boards(BOARDS), st.integers(1, DEEPEST), st.sampled_from(ORDERS)


@functools.cache
def parts_on(rules, order):
    return prepared.heuristic("powers-of-ten", rules), prepared.ordering(order, rules)


def search_on(board, order, options=0, megabytes=0):
    """Return a search with a memory of its own."""
    return NegamaxSearch(board.rules, *parts_on(board.rules, order), options | PRUNE | TERMINAL_SCORES, megabytes)


def search(board, depth, order, options=0, *, hash_move=-1, megabytes=0, budget=UNLIMITED, made=None):
    """Return (value, column, nodes, principal variation)."""
    made = search_on(board, order, options, megabytes) if made is None else made
    made.memory[[NODES, BUDGET]] = 0, budget
    return *made.run(board.own, board.opp, depth, hash_move), made.nodes, made.pv


@given(boards, depths, orders, st.sampled_from(ALL), st.data())
def test_no_option_changes_value_or_move_and_the_line_ends_in_the_value(board, depth, order, enhancements, data):
    hash_move = data.draw(st.sampled_from([-1, *board.legal_moves()]))
    megabytes = data.draw(st.sampled_from([0, 1]))
    value, column, _, line = search(board, depth, order, enhancements, hash_move=hash_move, megabytes=megabytes)
    assert (value, column) == search(board, depth, order)[:2]
    assert line[0] == column
    assert value_at_the_end(board, line, depth, parts_on(board.rules, order)[0].evaluate) == value


@given(boards, st.integers(1, DEEPEST - 1), orders, st.sampled_from(ALL))
def test_value_and_move_are_those_of_the_slow_search(board, depth, order, enhancements):
    heuristic, ordering = parts_on(board.rules, order)
    score = ordering.score and as_python(ordering.score)

    def arranged(board):
        legal = [column for column in ordering.columns if column in board.legal_moves()]
        return sorted(legal, key=lambda column: -score(board.own, board.opp, column) if score else 0)

    value, line = SlowSearch(heuristic.evaluate, arranged, pruning=True).search(board, depth)
    assert search(board, depth, order, enhancements)[:2] == (value, line[0])


@given(boards, depths, orders, st.sampled_from(ALL), st.booleans())
def test_what_was_learned_from_other_depths_and_positions_changes_neither(board, depth, order, enhancements, tabled):
    made = search_on(board, order, enhancements, 1 if tabled else 0)
    for position, plies in itertools.product((board, board.mirror()), range(1, depth + 1)):
        found = search(position, plies, order, made=made)
        assert found[:2] == search(position, plies, order)[:2]


@given(boards, depths, orders, st.sampled_from(ALL), st.data())
def test_a_budget_is_spent_to_the_last_node_and_not_beyond(board, depth, order, enhancements, data):
    needed = search(board, depth, order, enhancements)
    budget = data.draw(st.integers(1, needed[2] + 5))
    found = search(board, depth, order, enhancements, budget=budget)
    if budget < needed[2]:
        assert found[1:3] == (ABORTED, budget)
    else:
        assert found == needed


@given(boards, depths, orders)
def test_up_to_two_plies_there_is_nothing_to_learn_and_nothing_to_ask_twice(board, depth, order):
    for enhancements in ALL:
        found = search(board, min(depth, 2), order, enhancements)
        assert found == search(board, min(depth, 2), order)


def test_killers_are_the_last_two_cells_that_cut_and_history_counts_cuts_less_vain_tries():
    board = Board.from_moves("44")
    made = search_on(board, "left-to-right", KILLERS | HISTORY)
    search(board, 4, "left-to-right", made=made)
    by_ply = made.memory[KILLER_CELLS : KILLER_CELLS + 8].reshape(4, 2).tolist()
    assert by_ply[0] == by_ply[3] == [0, 0]  # the root is never cut, the last ply's moves are valued all at once
    for last, before in by_ply[1:3]:
        assert last != before
        assert last > 0
    mine, theirs = made.memory[HISTORY_SCORES : HISTORY_SCORES + 128].reshape(2, 64)
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
    agent, counter, counted = parse(spec).build(), parse(spec).build(), []
    assert count_nodes(counter)
    counter.completed = lambda *_: counted.append(NodeCounts.read(counter.search.memory, 7))
    return agent, counter, counted


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


SHAPE = BoardConstants(7, 6, 4, STANDARD.bottom, STANDARD.cells, 8)
ORDER = 3, 2, 4, 1, 5, 0, 6
"""The order of moves in the tests below, where the middle is full."""
BOARD = Board.from_moves("44444423")
PLAYABLE = (BOARD.own | BOARD.opp) + STANDARD.bottom & STANDARD.cells


def cell(column, row):
    return column * 7 + row


@pytest.mark.parametrize("ply", [0, 1, 2, 5])
@pytest.mark.parametrize(
    ("flags", "order"),
    [
        (0, ORDER),
        (KILLERS, (5, 1, 3, 2, 4, 0, 6)),
        (HISTORY, (6, 0, 3, 4, 1, 5, 2)),
        (KILLERS | HISTORY, (5, 1, 6, 0, 3, 4, 2)),
    ],
)
def test_the_last_killer_comes_first_then_the_one_before_it_then_the_best_in_history(ply, flags, order):
    memory = new_memory(ORDER, flags)
    memory[[KILLER_CELLS + 2 * ply, KILLER_CELLS + 2 * ply + 1]] = cell(5, 0) + 1, cell(1, 1) + 1
    memory[KILLER_CELLS + 2 * ply + 2] = cell(4, 0) + 1  # of another ply
    history, other = (HISTORY_SCORES + 64 * (side % 2) for side in (ply, ply + 1))
    for column, row, score in ((6, 0, 50), (0, 0, 20), (2, 1, -5), (6, 1, -9), (4, 3, 99)):
        memory[history + cell(column, row)] = score
    memory[other : other + 64] = np.arange(64)
    place = as_python(reorder)(memory, MOVES, ply, PLAYABLE, SHAPE)
    assert place == MOVES + 7 * ply
    assert tuple(memory[place : place + 7].tolist()) == order


@pytest.mark.parametrize("ply", [0, 1, 3])
@pytest.mark.parametrize("flags", [0, KILLERS, HISTORY, KILLERS | HISTORY])
def test_a_cut_is_remembered_as_a_killer_and_in_the_history_of_its_side_and_vain_tries_are_debited(ply, flags):
    memory = new_memory(ORDER, flags)
    killers, side, credit = KILLER_CELLS + 2 * ply, HISTORY_SCORES + 64 * (ply % 2), (6 - ply) ** 2
    expected = memory.copy()
    for cut, place in ((4, 2), (4, 2), (5, 4), (2, -1)):  # the last is a hash move: none was tried before
        as_python(learn)(memory, MOVES, ply, 6 - ply, place, cut, PLAYABLE, SHAPE)
        cells = {2: cell(2, 1), 4: cell(4, 0), 1: cell(1, 1), 5: cell(5, 0)}
        if flags & KILLERS and expected[killers] != cells[cut] + 1:
            expected[[killers, killers + 1]] = cells[cut] + 1, expected[killers]
        if flags & HISTORY:
            expected[side + cells[cut]] += credit
            for column in (3, 2, 4, 1)[: max(place, 0)]:
                if column not in {3, cut}:  # the middle is full
                    expected[side + cells[column]] -= credit
        assert memory[:FLAGS].tolist() == expected[:FLAGS].tolist()


@given(boards, orders, st.booleans())
def test_late_move_reductions_change_nothing_up_to_four_plies(board, order, pvs):
    options = PVS if pvs else 0
    for depth in range(1, 5 if JIT else 4):
        assert search(board, depth, order, options | LMR) == search(board, depth, order, options)


@pytest.mark.skipif(not JIT, reason="it takes minutes as plain Python")
def test_late_move_reductions_save_nodes_and_may_change_the_value():
    values, nodes = [], []
    for option in ("", ",lmr=on"):
        answers = [
            parse(f"alphabeta:order=centre,depth=9{option}").build().choose(Board.from_moves(moves), Limits())
            for moves in ("", "4", "44", "4453", "1212")
        ]
        values.append([answer.score for answer in answers])
        nodes.append(sum(answer.nodes for answer in answers))
    assert nodes[1] < 0.7 * nodes[0]
    assert values[1] != values[0]


@given(boards, orders, st.booleans())
def test_a_win_that_late_move_reductions_prove_is_one(board, order, tabled):
    depth = DEEPEST + 1
    found = search(board, depth, order, LMR, megabytes=1 if tabled else 0)
    exact = search(board, depth, order)
    if proven(found[0]):
        assert (found[0] > 0) == (exact[0] > 0)
        assert proven(exact[0])


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_the_search_is_compiled_for_one_type_of_its_parameters():
    """If it passed itself a literal, numba would compile a second function, which its cache on disk does not hold."""
    assert len(build(7, 6, 4).nopython_signatures) == 1
