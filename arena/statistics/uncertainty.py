"""How far the strengths of a pool may be off."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena.statistics.arrays import Floats
from arena.statistics.elo import Z95

_STILL = 1e-6  # logits; what varies less among resamples does not vary


@dataclass(frozen=True, slots=True)
class Measured:
    """Strengths in logits, the first player's advantage last, and what is known of their errors."""

    strengths: Floats
    lows: Floats
    """Lower ends of the 95 % intervals."""
    highs: Floats
    differences: Floats
    """Standard errors of the differences between agents, shape (agents, agents)."""

    @classmethod
    def by_information(cls, strengths: Floats, covariance: Floats) -> Measured:
        """Return strengths with normal intervals from the Fisher information's inverse."""
        import numpy as np

        margins = Z95 * np.sqrt(covariance.diagonal())
        return cls(strengths, strengths - margins, strengths + margins, _differences(covariance))

    def by_openings(self, drawn: Floats, openings: int, fixed: npt.NDArray[np.bool_]) -> Measured:
        """Return the same strengths with the errors seen in resamples `drawn` (resamples, agents + 1) of the openings.

        Agents that are `fixed`, and whatever the resamples leave as it is, keep their errors. The percentiles are set
        apart as far as Student's distribution asks for so many openings. Source: T. Hesterberg, "What teachers should
        know about the bootstrap" (2015), the expanded percentile interval. Of simulated pools with 10 openings plain
        percentiles held the truth in 90 of 100, these in 94.
        """
        import numpy as np
        from scipy.special import ndtr, stdtrit

        wider = math.sqrt(openings / (openings - 1.0))
        tail = float(ndtr(wider * stdtrit(openings - 1, 0.025)))
        lows, highs = np.quantile(drawn, (tail, 1.0 - tail), axis=0)
        varies = (np.ptp(drawn, axis=0) > _STILL) & ~np.append(fixed, False)
        differences = wider * _differences(np.cov(drawn, rowvar=False))
        differs = varies[:-1, None] & varies[None, :-1] & (differences > _STILL)
        return Measured(
            self.strengths,
            np.where(varies, lows, self.lows),
            np.where(varies, highs, self.highs),
            np.where(differs, differences, self.differences),
        )


def _differences(covariance: Floats) -> Floats:
    """Return the standard errors of the agents' differences; the last row and column are the advantage's."""
    agents = covariance[:-1, :-1]
    variances = agents.diagonal()
    return np.asarray(np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2.0 * agents, 0.0)))
