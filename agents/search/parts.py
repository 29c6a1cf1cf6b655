"""Heuristics and orderings made ready for the kernels: found, compiled, and put into the form that a search takes."""

from __future__ import annotations

import hashlib
import inspect
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from types import FunctionType
from typing import Any

from agents.errors import InputError, unknown
from agents.jit import user_code
from agents.jit.compiler import (
    ARRANGE_SIGNATURE,
    EVALUATE_SIGNATURE,
    JIT,
    SCORE_SIGNATURE,
    Evaluate,
    Score,
    copy_with,
    jit,
    specialise,
)
from agents.jit.lanes import either
from agents.names import HEURISTICS, ORDERINGS, Part, known
from agents.notation import Call, call
from agents.orderings.static import centre
from agents.plugins import aside, find, one_line
from agents.rules import Rules
from agents.score import WIN_BOUND
from agents.search import batch


@dataclass(frozen=True)
class Prepared:
    """A heuristic on one board size."""

    evaluate: Evaluate
    """(own, opp) -> value for the side to move."""
    make_leaves: Callable[[], Callable[..., int]]
    """Compiling them takes longer than the heuristic itself, and who values one position needs none."""
    compiled: bool

    @cached_property
    def leaves(self) -> Callable[..., int]:
        """See `agents.search.batch`."""
        return self.make_leaves()


def heuristic(text: str, rules: Rules, *, compiled: bool = True) -> Prepared:
    """Return a heuristic on this board size, by its name as specs have it. Raises InputError.

    `compiled=False` runs it, and the leaves, as plain Python.
    """
    if call(text).name in HEURISTICS:
        return _own_heuristic(text, rules, compiled)
    function = written("heuristic", text, HEURISTICS, rules, ("own", "opp"))
    if not compiled and JIT:
        return _as_python(function, rules)
    native = user_code.compiled("heuristic", text, function, EVALUATE_SIGNATURE)
    name, kept = hashlib.sha256(text.encode()).hexdigest()[:16], user_code.kept(function)
    evaluate = specialise(clamped, name, None, directory=kept, inline=True, unbounded=native)
    return Prepared(evaluate, partial(batch.compile_leaves, evaluate, name, rules, kept), compiled=JIT)


@lru_cache(maxsize=64)
def _own_heuristic(text: str, rules: Rules, compiled: bool) -> Prepared:
    """Return a heuristic of the table; many agents share one, and to load it from the disk takes 30 ms.

    It is clamped unless it notes that it stays within bounds, see `agents.bits.windows.bounded`.
    """
    function = written("heuristic", text, HEURISTICS, rules, ("own", "opp"))
    if not compiled and JIT:
        return _as_python(function, rules)
    evaluate = jit(inline=True)(function)
    if vars(function).get("most", WIN_BOUND) >= WIN_BOUND:
        evaluate = specialise(clamped, f"{text}-{rules}", None, inline=True, unbounded=evaluate)
    return Prepared(evaluate, partial(batch.compile_leaves, evaluate, text, rules), compiled=JIT)


def _as_python(function: Any, rules: Rules) -> Prepared:  # noqa: ANN401  a function, or what numba made of it
    evaluate = copy_with(clamped, unbounded=_plain(function), whole=operator.index)
    return Prepared(evaluate, partial(batch.plain_leaves, evaluate, rules), compiled=False)


def clamped(own: int, opp: int) -> int:
    """Show a heuristic plain integers, and keep its value within bounds: it is never taken for a proven win."""
    value = whole(unbounded(whole(own), whole(opp)))
    value = either(value <= -WIN_BOUND, -WIN_BOUND + 1, value)
    return either(value >= WIN_BOUND, WIN_BOUND - 1, value)


whole = int if JIT else operator.index
"""What `clamped` does with a value: numba knows `int` alone, and was seen to get a whole number."""


def unbounded(own: int, opp: int) -> int:
    """Stand in the place that a user's heuristic takes."""
    raise NotImplementedError


@dataclass(frozen=True)
class Order:
    """An ordering on one board size."""

    columns: tuple[int, ...]
    """The order in which columns are tried and, where there is a score, in which ties are broken."""
    score: Score | None
    """(own, opp, column) -> higher first; None for an order that never changes."""
    make_arrange: Callable[[], Callable[..., None]]

    @cached_property
    def arrange(self) -> Callable[..., None]:
        """All columns sorted by it, see `agents.search.batch`."""
        return self.make_arrange()


def ordering(text: str, rules: Rules, *, compiled: bool = True) -> Order:
    """Return an ordering on this board size, by its name as specs have it. Raises InputError."""
    if call(text).name in ORDERINGS:
        return _own_ordering(text, rules, compiled)
    found = written("ordering", text, ORDERINGS, rules, ("own", "opp", "column"))
    if isinstance(found, tuple):
        return Order(found, None, lambda: no_order)
    if not (compiled and JIT):
        plain = _whole_score(_plain(found))
        return Order(centre(rules), plain, partial(batch.plain_order, plain, rules))
    score = user_code.compiled("ordering", text, found, SCORE_SIGNATURE)
    name, kept = hashlib.sha256(text.encode()).hexdigest()[:16], user_code.kept(found)
    return Order(centre(rules), score, partial(batch.compile_order, score, name, rules, kept))


@lru_cache(maxsize=64)
def _own_ordering(text: str, rules: Rules, compiled: bool) -> Order:
    """Return an ordering of the table."""
    found = written("ordering", text, ORDERINGS, rules, ("own", "opp", "column"))
    if isinstance(found, tuple):
        return Order(found, None, lambda: no_order)
    if not compiled and JIT:
        return Order(centre(rules), found, partial(batch.plain_order, found, rules))
    score = jit(inline=True)(found)
    return Order(centre(rules), score, partial(batch.compile_order, score, text, rules))


def _whole_score(function: Score) -> Score:
    """Return a user's ordering as plain Python that refuses what is no whole number, as the compiler does."""

    def score(own: int, opp: int, column: int) -> int:
        return operator.index(function(own, opp, column))

    return score


@jit(ARRANGE_SIGNATURE)
def no_order(own: int, opp: int, lanes: int, scores: int, row: int) -> None:
    """Take the place of an ordering that is never asked for."""


def _plain(function: Any) -> Any:  # noqa: ANN401  a function, or what numba made of it
    return function if isinstance(function, FunctionType) else function.py_func


def written(kind: str, text: str, table: Mapping[str, Part], rules: Rules, takes: tuple[str, ...]) -> Any:  # noqa: ANN401
    """Return the function that a name stands for, made by its factory where it is one; of an ordering maybe columns.

    Raises InputError where there is none, or it cannot be called with as many arguments as `takes` names.
    """
    known(kind, text)
    asked = call(text)
    row = table.get(asked.name)
    found = find(kind, asked.name, {name: each.where for name, each in table.items()})
    parameters = _parameters(found)
    if asked.parentheses or (row is not None and row.weights is not None):
        found = _made(kind, text, found, asked, rules)
        if kind == "ordering" and isinstance(found, tuple) and sorted(found) == list(range(rules.columns)):
            return found
        parameters = _parameters(found)
    elif parameters[:1] == ["rules"]:
        raise InputError(f"{kind} {text!r} takes rules: a factory is named with parentheses, as in {text}()")
    if len(parameters) != len(takes):
        raise InputError(f"{kind} {text!r} must be a function of {', '.join(takes)}")
    return found


def _made(kind: str, text: str, factory: Any, asked: Call, rules: Rules) -> Any:  # noqa: ANN401  what users wrote
    """Return what a factory makes for these rules and weights. Raises InputError."""
    if _parameters(factory)[:1] != ["rules"]:
        raise InputError(f"{kind} {text!r} is no factory: its first parameter must be rules")
    signature = inspect.signature(factory)
    weights = list(signature.parameters.values())[1:]
    names = [weight.name for weight in weights if weight.kind in {weight.POSITIONAL_OR_KEYWORD, weight.KEYWORD_ONLY}]
    for name in asked.keywords.keys() - names:
        if not any(weight.kind == weight.VAR_KEYWORD for weight in weights):
            raise InputError(f"{kind} {text!r}: {unknown('weight', name, names)}")
    try:
        signature.bind(rules, *asked.positions, **asked.keywords)
    except TypeError as error:
        raise InputError(f"{kind} {text!r}: {error}; it takes ({', '.join(map(_bare, weights))})") from error
    try:
        with aside():
            return factory(rules, *asked.positions, **asked.keywords)
    except InputError as error:
        raise InputError(f"{kind} {text!r}: {error}") from error
    except Exception as error:
        raise InputError(f"{kind} {text!r}: {one_line(error)}") from error


def _bare(weight: inspect.Parameter) -> str:
    return str(weight.replace(annotation=inspect.Parameter.empty))


def _parameters(function: Any) -> list[str]:  # noqa: ANN401  whatever the user wrote
    try:
        return list(inspect.signature(getattr(function, "py_func", function)).parameters)
    except (TypeError, ValueError):
        return []
