"""The Elo scale: a score and the rating difference that predicts it."""

from __future__ import annotations

import math
from typing import Final

ELO_PER_LOGIT: Final = 400.0 / math.log(10.0)
NORMALIZED_SCALE: Final = 800.0 / math.log(10.0)  # so that normalized Elo equals Elo when games are decided by a coin
Z95: Final = 1.959963984540054  # standard deviations on either side that hold 95 % of a normal distribution


def elo_of(score: float) -> float:
    """Return the rating difference in Elo at which a side expects `score`, a share strictly between 0 and 1."""
    return 400.0 * math.log10(score / (1.0 - score))


def score_of(elo: float) -> float:
    """Return the share of the points that a side rated `elo` above its opponent expects."""
    return 1.0 / (1.0 + math.exp(-elo / ELO_PER_LOGIT))


def likelihood_of_superiority(difference: float, error: float) -> float:
    """Return the probability in percent that a `difference` measured with standard error `error` is above zero.

    Without an error the difference is a fact, and the answer is 0, 50 or 100.
    """
    if error == 0.0:
        return 50.0 + math.copysign(50.0, difference) if difference else 50.0
    return 50.0 * (1.0 + math.erf(difference / (math.sqrt(2.0) * error)))
