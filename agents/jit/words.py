"""Words of memory without an array around them, for the solver's table and stack.

Indexing an array costs a test for negative indices, and handing one to an inlined function may cost an atomic count of
its users; at fifteen million positions a second that is a third of the time. `words_of` gives up both: whoever calls it
keeps the array alive and every index inside. In plain Python the array itself stands for its memory.
"""

from __future__ import annotations

from typing import Any

from agents.jit.compiler import JIT

if JIT:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    _WORDS = types.int64[::1]

    def _pointer(builder: Any, address: Any, index: Any) -> Any:  # noqa: ANN401  numba's own types
        return builder.gep(builder.inttoptr(address, cgutils.ir.IntType(64).as_pointer()), [index])

    @intrinsic  # type: ignore[untyped-decorator]
    def words_of(typing_context: Any, array: Any) -> Any:  # noqa: ANN401, ARG001  numba calls it
        """Return the place of an int64 array's first word."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
            data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            return builder.ptrtoint(data, cgutils.ir.IntType(64))

        return types.int64(_WORDS), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def load(typing_context: Any, words: Any, index: Any) -> Any:  # noqa: ANN401, ARG001  numba calls it
        """Return the word at `index`."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
            return builder.load(_pointer(builder, *arguments))

        return types.int64(types.int64, types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def save(typing_context: Any, words: Any, index: Any, value: Any) -> Any:  # noqa: ANN401, ARG001  numba calls it
        """Set the word at `index` to `value`."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
            address, index, value = arguments
            builder.store(value, _pointer(builder, address, index))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def prefetch(typing_context: Any, words: Any, index: Any) -> Any:  # noqa: ANN401, ARG001  numba calls it
        """Start to bring the word at `index`, with its neighbours, into the processor's cache; do not wait for it."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
            place = builder.bitcast(_pointer(builder, *arguments), cgutils.voidptr_t)
            number = cgutils.int32_t
            kind = cgutils.ir.FunctionType(cgutils.ir.VoidType(), [cgutils.voidptr_t, number, number, number])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            to_read, keep, data_cache = number(0), number(3), number(1)
            builder.call(function, [place, to_read, keep, data_cache])
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

else:

    def words_of(array: Any) -> Any:  # noqa: ANN401  an address where it is compiled
        """Return the array."""
        return array

    def load(words: Any, index: int) -> int:  # noqa: ANN401
        """Return the word at `index`."""
        return int(words[index])

    def save(words: Any, index: int, value: int) -> None:  # noqa: ANN401
        """Set the word at `index` to `value`."""
        words[index] = value

    def prefetch(words: Any, index: int) -> None:  # noqa: ANN401
        """Do nothing: plain Python is not held up by memory."""
