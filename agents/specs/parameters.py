"""Reads the parameters of an agent from its constructor: types, ranges, choices, defaults and meanings.

`depth: Annotated[int, Range(1, 64), "plies to search"] = 6` is the key `depth` of the agent's specs. The type says how
its text is read: a number, a word of a Literal, or on and off for a bool. In an agent of this package a parameter
without Annotated cannot be set by a spec. In a user's class Annotated is optional; where it stands it is checked.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from agents.errors import InputError, unknown
from agents.specs.components import HEURISTICS, ORDERINGS, checked_name, complete
from agents.specs.plugins import load


@dataclass(frozen=True, slots=True)
class Range:
    """The least and the greatest number that a parameter takes."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Text:
    """Converts the text of a parameter. Raises InputError with a message that does not name the parameter."""

    read: Callable[[str], object]
    choices: tuple[str, ...] = ()
    """The words that a form offers."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One key of an agent's spec."""

    read: Callable[[str], object]
    """Converts text to a value; raises InputError with a message that does not name the key."""
    default: object
    meaning: str
    choices: tuple[str, ...] = ()
    """The possible values, if they are few; a heuristic or an ordering may also come from a user's file."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of agent of this package: the row of its class."""

    where: str
    """`module:Class`; its constructor has the parameters."""
    summary: str
    source: str = ""
    chance: bool = False
    """Whether its moves depend on random numbers."""
    first: str = ""
    """The key for the text between `NAME:` and the first semicolon; such specs are not expanded or split at commas."""

    @property
    def make(self) -> Callable[..., Any]:
        """The class."""
        return load(self.where)  # type: ignore[no-any-return]

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The parameters of its specs."""
        return parameters(self.make)


@dataclass(frozen=True, slots=True)
class Program:
    """A prefix of specs whose players are programs: the row of its protocol."""

    where: str
    """`module:Class` of the protocol."""
    options: bool = False
    """Whether options of the program may follow the command, `;name=value` each."""


@functools.cache
def parameters(make: Callable[..., Any]) -> Mapping[str, Parameter]:
    """Return the annotated parameters of a class or a function; those that `**` passes on are the base class's."""
    passed: Mapping[str, Parameter] = {}
    signature = inspect.signature(make).parameters
    if isinstance(make, type) and _takes_more(signature):
        passed = parameters(make.__mro__[1])
    hints = get_type_hints(getattr(make, "__init__") if isinstance(make, type) else make, include_extras=True)  # noqa: B009  mypy's
    annotated = {name: hint for name, hint in hints.items() if get_origin(hint) is Annotated}
    defaults = {key: None if row.default is row.empty else row.default for key, row in signature.items()}
    return {**passed, **{name: parameter(hint, defaults[name]) for name, hint in annotated.items()}}


def _takes_more(signature: Mapping[str, inspect.Parameter]) -> bool:
    """Return whether one of the parameters is `**name`."""
    return any(parameter.kind == parameter.VAR_KEYWORD for parameter in signature.values())


def parameter(hint: object, default: object = None) -> Parameter:
    """Return the parameter that `Annotated[type, …, meaning]` describes; of several notes of a kind the last counts."""
    kind, *notes = get_args(hint)
    if get_origin(kind) in {Union, types.UnionType}:
        kind = next(alternative for alternative in get_args(kind) if alternative is not type(None))
    meaning = next((note for note in reversed(notes) if isinstance(note, str)), "")
    bounds = next((note for note in reversed(notes) if isinstance(note, Range)), Range(-math.inf, math.inf))
    if text := next((note for note in reversed(notes) if isinstance(note, Text)), None):
        return Parameter(text.read, default, meaning, text.choices)
    if get_origin(kind) is Literal:
        return Parameter(one_of(*get_args(kind)), default, meaning, get_args(kind))
    readers: dict[object, Callable[[str], object]] = {
        bool: switch, int: whole(bounds.low, bounds.high), float: number(bounds.low, bounds.high), str: str
    }  # fmt: skip
    return Parameter(readers.get(kind, lambda text: text), default, meaning)


def checked(make: Callable[..., Any], options: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return the options of the spec `text` of a user's class or function, read as its annotations say.

    Raises InputError for an option that it does not take, and for a value that an annotation refuses.
    """
    try:
        annotated, signature = parameters(make), inspect.signature(make).parameters
    except (NameError, TypeError, ValueError, AttributeError):  # what is imported for types alone, or not hashable
        return dict(options)
    values = dict(options)
    for key, value in options.items():
        if key not in signature and not _takes_more(signature):
            raise InputError(f"agent {text!r}: {unknown('parameter', key, signature)}")
        if key in annotated and value is not None:
            try:
                values[key] = annotated[key].read(str(value))
            except InputError as error:
                raise InputError(f"agent {text!r}: {key}: {error}") from error
    return values


def whole(low: float, high: float) -> Callable[[str], int]:
    """Return a reader of whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        digits = text.replace("_", "")
        value = int(digits) if re.fullmatch("-?[0-9]{1,18}", digits) else None
        if value is None or not low <= value <= high:
            raise InputError(f"must be a whole number{_within(low, high)}, not {text!r}")
        return value

    return read


def number(low: float, high: float) -> Callable[[str], float]:
    """Return a reader of numbers from `low` to `high`."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise InputError(f"must be a number{_within(low, high)}, not {text!r}")
        return value

    return read


def _within(low: float, high: float) -> str:
    ends = [str(end) if isinstance(end, int) else f"{end:g}" for end in (low, high)]
    return f" from {' to '.join(ends)}" if math.isfinite(high - low) else ""


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


Heuristic = Annotated[
    str,
    Text(functools.partial(checked_name, "heuristic"), tuple(complete(HEURISTICS))),
    "what values the leaves: a name or file.py:function",
]
Order = Annotated[
    str,
    Text(functools.partial(checked_name, "ordering"), tuple(complete(ORDERINGS))),
    "which moves are tried first: a name or file.py:function",
]
Depth = Annotated[int | None, Range(1, 64), "plies to search; 6 unless another limit is given"]
Nodes = Annotated[int | None, Range(1, 10**15), "positions to visit at most; deepens"]
Seconds = Annotated[float | None, Range(0.0001, 86_400.0), "seconds a move at most; deepens"]
TableSize = Annotated[int, Range(1, 65_536), "the table's megabytes, rounded down to a power of two"]
