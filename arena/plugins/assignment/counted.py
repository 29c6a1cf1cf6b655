"""An agent in Python that is watched: its answers say how many boards it made and which modules of ours it imports.

The process of a hand-in loads this file in place of the hand-in's. Beside the hand-in, whose reports it checks, it is
no wall: code that is out to deceive can find it.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import agent as agents_
from agents.agent import Analysis
from agents.board import Board

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from agents.agent import Limits
    from agents.rules import Rules

ENGINES = ("agents.players", "agents.search", "agents.solver", "agents.specs.registry", "arena")
"""What plays and searches: no agent of the user's needs these, and no module that it may use imports them."""


class Counted:
    """The agent of a hand-in; every answer has `positions` and `imports` in its `extra`."""

    def __init__(self, words: Sequence[str], options: Mapping[str, Any]) -> None:
        """Load the agent of a source, which its process would load."""
        from agents.specs.build import build

        with suppress(ValueError):  # else a hand-in would import the files beside this one
            sys.path.remove(str(Path(__file__).parent))
        self._before = set(sys.modules)
        self._boards = 0
        self._counts: dict[tuple[Board, int | None], int] = {}
        self.agent = build(words, options)
        self.owner = getattr(self.agent, "owner", self.agent)
        """Where a count of nodes may be kept."""

    def prepare(self, rules: Rules) -> None:
        """Hand it on."""
        agents_.prepare(self.agent, rules, type(self.agent).__name__)

    def new_game(self, seed: int) -> None:
        """Hand it on."""
        agents_.new_game(self.agent, seed)

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the agent's answer; the boards are those of its first answer to the same question.

        Only the first answer counts them, so that those after it take no longer than without this class.
        """
        question = board, limits.depth
        if question in self._counts:
            answer = self.agent.choose(board, limits)
        else:
            with self._counting():
                answer = self.agent.choose(board, limits)
            self._counts[question] = self._boards
        analysis = answer if isinstance(answer, Analysis) else Analysis(answer)
        return replace(analysis, extra={"positions": self._counts[question], "imports": self._imports()})

    def _imports(self) -> list[str]:
        """Return the ENGINES of which modules were imported since this agent began to load."""
        names = [f"{name}." for name in sys.modules.keys() - self._before]
        return [engine for engine in ENGINES if any(name.startswith(f"{engine}.") for name in names)]

    @contextmanager
    def _counting(self) -> Generator[None]:
        """Count the boards that are made within the block."""
        self._boards, create = 0, Board.__init__

        def counted(board: Board, *parts: Any, **named: Any) -> None:  # noqa: ANN401  as Board has them
            self._boards += 1
            create(board, *parts, **named)

        Board.__init__ = counted  # type: ignore[assignment, method-assign]
        try:
            yield
        finally:
            Board.__init__ = create  # type: ignore[method-assign]
