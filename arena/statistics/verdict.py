"""A pairing in one sentence."""

from __future__ import annotations

from arena.statistics.pairs import Basis, Pairing


def verdict(
    first: str,
    second: str,
    result: Pairing,
    *,
    where: str = "",
    distinct: int | None = None,
    effort: float | None = None,
) -> str:
    """Return who beats whom, by how much, how surely and at what cost, as one sentence.

    `result` is from the view of `first`. `where` says under which condition, as in "at depth 6"; `distinct` is the
    number of games that differ in their moves; `effort` is the nodes a move of `first` over those of `second`.

    The side that is ahead is the subject: "smart-aware beats powers-of-ten by 96 ± 31 Elo at depth 6 (LOS 99.9 %, 200
    pairs, 187 distinct), at 1.3 times the nodes." It only beats the other where 0 lies outside the 95 % interval.
    """
    behind = result.score < 0.5
    winner, loser = (second, first) if behind else (first, second)
    if result.score == 0.5:
        claim = f"{first} and {second} are level"
    elif _clear(result):
        claim = f"{winner} beats {loser}"
    else:
        claim = f"no clear difference between {first} and {second}: {winner} is ahead"
    parts = [claim, _margin(result, -1.0 if behind else 1.0), where]
    sentence = " ".join(part for part in parts if part) + f" ({', '.join(_evidence(result, distinct))})"
    if effort:
        sentence += f", {_cost(1.0 / effort if behind else effort)}"
    return sentence + "."


def _clear(result: Pairing) -> bool:
    """Tell whether the interval leaves out 0; an open end lies beyond every number."""
    if result.basis is Basis.EXACT:
        return True
    above = result.low is not None and result.low > 0.0
    below = result.high is not None and result.high < 0.0
    return above or below


def _margin(result: Pairing, sign: float) -> str:
    """Return by how many Elo the side that is ahead is ahead; `sign` is -1 where that is engine two."""
    bounds = (result.low, result.high) if sign > 0.0 else (result.high, result.low)
    near, far = (None if bound is None else round(sign * bound) for bound in bounds)
    if result.elo is None:
        return f"in every game, by {near} Elo or more" if near is not None and near > 0 else "in every game"
    elo = round(sign * result.elo)
    if result.basis is Basis.EXACT:
        return f"by {elo} Elo" if result.elo else ""
    if not result.elo and near is not None and far is not None:
        return f"within {max(-near, far)} Elo"
    if result.basis is Basis.NORMAL and result.elo_error is not None:
        return f"by {elo} ± {result.elo_error:.0f} Elo"
    return f"by {elo} Elo [{near} to {far}]"


def _evidence(result: Pairing, distinct: int | None) -> list[str]:
    """Return what the sentence rests on, as short phrases."""
    evidence = []
    if result.basis in (Basis.EXACT, Basis.NO_VARIANCE):
        evidence.append(result.basis.value)
    elif result.los is not None:
        surer = max(result.los, 100.0 - result.los)
        if surer < 97.5 or _clear(result):  # else so few pairs that the interval knows better
            evidence.append(f"LOS {min(surer, 99.9):.1f} %")  # never certain: another opening may tell otherwise
    evidence.append(f"{result.count} {result.unit if result.count > 1 else result.unit.removesuffix('s')}")
    if distinct is not None:
        evidence.append(f"{distinct} distinct")
    return evidence


def _cost(times: float) -> str:
    if 0.95 <= times < 1.05:
        return "at the same number of nodes"
    return f"at {times:.0f} times the nodes" if times >= 9.95 else f"at {times:.2g} times the nodes"
