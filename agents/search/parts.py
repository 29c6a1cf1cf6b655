"""Heuristics and orderings made ready for the kernels: found, compiled, and put into the form that a search takes."""

from __future__ import annotations

import functools
import hashlib
import inspect
import operator
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from agents.board import Rules
from agents.errors import InputError
from agents.heuristics import HEURISTICS
from agents.jit import user_code as foreign
from agents.jit.compiler import (
    EVALUATE_SIGNATURE,
    JIT,
    SCORE_SIGNATURE,
    Evaluate,
    Score,
    copy_with,
    jit,
    specialise,
)
from agents.orderings import ORDERINGS
from agents.plugins import find, one_line
from agents.score import WIN_BOUND
from agents.search import batch as leaves


@dataclass(frozen=True, slots=True)
class Prepared:
    """A heuristic on one board size."""

    evaluate: Evaluate
    """(own, opp) -> value for the side to move."""
    leaves: Callable[..., None]
    """See `agents.search.batch`."""
    compiled: bool


def heuristic(text: str, rules: Rules, *, compiled: bool = True) -> Prepared:
    """Return the heuristic of that name, or `file.py:function`, for this board size. Raises InputError.

    `compiled=False` runs it, and the leaves, as plain Python.
    """
    if text in HEURISTICS:
        return _built_in(text, rules, compiled)
    function = _built("heuristic", text, {name: row.where for name, row in HEURISTICS.items()}, rules, ("own", "opp"))
    if not compiled and JIT:
        plain = function if isinstance(function, FunctionType) else function.py_func
        evaluate = copy_with(clamped, unbounded=plain, whole=operator.index)
        return Prepared(evaluate, leaves.plain_leaves(evaluate, rules), compiled=False)
    native = foreign.compiled("heuristic", text, function, EVALUATE_SIGNATURE)
    name, kept = hashlib.sha256(text.encode()).hexdigest()[:16], foreign.kept(function)
    evaluate = specialise(clamped, name, EVALUATE_SIGNATURE, directory=kept, inline=True, unbounded=native)
    return Prepared(evaluate, leaves.compile_leaves(evaluate, name, rules, kept), compiled=JIT)


@functools.lru_cache(maxsize=64)
def _built_in(text: str, rules: Rules, compiled: bool) -> Prepared:
    """Return a heuristic of the table; many agents share one, and to load it from the disk takes 30 ms."""
    function = find("heuristic", text, {text: HEURISTICS[text].where})(rules)
    if compiled or not JIT:
        return Prepared(function, leaves.compile_leaves(function, text, rules), compiled=JIT)
    return Prepared(function.py_func, leaves.plain_leaves(function.py_func, rules), compiled=False)


def clamped(own: int, opp: int) -> int:
    """Show a user's heuristic plain integers, and keep its value within bounds: it is never taken for a proven win."""
    return min(max(whole(unbounded(int(own), int(opp))), -WIN_BOUND + 1), WIN_BOUND - 1)


whole = int if JIT else operator.index
"""What `clamped` does with a value: numba knows `int` alone, and was seen to get a whole number."""


def unbounded(own: int, opp: int) -> int:
    """Stand in the place that a user's heuristic takes."""
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Order:
    """An ordering on one board size."""

    columns: tuple[int, ...]
    """The order in which columns are tried and, where there is a score, in which ties are broken."""
    score: Score | None
    """(own, opp, column) -> higher first; None for an order that never changes."""


def ordering(text: str, rules: Rules, *, compiled: bool = True) -> Order:
    """Return the ordering of that name, or `file.py:function`, for this board size. Raises InputError."""
    from agents.orderings.static import centre

    table = {name: row.where for name, row in ORDERINGS.items()}
    if text in ORDERINGS and ORDERINGS[text].static:
        return Order(find("ordering", text, table)(rules), None)
    score = _built("ordering", text, table, rules, ("own", "opp", "column"))
    if text not in ORDERINGS and compiled:
        score = foreign.compiled("ordering", text, score, SCORE_SIGNATURE)
    elif not compiled and not isinstance(score, FunctionType):
        score = score.py_func
    return Order(centre(rules), score)


@jit(SCORE_SIGNATURE)
def no_score(own: int, opp: int, column: int) -> int:  # noqa: ARG001  the place of a score that is never asked
    """Score nothing."""
    return 0


def _built(kind: str, text: str, table: dict[str, str], rules: Rules, takes: tuple[str, ...]) -> Any:  # noqa: ANN401
    """Return the function itself; what takes only `rules` is a factory, and is asked for it.

    Raises InputError where the function cannot be called with as many arguments as `takes` names.
    """
    found = find(kind, text, table)
    if _parameters(found) == ["rules"]:
        if text in table:
            return found(rules)
        try:
            found = found(rules)
        except Exception as error:
            raise InputError(f"{kind} {text!r}: {one_line(error)}") from error
    parameters = _parameters(found)
    if parameters is None or len(parameters) != len(takes):
        raise InputError(f"{kind} {text!r} must be a function of {', '.join(takes)}")
    return found


def _parameters(function: Any) -> list[str] | None:  # noqa: ANN401  whatever the user wrote
    try:
        return list(inspect.signature(getattr(function, "py_func", function)).parameters)
    except (TypeError, ValueError):
        return None
