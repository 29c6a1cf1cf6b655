"""Counts the cut-offs of a search, by another compilation of its kernel that visits the same nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents.agent import Agent, Limits, new_game, prepare
from agents.board import Board, Rules
from agents.players.searcher import Searcher
from agents.search.counting import NodeCounts

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering


class CutCounter:
    """An agent with counted searches."""

    def __init__(self, agent: Agent, name: str) -> None:
        """Take an agent that is not prepared yet; `name` stands in errors."""
        self.agent = agent
        self.name = name
        self.counts = counting(agent)
        self.rules: Rules | None = None

    def search(self, board: Board, depth: int | None) -> tuple[int, NodeCounts] | None:
        """Return the nodes of a search from a cleared memory, and their counts.

        None for an agent whose search cannot be counted. Raises InputError where the agent cannot be prepared.
        """
        if self.counts is None:
            return None
        if self.rules != board.rules:
            prepare(self.agent, board.rules, self.name)
            self.rules = board.rules
        new_game(self.agent, 0)
        self.counts.clear()
        answer = self.agent.choose(board, Limits(depth=depth))
        assert not isinstance(answer, int)
        return (answer.nodes, self.counts[-1]) if self.counts else None


def counting(agent: Agent) -> list[NodeCounts] | None:
    """Have an unprepared agent count what its searches do, and return the list that it fills; None if it cannot count.

    Each completed depth appends what the agent has done since its move began. Counting slows the search a little.
    """
    if not isinstance(agent, Searcher) or type(agent).bind is not Searcher.bind:
        return None
    counts: list[NodeCounts] = []

    def bind(rules: Rules, heuristic: CompiledHeuristic, order: CompiledOrdering) -> Any:  # noqa: ANN401  a kernel
        from agents.search import most_fours

        search = most_fours.bind_search(
            rules, heuristic, order.sort_moves, agent.points, counting=True, enhancements=agent.enhancements != 0
        )

        def counted(*words: Any) -> tuple[int, int]:  # noqa: ANN401  what the kernel takes
            answer = search(*words)
            counts.append(NodeCounts.read(agent.control.tolist(), rules.columns))
            return answer

        return counted

    agent.bind = bind  # type: ignore[method-assign]  # of this agent alone
    return counts
