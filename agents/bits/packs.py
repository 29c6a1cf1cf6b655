"""The windows of all four directions in few words: what is counted for each direction takes as many times as long.

On 7x6 there are 69 windows. Those upwards, rising and falling have their starts in one word, some of them moved by a
shift, and those to the right in a second; so the counts that `agents.bits.windows` makes for a direction are made
twice, not four times. A pack is one such word: the starts in it, those of each direction, and by how much these are
moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.bits.bitboard import anchors
from agents.bits.windows import at_least_one, holding, one_more
from agents.jit.compiler import jit, popcount
from agents.rules import WORD_BITS

if TYPE_CHECKING:
    from agents.bits.windows import Planes
    from agents.rules import Rules

    Pack = tuple[int, ...]
    Packs = tuple[Pack, Pack, Pack, Pack]


def packed(rules: Rules) -> Packs:
    """Return the windows of a board, packed into as few words as hold them; the last of the four may be empty."""
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
def among(own: int, opp: int, rows: int, connect: int, packs: Packs, weights: tuple[int, ...]) -> int:
    """Return, of the windows that only one side has discs in, the sum of weights; see `by_planes`."""
    found = _worth(own, opp, rows, connect, packs[0], weights) + _worth(own, opp, rows, connect, packs[1], weights)
    found += _worth(own, opp, rows, connect, packs[2], weights)
    return found + _worth(own, opp, rows, connect, packs[3], weights)


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
    """Return what `window_counts` does, of packed windows."""
    none = discs & 0
    counts = none, none, none, none
    for step in range(connect):
        held = _held(discs, step, pack[1], pack[5]) | _held(discs, step * (rows + 1), pack[2], pack[6])
        held |= _held(discs, step * (rows + 2), pack[3], pack[7]) | _held(discs, step * rows, pack[4], pack[8])
        counts = one_more(counts, held)
    return counts


@jit(inline=True)
def windows_through(cell: int, rows: int, connect: int, pack: Pack) -> int:
    """Return the packed windows that hold a cell."""
    found = _along(cell, 1, connect, pack[1], pack[5]) | _along(cell, rows + 1, connect, pack[2], pack[6])
    return found | _along(cell, rows + 2, connect, pack[3], pack[7]) | _along(cell, rows, connect, pack[4], pack[8])


@jit(inline=True)
def _along(cell: int, stride: int, connect: int, mask: int, shift: int) -> int:
    """Return the windows of a stride, moved by `shift`, that hold a cell."""
    if mask == 0:
        return cell & 0
    found, length = cell, 1
    while length < connect:
        more = min(length, connect - length)
        found |= found >> more * stride
        length += more
    return found << shift & mask


@jit(inline=True)
def _held(discs: int, distance: int, mask: int, shift: int) -> int:
    """Return the windows, moved by `shift`, that have a disc at this distance from their start."""
    if mask == 0:
        return discs & 0
    return (discs >> distance - shift if distance > shift else discs << shift - distance) & mask
