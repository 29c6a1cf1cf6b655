"""Heuristics compared: at each level a pool of its own, the pairings within it, and a sentence for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.analysis import audit, times
from arena.analysis.frames import Frames
from arena.analysis.pairings import Duel, Meeting, duel, duels, held
from arena.analysis.rows import without
from arena.analysis.standings import Strength, standings
from arena.statistics.equivalence import MARGIN
from arena.statistics.verdict import verdict


@dataclass(frozen=True)
class Entry:
    """Who is rated, and under which condition."""

    at: str
    """The level, such as `depth 4`: what every side may use for a move."""
    heuristic: str
    """Its name."""
    pool: int
    """Number from 1 within the level; who never met, not even through others, is in another."""


@dataclass(frozen=True)
class HeuristicStrength(Strength, Entry):
    """What a heuristic reached at a level."""

    distinct: int
    """[games] Its games with different moves."""
    kept: float | None
    """[share] Moves that kept the value of their positions; None where the run is not audited."""


@dataclass(frozen=True)
class Opponents:
    """Who met whom, and under which condition."""

    at: str
    """The level."""
    heuristic: str
    """From whose view the numbers are."""
    against: str
    """The other one."""


@dataclass(frozen=True)
class HeuristicDuel(Meeting, Opponents):
    """One pairing of two heuristics at a level."""

    verdict: str
    """The same as a sentence."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Heuristics compared, level by level; ratings have the best first."""

    ratings: tuple[HeuristicStrength, ...]
    pairings: tuple[HeuristicDuel, ...]


def comparison(frames: Frames, anchor: tuple[str, float] | None = None, margin: float = MARGIN) -> Comparison:
    """Return the comparison that a run is, as its plan says.

    `anchor` names a heuristic and its rating at every level; two count as level within `margin` in Elo.
    """
    levels: Mapping[str, Mapping[str, str]] = frames.plan["comparison"]["levels"]
    ratings: list[HeuristicStrength] = []
    found: list[Duel] = []
    at: dict[str, str] = {}
    timed: set[str] = set()
    for level, names in levels.items():
        pool = frames.only(names)
        met = [_winner_first(pool, each, margin) for each in duels(pool, margin) if each.statistics is not None]
        timed |= {each.agent for each in met if times.limit(frames, each.agent) is not None}
        zero = [agent for agent, heuristic in names.items() if anchor and anchor[0] == heuristic]
        ratings += _ratings(pool, names, level, met, (zero[0], anchor[1]) if anchor and zero else None)
        found += met
        at |= dict.fromkeys(names, level)
    every = {agent: heuristic for names in levels.values() for agent, heuristic in names.items()}
    return Comparison(
        tuple(ratings),
        tuple(
            _pairing(met, every, at[met.agent], margin, met.time_ratio if met.agent in timed else None)
            for met in held(found)
        ),
    )


def _winner_first(pool: Frames, met: Duel, margin: float) -> Duel:
    """Return a pairing from the winner's side, where there is one: from there its sentence is told, too."""
    assert met.statistics is not None
    behind = met.statistics.clear and met.statistics.score < 0.5
    return duel(pool, met.against, met.agent, margin) if behind else met


def _pairing(met: Duel, names: Mapping[str, str], level: str, margin: float, time: float | None) -> HeuristicDuel:
    """Return the row of a pairing; `time` is its ratio of times where both sides have the same limit."""
    assert met.statistics is not None
    one, two = names[met.agent], names[met.against]
    sentence = verdict(
        one,
        two,
        met.statistics,
        where=f"at {level}",
        distinct=met.distinct,
        effort=met.nodes_ratio,
        time=time,
        survives=met.survives is not False,
        margin=margin,
    )
    numbers = without(met, "agent", "against")
    return HeuristicDuel(at=level, heuristic=one, against=two, **numbers, verdict=sentence)


def _ratings(
    frames: Frames, names: Mapping[str, str], level: str, pairings: Sequence[Duel], anchor: tuple[str, float] | None
) -> list[HeuristicStrength]:
    kept = audit.kept(frames)
    table = []
    for row in standings(frames, anchor):
        heuristic = names[row.agent]
        distinct = sum(met.distinct for met in pairings if row.agent in (met.agent, met.against))
        numbers = without(row, "agent") | {"plays_as": None if row.plays_as is None else names[row.plays_as]}
        table.append(
            HeuristicStrength(at=level, heuristic=heuristic, **numbers, distinct=distinct, kept=kept.get(row.agent))
        )
    return table
