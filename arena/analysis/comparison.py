"""Heuristics compared: at each level a pool of its own, the pairings within it, and a sentence for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.analysis import audit
from arena.analysis.frames import Frames
from arena.analysis.pairings import Duel, Meeting, duels
from arena.analysis.rows import without
from arena.analysis.standings import Strength, standings
from arena.statistics.verdict import verdict


@dataclass(frozen=True)
class Entry:
    """Who is rated, and under which condition."""

    at: str
    """The level, such as `depth 4`: what every side may use for a move."""
    heuristic: str
    """Its name; of one from a file the function's, where that tells it from the others."""
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


def comparison(frames: Frames, levels: Mapping[str, Mapping[str, str]]) -> Comparison:
    """Return the comparison. `levels` name, for each level, the heuristic of every agent that played at it."""
    heuristics = dict.fromkeys(heuristic for fielded in levels.values() for heuristic in fielded.values())
    short = {name: name.rpartition(":")[2] for name in heuristics}
    if len(set(short.values())) < len(short):
        short = {name: name for name in heuristics}
    ratings: list[HeuristicStrength] = []
    pairings: list[HeuristicDuel] = []
    for level, fielded in levels.items():
        names = {agent: short[heuristic] for agent, heuristic in fielded.items()}
        pool = frames.only(names)
        found = [_pairing(met, names, level) for met in duels(pool) if met.statistics is not None]
        ratings += _ratings(pool, names, level, found)
        pairings += found
    return Comparison(tuple(ratings), tuple(pairings))


def _pairing(met: Duel, names: Mapping[str, str], level: str) -> HeuristicDuel:
    assert met.statistics is not None
    one, two = names[met.agent], names[met.against]
    where = f"at {level}"
    sentence = verdict(one, two, met.statistics, where=where, distinct=met.distinct, effort=met.nodes_ratio)
    numbers = without(met, "agent", "against")
    return HeuristicDuel(at=level, heuristic=one, against=two, **numbers, verdict=sentence)


def _ratings(
    frames: Frames, names: Mapping[str, str], level: str, pairings: Sequence[HeuristicDuel]
) -> list[HeuristicStrength]:
    kept = audit.kept(frames)
    table = []
    for row in standings(frames):
        heuristic = names[row.agent]
        distinct = sum(met.distinct for met in pairings if heuristic in (met.heuristic, met.against))
        numbers = without(row, "agent")
        table.append(
            HeuristicStrength(at=level, heuristic=heuristic, **numbers, distinct=distinct, kept=kept.get(row.agent))
        )
    return table
