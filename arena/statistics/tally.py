"""Games summed as they come, of which there may be a million: what a pool's statistics need of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arena.statistics.arrays import Floats

Places = npt.NDArray[np.integer[Any]]
Words = npt.NDArray[np.uint64]
_CHUNK: Final = 100_000  # games; more only costs memory
_STEP: Final = 0x9E3779B97F4A7C15
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


class Tally:
    """The sums of games. A game costs 8 bytes until it is told which differ, an opening 4 for each ordered pair."""

    def __init__(self, agents: int, openings: int, games: int, *, once: bool = False) -> None:
        """Make room for so many games; `once` where no two have the same players, colours and opening."""
        shape = openings, agents, agents
        kind = np.float16 if once else np.float64
        self.points: Floats = np.zeros(shape, dtype=kind)
        """[o, i, j] holds the points of i as the first player against j on opening o."""
        self.games: Floats = np.zeros(shape, dtype=kind)
        self.ends = np.zeros((agents, agents, 3), dtype=np.int64)
        """[i, j, h] holds the games in which the first player i made h half points against j."""
        self.alike: Words = np.zeros((agents, agents), dtype=np.uint64)
        """[i, j] holds the sum of 64 random bits for each game of i against j: sets of games that differ differ in it
        but for one case in 2**64."""
        self.silent = np.zeros(agents, dtype=bool)
        """Whose moves are not told in some game."""
        self._keys: Words = np.empty(games, dtype=np.uint64)
        self._end = 0

    def add(self, first: Places, second: Places, opening: Places, halves: Places, moves: npt.NDArray[np.int64]) -> None:
        """Add games: places of agents and opening, the first player's points doubled, and a number for the moves.

        Moves that are alike have the same number, the empty ones, which are not told, 0.
        """
        cells = opening, first, second
        np.add.at(self.games, cells, self.games.dtype.type(1))
        np.add.at(self.points, cells, (halves / 2.0).astype(self.points.dtype))
        np.add.at(self.ends, (first, second, halves), 1)
        for side in (first, second):
            self.silent[side[moves == 0]] = True
        texts = _mixed(moves.view(np.uint64))
        words = texts + opening.astype(np.uint64)
        words = _mixed(words) + halves.astype(np.uint64)
        for colour, sides in enumerate(((first, second), (second, first))):
            np.add.at(self.alike, sides, _mixed(words + np.uint64(colour * 4)))
        pairing = (np.minimum(first, second) * len(self.silent) + np.maximum(first, second)).astype(np.uint64)
        keys = self._keys[self._end : (end := self._end + len(moves))]
        keys[:] = pairing << self._shift | texts >> np.uint64(64) - self._shift
        self._end = end

    def distinct(self) -> npt.NDArray[np.int64]:
        """Return [i, j], i ≤ j: how many different games the two have; to be asked once, when all are added."""
        agents, keys = len(self.silent), self._keys
        keys.sort()
        found = np.zeros(agents**2, dtype=np.int64)
        for start in range(0, len(keys), _CHUNK):
            piece = keys[start : start + _CHUNK]
            new = np.diff(piece, prepend=keys[start - 1] if start else ~piece[0]) != 0
            found += np.bincount((piece[new] >> self._shift).astype(np.int64), minlength=agents**2)
        self._keys = keys[:0]
        return found.reshape(agents, agents)

    @property
    def _shift(self) -> np.uint64:
        """The bits of a key that are of the moves; those above them are of the pairing."""
        return np.uint64(64 - (len(self.silent) ** 2).bit_length())


def _mixed(words: Words) -> Words:
    """Return words whose bits depend on all of each word's; source: Steele, Lea, Flood, "SplitMix" (2014)."""
    found = words + np.uint64(_STEP)
    for shift, factor in _MIX:
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found
