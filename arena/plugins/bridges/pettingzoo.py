"""Our agents as policies of PettingZoo's `connect_four_v3`."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from agents.board import Board
from agents.errors import InputError, missing
from arena.plugins.bridges.games import Player


def policy(agent: str, *, seed: int = 0, seconds: float | None = None) -> Callable[[Any], int]:
    """Return a function from an observation of `connect_four_v3`, of the player to move, to the agent's action.

    The arguments are those of a `Player`. The observation may be the dictionary or its array (6, 7, 2). Each player of
    a game needs a policy of its own. Raises InputError.
    """
    if find_spec("pettingzoo") is None:
        raise missing("PettingZoo", "pettingzoo")
    player = Player(agent, seed, seconds)

    def act(observation: Any) -> int:  # noqa: ANN401  a dictionary or an array
        return player.move(board_of(observation))

    return act


def board_of(observation: Any) -> Board:  # noqa: ANN401  a dictionary or an array
    """Return the board that `connect_four_v3` shows to the player to move. Raises InputError."""
    import numpy as np

    if isinstance(observation, dict):
        if "observation" not in observation:
            raise InputError(f"{WANTED}; this dictionary has no 'observation'")
        observation = observation["observation"]
    try:
        cells = np.asarray(observation)
    except ValueError:
        raise InputError(f"{WANTED}; this is no array") from None
    if cells.shape != SHAPE:
        raise InputError(f"{WANTED}; this one has the shape {cells.shape}")
    if cells.dtype.kind not in "biuf" or not np.isin(cells, (0, 1)).all():
        raise InputError(f"{WANTED}; this one holds other values than 0 and 1")
    mine, other = (cells[:, :, plane].astype(int) for plane in (0, 1))
    if (mine & other).any():
        raise InputError(f"{WANTED}; in this one a cell belongs to both players")
    if mine.sum() != other.sum() and mine.sum() + 1 != other.sum():
        raise InputError(f"{WANTED}; this one has {mine.sum()} discs of the mover and {other.sum()} of the opponent")
    first, second = (mine, other) if mine.sum() == other.sum() else (other, mine)
    return Board.from_grid((first + 2 * second).tolist())


SHAPE = (6, 7, 2)
WANTED = (
    "an observation of connect_four_v3 is an array (6, 7, 2) of 0 and 1, the top row first, the mover's plane first"
)
