"""The marks of an agent: how often its answers were good, and what it gained on another's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from arena.measure.grade import Answer, Candidate, Exercise
from arena.statistics.counts import Counts
from arena.statistics.intervals import score_interval
from arena.statistics.means import typical_time
from arena.statistics.shares import share


@dataclass(frozen=True, slots=True)
class Marks:
    """How good an agent's moves were in positions whose truth is known, and what they cost."""

    agent: str
    """Its spec, without the depth where that stands beside it."""
    depth: int | None
    """[plies] None where the agent decides."""
    positions: int
    """[positions]"""
    good: float
    """[share] Moves that kept the value: a win, a draw, or what is lost anyway."""
    good_low: float
    """[share] Lower end of its 95 % interval."""
    good_high: float
    """[share] Upper end of it."""
    perfect: float
    """[share] Moves that no other beat by distance."""
    perfect_low: float
    """[share] Lower end of its 95 % interval."""
    perfect_high: float
    """[share] Upper end of it."""
    clear_cut: int
    """[positions] Those where a legal move loses value."""
    clear_good: float | None
    """[share] Good moves in these alone."""
    clear_good_low: float | None
    """[share] Lower end of its 95 % interval."""
    clear_good_high: float | None
    """[share] Upper end of it."""
    clear_perfect: float | None
    """[share] Perfect moves in these alone."""
    clear_perfect_low: float | None
    """[share] Lower end of its 95 % interval."""
    clear_perfect_high: float | None
    """[share] Upper end of it."""
    better: int | None
    """[positions] Clear-cut ones that this agent alone answered well, the reference did not; None without one."""
    worse: int | None
    """[positions] Those that the reference alone answered well."""
    gain: float | None
    """[share] Good moves in clear-cut positions beyond the reference's, the first agent's at the same depth."""
    gain_low: float | None
    """[share] Lower end of its 95 % interval."""
    gain_high: float | None
    """[share] Upper end of it."""
    nodes: float | None
    """[nodes] Mean of a move; None of an agent that tells none."""
    seconds: float
    """[seconds] Mean of the middle nine tenths of the moves, by the referee's clock."""
    seconds_low: float | None
    """[seconds] Lower end of its 95 % interval."""
    seconds_high: float | None
    """[seconds] Upper end of it."""
    plays_like: float | None = None
    """[plies] Depth at which the reference ladder finds as many perfect moves; None beyond its ends."""
    plays_like_low: float | None = None
    """[plies] Lower end of its 95 % interval, None where that is open."""
    plays_like_high: float | None = None
    """[plies] Upper end of it, None where that is open; all three are None where no ladder was asked."""
    mirrored: float | None = None
    """[share] Positions answered alike on the mirrored board, of those that differ from it; None where nobody asked."""
    mirrored_low: float | None = None
    """[share] Lower end of its 95 % interval."""
    mirrored_high: float | None = None
    """[share] Upper end of it."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What a legal move at random scores: shares of good and perfect moves, in all and in clear-cut positions."""

    good: float | None
    perfect: float | None
    clear_good: float | None
    clear_perfect: float | None
    agent: str = "(any legal move)"


@dataclass(frozen=True, slots=True)
class Paper:
    """What agents are asked."""

    positions: int
    first_ply: int
    last_ply: int
    clear_cut: int
    """Positions in which a legal move loses value."""
    chance: Chance
    rungs: Sequence[int] = ()
    """[plies] Depths of the reference ladder, where one was asked."""

    @classmethod
    def of(cls, exercises: Sequence[Exercise], rungs: Sequence[int] = ()) -> Paper:
        """Describe exercises, one or more."""
        plies = [each.board.ply for each in exercises]
        clear = sum(each.clear_cut for each in exercises)
        return cls(len(plies), min(plies), max(plies), clear, chance(exercises), rungs)


def marks(
    candidate: Candidate,
    exercises: Sequence[Exercise],
    answers: Sequence[Answer],
    reference: Sequence[Answer] | None = None,
) -> Marks:
    """Return an agent's marks, and how they differ from those of the reference, another agent's at the same depth."""
    good = _good(exercises, answers)
    other = _good(exercises, reference) if reference else []
    perfect = [answer.column in exercise.perfect for exercise, answer in zip(exercises, answers, strict=True)]
    clear = [place for place, exercise in enumerate(exercises) if exercise.clear_cut]
    seconds = typical_time([answer.seconds for answer in answers])
    assert seconds is not None
    return Marks(
        agent=candidate.name,
        depth=candidate.depth,
        positions=len(exercises),
        **share_of("good", good),
        **share_of("perfect", perfect),
        clear_cut=len(clear),
        **share_of("clear_good", [good[place] for place in clear]),
        **share_of("clear_perfect", [perfect[place] for place in clear]),
        **_gain([good[place] for place in clear], [other[place] for place in clear] if other else []),
        nodes=sum(answer.nodes for answer in answers) / len(answers) or None,
        seconds=seconds.value,
        seconds_low=seconds.low,
        seconds_high=seconds.high,
    )


def chance(exercises: Sequence[Exercise]) -> Chance:
    """Return what a legal move at random scores."""
    clear = [each for each in exercises if each.clear_cut]
    everywhere, there = _by_chance(exercises), _by_chance(clear) if clear else (None, None)
    return Chance(*everywhere, *there)


def _by_chance(exercises: Sequence[Exercise]) -> tuple[float, float]:
    """Return the shares of good and of perfect moves among the legal ones."""
    good = fmean(len(each.good) / each.legal for each in exercises)
    return good, fmean(len(each.perfect) / each.legal for each in exercises)


def _good(exercises: Sequence[Exercise], answers: Sequence[Answer]) -> list[bool]:
    return [answer.column in exercise.good for exercise, answer in zip(exercises, answers, strict=True)]


def _gain(good: Sequence[bool], reference: Sequence[bool]) -> dict[str, Any]:
    """Return how two agents' answers to the same questions differ: a question that both answer alike tells nothing."""
    if not reference:
        return dict.fromkeys(("better", "worse", "gain", "gain_low", "gain_high"))
    better = sum(own and not other for own, other in zip(good, reference, strict=True))
    worse = sum(other and not own for own, other in zip(good, reference, strict=True))
    low, high = score_interval(Counts((worse, len(good) - worse - better, better)))
    gain = (better - worse) / len(good)
    return {"better": better, "worse": worse, "gain": gain, "gain_low": 2 * low - 1, "gain_high": 2 * high - 1}


def share_of(name: str, hits: Sequence[bool]) -> dict[str, Any]:
    """Return the fields of a share and of its interval, None without answers."""
    found = share(hits, [1] * len(hits))
    if found is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: found.share, f"{name}_low": found.low, f"{name}_high": found.high}
