import itertools

import pytest
from grid import SIZES, open_boards
from hypothesis import given
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.mollerhoj import Mollerhoj
from agents.players.searcher import Searcher
from agents.search.counting import NodeCounts
from agents.specs.components import ORDERINGS
from agents.specs.registry import parse
from arena.depth.cuts import count_nodes

BOARDS = [STANDARD, Rules(5, 4, 3)] if JIT else SIZES
DEEPEST = 5 if JIT else 3


def counting(agent):
    """Have an agent count, and return the list that it fills with its counts as each depth ends."""
    assert count_nodes(agent)
    found = []
    agent.completed = lambda *_: found.append(NodeCounts.read(agent.search.memory, len(agent.search.order)))
    return found


def counted(spec, board, depth):
    """Return what a counting search and a plain one say of a board: counts, analysis, analysis."""
    agent, plain = parse(spec).build(), parse(spec).build()
    found = counting(agent)
    analysis = agent.choose(board, Limits(depth))
    return found, analysis, plain.choose(board, Limits(depth))


@given(open_boards(BOARDS), st.integers(1, DEEPEST + 1), st.sampled_from(list(ORDERINGS)), st.booleans())
@pytest.mark.compiles
def test_a_deepening_search_counts_from_the_beginning_of_its_move(board, depth, order, table):
    spec = f"alphabeta:order={order},deepening=on,table={'on' if table else 'off'}"
    found, analysis, plain = counted(spec, board, depth)
    assert [(each.nodes, each.column) for each in analysis.iterations] == [
        (each.nodes, each.column) for each in plain.iterations
    ]
    for counts, iteration in zip(found, analysis.iterations, strict=True):
        assert counts.inner + counts.leaves + counts.table_cutoffs == iteration.nodes
        assert counts.table_cutoffs <= counts.hits <= counts.probes
        assert sum(counts.cutoffs) <= counts.inner
    for before, after in itertools.pairwise(found):
        assert after.inner > before.inner
        assert all(one <= other for one, other in zip(before.cutoffs, after.cutoffs, strict=True))


def test_minimax_of_the_empty_board_is_seven_to_the_depth_leaves_and_no_cut():
    found, _, _ = counted("minimax", Board(), 4)
    assert found == [NodeCounts(1 + 7 + 49 + 343, 2401, 0, 0, 0, (0,) * 7)]


@pytest.mark.parametrize("options", ["", ",killers=on", ",history=on", ",table=on", ",killers=on,table=on"])
@pytest.mark.parametrize("order", ["left-to-right", "open-windows"])
def test_a_cut_counts_by_the_moves_tried_up_to_it(order, options):
    """Every node but the roots is a move that was tried; all seven are, where none cuts."""
    found, analysis, _ = counted(
        f"alphabeta:order={order},deepening=on{options}", Board.from_moves("4435"), DEEPEST + 1
    )
    for roots, (counts, iteration) in enumerate(zip(found, analysis.iterations, strict=True), 1):
        tried = sum(place * cuts for place, cuts in enumerate(counts.cutoffs, 1))
        assert tried + 7 * (counts.inner - sum(counts.cutoffs)) + roots == iteration.nodes
    assert counts.cutoffs[0] > 0 < sum(counts.cutoffs[1:])


def test_the_counts_of_a_search_that_ran_out_of_nodes_are_those_of_its_completed_depths():
    found, analysis, plain = counted("alphabeta:nodes=1000", Board(), None)
    assert analysis.iterations[-1].nodes == plain.iterations[-1].nodes < analysis.nodes == 1000
    last = found[len(analysis.iterations) - 1]
    assert last.inner + last.leaves == analysis.iterations[-1].nodes


@pytest.mark.parametrize("spec", ["mcts", "itu-2012", "oneil", "random", "alphabeta:compiled=no"])
def test_an_agent_with_a_search_of_its_own_does_not_count(spec):
    assert not count_nodes(parse(spec).build())


def test_only_the_agent_that_is_asked_to_counts():
    one, other = Mollerhoj(), Searcher(depth=3)
    found = counting(one)
    other.choose(Board(), Limits())
    assert found == []
    one.choose(Board(), Limits())
    assert len(found) == 1
