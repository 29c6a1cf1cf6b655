"""What an agent counts in its attribute `nodes`, as its process tells it."""

import pytest

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.remote.child import Child
from agents.remote.load import shaped

QUESTION = {"do": "choose", "own": 0, "opp": 0, "moves": [], "limits": [None, None, 0.5]}


class Resets:
    def choose(self, board, limits):
        self.nodes = 0
        for _ in range(8):
            self.nodes += 1
        return 3


class GoesOn(Resets):
    nodes = 0

    def choose(self, board):
        for _ in range(8):
            self.nodes += 1
        return Analysis(3, 5)


class Adds(Resets):
    """Adds the last count to a total, as programs do, before it begins anew."""

    def __init__(self):
        self.nodes = self.total = 0

    def choose(self, board, limits):
        self.total += self.nodes
        return super().choose(board, limits)


class Reports(GoesOn):
    def choose(self, board):
        super().choose(board)
        return Analysis(3, nodes=80)


class Bounded:
    """Has a number of nodes as a setting, which its count goes up to."""

    def __init__(self):
        self.nodes = 8

    def choose(self, board, limits):
        return 3 if sum(1 for _ in range(self.nodes)) == self.nodes else 0


class Tree(Bounded):
    def __init__(self):
        self.nodes = {}

    def choose(self, board, limits):
        self.nodes = {"root": 8}
        return 3


def function(board):
    function.nodes = getattr(function, "nodes", 0) + 8
    return 3


@pytest.mark.parametrize(
    ("agent", "nodes"),
    [(Resets, 8), (GoesOn, 8), (Adds, 8), (function, 8), (Reports, 80), (Bounded, None), (Tree, None)],
)
def test_each_move_has_the_nodes_that_the_agent_counted_for_it(agent, nodes):
    child = Child()
    child.rules = Rules()
    child.agent = shaped(agent, "agent", {})
    found = [child.answer(QUESTION) for _ in range(3)]
    assert [each["column"] for each in found] == [3] * 3
    assert [each.get("nodes") for each in found] == [nodes] * 3


def test_a_setting_of_nodes_stays_the_number_that_it_was():
    child, agent = Child(), Bounded()
    child.rules, child.agent = Rules(), agent
    child.answer(QUESTION)
    assert (agent.nodes, str(agent.nodes), agent.nodes + 1) == (8, "8", 9)
    assert agent.choose(Board(), Limits()) == 3
