"""Players of other frameworks and networks, hosted in processes of their own.

Their specs begin with `onnx:`, `openspiel:`, `pettingzoo:` and `kaggle:`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, missing, unknown
from agents.players.network import Onnx
from agents.remote.load import found_in, last_callable
from agents.specs.parameters import Parameter, Range, parameters


def hosted(words: Sequence[str], options: Mapping[str, Any]) -> Any:  # noqa: ANN401  an agent
    """Return the agent of a spec: its file or name, the name in the file, and the prefix. Errors of it pass through."""
    target, name, prefix = words
    if prefix == "kaggle":
        return last_callable(Path(target))
    if prefix == "onnx":
        return Onnx(file=target, **options)
    if prefix == "pettingzoo":
        return PettingZoo(found_in(Path(target), name))
    return OpenSpiel(found_in(Path(target), name) if name else mcts, options)


def taken(words: Sequence[str], text: str) -> Mapping[str, Parameter] | None:
    """Return the parameters that a spec, the `text`, takes; None: whatever a user's function takes.

    Raises InputError where its package is missing, and where OpenSpiel has no such bot.
    """
    target, name, prefix = words
    if prefix in MODULES and find_spec(MODULES[prefix]) is None:
        raise missing(f"agent {text!r}: {MODULES[prefix]}", prefix)
    if prefix == "openspiel" and not name and target != "mcts":
        bot = unknown("OpenSpiel bot", target, ["mcts"])
        raise InputError(f"agent {text!r}: {bot}; FILE.py:make_bot names one of a file")
    if prefix == "openspiel":
        return None if name else parameters(mcts)
    return parameters(Onnx) if prefix == "onnx" else {}


MODULES = {"onnx": "onnxruntime", "openspiel": "pyspiel"}
"""What these import; each is also the name of an extra."""


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
            self._bot, self._seen = self._made(board.mover, limits), ()
        state = self._game.new_initial_state()
        for ply, move in enumerate(board.moves):
            if ply >= len(self._seen):
                self._bot.inform_action(state, state.current_player(), move)
            state.apply_action(move)
        column = self._bot.step(state)
        self._seen = (*board.moves, column)
        return column

    def _made(self, player: int, limits: Limits) -> Any:  # noqa: ANN401  a bot
        at_hand = {"game": self._game, "player": player, "seed": self._seed, "limits": limits}
        asked = at_hand.keys() & inspect.signature(self.maker).parameters.keys()
        made = self.maker(**{**{name: at_hand[name] for name in asked}, **self.options})
        if not callable(getattr(made, "step", None)):
            raise InputError(f"{self.maker.__name__} returns {type(made).__name__}, which is no bot: it has no step")
        return made


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


class PettingZoo:
    """A policy of PettingZoo's `connect_four_v3`: a function of the observation with its action mask.

    The observation is a dictionary of `observation`, (6, 7, 2) of 0 and 1, row 0 the top, the mover's plane first, and
    `action_mask`, (7,). A function that needs two parameters gets both arrays.
    """

    def __init__(self, policy: Callable[..., Any]) -> None:
        self.policy = policy() if isinstance(policy, type) else policy
        names = inspect.signature(self.policy).parameters.values()
        self.both = sum(each.default is each.empty and each.kind not in {2, 4} for each in names) == 2

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
