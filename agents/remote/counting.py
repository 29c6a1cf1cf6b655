"""Reads the node count of an agent that keeps it in an attribute `nodes` and does not report it.

Some searches reset the count before each move, others add to it, and in some agents `nodes` is a setting. So before a
move an equal number replaces the attribute's value, and notices whether the search adds to it.
"""

from __future__ import annotations

import operator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from agents.agent import Analysis


class _Before(int):
    """The count before a move: a number that notices an addition to it."""

    went_on = False

    def __add__(self, other: Any) -> Any:  # noqa: ANN401  as int has it
        self.went_on = True
        return int(self) + other


class Counting:
    """The attribute `nodes` of an agent during one move."""

    def __init__(self, agent: Any) -> None:  # noqa: ANN401  any object
        """Replace the count; an agent that is a function keeps it as an attribute of the function."""
        self._owner = getattr(agent, "owner", agent)
        self._before: _Before | None = None
        with suppress(Exception):  # reading or setting an attribute may raise anything
            value = getattr(self._owner, "nodes", 0)
            if hasattr(self._owner, "nodes") and isinstance(value, int) and not isinstance(value, bool):
                self._before = self._owner.nodes = _Before(value)

    def with_nodes(self, answer: Any) -> Any:  # noqa: ANN401  an agent may return anything
        """Return the agent's answer; where it reports no nodes, add the count."""
        if isinstance(answer, Analysis) and (type(answer.nodes) is not int or answer.nodes):
            return answer
        nodes = 0
        with suppress(Exception):
            nodes = self._counted()
        if nodes <= 0:
            return answer
        return replace(answer, nodes=nodes) if isinstance(answer, Analysis) else Analysis(answer, nodes=nodes)

    def _counted(self) -> int:
        after = getattr(self._owner, "nodes", 0)
        if after is self._before or isinstance(after, bool):
            return 0
        after = operator.index(after)
        return after - self._before if self._before is not None and self._before.went_on else after
