"""Direct access to words of memory by address, for the tables and stacks of searches.

Indexing an array tests for negative indices, and passing one to an inlined function may count references atomically.
At fifteen million positions a second that takes a third of the time. With the address from `words_of` there is
neither: the caller must keep the array alive and indices in range. In plain Python the array is its own address.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils

from agents.jit.compiler import JIT, jit
from agents.jit.simd import LANES, compiled_as, lane_numbers, load_lanes, save_lanes


def words_of(array: Any) -> Any:
    """Return the address of an int64 array's first word."""
    return array


def load(words: Any, index: int) -> int:
    """Return the word at `index`."""
    return int(words[index])


def save(words: Any, index: int, value: int) -> None:
    """Set the word at `index` to `value`."""
    words[index] = value


def part(words: Any, index: int) -> Any:
    """Return the address of the word at `index`."""
    return words[index:]


def prefetch(words: Any, index: int) -> None:
    """Start to load the cache line of the word at `index`, without waiting for it."""


def _pointer(builder: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, cgutils.ir.IntType(64).as_pointer()), [index])


@compiled_as(words_of, types.int64(types.int64[::1]))  # type: ignore[untyped-decorator]
def _words_of(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.ptrtoint(data, cgutils.ir.IntType(64))


@compiled_as(load, types.int64(types.int64, types.int64))  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.load(_pointer(builder, *arguments))


@compiled_as(save, types.void(types.int64, types.int64, types.int64))  # type: ignore[untyped-decorator]
def _save(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, index, value = arguments
    builder.store(value, _pointer(builder, address, index))
    return context.get_dummy_value()


@compiled_as(part, types.int64(types.int64, types.int64))  # type: ignore[untyped-decorator]
def _part(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.ptrtoint(_pointer(builder, *arguments), cgutils.ir.IntType(64))


@compiled_as(prefetch, types.void(types.int64, types.int64))  # type: ignore[untyped-decorator]
def _prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place = builder.bitcast(_pointer(builder, *arguments), cgutils.voidptr_t)
    number = cgutils.int32_t
    kind = cgutils.ir.FunctionType(cgutils.ir.VoidType(), [cgutils.voidptr_t, number, number, number])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
    to_read, keep, data_cache = number(0), number(3), number(1)
    builder.call(function, [place, to_read, keep, data_cache])
    return context.get_dummy_value()


@jit()
def address_of(array: Any) -> Any:
    """Return the result of `words_of` in compiled code, to call kernels from Python."""
    return words_of(array)


# Kernels process all columns of a board at once, in vectors; as plain Python they process one column after the other.
# They loop over `range(0, lanes_of(columns), STEP)`; `columns_from(start)` is a vector or a word.

STEP = LANES if JIT else 1
"""The columns that one step processes."""


def lanes_of(columns: int) -> int:
    """Return the number of columns rounded up to whole vectors."""
    return -(-columns // LANES) * LANES


@jit(inline=True)
def column_from(start: int) -> int:
    """Return the column unchanged."""
    return start


columns_from = lane_numbers if JIT else column_from
get, put = (load_lanes, save_lanes) if JIT else (load, save)
