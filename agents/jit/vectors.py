"""Vectors of eight words, and words of memory by address.

**Vectors.** A heuristic, an ordering or a solver's node processes all columns at once. Numba can compile a function of
words for vectors, too, if it has no branches: each operation works lane by lane, and a comparison gives 0 or 1 in each
lane. Any other use of a vector, such as a test in an `if`, raises a `TypingError`, and the function is compiled for
words. Kernels loop over `range(0, lanes_of(columns), STEP)`; `columns_from(start)` is a vector or a word.

**Memory.** Indexing an array tests for negative indices, and passing one to an inlined function may count references
atomically. At fifteen million positions a second that takes a third of the time. With the address from `words_of` there
is neither: the caller must keep the array alive and indices in range.

Without the jit kernels process one column after the other, and an array is its own address.
"""

from __future__ import annotations

import inspect
import itertools
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.extending import lower_builtin, lower_cast, models, register_model, type_callable

LANES = 8
WORD = ir.IntType(64)
VECTOR = ir.VectorType(WORD, LANES)


class LanesType(types.Type):  # type: ignore[misc]  # numba has no types
    """Numba's type of a vector."""

    def __init__(self) -> None:
        super().__init__("lanes")

    def unify(self, typing_context: Any, other: Any) -> Any:  # noqa: ARG002  numba calls it
        """Return the type of a variable that is also assigned a word: a vector."""
        return self if isinstance(other, types.Integer | types.Boolean) else None

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:  # noqa: ARG002  numba calls it
        """Return the conversion of a word to a vector, which is safe."""
        return Conversion.safe if isinstance(other, types.Integer | types.Boolean) else None


lanes = LanesType()
register_model(LanesType)(lambda manager, kind: models.PrimitiveModel(manager, kind, VECTOR))


def _spread(builder: Any, value: Any) -> Any:
    """Return a vector with the word in every lane; return a vector unchanged."""
    if value.type == VECTOR:
        return value
    if value.type != WORD:
        value = builder.zext(value, WORD)
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), value, cgutils.int32_t(0))
    zeros = ir.Constant(ir.VectorType(cgutils.int32_t, LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), zeros)


@lower_cast(types.Integer, LanesType)  # type: ignore[untyped-decorator]
@lower_cast(types.Boolean, LanesType)  # type: ignore[untyped-decorator]
def _from_word(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return _spread(builder, context.cast(builder, value, source, types.int64))


def _operation(function: Callable[..., Any], emit: Callable[..., Any], arity: int) -> None:
    """Make numba use `emit(builder, *vectors)` for an operator with a vector among its operands."""

    def typer(*kinds: Any) -> Any:
        words = all(kind is lanes or isinstance(kind, types.Integer | types.Boolean) for kind in kinds)
        return lanes if words and lanes in kinds else None

    named = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in "ab"[:arity]]
    typer.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]  # numba asks for its parameters
    type_callable(function)(lambda _: typer)

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pairs = zip(arguments, signature.args, strict=True)
        return emit(builder, *(context.cast(builder, value, kind, lanes) for value, kind in pairs))

    for kinds in itertools.product((lanes, types.Integer, types.Boolean), repeat=arity):
        if lanes in kinds:
            lower_builtin(function, *kinds)(lower)


def _comparison(sign: str) -> Callable[..., Any]:
    return lambda builder, a, b: builder.zext(builder.icmp_signed(sign, a, b), VECTOR)


def _chosen(builder: Any, sign: str, a: Any, b: Any) -> Any:
    return builder.select(builder.icmp_signed(sign, a, b), a, b)


def _method(name: str) -> Callable[..., Any]:
    return lambda builder, *vectors: getattr(builder, name)(*vectors)


_ARITHMETIC = {"and_": "and_", "or_": "or_", "xor": "xor", "add": "add", "sub": "sub", "mul": "mul", "lshift": "shl",
               "rshift": "ashr"}  # fmt: skip
"""LLVM's names for Python's operators; the in-place operators do the same."""
for _name, _instruction in _ARITHMETIC.items():
    _operation(getattr(operator, _name), _method(_instruction), 2)
    _operation(getattr(operator, f"i{_name.rstrip('_')}"), _method(_instruction), 2)
for _name, _instruction in {"invert": "not_", "neg": "neg"}.items():
    _operation(getattr(operator, _name), _method(_instruction), 1)
_operation(int, lambda _, vector: vector, 1)
_operation(abs, lambda builder, a: _chosen(builder, ">=", a, builder.neg(a)), 1)
_operation(min, lambda builder, a, b: _chosen(builder, "<=", a, b), 2)
_operation(max, lambda builder, a, b: _chosen(builder, ">=", a, b), 2)
for _name, _sign in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    _operation(getattr(operator, _name), _comparison(_sign), 2)


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


def load_lanes(words: Any, index: int) -> int:
    """Return the words from `index` on as a vector."""
    raise NotImplementedError


def lane_numbers(start: int) -> int:
    """Return the vector of `start`, `start` + 1 and so on."""
    raise NotImplementedError


def save_lanes(words: Any, index: int, value: int) -> None:
    """Set the words from `index` on to those of the vector."""
    raise NotImplementedError


def popcount(bits: int) -> int:
    """Return the number of set bits of a word, or of each word of a vector."""
    return (int(bits) & (1 << 64) - 1).bit_count()


def where(bits: int, one: int, other: int) -> int:
    """Return `one` if `bits` are not 0, else `other`; lane by lane for vectors."""
    return one if bits else other


def compiled_as(function: Any, *signatures: Any) -> Any:
    """Make numba use the decorated code generator: the first signature for vectors, the last for words."""

    def typer(*kinds: Any) -> Any:
        return signatures[0] if lanes in kinds else signatures[-1]

    typer.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]  # numba asks for its parameters
    type_callable(function)(lambda _: typer)

    def decorate(generate: Any) -> Any:
        for signature in signatures:
            lower_builtin(function, *signature.args)(generate)
        return generate

    return decorate


def _pointer(builder: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, WORD.as_pointer()), [index])


def _vector_pointer(builder: Any, address: Any, index: Any) -> Any:
    return builder.bitcast(_pointer(builder, address, index), VECTOR.as_pointer())


@compiled_as(words_of, types.int64(types.int64[::1]))  # type: ignore[untyped-decorator]
def _words_of(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.ptrtoint(data, WORD)


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
    return builder.ptrtoint(_pointer(builder, *arguments), WORD)


@compiled_as(prefetch, types.void(types.int64, types.int64))  # type: ignore[untyped-decorator]
def _prefetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place = builder.bitcast(_pointer(builder, *arguments), cgutils.voidptr_t)
    number = cgutils.int32_t
    kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
    to_read, keep, data_cache = number(0), number(3), number(1)
    builder.call(function, [place, to_read, keep, data_cache])
    return context.get_dummy_value()


@compiled_as(load_lanes, lanes(types.int64, types.int64))  # type: ignore[untyped-decorator]
def _load_lanes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.load(_vector_pointer(builder, *arguments), align=8)


@compiled_as(lane_numbers, lanes(types.int64))  # type: ignore[untyped-decorator]
def _numbered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.add(_spread(builder, arguments[0]), ir.Constant(VECTOR, list(range(LANES))))


@compiled_as(save_lanes, types.void(types.int64, types.int64, lanes))  # type: ignore[untyped-decorator]
def _save_lanes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, index, value = arguments
    builder.store(value, _vector_pointer(builder, address, index), align=8)
    return context.get_dummy_value()


@compiled_as(popcount, lanes(lanes), types.int64(types.int64))  # type: ignore[untyped-decorator]
def _popcount(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = arguments[0].type
    name = f"llvm.ctpop.{f'v{LANES}i64' if kind == VECTOR else 'i64'}"
    return builder.call(cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), name), arguments)


@compiled_as(where, lanes(lanes, lanes, lanes), types.int64(types.int64, types.int64, types.int64))  # type: ignore[untyped-decorator]
def _where(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    bits, one, other = arguments
    return builder.select(builder.icmp_signed("!=", bits, ir.Constant(bits.type, None)), one, other)


# Reductions of a vector to one word.


def highest(value: int) -> int:
    """Return the highest word of a vector; return a word unchanged."""
    return value


def union(value: int) -> int:
    """Return the bits that are set in any lane of a vector; return a word unchanged."""
    return value


def count_nonzero(value: int) -> int:  # compiled only
    """Return the number of words of a vector that are not 0."""
    raise NotImplementedError


def _reduction(function: Callable[[int], int], instruction: str) -> None:
    """Make numba use LLVM's reduction `instruction`."""

    @compiled_as(function, types.int64(lanes), types.int64(types.int64))  # type: ignore[untyped-decorator]
    def reduce(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (value,) = arguments
        if value.type == WORD:
            return value
        name = f"llvm.vector.reduce.{instruction}.v{LANES}i64"
        reduced = cgutils.get_or_insert_function(builder.module, ir.FunctionType(WORD, [VECTOR]), name)
        return builder.call(reduced, [value])


_reduction(highest, "smax")
_reduction(union, "or")


@compiled_as(count_nonzero, types.int64(lanes))  # type: ignore[untyped-decorator]
def _counted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    bits = builder.icmp_signed("!=", arguments[0], ir.Constant(VECTOR, None))
    return builder.ctpop(builder.zext(builder.bitcast(bits, ir.IntType(LANES)), WORD))


JIT: bool = not config.DISABLE_JIT
"""False under NUMBA_DISABLE_JIT=1, where every kernel runs as plain Python."""
STEP = LANES if JIT else 1
"""The columns that one step processes."""
columns_from = lane_numbers if JIT else int
get, put = (load_lanes, save_lanes) if JIT else (load, save)


def lanes_of(columns: int) -> int:
    """Return the number of columns rounded up to whole vectors."""
    return -(-columns // LANES) * LANES
