"""Elo and a sequential test from counts."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, SupportsIndex

from agents.errors import InputError
from arena.table.measured import Measured

if TYPE_CHECKING:
    from arena.records import Interval
    from arena.statistics.pairing import Pairing
    from arena.tournament.pairings import Duel
    from arena.tournament.result import Result


def elo(counts: Sequence[int | str] | Result | str | Path) -> Pairing | Measured[Duel]:
    """Return a pairing's statistics from engine one's view, or a row for each pairing of a run. Raises InputError.

    counts: 3 counts of games or 5 of pairs, worst result first; or a run or its file.
    """
    if hasattr(counts, "frames") or (isinstance(counts, str | Path) and not re.fullmatch(r"[\d\s,.-]+", str(counts))):
        from arena.tournament.pairings import Duel, duels
        from arena.tournament.result import opened

        return Measured(duels(opened(counts).frames), Duel)
    from arena.statistics.pairing import pairing

    return pairing(counts_of(counts))


@dataclass(frozen=True, slots=True)
class Weighed:
    """The evidence of counts for two hypotheses."""

    llr: float
    """The log-likelihood ratio."""
    lower: float
    upper: float
    """The ratios that end the test."""
    decision: str
    """H0, H1 or continue."""
    estimate: Interval | None
    """The strength of engine one in Elo, corrected for the early stop; None if the test goes on."""
    unit: str
    """The scale of the hypotheses."""


def sprt(
    counts: Sequence[int | str],
    elo0: float,
    elo1: float,
    *,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "normalized",
) -> Weighed:
    """Weigh counts between two hypotheses; `arena sprt` from Python. Raises InputError.

    counts: 3 counts of games or 5 of pairs, worst result first. elo0, elo1: the strength of engine one over engine two
    under each hypothesis. alpha, beta: the tolerated error rates. model: normalized, logistic or bayesian. The result
    has llr, lower, upper and decision, which is "H0", "H1" or "continue".
    """
    from arena.statistics.sprt import Sprt, sprt_estimate

    test, numbers = Sprt(elo0, elo1, alpha, beta, model), counts_of(counts)
    evidence = test.weigh(numbers)
    return Weighed(
        evidence.llr, evidence.lower, evidence.upper, evidence.decision, sprt_estimate(test, numbers), test.unit
    )


def counts_of(counts: object) -> list[int]:
    """Return counts as ints, given as whole numbers of any type or as texts. Raises InputError."""
    if isinstance(counts, str) or not isinstance(counts, Iterable):
        raise InputError(f"counts are whole numbers in a list, worst first, as in [3, 4, 5], not {counts!r:.80}")
    numbers: list[int] = []
    for entry in counts:
        for part in entry.strip("[]").replace(",", " ").split() if isinstance(entry, str) else [entry]:
            number = int(part) if isinstance(part, str) and re.fullmatch("[0-9]{1,15}", part) else part
            if not isinstance(number, SupportsIndex) or isinstance(number, bool):
                raise InputError(f"{str(part)!r} is not a count, a whole number from 0 and below 10^15")
            numbers.append(operator.index(number))
    return numbers
