"""A heuristic with weights that change without a new compilation, for a search that tries many.

Compiled for itself, a heuristic's weights are constants, and another set of them costs up to half a second. Where the
value is a sum of weights times counts, each count is the heuristic with that weight 1 and all others 0. These counts
are compiled together, so that LLVM finds what they share, with the weights in memory.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit import user_code
from agents.jit.compiler import EVALUATE_SIGNATURE, Evaluate, address_of, jit, specialize
from agents.jit.vectors import JIT, load
from agents.search import compiled
from agents.search.compiled import CompiledHeuristic, clamped, resolve
from agents.specs.components import HEURISTICS
from agents.specs.notation import call

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.int64]

WEIGHTS, PLACE = 0, 0
TRIED = 3
"""Sets of weights with which a heuristic is compared with the sum, each on every board given."""


@dataclass(frozen=True, slots=True)
class Family:
    """A heuristic that takes weights, written as specs have it but for these."""

    name: str
    """Of the table, or file.py:name."""
    keys: tuple[str, ...]
    """The keywords of the last weights; those before them go without."""
    start: tuple[int, ...]

    @classmethod
    def read(cls, text: str) -> Family:
        """Return the family of a heuristic with weights, such as windows(1,10,100,1000). Raises InputError."""
        parsed = call(text)
        weights = (*parsed.positions, *parsed.keywords.values())
        if not weights:
            row = HEURISTICS.get(parsed.name)
            says = (
                f"its weights are {','.join(row.weights)}" if row and row.weights else "such as windows(1,10,100,1000)"
            )
            raise InputError(f"heuristic {text!r} has no weights to tune: write them in parentheses, {says}")
        return cls(parsed.name, tuple(parsed.keywords), weights)

    def text(self, weights: Sequence[int]) -> str:
        """Return the heuristic with these weights, as specs have it."""
        bare = len(weights) - len(self.keys)
        named = [f"{key}={weight}" for key, weight in zip(self.keys, weights[bare:], strict=True)]
        return f"{self.name}({','.join([*map(str, weights[:bare]), *named])})"

    def heuristic(self, weights: Sequence[int], rules: Rules) -> Evaluate:
        """Return the heuristic with these weights as it was written. Raises InputError where it refuses them."""
        function: Evaluate = resolve("heuristic", self.text(weights), HEURISTICS, rules, ("own", "opp"))
        return function

    def units(self) -> list[tuple[int, ...]]:
        """Return the weights that single out each count."""
        return [tuple(int(place == other) for other in range(len(self.start))) for place in range(len(self.start))]


def counts(family: Family, boards: Iterable[Board]) -> list[list[int]] | None:
    """Return for each board the count of each weight, or None where the value is no sum of weights times counts."""
    boards = list(boards)
    rules = boards[0].rules
    chance = random.Random(0)  # noqa: S311  a sample, not a secret
    tried = [family.start, *(tuple(chance.randrange(100) for _ in family.start) for _ in range(TRIED - 1))]
    try:
        features = [family.heuristic(unit, rules) for unit in family.units()]
        table = [[int(feature(board.own, board.opp)) for feature in features] for board in boards]
        for weights in tried:
            value = family.heuristic(weights, rules)
            for board, counted in zip(boards, table, strict=True):
                if value(board.own, board.opp) != sum(w * c for w, c in zip(weights, counted, strict=True)):
                    return None
    except InputError:  # it refuses some weights that are no less than those of a user
        return None
    return table


class Weighted:
    """A heuristic of a family on one board size; its weights can be set at any time between two searches."""

    def __init__(self, family: Family, rules: Rules) -> None:
        """Compile it; the family's values must be sums of weights times counts, see `counts`. Raises InputError."""
        self.family = family
        self.rules = rules
        self.weights: Words = np.array(family.start, np.int64)
        self.prepared = self._compiled()

    def set(self, weights: Sequence[int]) -> None:
        """Let the next search use these weights."""
        self.weights[:] = weights

    def _compiled(self) -> CompiledHeuristic:
        address = address_of(self.weights)  # the code holds it, and is not stored
        place = int(address) if JIT else address
        total: Evaluate = jit(inline=True)(nothing)
        for number, unit in enumerate(self.family.units()):
            total = specialize(
                weighted, str(number), None, inline=True, directory=None,
                WEIGHTS=place, PLACE=number, count=_count(self.family, unit, self.rules), rest=total,
            )  # fmt: skip
        if self.family.name not in HEURISTICS:  # those refuse weights that may look like a win
            total = specialize(clamped, "weighted", None, inline=True, directory=None, unbounded=total)
        evaluate_children = compiled.compile_children(total, "weighted", self.rules, None)
        return CompiledHeuristic(total, lambda: evaluate_children)


def _count(family: Family, unit: Sequence[int], rules: Rules) -> Callable[..., Any]:
    """Return one count, compiled to be inlined."""
    function = family.heuristic(unit, rules)
    if family.name in HEURISTICS:
        return jit(inline=True)(function)
    return user_code.compiled("heuristic", family.text(unit), function, EVALUATE_SIGNATURE)  # type: ignore[no-any-return]


def count(own: int, opp: int) -> int:
    """Stand in the place that a count takes."""
    raise NotImplementedError


def rest(own: int, opp: int) -> int:
    """Stand in the place that the weights before take."""
    raise NotImplementedError


def weighted(own: int, opp: int) -> int:
    """Return one weight times its count, and what those before it are worth."""
    return load(WEIGHTS, PLACE) * count(own, opp) + rest(own, opp)


def nothing(own: int, opp: int) -> int:  # noqa: ARG001  a heuristic's signature
    """Return what no weights are worth."""
    return 0
