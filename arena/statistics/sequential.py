"""The sequential test: play until one of two hypotheses about strength is decided.

It is the generalised sequential probability ratio test: each hypothesis is represented by the likeliest distribution of
results that satisfies it. Source: M. Van den Bergh, "The generalised SPRT for practical use" (2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal, SupportsIndex

import numpy as np

from agents.errors import InputError, unknown
from arena.statistics import likelihood
from arena.statistics.arrays import Floats
from arena.statistics.counts import Counts
from arena.statistics.intervals import ABSENT

MINIMUM_PAIRS: Final = 10  # nothing is decided earlier: the spread of so few results is not known
FARTHEST: Final = 4000.0  # Elo; beyond, one win more or less among all games ever played decides

Decision = Literal["H0", "H1", "continue"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The state of a sequential test; its fields are what `arena sprt` prints."""

    llr: float
    """Natural logarithm of the likelihood under H1 over that under H0."""
    lower: float
    """At or below it H0 is accepted."""
    upper: float
    """At or above it H1 is accepted."""
    decision: Decision


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0, "engine one is elo0 stronger", against H1, "it is elo1 stronger", on the scale of `model`.

    `alpha` is the tolerated share of H1 accepted under H0, `beta` that of H0 accepted under H1. Raises InputError
    where the hypotheses are not in order or the shares leave nothing to decide.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise unknown("model", self.model, MODELS)
        if not self.elo0 < self.elo1:
            raise InputError(f"elo0 must be below elo1, but {self.elo0:g} and {self.elo1:g} were given")
        if max(-self.elo0, self.elo1) > FARTHEST:
            raise InputError(f"elo0 and elo1 must lie within ±{FARTHEST:g}")
        for name, share in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < share < 1.0:
                raise InputError(f"{name} must lie between 0 and 1, but {share:g} was given")
        if self.alpha + self.beta >= 1.0:
            raise InputError(f"alpha and beta must sum to less than 1, but {self.alpha:g} and {self.beta:g} were given")

    def __str__(self) -> str:
        """Return the text that `parse` reads."""
        values = (getattr(self, field.name) for field in fields(self))
        texts = (value if isinstance(value, str) else f"{value:.12g}" for value in values)
        return ",".join(f"{field.name}={text}" for field, text in zip(fields(self), texts, strict=True))

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Return the test written as "elo0=0,elo1=30,alpha=0.05,beta=0.05,model=logistic".

        elo0 and elo1 are needed, the others have defaults. Raises InputError naming the part that cannot be read.
        """
        model, numbers = "normalized", {}
        for part in text.split(","):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                raise InputError(f"{part.strip()!r} is not of the form key=value, as in elo0=0,elo1=30")
            if key not in (known := [field.name for field in fields(cls)]):
                raise unknown("key of a sequential test", key, known)
            if key in numbers:
                raise InputError(f"{key} is given twice")
            if key == "model":
                model = value
            else:
                numbers[key] = _number(key, value)
        for key in ("elo0", "elo1"):
            if key not in numbers:
                raise InputError(f"a sequential test needs {key}, as in elo0=0,elo1=30")
        return cls(**numbers, model=model)

    @property
    def unit(self) -> str:
        """What elo0 and elo1 are measured in."""
        return {"normalized": "normalized Elo", "bayesian": "BayesElo"}.get(self.model, "Elo")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which H0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)

    def weigh(self, numbers: Sequence[SupportsIndex]) -> Evidence:
        """Return the evidence in 3 or 5 counts, worst first; raise InputError on bad counts.

        The bayesian model knows single games only.
        """
        counts = Counts.of(numbers)
        if self.model == "bayesian" and counts.unit == "pairs":
            raise InputError("the bayesian model takes 3 counts, of games; use logistic or normalized for pairs")
        ratio = float(self.ratios(np.array(counts.numbers, dtype=float)))
        pairs = counts.total / (1 if counts.unit == "pairs" else 2)
        decision: Decision = "continue"
        if pairs >= MINIMUM_PAIRS and not self.lower < ratio < self.upper:
            decision = "H1" if ratio > 0.0 else "H0"
        return Evidence(ratio, self.lower, self.upper, decision)

    def ratios(self, counts: Floats) -> Floats:
        """Return the log-likelihood ratios, shape (...), of an array (..., categories) of counts as floats."""
        counts = np.where(counts == 0.0, ABSENT, counts)
        observed = counts / counts.sum(axis=-1, keepdims=True)
        under = MODELS[self.model]
        shift = np.log(under(observed, self.elo1) / under(observed, self.elo0))
        return np.asarray((counts * shift).sum(axis=-1))


def _number(key: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InputError(f"{key} must be a number, but {value!r} was given") from None


MODELS: Final[dict[str, Callable[[Floats, float], Floats]]] = {
    "logistic": likelihood.logistic,
    "normalized": likelihood.normalized,
    "bayesian": likelihood.bayesian,
}
