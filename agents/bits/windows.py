"""Functions for heuristics, which count discs, windows and threats.

`own` and `opp` are the bits of the side to move and of the other side, see `agents.bits.bitboard`; `columns` and `rows`
are the size of the board, by default 7x6. A window is `connect` cells in a line; its first cell is its start, from
which it runs along a stride. All windows of a direction are counted at once, in words with one bit for each start.
Every function is compiled and inlined.

Packed windows save work: a word holds the starts of several directions, some of them shifted, and an operation on the
word costs as much as on one direction. On 7x6 the 69 windows need two words; the vertical, rising and falling ones
share one. A `pack` is such a word: all its starts, the starts of each direction, and their shifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents import rules as plain
from agents.bits.bitboard import anchors, line_completers
from agents.errors import InputError
from agents.jit.compiler import jit
from agents.jit.vectors import popcount
from agents.rules import WORD_BITS
from agents.score import WIN_BOUND

if TYPE_CHECKING:
    from agents.jit.compiler import Evaluate
    from agents.rules import Rules

    Planes = tuple[int, int, int, int]
    """The bits of counts: a word each for ones, twos, fours and eights."""
    Pack = tuple[int, ...]
    Packs = tuple[Pack, Pack, Pack, Pack]


@jit(inline=True)
def window_counts(discs: int, stride: int, connect: int) -> Planes:
    """Return the number of `discs` (up to 15) in the window at each start, as four words of binary digits."""
    none = discs & 0
    counts = none, none, none, none
    for step in range(connect):
        counts = one_more(counts, discs >> step * stride)
    return counts


@jit(inline=True)
def one_more(counts: Planes, held: int) -> Planes:
    """Add 1 to the counts wherever a bit of `held` is set."""
    ones, twos, fours, eights = counts
    more = ones & held
    most = twos & more
    return ones ^ held, twos ^ more, fours ^ most, eights ^ (fours & most)


@jit(inline=True)
def exactly(counts: Planes, number: int, connect: int) -> int:
    """Return the starts with the count `number`, for counts up to `connect`."""
    ones, twos, fours, eights = counts
    starts = (ones if number & 1 else ~ones) & (twos if number & 2 else ~twos)
    if connect >= 4:
        starts &= fours if number & 4 else ~fours
    if connect >= 8:
        starts &= eights if number & 8 else ~eights
    return starts


@jit(inline=True)
def at_least_one(counts: Planes) -> int:
    """Return the starts with a count above 0."""
    return counts[0] | counts[1] | counts[2] | counts[3]


@jit(inline=True)
def holding(counts: Planes, bits: int) -> int:
    """Return the starts with all of `bits` set in their count; cheaper than `exactly`, see `subset_weights`."""
    starts = -1
    if bits & 1:
        starts &= counts[0]
    if bits & 2:
        starts &= counts[1]
    if bits & 4:
        starts &= counts[2]
    if bits & 8:
        starts &= counts[3]
    return starts


def subset_weights(worth: list[int]) -> tuple[int, ...]:
    """Return weights that add up to `worth[count]` over all subsets of the bits of `count`, for every count.

    This is the Möbius inversion over subsets: (0, 1, 10, 100, 1000) becomes (0, 1, 10, 89, 1000).
    """
    weights: list[int] = []
    for count, value in enumerate(worth):
        weights.append(value - sum(weights[bits] for bits in range(count) if bits & count == bits))
    return tuple(weights)


def number_of_windows(rules: Rules) -> int:
    """Return the number of windows of the board."""
    return sum(starts.bit_count() for starts in anchors(rules.columns, rules.rows, rules.connect))


def check_weights(rules: Rules, weights: Sequence[int]) -> None:
    """Raise InputError if a sum of these weights over all windows can reach the scores of proven wins."""
    windows = number_of_windows(rules)
    largest = max(map(abs, weights))
    if windows * largest >= WIN_BOUND:
        limit = (WIN_BOUND - 1) // windows
        raise InputError(f"a weight of {largest} in {windows} windows outgrows a win; {limit} is the limit")


def bounded(evaluate: Evaluate, most: int) -> Evaluate:
    """Mark a heuristic with the largest magnitude of its values, and return it.

    A search clamps the values of a heuristic without a mark, or with one from WIN_BOUND on, which takes some time.
    """
    vars(evaluate)["most"] = most
    return evaluate


@jit(inline=True)
def row_cells(row: int, columns: int = 7, rows: int = 6) -> int:
    """Return the cells of a row, 0 the lowest."""
    cells = 0
    for column in range(columns):
        cells |= 1 << column * (rows + 1) + row
    return cells


@jit(inline=True)
def column_cells(column: int, rows: int = 6) -> int:
    """Return the cells of a column, 0 the leftmost."""
    return ((1 << rows) - 1) << column * (rows + 1)


all_cells = jit(inline=True)(plain.all_cells)


@jit(inline=True)
def playable(own: int, opp: int, columns: int = 7, rows: int = 6) -> int:
    """Return the cells where a disc can land now on a board of `columns` x `rows`; `own`, `opp`: the discs of both."""
    return ((own | opp) + row_cells(0, columns, rows)) & all_cells(columns, rows)


@jit(inline=True)
def threats(own: int, opp: int, columns: int = 7, rows: int = 6, connect: int = 4) -> int:
    """Return the empty cells where a disc of `own` completes a line of `connect` cells, playable now or not."""
    return line_completers(own, rows, connect) & all_cells(columns, rows) & ~(own | opp)


@jit(inline=True)
def open_windows(own: int, opp: int, discs: int, columns: int = 7, rows: int = 6, connect: int = 4) -> int:
    """Return how many windows, `connect` cells in a line, hold exactly `discs` of `own` and none of `opp`."""
    total = 0
    cells = all_cells(columns, rows)
    for stride in (1, rows + 1, rows + 2, rows):
        # A shift by a word or more is undefined in machine code, and no window is that long.
        if (connect - 1) * stride < WORD_BITS:
            starts = cells
            for step in range(1, connect):
                starts &= cells >> step * stride
            mine = exactly(window_counts(own, stride, connect), discs, connect)
            total += popcount(starts & mine & exactly(window_counts(opp, stride, connect), 0, connect))
    return total


def packed(rules: Rules) -> Packs:
    """Return the windows of a board, packed into the fewest words; the last words may be empty."""
    places = anchors(rules.columns, rules.rows, rules.connect)
    words, shifts = [0, 0, 0, 0], [0, 0, 0, 0]
    masks = [[0, 0, 0, 0] for _ in words]
    for direction, starts in enumerate(places):
        room = ((word, shift) for word in range(4) for shift in range(WORD_BITS - starts.bit_length()))
        word, shift = next((word, shift) for word, shift in room if not words[word] & starts << shift)
        words[word] |= starts << shift
        masks[word][direction], shifts[direction] = starts << shift, shift
    first, second, third, fourth = ((word, *mask, *shifts) for word, mask in zip(words, masks, strict=True))
    return first, second, third, fourth


@jit(inline=True)
def open_window_sum(own: int, opp: int, rows: int, connect: int, packs: Packs, weights: tuple[int, ...]) -> int:
    """Return the sum of weights over `own`'s open windows less that over `opp`'s; for weights see `subset_weights`.

    An open window is `connect` cells in a line that hold discs of only one side. packs: see `packed`.
    """
    total = _worth(own, opp, rows, connect, packs[0], weights) + _worth(own, opp, rows, connect, packs[1], weights)
    total += _worth(own, opp, rows, connect, packs[2], weights)
    return total + _worth(own, opp, rows, connect, packs[3], weights)


@jit(inline=True)
def _worth(own: int, opp: int, rows: int, connect: int, pack: Pack, weights: tuple[int, ...]) -> int:
    starts = pack[0]
    if starts == 0:
        return 0
    mine = packed_counts(own, rows, connect, pack)
    theirs = packed_counts(opp, rows, connect, pack)
    my_open = starts & ~at_least_one(theirs)
    their_open = starts & ~at_least_one(mine)
    total = 0
    for number in range(1, connect + 1):
        my_windows = popcount(my_open & holding(mine, number))
        total += weights[number] * (my_windows - popcount(their_open & holding(theirs, number)))
    return total


@jit(inline=True)
def packed_counts(discs: int, rows: int, connect: int, pack: Pack) -> Planes:
    """Return the number of `discs` in each window of a pack, `connect` cells in a line, as `window_counts` does."""
    none = discs & 0
    counts = none, none, none, none
    for step in range(connect):
        held = _held(discs, step, pack[1], pack[5]) | _held(discs, step * (rows + 1), pack[2], pack[6])
        held |= _held(discs, step * (rows + 2), pack[3], pack[7]) | _held(discs, step * rows, pack[4], pack[8])
        counts = one_more(counts, held)
    return counts


@jit(inline=True)
def windows_through(cell: int, rows: int, connect: int, pack: Pack) -> int:
    """Return the windows of a pack, `connect` cells in a line, that contain `cell`, a word with one bit."""
    windows = _along(cell, 1, connect, pack[1], pack[5]) | _along(cell, rows + 1, connect, pack[2], pack[6])
    return windows | _along(cell, rows + 2, connect, pack[3], pack[7]) | _along(cell, rows, connect, pack[4], pack[8])


@jit(inline=True)
def _along(cell: int, stride: int, connect: int, mask: int, shift: int) -> int:
    """Return the windows along a stride that contain a cell, moved by `shift`."""
    if mask == 0:
        return cell & 0
    cells, length = cell, 1
    while length < connect:
        more = min(length, connect - length)
        cells |= cells >> more * stride
        length += more
    return cells << shift & mask


@jit(inline=True)
def _held(discs: int, distance: int, mask: int, shift: int) -> int:
    """Return the windows with a disc at this distance from their start, moved by `shift`."""
    if mask == 0:
        return discs & 0
    return (discs >> distance - shift if distance > shift else discs << shift - distance) & mask
