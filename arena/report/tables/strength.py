"""Tables of strength: ratings, pairings, comparisons, and two runs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from arena.analysis.comparison import Comparison, HeuristicDuel, HeuristicStrength, comparison
from arena.analysis.difference import Change
from arena.analysis.frames import Frames
from arena.analysis.pairings import ALLOWING, Duel, tally
from arena.analysis.pool import Averaged, Superiority
from arena.analysis.rows import plain
from arena.report import footnotes
from arena.report.column import Column, Part, Table, known, label, several
from arena.report.labels import Labels
from arena.report.numbers import (
    count,
    elo_interval,
    fixed,
    gain,
    gains,
    gap,
    milliseconds,
    outcomes,
    percent,
    rating,
    ratios,
    shares,
    significant,
    spans,
    superiority,
    yes,
)
from arena.statistics.nash import Cycles
from arena.statistics.ratings import Rating
from arena.store.machine import Load


def _chance(number: int, row: Superiority) -> float:
    return row.los[number]


RATINGS = [
    Column("agent", "agent", label),
    Column("Elo", "elo marked", rating, known),
    Column("95 %", "elo low high", elo_interval, known),
    Column("behind", "gap gap_high", gap, known, least=2),
    Column("LOS %", "gap_los", superiority, known, least=1),
    Column("games", "games", least=4),
    Column("score", "score", percent, least=3),
]


NASH = [
    Column("nash", "nash", percent),
    Column("95 %", "nash_low nash_high", shares, known),
    Column("value", "nash_value", percent),
    Column("95 %", "nash_value_low nash_value_high", shares, known, least=1),
]


def cyclic(found: Cycles) -> str:
    """Return what no rating explains, and what chance alone makes of it, as a line."""
    line = f"cyclic, which no rating explains: {percent(found.share)}"
    if found.p is not None and found.expected is not None and found.low is not None and found.high is not None:
        chance = f"{percent(found.expected)} [{found.low * 100:.1f} to {found.high * 100:.1f}]"
        line += f" ({_p(found.p)}: without any circle as many games leave {chance})"
    else:
        line += " (exact over these openings)"
    if found.worst is None or found.scores is None:
        return f"{line}; no three agents score over each other in a circle"
    if found.shown is None:
        assert found.worst_p is not None
        return f"{line}; no cycle of three shows ({_p(found.worst_p)})"
    around = " scores over ".join([*found.worst, found.worst[0]])
    margins = ", ".join([*map(percent, found.scores), *([] if found.worst_p is None else [_p(found.worst_p)])])
    return f"{line}; worst cycle: {around} ({margins})"


def _p(share: float) -> str:
    return f"p = {share:.3f}" if share < 0.1 else f"p = {share:.2f}"


def pool_table(ratings: Sequence[Rating], method: str) -> Table:
    """Return the ratings; where they come with chances, numbered, with the chances against the agents by number.

    `method` is what their intervals rest on.
    """
    columns = RATINGS + NASH if isinstance(ratings[0], Averaged) else RATINGS
    if isinstance(ratings[0], Superiority):
        chances = (Column(f"LOS {n + 1}", partial(_chance, n), superiority) for n in range(len(ratings)))
        columns = [Column("#", "#"), *RATINGS, Column("Holm", "survives", spans, any), *chances]
    title = f"Ratings, 95 %: {method}"
    notes = {
        name: text for name, text in footnotes.RATES.items() if name != "Elo" or any(row.marked for row in ratings)
    }
    return Table("ratings", title, type(ratings[0]), ratings, columns, notes=notes)


def surviving(ratings: Sequence[Rating]) -> list[str]:
    """Return a line on the differences that many pairs of agents show by themselves, and how many of them survive."""
    rows = [row for row in ratings if isinstance(row, Superiority)]
    clear, survive = sum(los > 97.5 for row in rows for los in row.los), sum(len(row.survives) for row in rows)
    pairs = len(rows) * (len(rows) - 1) // 2
    return [f"{clear} of {pairs} pairs differ by LOS; {survive} survive Holm{ALLOWING}"] if rows else []


ELO = [
    Column("score", "score", percent),
    Column("Elo", "elo", fixed(0)),
    Column("95 %", "basis low high", elo_interval),
]
LOS = Column("LOS %", "los_score basis", superiority)
HOLM = Column("Holm", "survives", yes, several, least=1)
DUELS = [
    Column("agent", "agent", label),
    Column("against", "against", label),
    Column("LL-LD-even-WD-WW", "counts", outcomes, least=4),
    *ELO,
    Column("nElo", "nelo", fixed(0), least=5),
    LOS,
    HOLM,
    Column("games", "games", least=2),
    Column("distinct", "distinct", least=3),
    Column("basis", "basis", least=6),
]


def pairings_parts(duels: Sequence[Duel]) -> list[Part]:
    """Return pairings as a table, and what all their agents share."""
    labels = Labels.among(name for met in duels for name in (met.agent, met.against))
    table = Table("pairings", "", Duel, duels, DUELS, labels, notes=footnotes.PAIRINGS)
    return [table, tally(duels), labels.note]


HEURISTIC_RATINGS = [
    Column("at", "at"),
    Column("heuristic", "heuristic", label),
    Column("Elo", "elo marked", rating),
    Column("95 %", "elo low high", elo_interval),
    Column("score", "score", percent),
    Column("games", "games", count, least=2),
    Column("distinct", "distinct", count, least=3),
    Column("nodes", "nodes_per_move", count, least=1),
    Column("ms", "ms_per_move ms_high", milliseconds),
    Column("faults", "faults", when=any),
    Column("kept", "kept", percent, known),
]
PAIRINGS = [
    Column("at", "at"),
    Column("heuristic", "heuristic", label),
    Column("against", "against", label),
    *ELO,
    replace(LOS, least=1),
    HOLM,
    Column("pairs", "pairs", least=2),
    Column("distinct", "distinct", least=3),
    Column("nodes ×", "nodes_ratio", fixed(2), least=1),
    Column("time ×", "time_ratio", fixed(2)),
    Column("95 %", "time_ratio time_ratio_low time_ratio_high", ratios, least=1),
]


def comparison_parts(
    found: Comparison, search: str, timed: str = "the games", loads: Sequence[Load | None] = (None, None)
) -> list[Part]:
    """Return both tables and the sentences.

    timed: from what the times of the second are taken. loads: while the times of the first and of the second were.
    """
    method = f", 95 %: {found.ratings[0].basis}" if found.ratings and found.ratings[0].basis else ""
    title = f"Ratings at each level of {search}{method}"
    ratings = footnotes.measured(footnotes.INTERVAL | footnotes.MOVE, loads[0])
    ratio = {"time ×": f"the first's over the second's, from {timed}"}
    pairings = footnotes.PAIRINGS | footnotes.measured(ratio, loads[1])
    return [
        Table("ratings", title, HeuristicStrength, found.ratings, HEURISTIC_RATINGS, notes=ratings),
        Table("pairings", "Pairings", HeuristicDuel, found.pairings, PAIRINGS, notes=pairings),
        "\n".join(row.verdict for row in found.pairings),
        tally(found.pairings),
    ]


def comparison_document(found: Comparison) -> dict[str, Any]:
    """Return ratings and pairings as plain data."""
    return {"ratings": plain(found.ratings), "pairings": plain(found.pairings)}


def comparison_part(frames: Frames) -> dict[str, Any]:
    """Return the same for a run's document; nothing where the run compares no heuristics."""
    return comparison_document(comparison(frames)) if frames.plan.get("comparison") else {}


def _scores(old: float, new: float) -> str:
    return f"{percent(old)} → {percent(new)}"


def _counts(old: float, new: float) -> str:
    return f"{count(old)} → {count(new)}"


CHANGES = [
    Column("agent", "agent", label),
    Column("games", "games", least=2),
    Column("score", "score_old score_new", _scores, least=5),
    Column("gain", "score", gain),
    Column("95 %", "score_low score_high", gains),
    Column("positions", "positions", least=4),
    Column("same moves", "same_moves", percent),
    Column("same nodes", "same_nodes", percent, least=3),
    Column("nodes", "nodes_old nodes_new", _counts, least=6),
    Column("nodes ×", "nodes", significant(4)),
    Column("time ×", "ms", fixed(2)),
    Column("95 %", "ms ms_low ms_high", ratios),
]


def difference_parts(changes: Sequence[Change], *loads: Load | None) -> list[Part]:
    """Return the comparison as a table, and a line for each agent that plays identically or visited other nodes.

    loads: while the games of the two runs were played.
    """
    labels = Labels.among(row.agent for row in changes)
    lines = [
        f"{labels.of(row.agent)} searches differently: other nodes in {row.other_nodes} of {row.positions} positions"
        for row in changes
        if row.other_nodes
    ]
    same = [
        f"{labels.of(row.agent)} is identical: {row.games:,} of {row.games:,} games the same"
        for row in changes
        if row.identical
    ]
    notes = footnotes.measured(footnotes.CHANGES, *loads)
    return [Table("changes", "", Change, changes, CHANGES, labels, notes=notes), *same, *lines, labels.note]
