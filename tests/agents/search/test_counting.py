import itertools
from dataclasses import astuple

import pytest
from grid import SIZES, open_boards
from hypothesis import example, given
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.mollerhoj import Mollerhoj
from agents.players.searcher import Searcher
from agents.search.counting import NodeCounts
from agents.search.transpositions import fetch
from agents.specs.components import ORDERINGS
from agents.specs.registry import parse
from arena.depth.cuts import count_nodes
from arena.plugins.tree import traces
from arena.plugins.tree.build import traced
from arena.plugins.tree.node import Bounds

pytestmark = pytest.mark.compiles

BOARDS = [STANDARD, Rules(5, 4, 3)] if JIT else SIZES
DEEPEST = 5 if JIT else 3
KINDS = [
    "minimax:order=centre",
    "alphabeta:heuristic=line-runs",
    "alphabeta:order=centre,heuristic=zero",
    "alphabeta:order=open-windows",
    "alphabeta:order=open-windows,table=on",
    "alphabeta:table=on,heuristic=zero",
    "alphabeta:order=centre,deepening=on",
    "alphabeta:order=centre,deepening=on,table=on",
    "mollerhoj:pruning=on",
]


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


def slow_counts(root, depth, *, table):
    """Count a recorded tree, node by node: all but the hits."""
    inner = leaves = settled = probes = 0
    cutoffs = [0] * root.board.rules.columns
    for node in root:
        if node.visited is None:
            continue
        inner += node.leaf == ""
        leaves += node.leaf in ("heuristic", "over")
        settled += node.leaf == "table"
        probes += table and 0 < node.ply < depth - 1 and node.board.outcome is None
        reached = node.value >= node.beta if node.player == "MAX" else node.value <= node.alpha
        if node.leaf == "" and reached:
            cutoffs[sum(child.visited is not None for child in node.children) - 1] += 1
    return NodeCounts(inner, leaves, settled, probes, 0, tuple(cutoffs))


def of_the_last_depth(found):
    """Return what was counted since the depth before, but for the hits."""
    before = found[-2] if len(found) > 1 else NodeCounts(0, 0, 0, 0, 0, (0,) * len(found[-1].cutoffs))
    *numbers, cutoffs = zip(astuple(found[-1]), astuple(before), strict=True)
    inner, leaves, settled, probes, _ = (after - earlier for after, earlier in numbers)
    return NodeCounts(inner, leaves, settled, probes, 0, tuple(a - b for a, b in zip(*cutoffs, strict=True)))


@example(Board.from_moves("4453"), 5, "alphabeta:order=centre,deepening=on,table=on")  # moves of the table
@given(open_boards(BOARDS), st.integers(1, DEEPEST), st.sampled_from(KINDS))
def test_every_count_is_that_of_the_tree_walked_on_boards(board, depth, spec):
    found, analysis, plain = counted(spec, board, depth)
    assert (analysis.nodes, analysis.pv, analysis.score) == (plain.nodes, plain.pv, plain.score)
    hits = []

    def look(*given):
        answer = fetch(*given)
        hits.append(answer[2] >= 0)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traces, "fetch", look)
        root = traced(spec, parse(spec).build(), board, depth, Bounds()).root
    assert of_the_last_depth(found) == slow_counts(root, analysis.depth, table="table=on" in spec)
    assert found[-1].hits == sum(hits)  # where there is a table, every depth is traced to fill it


@given(open_boards(BOARDS), st.integers(1, DEEPEST + 1), st.sampled_from(list(ORDERINGS)), st.booleans())
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
