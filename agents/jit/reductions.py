"""One word made of a vector: its highest word, the bits of all its words, how many of them are not 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils

from agents.jit.lanes import LANES, VECTOR, WORD, compiled_as, lanes


def highest(value: int) -> int:
    """Return the highest word of a vector; a word as it is."""
    return value


def united(value: int) -> int:
    """Return the bits that are set in any lane of a vector; a word as it is."""
    return value


def counted(value: int) -> int:  # compiled only
    """Return how many words of a vector are not 0."""
    raise NotImplementedError


def _reduction(function: Callable[[int], int], instruction: str) -> None:
    """Have LLVM's `instruction` make one word of a vector."""

    @compiled_as(function, types.int64(lanes), types.int64(types.int64))  # type: ignore[untyped-decorator]
    def reduce(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
        (value,) = arguments
        if value.type == WORD:
            return value
        name = f"llvm.vector.reduce.{instruction}.v{LANES}i64"
        reduced = cgutils.get_or_insert_function(builder.module, ir.FunctionType(WORD, [VECTOR]), name)
        return builder.call(reduced, [value])


_reduction(highest, "smax")
_reduction(united, "or")


@compiled_as(counted, types.int64(lanes))  # type: ignore[untyped-decorator]
def _counted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
    bits = builder.icmp_signed("!=", arguments[0], ir.Constant(VECTOR, None))
    return builder.ctpop(builder.zext(builder.bitcast(bits, ir.IntType(LANES)), WORD))
