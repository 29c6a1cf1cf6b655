"""How often the sequential test errs, measured on simulated matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.statistics.sprt import MINIMUM_PAIRS, MODELS, Sprt


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What became of simulated matches between sides of one true strength."""

    h0: int
    """Matches in which H0 was accepted."""
    h1: int
    undecided: int
    """Matches that reached the limit first."""
    pairs: float
    """Mean number of pairs a match."""


def simulate(
    test: Sprt, elo: float, likeness: Sequence[float], *, matches: int = 2000, limit: int = 5000, seed: int = 0
) -> Outcomes:
    """Play `matches` matches of at most `limit` pairs, the test weighed after each pair, at a true strength of `elo`.

    `elo` is on the scale of the test's model. `likeness` gives the shares of the five categories, worst first, that
    the pairs resemble: they are drawn from the distribution nearest to it that has the strength asked for. Under elo0
    the share of H1 is to stay below alpha, under elo1 that of H0 below beta.
    """
    random = np.random.default_rng(seed)
    shares = np.array(likeness, dtype=float)
    truth = MODELS[test.model](shares / shares.sum(), elo)
    playing = np.zeros((matches, len(shares)))
    h0 = h1 = total = 0
    for pair in range(1, limit + 1):
        total += len(playing)
        playing[np.arange(len(playing)), random.choice(len(shares), size=len(playing), p=truth)] += 1.0
        if pair < MINIMUM_PAIRS:
            continue
        ratios = test.ratios(playing)
        h0 += int((ratios <= test.lower).sum())
        h1 += int((ratios >= test.upper).sum())
        playing = playing[(test.lower < ratios) & (ratios < test.upper)]
        if not len(playing):
            break
    return Outcomes(h0, h1, len(playing), total / matches)
