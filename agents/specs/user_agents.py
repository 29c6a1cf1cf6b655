"""Loads an agent from a file, in the agent's own process.

A class with `choose(board, limits)`, a function `choose(board)`, or a Kaggle agent `(observation, configuration)`.
"""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from agents.specs.outline import is_kaggle
from agents.specs.parameters import checked
from agents.specs.plugins import reader, run_file

MODULE = "__process_agent__"
ACT_TIMEOUT, OVERAGE = 2.0, 60.0
"""Kaggle's seconds: for a move where the run has no limit, and the extra time of a game for all moves together."""


def load(words: Sequence[str], options: Mapping[str, Any]) -> Any:  # noqa: ANN401  an agent
    """Return the agent that `[file, name]` names. Errors of the user's code pass through."""
    file, name = words
    return agent_from(object_in(Path(file), name), f"{file}:{name}", options)


def object_in(file: Path, name: str) -> Callable[..., Any]:
    """Return the class or function `name` of a file. Errors of the user's code pass through."""
    function = getattr(_module(file), name, None)
    if function is None or not callable(function):
        raise InputError(f"{file} has no class or function {name!r}")
    return cast("Callable[..., Any]", function)


def last_callable(file: Path) -> Any:  # noqa: ANN401  an agent
    """Return a file's agent as Kaggle finds it: the callable defined last. Errors of the user's code pass through."""
    callables = [value for value in vars(_module(file)).values() if callable(value)]
    if not callables:
        raise InputError(f"{file} has no function")
    return _Kaggle(callables[-1], str(file))


def agent_from(factory: Callable[..., Any], text: str, options: Mapping[str, Any]) -> Any:  # noqa: ANN401  an agent
    """Return an agent made from the user's class or function, named `text`. Errors of the user's code pass through.

    A function of one or two required parameters, or of `board` and at most one more, is the agent; others return it.
    """
    names = _names(factory)
    if not isinstance(factory, type) and not options:
        if is_kaggle(names):
            return _Kaggle(factory, text.rpartition(":")[0])
        needed = _names(factory, needed=True)
        if 1 <= len(needed) <= 2 or (names[:1] == ["board"] and len(names) <= 2):
            return _Function(factory, factory)
        if needed:
            raise InputError(
                f"agent {text!r} needs {', '.join(needed)}: it takes the board, or the board and the limits"
            )
    agent = factory(**checked(factory, options, text))
    if not callable(getattr(agent, "choose", None)):
        raise InputError(f"agent {text!r} has no method choose(board, limits)")
    return _Function(agent.choose, agent) if len(_names(agent.choose)) == 1 else agent


def _module(path: Path) -> ModuleType:
    """Run the file as a module that can import the files beside it.

    Installed modules come first, so that a file `numpy.py` in the folder does not hide numpy.
    """
    sys.path_hooks.insert(0, reader(path.parent, [Path(place) for place in sys.path]))
    sys.path.append(str(path.parent))
    return run_file(path, path.read_bytes(), MODULE)


def _names(function: Callable[..., Any], *, needed: bool = False) -> list[str]:
    """Return the names of the positional parameters, or only of those without a default."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    positional = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    in_order = [parameter for parameter in parameters if parameter.kind in positional]
    return [parameter.name for parameter in in_order if parameter.default is parameter.empty or not needed]


class _Function:
    """A function of the board, or of the board and the limits."""

    def __init__(self, function: Callable[..., Any], owner: Any) -> None:  # noqa: ANN401  what may have new_game
        self.function, self.owner = function, owner
        self.limited = len(_names(function)) > 1
        for name in ("prepare", "new_game"):
            if hasattr(owner, name):
                setattr(self, name, getattr(owner, name))

    def choose(self, board: Board, limits: Limits) -> Any:  # noqa: ANN401  its answer
        return self.function(board, limits) if self.limited else self.function(board)


class Struct(dict[str, Any]):
    """An argument of a Kaggle agent: a dictionary that has its items as attributes, too."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  any item
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value


class _Kaggle:
    """A function of Kaggle's observation and configuration, or of only the observation."""

    def __init__(self, function: Callable[..., Any], path: str = "") -> None:
        self.function, self.path = function, path
        self.overage = OVERAGE
        code = getattr(function, "__code__", None)
        self.arguments = getattr(code, "co_argcount", 2)
        """The number of its arguments, counted as Kaggle counts them."""

    def new_game(self, seed: int) -> None:  # noqa: ARG002  Kaggle gives none
        """Reset the overage time."""
        self.overage = OVERAGE

    def choose(self, board: Board, limits: Limits) -> Any:  # noqa: ANN401  its answer
        rules = board.rules
        cells = [cell for row in board.grid() for cell in row]
        seconds = limits.seconds or ACT_TIMEOUT
        configuration = Struct(
            columns=rules.columns, rows=rules.rows, inarow=rules.connect, timeout=seconds, actTimeout=seconds,
            agentTimeout=OVERAGE, runTimeout=1200, steps=1000, episodeSteps=1000, __raw_path__=self.path,
        )  # fmt: skip
        observation = Struct(board=cells, mark=board.mover + 1, step=board.ply, remainingOverageTime=self.overage)
        began = time.perf_counter()
        answer = self.function(*(observation, configuration)[: self.arguments])
        self.overage = max(0.0, self.overage - max(0.0, time.perf_counter() - began - seconds))
        return answer
