"""Heuristics compared, as two tables and a sentence for each pairing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arena.analysis.comparison import Comparison, HeuristicDuel, HeuristicStrength, comparison
from arena.analysis.frames import Frames
from arena.analysis.pairings import tally
from arena.analysis.rows import plain
from arena.report import meaning
from arena.report.column import Column, Part, Table, known, label
from arena.report.numbers import count, elo_interval, fixed, milliseconds, percent, rating, ratios
from arena.report.pairings import ELO, HOLM, LOS

RATINGS = [
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


def parts(found: Comparison, search: str, timed: str = "the games") -> list[Part]:
    """Return both tables and the sentences; `timed` says from what the times of the second are taken."""
    method = f", 95 %: {found.ratings[0].basis}" if found.ratings and found.ratings[0].basis else ""
    title = f"Ratings at each level of {search}{method}"
    ratings = meaning.INTERVAL | meaning.MOVE
    pairings = meaning.PAIRINGS | {"time ×": f"the first's over the second's, from {timed}"}
    return [
        Table("ratings", title, HeuristicStrength, found.ratings, RATINGS, notes=ratings),
        Table("pairings", "Pairings", HeuristicDuel, found.pairings, PAIRINGS, notes=pairings),
        "\n".join(row.verdict for row in found.pairings),
        tally(found.pairings),
    ]


def document(found: Comparison) -> dict[str, Any]:
    """Return ratings and pairings as plain data."""
    return {"ratings": plain(found.ratings), "pairings": plain(found.pairings)}


def part(frames: Frames) -> dict[str, Any]:
    """Return the same for a run's document; nothing where the run compares no heuristics."""
    return document(comparison(frames)) if frames.plan.get("comparison") else {}
