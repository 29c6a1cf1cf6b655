"""The counts of a pairing, worst result first, seen by engine one."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from agents.errors import InputError


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each score was made: losses, draws, wins of games, or LL, LD, WL + DD, WD, WW of pairs.

    A pair is one opening played twice with colours swapped; its score is the mean of its two games. Raises InputError
    unless there are 3 or 5 whole numbers, none negative and not all zero.
    """

    numbers: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.numbers) not in (3, 5):
            raise InputError(
                f"{len(self.numbers)} counts given: 3 (losses, draws, wins) or 5 (LL, LD, WL + DD, WD, WW) are needed"
            )
        if min(self.numbers) < 0:
            raise InputError(f"count {min(self.numbers)} is negative")
        if not any(self.numbers):
            raise InputError("all counts are zero: nothing was played")

    @classmethod
    def of(cls, values: Sequence[SupportsIndex]) -> Counts:
        """Return the counts in `values`; raise InputError where one is not a whole number."""
        return cls(tuple(_whole(value) for value in values))

    @property
    def total(self) -> int:
        """Number of pairs, or of games where single games were counted."""
        return sum(self.numbers)

    @property
    def unit(self) -> str:
        """What was counted: "pairs" or "games"."""
        return "pairs" if len(self.numbers) == 5 else "games"

    @property
    def scores(self) -> tuple[float, ...]:
        """The share of the points that each category stands for, from 0 to 1 in equal steps."""
        return category_scores(len(self.numbers))

    @property
    def mean(self) -> float:
        """Engine one's share of the points."""
        return sum(n * a for n, a in zip(self.numbers, self.scores, strict=True)) / self.total

    @property
    def variance(self) -> float:
        """The variance of one pair's or game's score, divided by their number and not by one less.

        It is exactly 0 where all are alike, since quarters of whole numbers are exact.
        """
        mean = self.mean
        return sum(n * (a - mean) ** 2 for n, a in zip(self.numbers, self.scores, strict=True)) / self.total


def category_scores(categories: int) -> tuple[float, ...]:
    """Return the scores of so many categories, equally spaced from 0 to 1."""
    return tuple(index / (categories - 1) for index in range(categories))


def _whole(value: SupportsIndex) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"count {value!r} is not a whole number") from None
