"""All positions after so many plies, up to mirror image, and what the values at one ply say of the ply before.

Positions live in numpy arrays. A position and its mirror image count as one, seen from the side that gives the smaller
`Board.key`, the number that is the discs of the side to move plus all discs.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.board import Rules

    Words = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Values = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Positions:
    """The positions of one ply that are not over, sorted by key."""

    rules: Rules
    ply: int
    key: Words
    own: Words
    """The discs of the side to move."""
    opp: Words

    def __len__(self) -> int:
        return len(self.key)

    def find(self, own: int, opp: int) -> int:
        """Return the place of a position or its mirror image. Raises KeyError."""
        key, _, _ = canonical(np.array([own]), np.array([opp]), self.rules)
        place = int(np.searchsorted(self.key, key[0]))
        if place == len(self) or self.key[place] != key[0]:
            raise KeyError((own, opp))
        return place


@functools.lru_cache(maxsize=4)
def enumerate_positions(rules: Rules, plies: int) -> tuple[Positions, ...]:
    """Return the positions of ply 0, 1, … `plies`. Raises InputError where most fours win."""
    rules.refuse_most_fours("the opening book")
    start = np.zeros(1, np.int64)
    levels = [Positions(rules, 0, start, start, start)]
    for ply in range(1, plies + 1):
        going_on = [(own[~over], opp[~over]) for own, opp, over, _ in _children(levels[-1])]
        own, opp = (np.concatenate(discs) for discs in zip(*going_on, strict=True))
        key, own, opp = canonical(own, opp, rules)
        key, first = np.unique(key, return_index=True)
        levels.append(Positions(rules, ply, key, own[first], opp[first]))
    return tuple(levels)


def back_up(before: Positions, after: Positions, values: Values, win: int) -> Values:
    """Return the values of `before` from those of the next ply's positions, all for the side to move.

    `win` is what it is worth to complete a line at once.
    """
    best = np.full(len(before), -128, np.int8)
    for own, opp, over, won in _children(before):
        value = np.where(won, win, 0).astype(np.int8)
        key, _, _ = canonical(own[~over], opp[~over], before.rules)
        value[~over] = -values[np.searchsorted(after.key, key)]
        legal = own | opp != before.own | before.opp
        best = np.where(legal, np.maximum(best, value), best)
    return best


def canonical(own: Words, opp: Words, rules: Rules) -> tuple[Words, Words, Words]:
    """Return the keys and the discs, each position turned to the side that gives the smaller key."""
    flipped_own, flipped_opp = _mirror(own, rules), _mirror(opp, rules)
    key, flipped_key = own + (own | opp), flipped_own + (flipped_own | flipped_opp)
    flip = flipped_key < key
    return np.where(flip, flipped_key, key), np.where(flip, flipped_own, own), np.where(flip, flipped_opp, opp)


def _mirror(discs: Words, rules: Rules) -> Words:
    height = rules.rows + 1
    column_cells = (1 << rules.rows) - 1
    flipped = np.zeros_like(discs)
    for column in range(rules.columns):
        flipped |= (discs >> column * height & column_cells) << (rules.columns - 1 - column) * height
    return flipped


def _children(positions: Positions) -> Iterator[tuple[Words, Words, Flags, Flags]]:
    """Yield for each column the boards after a disc in it: own, opp, and flags for a game that is over, and won.

    Where the column is full the board is the same and counts as over.
    """
    rules = positions.rules
    taken = positions.own | positions.opp
    for column in range(rules.columns):
        shift = column * (rules.rows + 1)
        disc = taken + (1 << shift) & ((1 << rules.rows) - 1) << shift
        discs = positions.own | disc
        legal = disc != 0
        won = legal & _has_line(discs, rules)
        own = np.where(legal, positions.opp, positions.own)
        opp = np.where(legal, discs, positions.opp)
        yield own, opp, ~legal | won | ((taken | disc) == rules.cells), won


def _has_line(discs: Words, rules: Rules) -> Flags:
    found = np.zeros(len(discs), np.bool_)
    for stride in (1, rules.rows + 1, rules.rows + 2, rules.rows):
        line = discs.copy()
        for step in range(1, rules.connect):
            line &= discs >> step * stride
        found |= line != 0
    return found
