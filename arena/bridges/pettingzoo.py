"""Our agents as policies of PettingZoo's `connect_four_v3`."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from agents.errors import missing
from arena.bridges import Player, of_cells


def policy(agent: str, *, seed: int = 0, seconds: float | None = None) -> Callable[[Any], int]:
    """Return a function from an observation of `connect_four_v3`, of the player to move, to the agent's action.

    agent: a spec such as "alphabeta:depth=6". seed: of the first game; each new game takes the next one. seconds: for a
    move, where the agent has no limits of its own. The observation may be the dictionary or its array (6, 7, 2). Each
    player of a game needs a policy of its own. Raises InputError.
    """
    if find_spec("pettingzoo") is None:
        raise missing("PettingZoo", "pettingzoo")
    player = Player(agent, seed, seconds)

    def act(observation: Any) -> int:  # noqa: ANN401  a dictionary or an array
        cells = observation["observation"] if isinstance(observation, dict) else observation
        return player.move(player.seen(*of_cells(cells[:, :, 0], cells[:, :, 1])))

    return act
