"""Compiles heuristics and orderings into the form that a search calls: all children of a node at once."""

from __future__ import annotations

import hashlib
import inspect
import operator
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from agents.bits.bitboard import landing_cells, line_completers
from agents.errors import InputError, unknown
from agents.jit import user_code
from agents.jit.cache import CACHE_DIRECTORY
from agents.jit.compiler import (
    CHILDREN_SIGNATURE,
    EVALUATE_SIGNATURE,
    SCORE_SIGNATURE,
    SORT_SIGNATURE,
    Evaluate,
    Score,
    jit,
    specialize,
)
from agents.jit.vectors import (
    JIT,
    LANES,
    highest,
    lane_numbers,
    lanes_of,
    load,
    load_lanes,
    save,
    save_lanes,
    union,
    where,
)
from agents.orderings.static import centre
from agents.rules import Rules
from agents.score import WIN_BOUND
from agents.search.control import INFINITY
from agents.specs.components import HEURISTICS, ORDERINGS, Component, checked_name
from agents.specs.notation import Call, call
from agents.specs.plugins import find, format_error, output_to_stderr

if TYPE_CHECKING:
    from agents.board import Rules
    from agents.jit.compiler import F


# A search spends most of its time on leaves. In vectors seven leaves cost little more than one.
# A function that cannot take vectors is compiled for one column at a time; plain Python runs the same way.

NO_MOVE = -INFINITY
"""The value of a full column, below every real value."""
BITS = 5
COLUMN = (1 << BITS) - 1
"""The bits that hold a column."""
FARTHEST = 1 << 52
"""The largest magnitude of an ordering's score; scores are clamped so that a key fits a word."""
NO_KEY = -(1 << 63)
"""Below every key."""
COLUMNS, ROWS, CONNECT, BOTTOM, CELLS, WIDTH, STEP = 7, 6, 4, 0, 0, LANES, 1
PACKED = 12
"""The number of columns that one word can sort."""


def evaluate(own: int, opp: int) -> int:
    """Stand in for a compiled heuristic."""
    raise NotImplementedError


def evaluate_children(own: int, opp: int, win: int, first: int, last: int, values: int) -> int:
    """Set `values[column]` to the value, for the mover, of the child by each column, and return the highest value.

    own, opp: the discs of the mover and of the other side.
    win: the value of a child with a line; a full board without one is worth 0. With 0 the heuristic evaluates both.
    first, last: the columns to evaluate; vectors evaluate all columns.
    values: an address; a full column, and a lane behind the columns, gets NO_MOVE.
    """
    mask = own | opp
    playable = landing_cells(mask, BOTTOM) & CELLS
    # With `win` 0 no cell completes a line, and no board is full.
    completers = line_completers(own, ROWS, CONNECT) if win != 0 else 0
    whole = CELLS if win != 0 else -1
    best = NO_MOVE
    for start in range(0 if STEP > 1 else first, WIDTH if STEP > 1 else last, STEP):
        column = columns_from(start)
        disc = playable & where(column < COLUMNS, ((1 << ROWS) - 1) << column * (ROWS + 1), 0)
        # A win by the last disc overrides the draw of a full board, and NO_MOVE overrides both.
        value = where((mask | disc) ^ whole, -evaluate(opp, own | disc), 0)
        value = where(disc, where(disc & completers, win, value), NO_MOVE)
        put(values, start, value)
        best = max(best, highest(value))
    return best


def score(own: int, opp: int, column: int) -> int:
    """Stand in for a compiled ordering."""
    raise NotImplementedError


columns_from = int
get, put = load, save


def sort_moves(own: int, opp: int, lanes: int, scores: int, row: int) -> None:
    """Write the columns from `scores[row]` on: highest score first, ties from the centre, full columns last.

    With `row` 0 write only their keys, from `scores[lanes]` on. Keys sort in descending order; the lowest bits are the
    column. A column's place is the number of higher keys, counted without branches, as half would be mispredicted.

    own, opp: see `evaluate_children`. lanes: the columns, rounded up to whole vectors. scores: an address.
    """
    # Make the keys: score, then nearness to the centre, then the column.
    playable = landing_cells(own | opp, BOTTOM) & CELLS
    first = NO_KEY
    for start in range(0, WIDTH if STEP > 1 else lanes, STEP):
        column = columns_from(start)
        disc = playable & where(column < COLUMNS, ((1 << ROWS) - 1) << column * (ROWS + 1), 0)
        if STEP > 1:  # noqa: SIM108  numba compiles only the branch that is taken
            value = score(own, opp, column)
        else:
            value = score(own, opp, column) if disc != 0 else 0
        value = where(disc, min(max(value, -FARTHEST), FARTHEST), -FARTHEST - 1)
        key = ((value << BITS) - rank(column, COLUMNS) << BITS) + column
        put(scores, lanes + start, key)
        first = max(first, highest(key))
    if row == 0:
        return
    # The first column is known at once; the search need not wait for the others.
    save(scores, row, first & COLUMN)
    for base in range(0, COLUMNS, PACKED):
        packed = 0
        for start in range(0, WIDTH if STEP > 1 else lanes, STEP):
            column = columns_from(start)
            key = get(scores, lanes + start)
            place = -base
            for other in range(COLUMNS):
                place += load(scores, lanes + other) > key
            inside = (column < COLUMNS) & (place >= 0) & (place < PACKED)
            shift = BITS * (place & 15)  # its value is unused outside, but plain Python refuses negative shifts
            packed |= union(where(inside, column << shift, 0))
        # Unpack the columns in their order.
        for place in range(base, min(base + PACKED, COLUMNS)):
            if place > 0:
                save(scores, row + place, packed & COLUMN)
            packed >>= BITS


@jit(inline=True)
def rank(column: int, columns: int) -> int:
    """Return a column's place in the order from the centre, see `agents.orderings.static`."""
    right = 2 * column - columns + 1
    return where(right < 0, -right - 1, right)


def compile_order(
    ordering: Score, name: str, rules: Rules, directory: Path | None = CACHE_DIRECTORY
) -> Callable[..., None]:
    """Return `sort_moves` for a compiled ordering, which must be forced inline, on this board size.

    name: what the ordering is called in the cache, which is in `directory`; another function needs another name.
    """
    return _compiled(sort_moves, SORT_SIGNATURE, name, rules, directory, score=ordering)


def compile_children(
    heuristic: Evaluate, name: str, rules: Rules, directory: Path | None = CACHE_DIRECTORY
) -> Callable[..., int]:
    """Return `evaluate_children` for a heuristic that is forced inline; for the parameters see `compile_order`."""
    return _compiled(evaluate_children, CHILDREN_SIGNATURE, name, rules, directory, evaluate=heuristic)


def _compiled(
    template: F, signature: object, name: str, rules: Rules, directory: Path | None, **part: Callable[..., Any]
) -> F:
    """Compile a template for vectors, or for words if its function has branches."""
    constants = part | _constants(rules)
    full = f"{name}-{rules}"
    name = hashlib.sha256(f"{template.__name__} {full}".encode()).hexdigest()[:16]
    branches = (directory or Path(os.devnull)) / f"{name}.branches"
    if JIT and not branches.exists():
        from numba.core.errors import NumbaError  # imported here, because `agents.jit` must load numba first

        try:
            vectors = {"STEP": LANES, "columns_from": lane_numbers, "get": load_lanes, "put": save_lanes}
            return specialize(template, f"{full}-lanes", signature, directory=directory, **constants | vectors)
        except NumbaError:
            with suppress(OSError):  # the attempt takes 0.5 s: remember that it failed
                branches.parent.mkdir(parents=True, exist_ok=True)
                branches.touch()
    return specialize(template, full, signature, directory=directory, **constants)


def _constants(rules: Rules) -> dict[str, Any]:
    return {
        "COLUMNS": rules.columns,
        "ROWS": rules.rows,
        "CONNECT": rules.connect,
        "BOTTOM": rules.bottom,
        "CELLS": rules.cells,
        "WIDTH": lanes_of(rules.columns),
    }


@dataclass(frozen=True)
class CompiledHeuristic:
    """A heuristic on one board size."""

    evaluate: Evaluate
    """(own, opp) -> value for the side to move."""
    make_evaluate_children: Callable[[], Callable[..., int]] | None = None
    """Compiles `evaluate_children`; a separate step, because it takes long and a single evaluation does not need it.
    None: the heuristic is plain Python."""

    @cached_property
    def evaluate_children(self) -> Callable[..., int]:
        """See `agents.search.compiled`."""
        assert self.make_evaluate_children is not None
        return self.make_evaluate_children()


def heuristic(text: str, rules: Rules, *, compiled: bool = True) -> CompiledHeuristic:
    """Return the heuristic of a spec on this board size. Raises InputError.

    `compiled=False` leaves it plain Python. Agents share built-in heuristics: loading one from disk takes 30 ms.
    """
    if not compiled:
        return CompiledHeuristic(_whole(plain_heuristic(text, rules), WIN_BOUND - 1))
    return (_shared_heuristic if call(text).name in HEURISTICS else _heuristic)(text, rules)


def _heuristic(text: str, rules: Rules) -> CompiledHeuristic:
    """Return a heuristic, clamped unless it has a mark of its bounds: see `agents.bits.windows.bounded`."""
    function = resolve("heuristic", text, HEURISTICS, rules, ("own", "opp"))
    if call(text).name in HEURISTICS:
        name, full, directory = text, f"{text}-{rules}", CACHE_DIRECTORY
        evaluate, most = jit(inline=True)(function), vars(function).get("most", WIN_BOUND)
    else:
        directory, most = user_code.kept(function), WIN_BOUND
        name = full = user_code.name_of(text, directory)
        evaluate = user_code.compiled("heuristic", text, function, EVALUATE_SIGNATURE)
    if most >= WIN_BOUND:
        evaluate = specialize(clamped, full, None, directory=directory, inline=True, unbounded=evaluate)
    return CompiledHeuristic(evaluate, partial(compile_children, evaluate, name, rules, directory))


_shared_heuristic = lru_cache(maxsize=64)(_heuristic)


def plain_heuristic(text: str, rules: Rules) -> FunctionType:
    """Return a heuristic as its author wrote it: unclamped, and possibly with other results. Raises InputError."""
    function: FunctionType = _plain(resolve("heuristic", text, HEURISTICS, rules, ("own", "opp")))
    return function


def clamped(own: int, opp: int) -> int:
    """Call a heuristic with plain integers, and clamp its value below proven wins."""
    value = whole(unbounded(whole(own), whole(opp)))
    value = where(value <= -WIN_BOUND, -WIN_BOUND + 1, value)
    return where(value >= WIN_BOUND, WIN_BOUND - 1, value)


whole = int if JIT else operator.index
"""Converts values in `clamped`; numba knows only `int`, and its type check has found a whole number."""


def unbounded(own: int, opp: int) -> int:
    """Stand in for a user's heuristic."""
    raise NotImplementedError


@dataclass(frozen=True)
class CompiledOrdering:
    """An ordering on one board size."""

    columns: tuple[int, ...]
    """The order in which columns are tried; with a score, the order of ties."""
    score: Score | None
    """(own, opp, column) -> higher first; None for a fixed order."""
    make_sort_moves: Callable[[], Callable[..., None]] | None = None
    """Compiles `sort_moves`; None: the ordering is plain Python."""

    @cached_property
    def sort_moves(self) -> Callable[..., None]:
        """The function that sorts all columns, see `agents.search.compiled`."""
        assert self.make_sort_moves is not None
        return self.make_sort_moves()


def ordering(text: str, rules: Rules, *, compiled: bool = True) -> CompiledOrdering:
    """Return the ordering of a spec on this board size. Raises InputError. `compiled=False` leaves it plain Python."""
    return (_shared_ordering if call(text).name in ORDERINGS else _ordering)(text, rules, compiled)


def _ordering(text: str, rules: Rules, compiled: bool) -> CompiledOrdering:
    """Return a built-in or a user's ordering."""
    function = resolve("ordering", text, ORDERINGS, rules, ("own", "opp", "column"))
    if isinstance(function, tuple):
        return CompiledOrdering(function, None, lambda: no_order)
    if not compiled:
        return CompiledOrdering(centre(rules), _whole(_plain(function), FARTHEST))
    if call(text).name in ORDERINGS:
        score, name, directory = jit(inline=True)(function), text, CACHE_DIRECTORY
    else:
        score = user_code.compiled("ordering", text, function, SCORE_SIGNATURE) if JIT else _whole(function, FARTHEST)
        directory = user_code.kept(function)
        name = user_code.name_of(text, directory)
    return CompiledOrdering(centre(rules), score, partial(compile_order, score, name, rules, directory))


_shared_ordering = lru_cache(maxsize=64)(_ordering)


def _whole(function: Callable[..., int], most: int) -> Callable[..., int]:
    """Return a plain function that raises unless it returns a whole number, clamped to -`most` … `most`."""

    def value(*arguments: int) -> int:
        return min(max(operator.index(function(*arguments)), -most), most)

    return value


@jit(SORT_SIGNATURE)
def no_order(own: int, opp: int, lanes: int, scores: int, row: int) -> None:
    """Do nothing; the ordering of a search without the flag SORT. For parameters see `sort_moves`."""


def _plain(function: Any) -> Any:  # noqa: ANN401  a function, or what numba made of it
    return function if isinstance(function, FunctionType) else function.py_func


def resolve(kind: str, text: str, table: Mapping[str, Component], rules: Rules, takes: tuple[str, ...]) -> Any:  # noqa: ANN401  what a user wrote
    """Return the function of a name, or the one that its factory makes; for a fixed ordering return its columns.

    kind: "heuristic" or "ordering".
    text: the name in a spec, weights included.
    table: the built-in names of this kind.
    rules: the rules that a factory gets.
    takes: the function's parameters; a function with more or fewer, or an unknown name, raises InputError.
    """
    checked_name(kind, text)
    asked = call(text)
    row = table.get(asked.name)
    function = find(kind, asked.name, {name: row.where for name, row in table.items()})
    parameters = _parameters(function)
    if asked.parentheses or (row is not None and row.weights is not None):
        function = _call_factory(kind, text, function, asked, rules)
        if kind == "ordering" and isinstance(function, tuple) and sorted(function) == list(range(rules.columns)):
            return function
        parameters = _parameters(function)
    elif parameters[:1] == ["rules"]:
        raise InputError(f"{kind} {text!r} takes rules: a factory is named with parentheses, as in {text}()")
    if len(parameters) != len(takes):
        raise InputError(f"{kind} {text!r} must be a function of {', '.join(takes)}")
    return function


def _call_factory(kind: str, text: str, factory: Any, asked: Call, rules: Rules) -> Any:  # noqa: ANN401  what users wrote
    """Call a factory with these rules and weights. Raises InputError."""
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
        with output_to_stderr():
            return factory(rules, *asked.positions, **asked.keywords)
    except InputError as error:
        raise InputError(f"{kind} {text!r}: {error}") from error
    except Exception as error:
        raise InputError(f"{kind} {text!r}: {format_error(error)}") from error


def _bare(weight: inspect.Parameter) -> str:
    return str(weight.replace(annotation=inspect.Parameter.empty))


def _parameters(function: Any) -> list[str]:  # noqa: ANN401  whatever the user wrote
    try:
        return list(inspect.signature(getattr(function, "py_func", function)).parameters)
    except (TypeError, ValueError):
        return []
