"""Compiles kernels with numba: the directory of compiled code, the decorators, and the types of arguments.

Compiled kernels are stored on disk. Numba's check for staleness misses edits in other files, so the name of the
directory is a digest of every file that compiled code may depend on: an edit opens a new directory.

For a kernel that depends on the board's size, a factory closes over plain integers only. Numba hashes these into the
cache's key, and LLVM folds them as constants. The cache never finds a closure over another compiled function.

Numba finds loaded code by its name, and numbers the names in each process anew. So that two processes give no two
kernels one name, the name of a closure has a digest of its integers, and that of a copy has what it was made with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

from numba import types
from numba.core import cgutils
from numba.core.registry import CPUDispatcher
from numba.core.typeinfer import register_dispatcher
from numba.extending import intrinsic

from agents.jit.cache import CACHE_DIRECTORY, DiskCache
from agents.jit.vectors import JIT, words_of

F = TypeVar("F", bound=Callable[..., Any])
Evaluate = Callable[[int, int], int]
"""A heuristic: (own, opp) -> value for the side to move."""
Score = Callable[[int, int, int], int]
"""An ordering: (own, opp, column) -> the column's score, higher first."""

word = types.int64
words = types.int64[::1]
word_pair = types.UniTuple(word, 2)
EVALUATE_SIGNATURE = word(word, word)
SCORE_SIGNATURE = word(word, word, word)
CHILDREN_SIGNATURE = word(word, word, word, word, word, word)
SORT_SIGNATURE = types.void(word, word, word, word, word)
LEAST_MASK = 1 << 16
"""The least constant that is taken for a mask of cells; weights, shifts and lengths are smaller."""
CHILDREN = types.FunctionType(CHILDREN_SIGNATURE)
SORT = types.FunctionType(SORT_SIGNATURE)


class _Kernel(CPUDispatcher):  # type: ignore[misc]  # numba is typed in part
    """A function that is compiled once for masks of any cells, and so for boards of many sizes.

    Numba compiles a function anew for each constant that a kernel calls it with. Small ones, such as shifts and
    lengths, make its code faster. Masks do not: LLVM knows them anyway where it inlines the function.
    """

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        """Return the signature and the types of a call's arguments in their order, by which numba knows a recursion."""
        return super().fold_argument_types(*_of_any_mask(args, kws))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile the function for the types of a call's arguments, and return what numba needs to compile the call."""
        return super().get_call_template(*_of_any_mask(args, kws))


def _of_any_mask(args: Any, kws: Any) -> Any:
    """Return the types of arguments; those of masks, and of tuples that hold one, without their values."""
    plain = [types.unliteral(kind) if _has_mask(kind) else kind for kind in (*args, *kws.values())]
    return tuple(plain[: len(args)]), dict(zip(kws, plain[len(args) :], strict=True))


def _has_mask(kind: Any) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(map(_has_mask, kind))
    return isinstance(kind, types.IntegerLiteral) and kind.literal_value >= LEAST_MASK


def jit(
    signature: object = None, *, inline: bool = False, directory: Path | None = CACHE_DIRECTORY
) -> Callable[[F], F]:
    """Return a decorator that compiles a kernel without the interpreter's lock and stores it on disk.

    signature: compile the function at once, and only for these types.
    inline: make LLVM inline the function in every caller. Constant arguments then fold, which makes counting windows
    eight times faster.
    directory: the cache; for a user's function its name must depend on everything that the function depends on. None:
    store nothing.
    """

    def decorate(function: F) -> F:
        original = cast("FunctionType", function)
        constants = [cell.cell_contents for cell in original.__closure__ or () if not callable(cell.cell_contents)]
        if constants:
            digest = hashlib.sha256(repr(constants).encode()).hexdigest()[:16]
            original.__qualname__ = f"{digest}.{original.__qualname__}"
        if not JIT:
            return function
        options = {"nopython": True, "nogil": True, "forceinline": inline, "no_cfunc_wrapper": True}
        kernel = _Kernel(function, targetoptions=options)
        if directory is not None and Path(function.__code__.co_filename).exists():
            kernel._cache = DiskCache(function, directory)
        if signature is not None:
            with register_dispatcher(kernel):
                kernel.compile(signature)
            if not inline:  # an inlined function may also be compiled for vectors
                kernel.disable_compile()
        return cast("F", kernel)

    return decorate


@jit()
def address_of(array: Any) -> Any:
    """Return the result of `words_of` in compiled code, to call kernels from Python."""
    return words_of(array)


def copy_with(function: F, **constants: object) -> F:
    """Return a copy of a function in which these constants replace those of its module; it calls itself by its name."""
    original = cast("FunctionType", function)
    scope = original.__globals__ | constants
    itself = scope.get(original.__name__)
    copy = FunctionType(original.__code__, scope, original.__name__, original.__defaults__, original.__closure__)
    copy.__module__ = original.__module__
    copy.__qualname__ = original.__qualname__
    if getattr(itself, "py_func", itself) is original:
        scope[original.__name__] = copy
    return cast("F", copy)


def specialize(
    template: F,
    name: str,
    signature: object,
    *,
    inline: bool = False,
    directory: Path | None = CACHE_DIRECTORY,
    **constants: object,
) -> F:
    """Compile a copy of `template` with other module constants, such as another compiled function to inline.

    name: the name of the copy in the cache, which must determine the constants. Numba cannot cache a closure over a
        compiled function, but it can cache a function of another name.
    constants: the constants by name.
    signature, inline, directory: the parameters of `jit`.
    """
    copy = copy_with(template, **constants)
    copy.__qualname__ = f"{name}.{template.__name__}"  # by the last part numba finds calls of the function itself
    return jit(signature, inline=inline, directory=directory)(copy)


def address(function: Callable[..., Any], signature: Any) -> Any:
    """Return the address of a compiled function, for `function_at`; without the jit a number that stands for it.

    If a kernel took the function itself, numba would look it up at every call, which takes 40 µs. The caller must keep
    the function alive.
    """
    if not JIT:
        _PLAIN[id(function)] = function
        return id(function)
    compiled = cast("Any", function).get_compile_result(signature)
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


_PLAIN: WeakValueDictionary[int, Callable[..., Any]] = WeakValueDictionary()


if JIT:

    def function_at(kind: Any) -> Any:
        """Return an intrinsic that turns an address into a first-class function of that FunctionType."""

        @intrinsic  # type: ignore[untyped-decorator]
        def at(typing_context: Any, place: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                function = cgutils.create_struct_proxy(kind)(context, builder)
                function.jit_addr = builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))
                return function._getvalue()

            return kind(types.int64), generate

        return at

else:

    def function_at(kind: Any) -> Any:
        """Return the look-up of Python functions."""
        return _PLAIN.__getitem__


children_at = function_at(CHILDREN)
sort_at = function_at(SORT)
