"""Many comparisons at once: which differences still count."""

from __future__ import annotations

from collections.abc import Sequence


def survivors(superiorities: Sequence[float], share: float = 0.05) -> list[bool]:
    """Return which of several likelihoods of superiority, in percent, still show a difference among so many.

    Of 63 pairings of equal sides some three differ at 5 % by chance alone. The chance that any of those returned does
    is at most `share`, however they depend on each other. Source: S. Holm, "A simple sequentially rejective multiple
    test procedure" (1979).
    """
    chances = [2.0 * min(los, 100.0 - los) / 100.0 for los in superiorities]
    kept = [False] * len(chances)
    for left, place in zip(
        range(len(chances), 0, -1), sorted(range(len(chances)), key=chances.__getitem__), strict=True
    ):
        if chances[place] > share / left:
            break
        kept[place] = True
    return kept
