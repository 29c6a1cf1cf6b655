"""Counts the cut-offs of a search."""

from __future__ import annotations

from agents.agent import Agent, Limits, new_game, prepare
from agents.board import Board, Rules
from agents.players.searcher import Searcher
from agents.search.control import COUNT
from agents.search.counting import NodeCounts
from agents.search.plain import PlainSearch


class CutCounter:
    """An agent with counted searches."""

    def __init__(self, agent: Agent, name: str) -> None:
        """Take an agent that is not prepared yet; `name` stands in errors."""
        self.agent = agent
        self.name = name
        self.rules: Rules | None = None
        self.counting = count_nodes(agent)

    def search(self, board: Board, depth: int | None) -> tuple[int, NodeCounts] | None:
        """Return the nodes of a search from a cleared memory, and their counts.

        None for an agent whose search cannot be counted. Raises InputError where the agent cannot be prepared.
        """
        if not self.counting:
            return None
        if self.rules != board.rules:
            prepare(self.agent, board.rules, self.name)
            self.rules = board.rules
        new_game(self.agent, 0)
        answer = self.agent.choose(board, Limits(depth=depth))
        assert isinstance(self.agent, Searcher)
        assert self.agent.search is not None
        assert not isinstance(self.agent.search, PlainSearch)
        assert not isinstance(answer, int)
        return answer.nodes, NodeCounts.read(self.agent.search.memory, board.rules.columns)


def count_nodes(agent: Agent) -> bool:
    """Have an unprepared agent count what its searches do, and return whether it can; it slows the search a little."""
    if not isinstance(agent, Searcher) or not agent.compiled or type(agent).new_search is not Searcher.new_search:
        return False
    agent.flags |= COUNT
    return True
