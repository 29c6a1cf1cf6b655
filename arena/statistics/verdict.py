"""A pairing in one sentence."""

from __future__ import annotations

from arena.statistics.equivalence import MARGIN
from arena.statistics.pairs import Basis, Pairing

ALIKE = (0.95, 1.05)
"""Between these, costs are said to be the same."""


def verdict(
    first: str,
    second: str,
    result: Pairing,
    *,
    where: str = "",
    distinct: int | None = None,
    effort: float | None = None,
    time: float | None = None,
    survives: bool = True,
    margin: float = MARGIN,
) -> str:
    """Return who beats whom, by how much, how surely and at what cost, as one sentence.

    `result` is from the view of `first`. `where` says under which condition, as in "at depth 6"; `distinct` is the
    number of games that differ in their moves; `effort` is the nodes a move of `first` over those of `second`; `time`
    is the same of their time, to be given where both were to have as much. `survives` tells whether a difference still
    shows among all that were compared, as `holm.survivors` has it; `margin` is that of `result`.

    The side that is ahead is the subject: "smart-aware beats powers-of-ten by 96 Elo [65 to 128] at depth 6 (LOS
    99.9 %, 200 pairs, 187 distinct), at 1.3 times the nodes." It only beats the other where 0 lies outside the 95 %
    interval, and the two are only level where an equivalence test shows it.
    """
    behind = result.score < 0.5
    winner, loser = (second, first) if behind else (first, second)
    if result.clear:
        claim = f"{winner} beats {loser} {_margin(result, -1.0 if behind else 1.0)}"
    elif result.basis is Basis.EXACT:
        claim = f"{first} and {second} are even"
    elif result.level:
        claim = f"{first} and {second} are level, {_range(result)}"
    else:
        claim = f"no difference seen between {first} and {second}: {_range(result)}"
    sentence = f"{claim} {where}".rstrip() + f" ({', '.join(_evidence(result, distinct))})"
    if result.clear and not survives:
        sentence += ", not counting how many were compared"
    if effort:
        whose = "" if result.clear or ALIKE[0] <= effort < ALIKE[1] else f"{first} "  # else the subject's
        sentence += f", {whose}{_cost(1.0 / effort if behind and result.clear else effort)}"
    if time and not ALIKE[0] <= time < ALIKE[1]:
        more, less = (first, second) if time > 1.0 else (second, first)
        sentence += f", {more} used {max(time, 1.0 / time):.2f} times {less}'s time"
    if result.more is not None:
        fresh = f"a fresh run of about {result.more:,} {_unit(result.unit, result.more)}"
        sentence += f"; to tell {margin:g} Elo from none with 80 % power takes {fresh}"
    return sentence + "."


def _margin(result: Pairing, sign: float) -> str:
    """Return by how many Elo the side that is ahead is ahead; `sign` is -1 where that is engine two."""
    bounds = (result.low, result.high) if sign > 0.0 else (result.high, result.low)
    near, far = (None if bound is None else round(sign * bound) for bound in bounds)
    if result.elo is None:
        return "in every game" if near is None else f"in every game, by {near} Elo or more"
    elo = round(sign * result.elo)
    return f"by {elo} Elo" if result.basis is Basis.EXACT else f"by {elo} Elo [{near} to {far}]"


def _range(result: Pairing) -> str:
    """Return the interval, from the view of the agent named first."""
    if result.low is None or result.high is None:
        return f"{result.low:+z.0f} Elo or more" if result.low is not None else f"{result.high:+z.0f} Elo or less"
    return f"{result.low:+z.0f} to {result.high:+z.0f} Elo"


def _evidence(result: Pairing, distinct: int | None) -> list[str]:
    """Return what the sentence rests on, as short phrases."""
    evidence = []
    if result.basis in (Basis.EXACT, Basis.NO_VARIANCE):
        evidence.append(result.basis.value)
    elif result.clear:
        surer = max(result.los_score, 100.0 - result.los_score)
        evidence.append(f"LOS {min(surer, 99.9):.1f} %")  # never certain: another opening may tell otherwise
    evidence.append(f"{result.count} {_unit(result.unit, result.count)}")
    if distinct is not None:
        evidence.append(f"{distinct} distinct")
    return evidence


def _unit(name: str, number: int) -> str:
    return name.removesuffix("s") if number == 1 else name


def _cost(times: float) -> str:
    if ALIKE[0] <= times < ALIKE[1]:
        return "at the same number of nodes"
    return f"at {times:.0f} times the nodes" if times >= 9.95 else f"at {times:.2g} times the nodes"
