import pytest

from agents.agent import Limits
from agents.board import Board
from agents.specs.registry import parse
from arena.measure.profile import counting


@pytest.mark.parametrize("spec", ["minimax:depth=2", "alphabeta:depth=3,order=centre", "alphabeta:depth=3,pvs=on"])
def test_counting_changes_no_answer_and_counts_every_node(spec):
    plain, counted = parse(spec).build(), parse(spec).build()
    found = counting(counted)
    one, other = plain.choose(Board(), Limits()), counted.choose(Board(), Limits())
    assert (one.column, one.score, one.nodes) == (other.column, other.score, other.nodes)
    [counts] = found
    if "pvs" not in spec:  # where a node that is searched again counts again
        assert counts.inner + counts.leaves + counts.table_cutoffs == one.nodes
    assert len(counts.cutoffs) == 7


@pytest.mark.parametrize("spec", ["greedy", "oneil", "itu-2012", "mcts"])
def test_who_searches_otherwise_cannot_count(spec):
    assert counting(parse(spec).build()) is None
