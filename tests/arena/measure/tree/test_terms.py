import random
from collections import Counter

import pytest
from hypothesis import given
from samples import discs_after, positions
from slow_terms import READERS

from agents.board import STANDARD, Board, Rules
from agents.search.compiled import heuristic
from agents.specs.notation import call
from agents.specs.parts import HEURISTICS, complete
from arena.measure.tree.build import tree
from arena.measure.tree.node import Node, Tree
from arena.measure.tree.terms import COUNTERS, SHORT, terms

KNOWN = [name for name in complete(HEURISTICS) if name in COUNTERS or name in SHORT]
WEIGHTED = ["windows(3,1,-4,2)", "aware(7,6,5,4,3,2)"]


def as_written(name, rules=STANDARD):
    """Return a heuristic as plain Python; that compiled it is the same is tested beside the heuristics."""
    return heuristic(name, rules, compiled=False).evaluate


def one_by_one(name, own, opp, rules=STANDARD):
    """Return the terms as a dictionary, counted one window or chunk at a time."""
    asked = call(SHORT.get(name, name))
    found = Counter(READERS[asked.name](own, opp, rules, asked.positions))
    kinds = {(what, worth) for what, worth, _ in found}
    return {kind: (found[*kind, True], found[*kind, False]) for kind in kinds}


def test_the_heuristics_of_windows_and_chunks_are_all_known():
    assert {"powers-of-ten", "smart-aware", "smart-simple", "line-runs", "line-runs-published"} <= set(KNOWN)


@pytest.mark.parametrize("name", KNOWN + WEIGHTED)
@given(position=positions())
def test_the_terms_sum_up_to_the_heuristics_value(name, position):
    rules, own, opp = position
    if name.startswith(("smart", *WEIGHTED)) and rules.connect != 4:
        return
    if name.startswith("windows(") and rules.connect != 4:
        return
    if name == "line-runs-published" and rules != STANDARD:
        return
    value = as_written(name, rules)(own, opp)
    found = terms(name, own, opp, rules)
    assert {(term.name, term.worth): (term.mine, term.theirs) for term in found} == one_by_one(name, own, opp, rules)
    assert sum(term.points for term in found) == value
    swapped = terms(name, own, opp, rules, own_is_max=False)
    assert sum(term.points for term in swapped) == -value


@pytest.mark.parametrize("name", KNOWN + WEIGHTED)
def test_the_terms_of_crowded_boards_sum_up_too(name):
    chance = random.Random(5)
    for _ in range(60):
        own, opp = discs_after(chance.choices(range(7), k=chance.randrange(10, 60)))
        found = terms(name, own, opp, STANDARD)
        assert sum(term.points for term in found) == as_written(name)(own, opp)
        assert {(term.name, term.worth): (term.mine, term.theirs) for term in found} == one_by_one(name, own, opp)
        worths = [term.worth for term in found]
        assert worths == sorted(worths, reverse=True), "what is worth most stands first"
        assert all(term.mine or term.theirs for term in found)
        other = {(term.name, term.worth): (term.theirs, term.mine) for term in terms(name, opp, own, STANDARD)}
        if name != "line-runs-published":  # which counts four of one side for nothing
            assert other == {(term.name, term.worth): (term.mine, term.theirs) for term in found}


@pytest.mark.parametrize("agent", ["alphabeta:depth=2,heuristic=line-runs-published", "itu-2012:cutoff=1", "mollerhoj"])
def test_the_terms_of_a_leaf_sum_up_to_its_value(agent):
    found = tree(agent, Board.from_moves("4455"))
    leaves = [node for node in found.root if node.leaf == "heuristic"]
    assert leaves
    assert [sum(term.points for term in found.terms(node)) for node in leaves] == [node.value for node in leaves]


def test_weights_given_by_name_count_in_the_order_of_the_heuristic():
    board = Board.from_moves("4455336")
    for one, other in (
        ("windows(three=-4,one=3,four=2,two=1)", "windows(3,1,-4,2)"),
        ("windows(3,four=2,three=-4,two=1)", "windows(3,1,-4,2)"),
    ):
        found = terms(one, board.own, board.opp, STANDARD)
        assert found == terms(other, board.own, board.opp, STANDARD)
        assert {term.name: term.worth for term in found}["3 in a window"] == -4


def test_a_term_says_what_whose_and_how_much():
    board = Board.from_moves("17273")
    (three, *_) = terms("powers-of-ten", board.opp, board.own, board.rules)
    assert (three.name, three.worth, three.mine, three.theirs) == ("3 in a window", 100, 1, 0)


@pytest.mark.parametrize("fixed", [False, True])
def test_the_terms_of_a_leaf_are_those_of_the_side_that_values_it(fixed):
    board = Board.from_moves("1212121")  # fours of `own` count nothing in this heuristic, those of the other side do
    for player, ply in (("MAX", 2), ("MIN", 3)):
        node = Node(board, 0, ply, leaf="heuristic")
        whole = Tree("a", "line-runs-published", board, 2, 1, 0, 0, node, fixed)
        mine = (board.own, board.opp) if player == "MAX" else (board.opp, board.own)
        own, of_max = (mine, True) if fixed or player == "MAX" else (mine[::-1], False)
        found = whole.terms(node)
        assert found == terms("line-runs-published", *own, STANDARD, own_is_max=of_max)
        assert found != terms("line-runs-published", *own[::-1], STANDARD, own_is_max=not of_max)
        node.leaf = "over"
        assert whole.terms(node) == []


def test_a_heuristic_that_counts_otherwise_has_no_terms():
    assert terms("zero", 1, 2, STANDARD) == []
    assert terms("mine.py:evaluate", 1, 2, Rules(5, 4)) == []
