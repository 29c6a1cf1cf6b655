"""Heuristics compared level by level, and strength as a function of one parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from statistics import fmean

from agents.errors import unknown
from arena.comparison.answer import again, answer, subject
from arena.comparison.choices import compare_choices, why
from arena.plugins import ask
from arena.statistics.intervals import MARGIN
from arena.statistics.pairing import verdict
from arena.statistics.pool import clones
from arena.table.cells import agent_label, count, percent
from arena.table.rows import cell, known, table_row, without
from arena.tournament import effort
from arena.tournament.frames import Frames
from arena.tournament.pairings import Duel, Meeting, duel, duels, held
from arena.tournament.standings import Strength, standings


@table_row
class HeuristicAtLevel:
    """A heuristic at a level."""

    at: str = cell("The level, such as `depth 4`: what every side may use for a move.", "at")
    heuristic: str = cell("Its name.", "heuristic", agent_label)
    pool: int = cell("Number from 1 within the level; agents that are not connected by games are in different pools.")


STRENGTH = [field.name for field in fields(Strength)]
"""What the row of a heuristic has of its agent's row in the standings."""


@table_row
class HeuristicStrength(Strength, HeuristicAtLevel):
    """What a heuristic reached at a level."""

    distinct: int = cell("[games] Its games with different moves.", "distinct", count, least=3)
    kept: float | None = cell(
        "[share] Moves that kept the value of their positions; None where the run is not audited.",
        "kept", percent, known,
    )  # fmt: skip


@table_row
class Opponents:
    """The two agents, and the level."""

    at: str = cell("The level.", "at")
    heuristic: str = cell("The first of the two; the numbers are from its side.", "heuristic", agent_label)
    against: str = cell("The other one.", "against", agent_label)


@table_row
class HeuristicDuel(Meeting, Opponents):
    """One pairing of two heuristics at a level."""

    verdict: str = cell("The same as a sentence.")
    plays_alike: bool = cell("Whether both made the same moves from every opening: in this search they are one player.")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Heuristics compared, level by level; ratings have the best first."""

    ratings: tuple[HeuristicStrength, ...]
    pairings: tuple[HeuristicDuel, ...]
    zero: str
    """Which rating is 0 Elo, or the anchor's, in words."""
    answer: str
    """How `subject` did against the others over all levels, in a sentence; empty where no pair was played of all."""
    subject: str
    """The heuristic that the answer is about."""
    why: str
    """Where the answer's heuristic and its strongest opponent choose differently, in a sentence; may be empty."""
    again: str
    """The command that would tell what is not clear, in a sentence; empty where all is."""
    void: tuple[str, ...]
    """A sentence for each pairing of which every game ended by a fault."""


def comparison(frames: Frames, anchor: tuple[str, float] | None = None, margin: float = MARGIN) -> Comparison:
    """Return the comparison that a run is, as its plan says.

    `anchor` names a heuristic and its rating at every level; two count as level within `margin` in Elo. Raises
    InputError where the anchor is none of the heuristics.
    """
    levels: Mapping[str, Mapping[str, str]] = frames.plan["comparison"]["levels"]
    compared = dict.fromkeys(heuristic for names in levels.values() for heuristic in names.values())
    if anchor is not None and anchor[0] not in compared:
        raise unknown("heuristic to anchor the ratings", anchor[0], compared)
    ratings: list[HeuristicStrength] = []
    pairs: list[Duel] = []
    at: dict[str, str] = {}
    timed: set[str] = set()
    alike: dict[str, str] = {}
    for level, names in levels.items():
        pool = frames.only(names)
        met = [
            _winner_first(pool, pairing, margin) for pairing in duels(pool, margin) if pairing.statistics is not None
        ]
        alike |= clones(pool.results)
        timed |= {pairing.agent for pairing in met if effort.limit(frames, pairing.agent) is not None}
        zero = [agent for agent, heuristic in names.items() if anchor and anchor[0] == heuristic]
        ratings += _ratings(pool, names, level, met, (zero[0], anchor[1]) if anchor and zero else None)
        pairs += met
        at |= dict.fromkeys(names, level)
    every = {agent: heuristic for names in levels.values() for agent, heuristic in names.items()}
    faults = [_void(frames, met, every) for met in pairs]
    pairings = tuple(
        _pairing(
            met, every, at[met.agent], margin, fault, timed=met.agent in timed,
            alike=alike.get(met.agent, met.agent) == alike.get(met.against, met.against),
        )
        for met, fault in zip(held(pairs), faults, strict=True)
    )  # fmt: skip
    heuristic = subject(frames, levels)
    void = tuple(row.verdict for row, fault in zip(pairings, faults, strict=True) if fault)
    clear = [row for row in pairings if row.verdict not in void]
    mean = "the heuristics without a mark" if any(row.marked for row in ratings) else "all heuristics"
    return Comparison(
        tuple(ratings),
        pairings,
        f"{anchor[0]} is {anchor[1]:g} at every level" if anchor else f"0 is the mean of {mean} at the same level",
        _nothing(void, len(pairings)) if void else answer(frames, levels, heuristic, pairings, margin),
        heuristic,
        _why(frames, levels, heuristic, pairings),
        again(frames, levels, clear, margin),
        void,
    )


def _why(frames: Frames, levels: Mapping[str, Mapping[str, str]], name: str, pairings: Sequence[HeuristicDuel]) -> str:
    """Return where a heuristic and the one that does best against it choose differently, in a sentence."""
    scores: dict[str, list[float]] = {}
    for row in pairings:
        if name in (row.heuristic, row.against) and row.score is not None:
            other, score = (row.against, 1.0 - row.score) if row.heuristic == name else (row.heuristic, row.score)
            scores.setdefault(other, []).append(score)
    if not scores or all(row.plays_alike for row in pairings):
        return ""
    rival = max(scores, key=lambda other: fmean(scores[other]))
    return why(compare_choices(frames, levels, name, rival), name, rival, str(frames.path))


def _void(frames: Frames, met: Duel, names: Mapping[str, str]) -> str:
    """Return whose faults ended the games of a pairing, and the first one, where each ended so; else nothing."""
    lost = frames.faults
    lost = lost[lost["first"].isin((met.agent, met.against)) & lost["second"].isin((met.agent, met.against))]
    if lost["games"].sum() < met.games:
        return ""
    losers = dict.fromkeys(lost["first"].where(lost["points"] == 0.0, lost["second"]))
    one = lost.iloc[0]
    return f"{' or '.join(names[agent] for agent in losers)}: {one['termination']}: {one['detail']}".removesuffix(": ")


def _nothing(void: Sequence[str], pairings: int) -> str:
    """Return that pairings without a verdict leave none of all."""
    often = "" if pairings == 1 else f"in {len(void)} of {pairings} pairings nothing was compared; "
    return f"no verdict: {often}{void[0].rstrip('.')}"


def _winner_first(pool: Frames, met: Duel, margin: float) -> Duel:
    """Return a pairing from the winner's side, if there is one, as in its sentence."""
    assert met.statistics is not None
    behind = met.statistics.clear and met.statistics.score < 0.5
    return duel(pool, met.against, met.agent, margin) if behind else met


def _pairing(
    met: Duel, names: Mapping[str, str], level: str, margin: float, void: str, *, timed: bool, alike: bool
) -> HeuristicDuel:
    """Return the row of a pairing.

    void: of `_void`. timed: whether both sides have the same limit of time. alike: whether both make the same moves.
    """
    assert met.statistics is not None
    one, two = names[met.agent], names[met.against]
    sentence = verdict(
        one,
        two,
        met.statistics,
        where=f"at {level}",
        distinct=met.distinct,
        effort=met.nodes_ratio,
        time=met.time_ratio.value if timed and met.time_ratio else None,
        survives=met.survives is not False,
        margin=margin,
    )
    if void:
        sentence = f"every game between {one} and {two} at {level} ended by a fault of {void}."
    elif alike:
        sentence = f"{one} and {two} made the same moves in every game at {level}: they are the same player there."
    numbers = without(met, "agent", "against") | ({"more": None} if alike else {})
    return HeuristicDuel(at=level, heuristic=one, against=two, **numbers, verdict=sentence, plays_alike=alike)


def _ratings(
    frames: Frames, names: Mapping[str, str], level: str, pairings: Sequence[Duel], anchor: tuple[str, float] | None
) -> list[HeuristicStrength]:
    kept = ask("perfect", "kept:kept")(frames) if frames.has("audit") else {}
    table = []
    for row in standings(frames, anchor):
        heuristic = names[row.agent]
        distinct = sum(met.distinct for met in pairings if row.agent in (met.agent, met.against))
        numbers = {field: getattr(row, field) for field in STRENGTH} | {"pool": row.pool}
        numbers["plays_as"] = None if row.plays_as is None else names[row.plays_as]
        table.append(
            HeuristicStrength(at=level, heuristic=heuristic, **numbers, distinct=distinct, kept=kept.get(row.agent))
        )
    return table
