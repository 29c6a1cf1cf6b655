"""Searches looked into: each is made once more by the kernel that counts, which visits the same nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.agent import Agent, Iteration, Limits, prepare
from agents.board import Board, Rules
from agents.players.counted import counting
from agents.players.searcher import Searcher
from agents.search.counting import Counts
from arena.analysis.inside import Inspected

if TYPE_CHECKING:
    from agents.search.parts import Prepared

DEAR = 1_000_000
"""Different positions of a ply, beyond which a minimal tree is not looked for: some seconds, and 300 MB."""


class Inspector:
    """An agent that counts what it does; where it cannot, nothing is found of it."""

    def __init__(self, agent: Agent, name: str) -> None:
        """`name` is what errors call it; it must not be prepared yet."""
        self.agent = agent
        self.name = name
        self.counts = counting(agent)
        self.rules: Rules | None = None
        self.heuristic: Prepared | None = None

    def prepare(self, rules: Rules) -> None:
        """Compile for boards of this size; not while another thread prepares. Raises InputError."""
        from agents.search import parts

        if isinstance(self.agent, Searcher) and self.rules != rules:
            prepare(self.agent, rules, self.name)
            self.heuristic = parts.heuristic(self.agent.heuristic, rules, compiled=self.agent.compiled)
            self.rules = rules

    def search(self, board: Board, limits: Limits) -> list[tuple[Iteration, Counts]]:
        """Return each depth that the agent completes, with what was counted until then; its memory is as it was left.

        Raises InputError where it cannot be prepared.
        """
        if self.counts is None:
            return []
        assert isinstance(self.agent, Searcher)
        self.prepare(board.rules)
        self.counts.clear()
        answer = self.agent.choose(board, limits)
        return list(zip(answer.iterations, self.counts, strict=False))  # the last count may be of one broken off

    def inspected(self, board: Board, iteration: Iteration, counts: Counts, dear: int = DEAR) -> Inspected:
        """Return a search with its minimal tree, which is left out where a ply has more positions than `dear`."""
        from agents.search.minimal import minimal_nodes

        assert isinstance(self.agent, Searcher)
        assert self.heuristic is not None
        assert iteration.score is not None
        minimal = minimal_nodes(
            board, iteration.depth, iteration.score, self.heuristic, normal_win=self.agent.normal_win, dear=dear
        )
        return Inspected.of(iteration.nodes, counts, minimal)
