"""Every operation on vectors, lane by lane against the same on words."""

import numba
import numpy as np
import pytest
from numba import types
from numba.core.errors import TypingError
from numba.core.typeconv import Conversion

from agents.jit import vectors
from agents.jit.vectors import (
    LANES,
    count_nonzero,
    highest,
    lane_numbers,
    load,
    load_lanes,
    popcount,
    prefetch,
    save,
    save_lanes,
    union,
    where,
    words_of,
)

A = (5, -7, 0, 12, -1, 3, 1 << 40, -(1 << 50))
B = (5, 2, 0, -12, 6, 3, 1 << 39, 1 << 50)
BITS = (0, 1, -1, 0, 2, 1 << 62, 0, 0)
SHIFTS = (0, 1, 2, 3, 5, 8, 13, 12)


def two(a, b, shift, out, at):
    """Write what two vectors, or a vector and a word, are together."""
    save_lanes(out, at, a & b)
    save_lanes(out, at + 8, a | b)
    save_lanes(out, at + 16, a ^ b)
    save_lanes(out, at + 24, a + b)
    save_lanes(out, at + 32, a - b)
    save_lanes(out, at + 40, a * b)
    save_lanes(out, at + 48, a << shift)
    save_lanes(out, at + 56, a >> shift)
    save_lanes(out, at + 64, a == b)
    save_lanes(out, at + 72, a != b)
    save_lanes(out, at + 80, a < b)
    save_lanes(out, at + 88, a <= b)
    save_lanes(out, at + 96, a > b)
    save_lanes(out, at + 104, a >= b)
    save_lanes(out, at + 112, min(a, b))
    save_lanes(out, at + 120, max(a, b))


def one(a, bits, out, at):
    """Write what becomes of one vector, alone or in place of a word."""
    save_lanes(out, at, ~a)
    save_lanes(out, at + 8, -a)
    save_lanes(out, at + 16, abs(a))
    save_lanes(out, at + 24, int(a))
    save_lanes(out, at + 32, where(bits, a, 7))
    save_lanes(out, at + 40, where(bits, True, a))
    total = 3
    total += a
    total -= bits
    total ^= a
    total |= 1
    total &= -3
    total *= 3
    total <<= 1
    total >>= 2
    save_lanes(out, at + 48, total)


def words(a, bits, out, at):
    """Write what a vector comes to in one word, and what words stay."""
    prefetch(out, at)
    save(out, at, highest(a))
    save(out, at + 1, union(bits))
    save(out, at + 2, count_nonzero(bits))
    save(out, at + 3, highest(at))
    save(out, at + 4, union(at))
    save(out, at + 5, where(at, 3, 4))
    save(out, at + 6, where(at - at, 3, 4))
    save(out, at + 7, load(out, at))


PARTS = {"two": two, "one": one, "words": words}
PLACES = {"vectors": 0, "a word first": 128, "a word last": 256, "one": 384, "words": 440, "numbers": 448}
WORD = 6


def test_each_lane_is_what_the_words_in_it_come_to():
    pair, single, reduced = (numba.njit(PARTS[name]) for name in PARTS)

    @numba.njit(numba.void(numba.int64[::1], numba.int64[::1], numba.int64))
    def every(given, out, word):
        given, out = words_of(given), words_of(out)
        a, b, bits, shifts = load_lanes(given, 0), load_lanes(given, 8), load_lanes(given, 16), load_lanes(given, 24)
        pair(a, b, shifts, out, 0)
        pair(word, b, shifts, out, 128)
        pair(a, word, shifts, out, 256)
        single(a, bits, out, 384)
        reduced(a, bits, out, 440)
        save_lanes(out, 448, lane_numbers(word))

    given, out = np.array([*A, *B, *BITS, *SHIFTS], np.int64), np.zeros(456, np.int64)
    every(given, out, WORD)
    told = out.reshape(-1, LANES).tolist()
    sixes = [WORD] * LANES
    for name, first, second in (("vectors", A, B), ("a word first", sixes, B), ("a word last", A, sixes)):
        at = PLACES[name] // LANES
        assert told[at : at + 16] == [list(row) for row in by_words(first, second)], name
    alone = [*zip(*map(of_one, A, BITS), strict=True)]
    assert told[48:55] == [list(row) for row in alone]
    assert told[55] == [max(A), (1 << 62) | -1, 4, 440, 440, 3, 4, max(A)]
    assert told[56] == [*range(6, 14)]


def wrapped(number):
    """Return a number as 64 bits hold it."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def by_words(first, second):
    """Yield what `two` writes, word by word."""
    rows = [
        (a & b, a | b, a ^ b, a + b, a - b, a * b, a << shift, a >> shift,
         a == b, a != b, a < b, a <= b, a > b, a >= b, min(a, b), max(a, b))
        for a, b, shift in zip(first, second, SHIFTS, strict=True)
    ]  # fmt: skip
    return zip(*([wrapped(int(each)) for each in row] for row in rows), strict=True)


def of_one(a, bits):
    """Return what `one` writes, for one lane."""
    total = (((3 + a - bits) ^ a) | 1) & -3
    found = ~a, -a, abs(a), a, a if bits else 7, 1 if bits else a, wrapped(wrapped(total * 3) << 1) >> 2
    return [wrapped(each) for each in found]


def test_a_branch_on_a_vector_is_refused_and_so_is_a_fraction():
    def branching(place):
        return 1 if load_lanes(place, 0) else 0

    def fraction(place):
        return highest(load_lanes(place, 0) + 0.5)

    for function in (branching, fraction):
        with pytest.raises(TypingError):
            numba.njit(numba.int64(numba.int64))(function)


def mixed(one, other):
    """Stand for an operation that is made here."""


def flipped(one):
    """Stand for another, of one vector."""


def least(one):
    """Stand for a reduction; a word is its own."""


def spread(bits, number):
    """Stand for what is written by hand, for vectors and for words."""


def test_operations_reductions_and_generators_take_vectors_words_and_truths_and_nothing_else():
    vectors._operation(mixed, lambda builder, a, b: builder.sub(builder.shl(a, b), b), 2)
    vectors._operation(flipped, lambda builder, a: builder.not_(a), 1)
    vectors._reduction(least, "smin")
    given = vectors.lanes(vectors.lanes, types.int64), types.int64(types.int64, types.int64)

    @vectors.compiled_as(spread, *given)
    def _spread(context, builder, signature, arguments):
        both = vectors._spread(builder, arguments[0]), vectors._spread(builder, arguments[1])
        return builder.mul(*both) if signature.return_type == vectors.lanes else builder.add(*arguments)

    @numba.njit(numba.void(numba.int64[::1], numba.int64, numba.boolean))
    def every(array, word, truth):
        out = words_of(array)
        a, b = load_lanes(out, 0), load_lanes(out, 8)
        save_lanes(out, 16, mixed(a, b))
        save_lanes(out, 24, mixed(word, b))
        save_lanes(out, 32, mixed(a, truth))
        save_lanes(out, 40, mixed(truth, b))
        save_lanes(out, 48, flipped(a))
        save_lanes(out, 56, spread(a, word))
        save(out, 64, spread(word, word))
        save(out, 65, least(a))
        save(out, 66, least(word))

    out = np.zeros(67, np.int64)
    out[:16] = *A, *SHIFTS
    every(out, WORD, True)
    rows = [[wrapped((one << other) - other) for one, other in zip(*pair, strict=True)]
            for pair in ((A, SHIFTS), ([WORD] * 8, SHIFTS), (A, [1] * 8), ([1] * 8, SHIFTS))]  # fmt: skip
    assert out[16:64].reshape(-1, LANES).tolist() == [*rows, [~each for each in A], [WORD * each for each in A]]
    assert out[64:].tolist() == [2 * WORD, min(A), WORD]

    def of_words(word):
        return mixed(word, word)

    def of_a_fraction(place):
        save_lanes(place, 0, mixed(load_lanes(place, 0), 0.5))
        return 0

    for function in (of_words, of_a_fraction):
        with pytest.raises(TypingError):
            numba.njit(numba.int64(numba.int64))(function)


def test_as_plain_python_a_word_is_a_vector_and_an_array_its_own_address():
    array = np.array([5, -7, 1 << 62], np.int64)
    assert words_of(array) is array
    assert [load(array, place) for place in (0, 1, 2, -1)] == [5, -7, 1 << 62, 1 << 62]
    assert type(load(array, 1)) is int
    assert save(array, 1, 9) is prefetch(array, 1) is None
    assert array.tolist() == [5, 9, 1 << 62]
    assert [popcount(bits) for bits in (0, 1, -1, 1 << 62, True)] == [0, 1, 64, 1, 1]
    assert [where(bits, 3, 4) for bits in (1, 0, -1, 1 << 62, True, False)] == [3, 4, 3, 3, 3, 4]
    assert [(highest(word), union(word)) for word in (-5, 0, 7)] == [(-5, -5), (0, 0), (7, 7)]
    for function in (load_lanes, count_nonzero, lane_numbers, save_lanes):
        with pytest.raises(NotImplementedError):
            function(*range(function.__code__.co_argcount))


def test_a_variable_of_words_and_vectors_is_one_of_vectors_and_no_fraction_becomes_one():
    kinds = types.int64, types.int8, types.uint64, types.boolean, types.float64, types.none
    assert [vectors.lanes.unify(None, kind) is vectors.lanes for kind in kinds] == [True] * 4 + [False] * 2
    assert [vectors.lanes.unify(None, kind) for kind in kinds[4:]] == [None, None]
    assert [vectors.lanes.can_convert_from(None, kind) for kind in kinds] == [Conversion.safe] * 4 + [None] * 2
