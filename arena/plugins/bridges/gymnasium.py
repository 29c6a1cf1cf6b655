"""The game against one of our agents as an environment of Gymnasium; importing this module registers it.

gymnasium.make("arena.plugins.bridges.gymnasium:Connect4Arena-v0", opponent="hard")
"""

from __future__ import annotations

import operator
from typing import Any

from agents.board import Board
from agents.bridges.pettingzoo import observation
from agents.errors import InputError, missing
from agents.network.puct import terminal
from arena.plugins.bridges.games import Player

try:
    import gymnasium
except ImportError as error:
    raise missing("Gymnasium", "gymnasium") from error
import numpy as np

NAME = "Connect4Arena-v0"


class Connect4Arena(gymnasium.Env[Any, Any]):
    """Connect Four against an agent, which answers each move.

    opponent, seconds: a spec such as "alphabeta:depth=6", "hard" or "perfect", as a `Player` has them. first: whether
    the learner begins; None draws it for each game. An observation
    has shape (2, 6, 7): 1 for the learner's discs, then for the opponent's, row 0 on top. An action is a 0-based
    column; `info["action_mask"]` has 1 for those that can be played. The reward at the end is 1, 0 or -1. A column that
    cannot be played loses the game, and `info` has `illegal`. The seed of `reset` decides the opponent's chance, too.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  as Gymnasium has it

    def __init__(
        self, opponent: str = "greedy", *, first: bool | None = None, seconds: float | None = None,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        self.render_mode, self.first = render_mode, first
        self.observation_space = gymnasium.spaces.Box(0, 1, (2, 6, 7), np.int8)
        self.action_space = gymnasium.spaces.Discrete(7)
        self._player = Player(opponent, 0, seconds)
        self._board = Board()
        self._mover = 0
        """The learner: 0 the first player, 1 the second."""
        self._over = True
        """Whether the next call must be `reset`."""

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:  # noqa: ANN401  as Gymnasium has it
        """Begin a game, and return the learner's first observation. `options["moves"]` is an opening such as "4453"."""
        super().reset(seed=seed)
        options = {} if options is None else options
        if not isinstance(options, dict) or not isinstance(moves := options.get("moves", ""), str):
            raise InputError(f"the options of reset() are {{'moves': '4453'}} or none, not {options!r}")
        opening = Board.from_moves(moves)
        if opening.outcome is not None:
            raise InputError(f"options['moves']: the game is over after {opening.text}")
        self._board = opening
        drawn, chance = (int(number) for number in self.np_random.integers(0, [2, 1 << 31]))
        self._mover = drawn if self.first is None else int(not self.first)
        self._player.new_game(chance)
        observation, info = self._seen()
        self._over = self._board.outcome is not None  # the opponent may have won at once
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401  numpy's numbers
        """Play the learner's column and the opponent's answer. Raises InputError after the end, and for no column."""
        if self._over:
            raise InputError("the game is over: call reset() before the next step()")
        if not _whole(action):
            raise InputError(f"an action is a whole number, a column from 0, not {action!r}")
        if action not in self._board.legal_moves():
            observation, info = self._seen()
            self._over = True
            return observation, -1.0, True, False, info | {"illegal": True}
        self._board = self._board.play(int(action))
        observation, info = self._seen()
        worth = terminal(self._board)
        self._over = worth is not None
        reward = (worth or 0.0) * (1.0 if self._board.mover == self._mover else -1.0) + 0.0  # no minus zero
        return observation, reward, worth is not None, False, info

    def action_masks(self) -> Any:  # noqa: ANN401  an array
        """Return, for each column, whether it can be played, shape (7,), as MaskablePPO of sb3-contrib asks for it."""
        masks = np.zeros(7, bool)
        masks[list(self._board.legal_moves())] = not self._over
        return masks

    def render(self) -> Any:  # noqa: ANN401  text, or nothing
        """Return the board as text where `render_mode` is "ansi"."""
        return f"{self._board}\n" if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the opponent's process, if it has one."""
        self._player.close()

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """Return what the learner sees, and the legal columns, after the opponent's move where it is to move."""
        if self._board.outcome is None and self._board.mover != self._mover:
            self._board = self._board.play(self._player.move(self._board))
        seen = observation(self._board, self._mover)
        return np.moveaxis(seen["observation"], 2, 0), {"action_mask": seen["action_mask"]}


def _whole(action: object) -> bool:
    """Return whether an action is one whole number, also one of numpy."""
    try:
        operator.index(action)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        return False
    return not isinstance(action, bool)


gymnasium.register(NAME, entry_point="arena.plugins.bridges.gymnasium:Connect4Arena")
