"""A search compiled by itself, by a process that makes agents ahead of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.players.searcher import Searcher

if TYPE_CHECKING:
    from agents.board import Rules


def compile_search(agent: object, rules: Rules) -> None:
    """Compile the search of a searcher, which takes longest, while another process compiles what the search takes."""
    from agents.search import negamax

    if isinstance(agent, Searcher) and agent.compiled and type(agent).bind is Searcher.bind:
        negamax.build(rules.columns, rules.rows, rules.decisive, options=agent.options != 0)
