"""Searchers that count what they do, which takes them a little longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents.players.searcher import Searcher

if TYPE_CHECKING:
    from agents.agent import Agent
    from agents.board import Rules
    from agents.search.counting import Counts
    from agents.search.parts import Order, Prepared


def counting(agent: Agent) -> list[Counts] | None:
    """Have an agent count what its searches do, and return where that is put; None for one that cannot count.

    It must not be prepared yet. Whenever it has searched a depth, what it has done since its move began is appended.
    """
    if not isinstance(agent, Searcher) or type(agent).bind is not Searcher.bind:
        return None
    found: list[Counts] = []

    def bind(rules: Rules, heuristic: Prepared, order: Order) -> Any:  # noqa: ANN401  a kernel
        from agents.search import kernel
        from agents.search.counting import Counts

        search = kernel.bind(rules, heuristic, order.arrange, agent.points, counting=True, options=agent.options != 0)

        def counted(*given: Any) -> tuple[int, int]:  # noqa: ANN401  what the kernel takes
            answer = search(*given)
            found.append(Counts.read(agent.control.tolist(), rules.columns))
            return answer

        return counted

    agent.bind = bind  # type: ignore[method-assign]  # of this agent alone
    return found
