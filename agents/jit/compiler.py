"""Numba, set up once: where compiled code is kept, how kernels are compiled, and the types that they take.

Compiled kernels are kept on disk. Numba's own check for staleness does not see an edited helper in another file, so
the directory is named after the content of every file that compiled code may depend on: an edit opens a new directory.

A kernel that depends on the board's size is made by a factory that closes over plain integers only. Numba hashes
those into the cache's key, and LLVM folds them as constants; a closure over another compiled function would never be
found on disk again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core import cgutils
from numba.core.typeinfer import register_dispatcher
from numba.extending import intrinsic

from agents.jit.disk import cache_directory, cache_of
from agents.jit.inlined import inlined
from agents.jit.lanes import VECTOR, lanes

F = TypeVar("F", bound=Callable[..., Any])
Evaluate = Callable[[int, int], int]
"""A heuristic: (own, opp) -> value for the side to move."""
Score = Callable[[int, int, int], int]
"""An ordering: (own, opp, column) -> the column's score, higher first."""

JIT: bool = not numba.config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1, where every kernel runs as the Python it is written in."""
CACHE_DIRECTORY = cache_directory()

word = types.int64
words = types.int64[::1]
word_pair = types.UniTuple(word, 2)
EVALUATE_SIGNATURE = word(word, word)
SCORE_SIGNATURE = word(word, word, word)
LEAVES_SIGNATURE = word(word, word, word, word, word, word)
ARRANGE_SIGNATURE = types.void(word, word, word, word, word)
LEAVES = types.FunctionType(LEAVES_SIGNATURE)
ARRANGE = types.FunctionType(ARRANGE_SIGNATURE)


def jit(signature: object = None, *, inline: bool = False, directory: Path = CACHE_DIRECTORY) -> Callable[[F], F]:
    """Return a decorator that compiles a kernel without the interpreter's lock and keeps it on disk.

    With a `signature` the function is compiled at once, for those types alone. `inline=True` has LLVM inline it
    wherever it is called, so that constant arguments fold: eight times faster for the counting of windows. Without a
    signature no machine code is made of it until Python calls it, or a kernel by its address.
    `directory` is where it is kept; for a user's function it must be named after all that the function is made of.
    """

    def decorate(function: F) -> F:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(directory)
        try:
            if JIT and inline and signature is None:
                alone = functools.cache(lambda: jit(directory=directory / "alone")(function))
                return cast("F", inlined(function, alone))
            kernel = numba.njit(nogil=True, forceinline=inline, no_cfunc_wrapper=True)(function)
            if JIT:
                kernel._cache = cache_of(function)  # noqa: SLF001  numba has no other place for it
            if JIT and signature is not None:
                with register_dispatcher(kernel), kernel._cache.turn():  # noqa: SLF001  see above
                    kernel.compile(signature)
                    if not inline:  # what is inlined may be asked for vectors, too
                        kernel.disable_compile()
            return cast("F", kernel)
        finally:
            numba.config.CACHE_DIR = before

    return decorate


def copy_with(function: F, **constants: object) -> F:
    """Return a copy of a function that sees these module constants in place of its module's own."""
    original = cast("FunctionType", function)
    scope = original.__globals__ | constants
    copy = FunctionType(original.__code__, scope, original.__name__, original.__defaults__, original.__closure__)
    copy.__module__ = original.__module__
    copy.__qualname__ = original.__qualname__
    return cast("F", copy)


def specialise(
    template: F,
    name: str,
    signature: object,
    *,
    inline: bool = False,
    directory: Path = CACHE_DIRECTORY,
    **constants: object,
) -> F:
    """Compile a copy of `template` with module constants of its own, such as another compiled function to inline.

    `name` must say all that the constants say, since the copy is kept on disk under it: numba cannot cache a closure
    over a compiled function, but it can cache a function of another name.
    """
    copy = copy_with(template, **constants)
    copy.__qualname__ = f"{template.__name__}[{name}]"
    return jit(signature, inline=inline, directory=directory)(copy)


def address(function: Callable[..., Any], signature: Any) -> Any:  # noqa: ANN401  numba's signature; see below
    """Return where the compiled function is in memory, for `function_at`; a plain function is its own address.

    Numba would otherwise look it up at every call of a kernel: 40 microseconds against none. The caller must keep the
    function alive.
    """
    if isinstance(function, FunctionType):
        return function
    kernel: Any = function
    compiled = (kernel.alone() if hasattr(kernel, "alone") else kernel).get_compile_result(signature)
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def itself(function: F) -> F:
    """Return the function: what `function_at` is to plain Python."""
    return function


if JIT:

    def function_at(kind: Any) -> Any:  # noqa: ANN401  numba's types
        """Return an intrinsic that turns an address into a first-class function of that FunctionType."""

        @intrinsic  # type: ignore[untyped-decorator]
        def at(typing_context: Any, place: Any) -> Any:  # noqa: ANN401, ARG001  numba calls it
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
                function = cgutils.create_struct_proxy(kind)(context, builder)
                function.jit_addr = builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))
                return function._getvalue()  # noqa: SLF001  numba's own way

            return kind(types.int64), generate

        return at

    @intrinsic  # type: ignore[untyped-decorator]
    def _popcount(typing_context: Any, bits: Any) -> Any:  # noqa: ANN401, ARG001  numba calls it
        """Return the number of set bits: one machine instruction."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401, ARG001
            kind = arguments[0].type
            name = f"llvm.ctpop.{'v8i64' if kind == VECTOR else 'i64'}"
            function = cgutils.get_or_insert_function(builder.module, cgutils.ir.FunctionType(kind, [kind]), name)
            return builder.call(function, arguments)

        kind = lanes if bits == lanes else types.int64
        return kind(kind), generate

    _instruction = cast("Callable[[int], int]", _popcount)

    @jit(inline=True)
    def popcount(bits: int) -> int:
        """Return the number of set bits of the word; unlike the instruction, plain Python can call it."""
        return _instruction(bits)

else:

    def function_at(kind: Any) -> Any:  # noqa: ANN401, ARG001  numba's types
        """Return the identity."""
        return itself

    def popcount(bits: int) -> int:
        """Return the number of set bits of the word."""
        return (int(bits) & (1 << 64) - 1).bit_count()


leaves_at = function_at(LEAVES)
arrange_at = function_at(ARRANGE)
