"""The opening book: it stores the scores of all positions of one ply; the scores of earlier positions follow.

A book file is a line of text with the board and the ply, followed by compressed bytes, one for each position in the
order of `enumerate_positions`: the solver's score for the side to move.

Positions are in numpy arrays. A position and its mirror image count as one, represented by the one with the smaller
`Board.key`, the sum of the mover's discs and all discs.
"""

from __future__ import annotations

import functools
import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.errors import InputError
from agents.rules import STANDARD, Rules, lines_in, mirrored

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Words = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Scores = NDArray[np.int8]

SIGNATURE = "connect4-arena book"
MOST_PLIES = 10
"""The last ply that a book may have; the standard board has 809,464 positions at that ply, up to mirror images."""
_PLIES = tuple(map(str, range(MOST_PLIES + 1)))


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
        """Return the index of a position or its mirror image. Raises KeyError."""
        key, _, _ = canonical(np.array([own]), np.array([opp]), self.rules)
        index = int(np.searchsorted(self.key, key[0]))
        if index == len(self) or self.key[index] != key[0]:
            raise KeyError((own, opp))
        return index


@functools.lru_cache(maxsize=4)
def enumerate_positions(rules: Rules, plies: int) -> tuple[Positions, ...]:
    """Return the positions of the plies from 0 to `plies`. Raises InputError if most fours win."""
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


def back_up(before: Positions, after: Positions, scores: Scores) -> Scores:
    """Return the scores of `before`, computed from the `scores` of the next ply, `after`, all for the side to move."""
    best, win = np.full(len(before), -128, np.int8), most_score(before.rules, before.ply)
    for own, opp, over, won in _children(before):
        score = np.where(won, win, 0).astype(np.int8)
        key, _, _ = canonical(own[~over], opp[~over], before.rules)
        score[~over] = -scores[np.searchsorted(after.key, key)]
        legal = own | opp != before.own | before.opp
        best = np.where(legal, np.maximum(best, score), best)
    return best


def canonical(own: Words, opp: Words, rules: Rules) -> tuple[Words, Words, Words]:
    """Return keys, own and opp of each position or of its mirror image, whichever has the smaller key."""
    flipped_own, flipped_opp = _mirrored(own, rules), _mirrored(opp, rules)
    key, flipped_key = own + (own | opp), flipped_own + (flipped_own | flipped_opp)
    flip = flipped_key < key
    return np.where(flip, flipped_key, key), np.where(flip, flipped_own, own), np.where(flip, flipped_opp, opp)


def _mirrored(discs: Words, rules: Rules) -> Words:
    return mirrored(discs, rules.columns, rules.rows)  # type: ignore[arg-type, return-value]  # arrays as words


def _children(positions: Positions) -> Iterator[tuple[Words, Words, Flags, Flags]]:
    """Yield, for each column, the boards after a disc in it: own, opp, and flags for games that are over and won.

    If the column is full, the board is unchanged and counts as over.
    """
    rules = positions.rules
    taken = positions.own | positions.opp
    for column in range(rules.columns):
        shift = column * (rules.rows + 1)
        disc = taken + (1 << shift) & ((1 << rules.rows) - 1) << shift
        discs = positions.own | disc
        legal = disc != 0
        won = legal & (lines_in(discs, rules.rows, rules.connect) != 0)  # type: ignore[arg-type]  # arrays as words
        own = np.where(legal, positions.opp, positions.own)
        opp = np.where(legal, discs, positions.opp)
        yield own, opp, ~legal | won | ((taken | disc) == rules.cells), won


@dataclass(frozen=True, slots=True)
class Book:
    """The scores of all positions of 0 to `plies` plies that are not over."""

    rules: Rules
    levels: tuple[Positions, ...]
    scores: tuple[Scores, ...] = field(repr=False)
    """For each ply, for the side to move."""

    @property
    def plies(self) -> int:
        """The last ply of the book."""
        return len(self.levels) - 1

    @classmethod
    def of(cls, rules: Rules, last: Scores, plies: int) -> Book:
        """Return the book with `last`, the scores at `plies`; compute those of earlier plies."""
        levels = enumerate_positions(rules, plies)
        scores = [last]
        for before, after in zip(levels[-2::-1], levels[:0:-1], strict=True):
            scores.append(back_up(before, after, scores[-1]))
        return cls(rules, levels, tuple(reversed(scores)))

    def lookup(self, own: int, opp: int) -> int | None:
        """Return the score for the side to move, or None beyond the book's last ply. The game must not be over."""
        ply = (own | opp).bit_count()
        if ply > self.plies:
            return None
        return int(self.scores[ply][self.levels[ply].find(own, opp)])


def most_score(rules: Rules, plies: int) -> int:
    """Return the score of a win with the next disc after so many plies, the greatest that there is."""
    return (rules.columns * rules.rows + 1 - plies) // 2


def write_book(path: Path, rules: Rules, last: Scores, plies: int) -> None:
    """Write a book with `last`, the scores of all positions of `plies` in the order of `enumerate_positions`."""
    header = f"{SIGNATURE} {rules} {plies} scores\n"
    path.write_bytes(header.encode() + lzma.compress(last.tobytes(), preset=9 | lzma.PRESET_EXTREME))


def read_book(path: Path) -> Book:
    """Read a book. Raises InputError if the file is not a book or is damaged."""
    header, _, packed = path.read_bytes().partition(b"\n")
    words = header[:80].decode("ascii", "replace").rsplit(" ", 3)
    if len(words) != 4 or words[0] != SIGNATURE or words[3] != "scores" or words[2] not in _PLIES:
        raise InputError(f"{path} is not an opening book")
    try:
        rules, plies = Rules.parse(words[1]), int(words[2])
        last = np.frombuffer(lzma.decompress(packed), np.int8)
    except (InputError, lzma.LZMAError) as error:
        raise InputError(f"{path} is damaged: {error}") from None
    if len(last) != len(enumerate_positions(rules, plies)[-1]):
        raise InputError(f"{path} is damaged: it holds {len(last)} positions")
    least, most = int(last.min(initial=0)), int(last.max(initial=0))
    if max(-least, most) > most_score(rules, plies):
        raise InputError(f"{path} is damaged: its scores run from {least} to {most}")
    return Book.of(rules, last, plies)


@functools.cache
def shipped_book(rules: Rules = STANDARD) -> Book | None:
    """Return the book in this package for a board, or None if there is none."""
    with resources.as_file(resources.files("agents") / "data" / f"{rules}.book") as path:
        return read_book(path) if path.exists() else None
