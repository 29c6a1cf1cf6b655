"""Our agents as policies of PettingZoo's `connect_four_v3`."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from agents.board import Board
from agents.errors import missing
from arena.bridges import Player


def policy(agent: str, *, seed: int = 0, seconds: float | None = None) -> Callable[[Any], int]:
    """Return a function from an observation of `connect_four_v3`, of the player to move, to the agent's action.

    The arguments are those of a `Player`. The observation may be the dictionary or its array (6, 7, 2). Each player of
    a game needs a policy of its own. Raises InputError.
    """
    if find_spec("pettingzoo") is None:
        raise missing("PettingZoo", "pettingzoo")
    player = Player(agent, seed, seconds)

    def act(observation: Any) -> int:  # noqa: ANN401  a dictionary or an array
        cells = observation["observation"] if isinstance(observation, dict) else observation
        first, second = (0, 1) if cells.sum() % 2 == 0 else (1, 0)
        return player.move(Board.from_grid((cells[:, :, first] + 2 * cells[:, :, second]).tolist()))

    return act
