"""What a search counts is what its tree holds."""

from dataclasses import astuple

import pytest
from grid import SIZES, open_boards
from hypothesis import example, given
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.search.counting import NodeCounts
from agents.search.transpositions import fetch
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
