"""Describes a kind of agent: its class, and the keys of its spec with their readers and meanings.

Each file of `agents.players` holds one kind or a few related ones. They import kernels inside functions, so that
reading specs does not load numba.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agents.errors import InputError
from agents.specs.parts import HEURISTICS, ORDERINGS, complete, known


@dataclass(frozen=True, slots=True)
class Parameter:
    """One key of an agent's spec."""

    read: Callable[[str], object]
    """Converts text to a value; raises InputError with a message that does not name the key."""
    default: object
    meaning: str
    choices: tuple[str, ...] = ()
    """The possible values, if they are few; a heuristic or an ordering may also come from a user's file."""

    def but(self, **changes: Any) -> Parameter:  # noqa: ANN401  a default or a meaning
        """Return a copy with another default or meaning."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of agent: its factory, and the keys of its spec."""

    make: Callable[..., Any]
    """The class or function that makes an agent; it takes the parameters by keyword."""
    summary: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    """Arguments that the spec cannot change."""
    source: str = ""
    chance: bool = False
    """Whether its moves depend on random numbers."""
    first: str = ""
    """The key for the text between `NAME:` and the first semicolon; such specs are not expanded or split at commas."""


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        digits = text.replace("_", "")
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
        if value is None or not low <= value <= high:
            raise InputError(f"must be a whole number from {low} to {high}, not {text!r}")
        return value

    return read


def number(low: float, high: float) -> Callable[[str], float]:
    """Return a reader of numbers from `low` to `high`."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise InputError(f"must be a number from {low:g} to {high:g}, not {text!r}")
        return value

    return read


def switch(text: str) -> bool:
    """Read on or off."""
    words = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
    if text.lower() not in words:
        raise InputError(f"must be on or off, not {text!r}")
    return words[text.lower()]


def one_of(*names: str) -> Callable[[str], str]:
    """Return a reader of a fixed set of words."""

    def read(text: str) -> str:
        if text not in names:
            raise InputError(f"must be {' or '.join(names)}, not {text!r}")
        return text

    return read


HEURISTIC = Parameter(
    functools.partial(known, "heuristic"),
    "powers-of-ten",
    "what values the leaves: a name or file.py:function",
    tuple(complete(HEURISTICS)),
)
ORDER = Parameter(
    functools.partial(known, "ordering"),
    "left-to-right",
    "which moves are tried first: a name or file.py:function",
    tuple(complete(ORDERINGS)),
)
DEPTH = Parameter(whole(1, 64), None, "plies to search; 6 unless another limit is given")
NODES_A_MOVE = Parameter(whole(1, 10**15), None, "positions to visit at most; deepens")
SECONDS_A_MOVE = Parameter(number(0.0001, 86_400.0), None, "seconds a move at most; deepens")
