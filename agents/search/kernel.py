"""The depth-limited search that fits the rules: where a four ends the game, or where most fours win."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.search import most_fours, negamax

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.board import Rules
    from agents.search.parts import Prepared


def bind(
    rules: Rules, heuristic: Prepared, arrange: Callable[..., None], points: int = 0, **constants: bool
) -> Callable[..., tuple[int, int]]:
    """Return the search, called as `agents.search.negamax.bind` says; `points`: see `agents.search.most_fours.bind`."""
    if rules.most_fours:
        return most_fours.bind(rules, heuristic, arrange, points, **constants)
    return negamax.bind(rules, heuristic.leaves, arrange, **constants)
