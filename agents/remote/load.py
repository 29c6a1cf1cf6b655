"""Load an agent from a file, whatever its shape, in the process that it has to itself.

A class with `choose(board, limits)`, a function `choose(board)`, or a Kaggle agent `(observation, configuration)`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from agents.agent import Limits
from agents.board import Board
from agents.errors import InputError
from agents.specs.outline import is_kaggle
from agents.specs.plugins import reader, run_file

MODULE = "__remote_agent__"


def load(words: Sequence[str], options: Mapping[str, Any]) -> Any:  # noqa: ANN401  an agent
    """Return the agent that `[file, name]` names. Errors of the user's code pass through."""
    file, name = words
    found = getattr(_module(Path(file)), name, None)
    if found is None or not callable(found):
        raise InputError(f"{file} has no class or function {name!r}")
    return shaped(found, f"{file}:{name}", options)


def shaped(found: Callable[..., Any], text: str, options: Mapping[str, Any]) -> Any:  # noqa: ANN401  an agent
    """Return an agent made from the user's class or function, named `text`. Errors of the user's code pass through.

    A function is the agent where its first parameter is `board` or where it needs one or two; else it makes one.
    """
    names = _names(found)
    if not isinstance(found, type) and not options:
        if is_kaggle(names):
            return _Kaggle(found)
        needed = _names(found, needed=True)
        if 1 <= len(needed) <= 2 or (names[:1] == ["board"] and len(names) <= 2):
            return _Function(found, found)
        if needed:
            raise InputError(
                f"agent {text!r} needs {', '.join(needed)}: it takes the board, or the board and the limits"
            )
    made = found(**options)
    if not callable(getattr(made, "choose", None)):
        raise InputError(f"agent {text!r} has no method choose(board, limits)")
    return _Function(made.choose, made) if _takes(made.choose) == 1 else made


def _module(path: Path) -> ModuleType:
    """Run the file as a module; its neighbours can be imported from source.

    Installed modules come first: a classmate's `numpy.py` in the folder is no one's numpy.
    """
    sys.path_hooks.insert(0, reader(path.parent, [Path(place) for place in sys.path]))
    sys.path.append(str(path.parent))
    return run_file(path, path.read_bytes(), MODULE)


def _names(function: Callable[..., Any], *, needed: bool = False) -> list[str]:
    """Return the names of the parameters that can be given in order, or only of those that are needed."""
    try:
        given = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    in_order = [each for each in given if each.kind in {each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD}]
    return [each.name for each in in_order if each.default is each.empty or not needed]


def _takes(function: Callable[..., Any]) -> int:
    return len(_names(function))


class _Function:
    """A function of the board, or of the board and the limits."""

    def __init__(self, function: Callable[..., Any], owner: Any) -> None:  # noqa: ANN401  what may have new_game
        self.function, self.owner = function, owner
        self.limited = _takes(function) > 1
        for name in ("prepare", "new_game"):
            if hasattr(owner, name):
                setattr(self, name, getattr(owner, name))

    def choose(self, board: Board, limits: Limits) -> Any:  # noqa: ANN401  its answer
        return self.function(board, limits) if self.limited else self.function(board)


class Struct(dict[str, Any]):
    """The argument of a Kaggle agent: a dictionary with its items as attributes, too."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  any item
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: object) -> None:
        self[name] = value


class _Kaggle:
    """A function of Kaggle's observation and configuration."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def choose(self, board: Board, limits: Limits) -> Any:  # noqa: ANN401  its answer
        rules = board.rules
        cells = [cell for row in board.grid() for cell in row]
        seconds = limits.seconds or 60.0
        configuration = Struct(
            columns=rules.columns, rows=rules.rows, inarow=rules.connect, timeout=seconds, actTimeout=seconds,
            steps=1000, episodeSteps=1000,
        )  # fmt: skip
        observation = Struct(board=cells, mark=board.mover + 1, step=board.ply, remainingOverageTime=60.0)
        return self.function(observation, configuration)
