"""`pettingzoo:FILE.py:policy`: a policy of PettingZoo's `connect_four_v3`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.specs.parameters import Parameter
from agents.specs.user_agents import object_in


def spec_parameters(target: str, name: str) -> Mapping[str, Parameter]:  # noqa: ARG001  there are none
    """Return the parameters of a spec."""
    return {}


def build(target: str, name: str, options: Mapping[str, Any]) -> PettingZoo:  # noqa: ARG001  there are none
    """Return the agent of a spec. Errors of the user's code pass through."""
    return PettingZoo(object_in(Path(target), name))


class PettingZoo:
    """A policy of PettingZoo's `connect_four_v3`: a function of the observation with its action mask.

    The observation is a dictionary of `observation`, (6, 7, 2) of 0 and 1, row 0 the top, the mover's plane first, and
    `action_mask`, (7,). A function that needs two parameters gets both arrays.
    """

    def __init__(self, policy: Callable[..., Any]) -> None:
        self.policy = policy() if isinstance(policy, type) else policy
        parameters = inspect.signature(self.policy).parameters.values()
        needed = [row for row in parameters if row.default is row.empty and row.kind not in {2, 4}]
        self.both = len(needed) == 2

    def prepare(self, rules: Rules) -> None:
        """Refuse other boards."""
        if rules != STANDARD:
            raise InputError(f"PettingZoo's connect_four_v3 is played on 7x6x4, not on {rules}")

    def choose(self, board: Board, limits: Limits) -> Any:  # noqa: ANN401, ARG002  whatever the policy returns
        """Return the policy's action."""
        seen = observation(board)
        return self.policy(*seen.values()) if self.both else self.policy(seen)


def observation(board: Board, player: int | None = None) -> dict[str, Any]:
    """Return a board as PettingZoo shows it to a player, 0 or 1, by default to the side to move."""
    import numpy as np

    mine = (board.mover if player is None else player) + 1
    cells = np.array(board.grid())
    mask = np.zeros(board.rules.columns, np.int8)
    mask[list(board.legal_moves())] = 1
    return {"observation": np.stack([cells == mine, cells == 3 - mine], 2).astype(np.int8), "action_mask": mask}
