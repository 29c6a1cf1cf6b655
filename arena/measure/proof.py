"""What `arena verify` runs: every exact search, compiled on a sample and as plain Python on the first few of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agents.board import Board, Rules
from agents.names import ORDERINGS
from arena.measure.exact import plain_searches, searches
from arena.measure.verify import Disagreement, Effort, sample, usable_heuristics, verify

PLAIN_POSITIONS, PLAIN_DEPTH = 3, 3
"""How much of the sample searches in plain Python are given, so that they end soon."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What is searched."""

    boards: Sequence[Board]
    depth: int
    """Plies."""
    heuristics: Sequence[str]
    orderings: Sequence[str]

    @classmethod
    def of(
        cls, positions: int, depth: int, seed: int, heuristics: Sequence[str], orderings: Sequence[str], rules: Rules
    ) -> Proof:
        """Draw the sample; no heuristics or orderings mean all. Raises InputError."""
        boards = sample(positions, seed, rules)
        return cls(boards, depth, heuristics or usable_heuristics(rules), orderings or tuple(ORDERINGS))

    @property
    def steps(self) -> int:
        """How often `run` calls `progress`."""
        return len(self.heuristics) * (len(self.boards) + len(self.boards[:PLAIN_POSITIONS]))

    def run(self, progress: Callable[[], object] = lambda: None) -> Findings:
        """Search everything. Raises InputError for a heuristic or an ordering that cannot be used."""
        few, shallow = self.boards[:PLAIN_POSITIONS], min(self.depth, PLAIN_DEPTH)
        compiled = verify(self.boards, self.depth, self.heuristics, searches(self.orderings), progress)
        plain = verify(few, shallow, self.heuristics, plain_searches(self.orderings), progress)
        return Findings(compiled.efforts, plain.efforts, compiled.disagreements + plain.disagreements)


@dataclass(frozen=True, slots=True)
class Findings:
    """What was visited, by compiled searches and by those in plain Python, and where any two disagreed."""

    compiled: list[Effort]
    plain: list[Effort]
    disagreements: list[Disagreement]
