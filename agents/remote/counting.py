"""The nodes of a search that counts them in an attribute `nodes` and does not report them.

Some searches begin each move at 0, others go on from the last move, and in some `nodes` is no count but a setting. So
the number that stands there before a move is replaced by an equal one that notices what the search does with it.
"""

from __future__ import annotations

import operator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from agents.agent import Analysis


class _Before(int):
    """A count as it stands before a move: the same number, which notices that something is added to it."""

    went_on = False

    def __add__(self, other: Any) -> Any:  # noqa: ANN401  as int has it
        self.went_on = True
        return int(self) + other


class Counting:
    """The attribute `nodes` of an agent during one move."""

    def __init__(self, agent: Any) -> None:  # noqa: ANN401  any object
        """Note how the count stands; of a function that is an agent, it is the function's own."""
        self._owner = getattr(agent, "owner", agent)
        self._before: _Before | None = None
        with suppress(Exception):  # whatever an object does when its attributes are read or set
            value = getattr(self._owner, "nodes", 0)
            if hasattr(self._owner, "nodes") and isinstance(value, int) and not isinstance(value, bool):
                self._before = self._owner.nodes = _Before(value)

    def told(self, answer: Any) -> Any:  # noqa: ANN401  an agent may return anything
        """Return the agent's answer, with what it has counted where it reports no nodes."""
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
