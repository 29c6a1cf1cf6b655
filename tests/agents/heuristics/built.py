"""Heuristics, compiled on two boards alone, since each takes a second; on others as the Python that is compiled.

Weights are other constants in the same code: with weights they are compiled on one.
"""

import functools

from as_python import as_python
from samples import STANDARD

from agents.board import Rules
from agents.search import compiled

COMPILED = [STANDARD, Rules(2, 31)]
"""The second fills the word, and a shift by a line across it would be undefined in machine code."""


@functools.cache
def built(name, rules=STANDARD):
    """Return a heuristic on a board: (own, opp) -> value."""
    if rules in COMPILED[: 1 if "(" in name else 2]:
        return compiled.heuristic(name, rules).evaluate
    return as_python(compiled.plain_heuristic(name, rules))
