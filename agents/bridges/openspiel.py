"""`openspiel:mcts` and `openspiel:FILE.py:make_bot`: a bot of OpenSpiel."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, missing, unknown
from agents.specs.parameters import Parameter, Range, parameters
from agents.specs.user_agents import object_in


def spec_parameters(target: str, name: str) -> Mapping[str, Parameter] | None:
    """Return the parameters of a spec; None: whatever the user's function takes. Raises InputError for other bots."""
    if find_spec("pyspiel") is None:
        raise missing("pyspiel", "openspiel")
    if not name and target != "mcts":
        raise InputError(f"{unknown('OpenSpiel bot', target, ['mcts'])}; FILE.py:make_bot names one of a file")
    return None if name else parameters(mcts)


def build(target: str, name: str, options: Mapping[str, Any]) -> OpenSpiel:
    """Return the agent of a spec. Errors of the user's code pass through."""
    return OpenSpiel(object_in(Path(target), name) if name else mcts, options)


class OpenSpiel:
    """A bot of OpenSpiel: its own search, by `mcts`, or what a function `make_bot` of a file returns.

    The function may take `game`, `player` (0 or 1), `seed` and `limits`, and takes the spec's options. The bot is made
    for each game; it is informed of every move that it has not made.
    """

    def __init__(self, maker: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self.maker, self.options = maker, options
        self._rules: Rules | None = None
        self._game: Any = None
        self._bot: Any = None
        self._seed, self._seen = 0, ()

    def prepare(self, rules: Rules) -> None:
        """Load the game for this board."""
        import pyspiel

        if not rules.decisive:
            raise InputError(f"OpenSpiel does not play on {rules}")
        size = dict(zip(("columns", "rows", "x_in_row"), rules.size, strict=True))
        self._rules, self._game = rules, pyspiel.load_game("connect_four", size if rules != STANDARD else {})

    def new_game(self, seed: int) -> None:
        """Make a new bot for the next move."""
        self._seed, self._bot = seed & 0x7FFFFFFF, None

    def choose(self, board: Board, limits: Limits) -> Any:  # noqa: ANN401  whatever the bot returns
        """Inform the bot of the moves since its last one, and return its step."""
        if board.rules != self._rules:
            self.prepare(board.rules)
        if self._bot is None or board.moves[: len(self._seen)] != self._seen:
            self._bot, self._seen = self._new_bot(board.mover, limits), ()
        state = self._game.new_initial_state()
        for ply, move in enumerate(board.moves):
            if ply >= len(self._seen):
                self._bot.inform_action(state, state.current_player(), move)
            state.apply_action(move)
        column = self._bot.step(state)
        self._seen = (*board.moves, column)
        return column

    def _new_bot(self, player: int, limits: Limits) -> Any:  # noqa: ANN401  a bot
        at_hand = {"game": self._game, "player": player, "seed": self._seed, "limits": limits}
        asked = at_hand.keys() & inspect.signature(self.maker).parameters.keys()
        bot = self.maker(**{**{name: at_hand[name] for name in asked}, **self.options})
        if not callable(getattr(bot, "step", None)):
            raise InputError(f"{self.maker.__name__} returns {type(bot).__name__}, which is no bot: it has no step")
        return bot


def mcts(
    game: Any,  # noqa: ANN401  a game of pyspiel
    seed: int,
    limits: Limits,
    *,
    max_simulations: Annotated[int, Range(1, 10**9), "simulations a move"] = 1000,
    uct_c: Annotated[float, Range(0.0, 1000.0), "the weight of trying what was tried little"] = 2.0,
    n_rollouts: Annotated[int, Range(1, 10**6), "random games a leaf"] = 1,
    solve: Annotated[bool, "whether proven wins and losses end the search of a move"] = True,
    max_memory_mb: Annotated[int, Range(1, 10**6), "the tree's megabytes"] = 500,
) -> Any:  # noqa: ANN401  a bot
    """Return OpenSpiel's own search; the parameters are in its words."""
    import pyspiel

    rollouts = pyspiel.RandomRolloutEvaluator(n_rollouts, seed)
    seconds = -1.0 if limits.seconds is None else 0.9 * limits.seconds
    return pyspiel.MCTSBot(
        game, rollouts, uct_c, max_simulations, max_memory_mb, solve, seed, False, max_wall_clock_time=seconds
    )
