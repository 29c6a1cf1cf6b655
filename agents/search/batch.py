"""A heuristic on all children of a node at once, and an ordering on all its moves.

Valued one at a time, leaves are where a search spends its time. As vectors, see `agents.jit.lanes`, the seven cost
little more than one: half of what LLVM needs where it is left to find the vectors in a loop. That loop is what is
compiled for functions that cannot take vectors, and what plain Python runs.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from numba.core.errors import NumbaError

from agents.bits.bitboard import landing_cells, line_completers
from agents.jit.columns import column_from, lanes_of
from agents.jit.compiler import (
    ARRANGE_SIGNATURE,
    CACHE_DIRECTORY,
    JIT,
    LEAVES_SIGNATURE,
    copy_with,
    jit,
    specialise,
)
from agents.jit.lanes import LANES, either, load_lanes, numbered, save_lanes
from agents.jit.reductions import highest, united
from agents.jit.words import load, save
from agents.search.task import INFINITY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agents.board import Rules
    from agents.jit.compiler import Evaluate, F, Score

FULL = -INFINITY
"""Stands for the value of a column that cannot be played."""
BITS = 5
COLUMN = (1 << BITS) - 1
"""The bits that hold a column."""
FARTHEST = 1 << 52
"""An ordering's scores beyond this, above 0 or below, count as this: with the bits below them they fit a word."""
NO_KEY = -(1 << 63)
"""Below every key."""
COLUMNS, ROWS, CONNECT, BOTTOM, CELLS, WIDTH, STEP = 7, 6, 4, 0, 0, LANES, 1
PACKED = 12
"""How many columns are sorted into one word."""


def evaluate(own: int, opp: int) -> int:
    """Stand in the place that a compiled heuristic takes."""
    raise NotImplementedError


def leaves(own: int, opp: int, win: int, first: int, last: int, values: int) -> int:
    """Set `values[column]` to the value, for the mover, of the child by each column, and return the highest.

    A child that ends the game is worth `win` or, on a full board, 0; with `win` 0 the heuristic values it like any
    other. A full column gets FULL. There may be more lanes than columns. Plain Python values the column `first` alone.
    """
    mask = own | opp
    playable = landing_cells(mask, BOTTOM) & CELLS
    completers = line_completers(own, ROWS, CONNECT) if win != 0 else 0
    whole = CELLS if win != 0 else -1
    best = FULL
    for start in range(0 if STEP > 1 else first, WIDTH if STEP > 1 else last, STEP):
        column = columns_from(start)
        disc = playable & either(column < COLUMNS, ((1 << ROWS) - 1) << column * (ROWS + 1), 0)
        value = either((mask | disc) ^ whole, -evaluate(opp, own | disc), 0)
        value = either(disc, either(disc & completers, win, value), FULL)
        put(values, start, value)
        best = max(best, highest(value))
    return best


def score(own: int, opp: int, column: int) -> int:
    """Stand in the place that a compiled ordering takes."""
    raise NotImplementedError


columns_from = column_from
get, put = load, save


def arrange(own: int, opp: int, lanes: int, scores: int, row: int) -> None:
    """Write the columns into `scores[row]` and on, highest score first, equal ones from the centre, full ones last.

    With `row` 0 only their keys are written: behind the first words of `scores`, one for each lane. The higher a key,
    the earlier the column's place; its lowest bits are the column. A place is the number of higher keys, counted
    without a branch, which a processor would guess wrong half of the time. The first column waits for no other.
    """
    playable = landing_cells(own | opp, BOTTOM) & CELLS
    first = NO_KEY
    for start in range(0, WIDTH if STEP > 1 else lanes, STEP):
        column = columns_from(start)
        disc = playable & either(column < COLUMNS, ((1 << ROWS) - 1) << column * (ROWS + 1), 0)
        if STEP > 1:  # noqa: SIM108  numba compiles the branch that is taken alone
            found = score(own, opp, column)
        else:
            found = score(own, opp, column) if disc != 0 else 0
        found = either(disc, min(max(found, -FARTHEST), FARTHEST), -FARTHEST - 1)
        key = ((found << BITS) - rank(column, COLUMNS) << BITS) + column
        put(scores, lanes + start, key)
        first = max(first, highest(key))
    if row == 0:
        return
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
            shift = BITS * (place & 15)  # outside it does not matter, but plain Python shifts by no less than 0
            packed |= united(either(inside, column << shift, 0))
        for place in range(base, min(base + PACKED, COLUMNS)):
            if place > 0:
                save(scores, row + place, packed & COLUMN)
            packed >>= BITS


@jit(inline=True)
def rank(column: int, columns: int) -> int:
    """Return a column's place in the order from the centre, see `agents.orderings.static`."""
    right = 2 * column - columns + 1
    return either(right < 0, -right - 1, right)


def compile_order(ordering: Score, name: str, rules: Rules, directory: Path = CACHE_DIRECTORY) -> Callable[..., None]:
    """Return `arrange` for a compiled ordering, which must be forced inline, on this board size."""
    return _compiled(arrange, ARRANGE_SIGNATURE, name, rules, directory, score=ordering)


def plain_order(ordering: Score, rules: Rules) -> Callable[..., None]:
    """Return `arrange` as plain Python for an ordering that is not compiled."""
    return copy_with(arrange, score=ordering, **_constants(rules))


def compile_leaves(
    heuristic: Evaluate, name: str, rules: Rules, directory: Path = CACHE_DIRECTORY
) -> Callable[..., int]:
    """Return `leaves` for a compiled heuristic, which must be forced inline, on this board size."""
    return _compiled(leaves, LEAVES_SIGNATURE, name, rules, directory, evaluate=heuristic)


def plain_leaves(heuristic: Evaluate, rules: Rules) -> Callable[..., int]:
    """Return `leaves` as plain Python for a heuristic that is not compiled."""
    return copy_with(leaves, evaluate=heuristic, **_constants(rules))


def _compiled(
    template: F, signature: object, name: str, rules: Rules, directory: Path, **part: Callable[..., Any]
) -> F:
    """Compile a template by vectors, or word by word where what is written in it has branches."""
    constants = part | _constants(rules)
    full = f"{name}-{rules}"
    branches = directory / f"{hashlib.sha256(f'{template.__name__} {full}'.encode()).hexdigest()[:16]}.branches"
    if JIT and not branches.exists():
        try:
            vectors = {"STEP": LANES, "columns_from": numbered, "get": load_lanes, "put": save_lanes}
            return specialise(template, f"{full}-lanes", signature, directory=directory, **constants | vectors)
        except NumbaError:
            with suppress(OSError):  # it is remembered where it can be: to find out takes half a second
                branches.touch()
    return specialise(template, full, signature, directory=directory, **constants)


def _constants(rules: Rules) -> dict[str, Any]:
    return {
        "COLUMNS": rules.columns,
        "ROWS": rules.rows,
        "CONNECT": rules.connect,
        "BOTTOM": rules.bottom,
        "CELLS": rules.cells,
        "WIDTH": lanes_of(rules.columns),
    }
