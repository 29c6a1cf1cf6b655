"""How far the strengths of a pool may be off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from arena.statistics.arrays import Floats
from arena.statistics.direct import special
from arena.statistics.elo import Z95, likelihood_of_superiority

_STILL = 1e-6  # logits; what varies less among openings does not vary


@dataclass(frozen=True, slots=True)
class Measured:
    """Strengths in logits, the first player's advantage last, and what is known of their errors."""

    strengths: Floats
    lows: Floats
    """Lower ends of the 95 % intervals."""
    highs: Floats
    differences: Floats
    """Standard errors of the differences between agents, shape (agents, agents)."""
    freedom: float
    """Degrees of freedom of Student's distribution: openings less strata; infinite without openings."""

    @classmethod
    def by_information(cls, strengths: Floats, covariance: Floats) -> Measured:
        """Return strengths with normal intervals from the Fisher information's inverse."""
        margins = Z95 * np.sqrt(np.maximum(covariance.diagonal(), 0.0))
        return cls(strengths, strengths - margins, strengths + margins, _differences(covariance), math.inf)

    def by_openings(
        self, influence: Floats, strata: Sequence[npt.NDArray[np.intp]], fixed: npt.NDArray[np.bool_]
    ) -> Measured:
        """Return the same strengths with errors from how far each opening pulls them, shape (openings, agents + 1).

        It is the sandwich covariance with the openings as clusters, √(O/(O - 1)) wider, and Student's distribution
        with O - 1 degrees of freedom; where there are several `strata`, within each, and with O less their number.
        Agents that are `fixed`, and whatever no opening pulls, keep their errors. Source: K.-Y. Liang, S. L. Zeger,
        "Longitudinal data analysis using generalized linear models" (1986). With fewer than ten openings the Fisher
        information held the first player's advantage in 47 to 58 of 100.
        """
        freedom = len(influence) - len(strata)
        covariance = np.zeros_like(self.strengths[:, None] + self.strengths)
        for places in strata:
            pulls = influence[places] - (influence[places].mean(axis=0) if len(strata) > 1 else 0.0)
            covariance += len(places) / (len(places) - 1.0) * pulls.T @ pulls
        margins = special().stdtrit(freedom, 0.975) * np.sqrt(covariance.diagonal())
        lows, highs = self.strengths - margins, self.strengths + margins
        return self._with(lows, highs, covariance, freedom, margins > _STILL, fixed)

    def by_resampling(self, drawn: Floats, openings: int, strata: int, fixed: npt.NDArray[np.bool_]) -> Measured:
        """Return the same strengths with the errors seen in resamples `drawn` (resamples, agents + 1) of the openings.

        The openings were drawn again within each of so many `strata`.

        Agents that are `fixed`, and whatever the resamples leave as it is, keep their errors. The percentiles are set
        apart as far as Student's distribution asks for so many openings. Source: T. Hesterberg, "What teachers should
        know about the bootstrap" (2015), the expanded percentile interval. Of simulated pools with 10 openings plain
        percentiles held the truth in 90 of 100, these in 94.
        """
        freedom = openings - strata
        wider = math.sqrt(openings / freedom)
        tail = float(special().ndtr(wider * special().stdtrit(freedom, 0.025)))
        lows, highs = np.quantile(drawn, (tail, 1.0 - tail), axis=0)
        varies = np.ptp(drawn, axis=0) > _STILL
        return self._with(lows, highs, wider**2 * np.cov(drawn, rowvar=False), freedom, varies, fixed)

    def of_population(self, shrink: float, fixed: npt.NDArray[np.bool_]) -> Measured:
        """Return the same strengths with errors times `shrink`, 0 where all openings were played, but for the `fixed`.

        What only virtual draws hold is no fact over any set of openings.
        """
        factors = np.where(np.append(fixed, False), 1.0, shrink)
        return replace(
            self,
            lows=self.strengths - factors * (self.strengths - self.lows),
            highs=self.strengths + factors * (self.highs - self.strengths),
            differences=self.differences * np.maximum(factors[:-1, None], factors[None, :-1]),
        )

    def ahead(self, one: int, two: int) -> tuple[float, float, float, float]:
        """Return by how much agent `one` is ahead of `two`, the ends of the 95 % interval, and its LOS in percent.

        Interval and LOS come from the same distribution: LOS is 97.5 where the lower end is 0.
        """
        ahead, error = float(self.strengths[one] - self.strengths[two]), float(self.differences[one, two])
        margin = (Z95 if math.isinf(self.freedom) else float(special().stdtrit(self.freedom, 0.975))) * error
        return ahead, ahead - margin, ahead + margin, likelihood_of_superiority(ahead, error, self.freedom)

    def _with(
        self,
        lows: Floats,
        highs: Floats,
        covariance: Floats,
        freedom: int,
        varies: npt.NDArray[np.bool_],
        fixed: npt.NDArray[np.bool_],
    ) -> Measured:
        """Return the strengths with other errors for what `varies` (agents + 1) and is not `fixed` (agents)."""
        differences = _differences(covariance)
        differs = ~(fixed[:, None] | fixed[None, :]) & (differences > _STILL)
        varies = varies & ~np.append(fixed, False)
        return Measured(
            self.strengths,
            np.where(varies, lows, self.lows),
            np.where(varies, highs, self.highs),
            np.where(differs, differences, self.differences),
            freedom,
        )


def _differences(covariance: Floats) -> Floats:
    """Return the standard errors of the agents' differences; the last row and column are the advantage's."""
    agents = covariance[:-1, :-1]
    variances = agents.diagonal()
    return np.asarray(np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2.0 * agents, 0.0)))
