"""Our agents as bots of OpenSpiel, for `pyspiel.evaluate_bots` and whatever takes a bot."""

from __future__ import annotations

import functools
from typing import Any

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, missing
from arena.plugins.bridges.games import Player

try:
    import pyspiel
except ImportError as error:
    raise missing("OpenSpiel", "openspiel") from error


class ArenaBot(pyspiel.Bot):  # type: ignore[misc]  # it has no types
    """An agent as a bot of the game `connect_four`.

    agent, seed, seconds: as a `Player` has them; each `restart` begins a game. rules: of the board, such as "8x7x4".
    Raises InputError, also for states of other boards.
    """

    def __init__(
        self, agent: str, *, seed: int = 0, seconds: float | None = None, rules: Rules | str = STANDARD
    ) -> None:
        super().__init__()
        self.rules = Rules.parse(rules) if isinstance(rules, str) else rules
        self._player = Player(agent, seed, seconds, self.rules)

    def step(self, state: Any) -> int:  # noqa: ANN401  a pyspiel.State
        """Return the agent's action, the 0-based column."""
        return self._player.move(self._board(state))

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:  # noqa: ANN401  likewise
        """Return the agent's policy, all of it on its action, and the action."""
        action = self.step(state)
        return [(column, float(column == action)) for column in state.legal_actions()], action

    def restart(self) -> None:
        """Begin a new game."""
        self._player.new_game()

    def restart_at(self, state: Any) -> None:  # noqa: ANN401  likewise
        """Begin a new game that goes on from this state."""
        self._board(state)
        self.restart()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:  # noqa: ANN401  a pyspiel.State
        """Take note of nothing: each state has all moves."""

    def provides_policy(self) -> bool:
        """Return that `step_with_policy` works."""
        return True

    def _board(self, state: Any) -> Board:  # noqa: ANN401  likewise
        if not isinstance(state, pyspiel.State):
            raise InputError(f"this bot moves in a state of OpenSpiel, not {state!r:.40}")
        game = state.get_game()
        size = [{"columns": 7, "rows": 6, "x_in_row": 4, **game.get_parameters()}[name] for name in SIZE]
        if game.get_type().short_name != "connect_four" or tuple(size) != self.rules.size:
            raise InputError(f"this bot plays connect_four on {self.rules}, not {game}")
        if state.is_terminal():
            raise InputError(f"the game is over after {len(state.history())} discs: there is no move")
        return functools.reduce(Board.play, state.history(), Board(self.rules))


SIZE = ("columns", "rows", "x_in_row")
