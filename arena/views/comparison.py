"""Heuristics compared: a row for each level and pairing, and a sentence for each."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import pandas as pd

from arena.comparison import Level, spec
from arena.statistics.verdict import verdict
from arena.views import audit
from arena.views.frames import Frames
from arena.views.pairings import Duel, duel
from arena.views.tables import fixed, percent, render


def rows(frames: Frames, heuristics: Sequence[str], search: str, levels: Sequence[Level]) -> list[dict[str, Any]]:
    """Return a row for each level and pairing that was played, from the view of its first heuristic.

    A heuristic from a file goes by its function's name where that is enough to tell it from the others. Where the run
    is audited, kept and against_kept are the shares of moves with which the two kept the value of their positions.
    """
    table = []
    kept = audit.kept(frames)
    short = {name: name.rpartition(":")[2] for name in heuristics}
    if len(set(short.values())) < len(short):
        short = {name: name for name in heuristics}
    for level in levels:
        for one, two in itertools.combinations(heuristics, 2):
            met = duel(frames, spec(search, one, level), spec(search, two, level))
            if met.statistics is not None:
                table.append(_row(str(level), short[one], short[two], met, kept))
    return table


def _row(level: str, one: str, two: str, met: Duel, kept: dict[str, float]) -> dict[str, Any]:
    result = met.statistics
    assert result is not None
    sentence = verdict(one, two, result, where=f"at {level}", distinct=met.distinct, effort=met.nodes_ratio)
    return {
        "at": level,
        "heuristic": one,
        "against": two,
        "score": result.score,
        "elo": result.elo,
        "elo_error": result.elo_error,
        "low": result.low,
        "high": result.high,
        "los": result.los,
        "pairs": result.count,
        "games": met.games,
        "distinct": met.distinct,
        "nodes_ratio": met.nodes_ratio,
        "time_ratio": met.time_ratio,
        "kept": kept.get(met.one),
        "against_kept": kept.get(met.two),
        "basis": str(result.basis),
        "verdict": sentence,
    }


def text(table: Sequence[dict[str, Any]], style: str) -> str:
    """Return the comparison as a table and, but for CSV, its sentences."""
    frame = pd.DataFrame(table)
    if style == "csv":
        return render(frame, style)
    shown = frame.rename(columns={"los": "LOS %", "nodes_ratio": "nodes ×", "time_ratio": "time ×", "elo": "Elo"})
    shown["95 %"] = [interval(row["low"], row["high"]) for row in table]
    columns = ["at", "heuristic", "against", "score", "Elo", "95 %", "LOS %", "pairs", "distinct", "nodes ×", "time ×"]
    if frame["kept"].notna().any():
        shown = shown.rename(columns={"against_kept": "other kept"})
        columns += ["kept", "other kept"]
    formats = {"score": percent, "Elo": fixed(0), "LOS %": fixed(1), "nodes ×": fixed(2), "time ×": fixed(2)}
    formats |= {"kept": percent, "other kept": percent}
    sentences = "\n".join(row["verdict"] for row in table)
    return f"{render(shown[columns].astype(object), style, formats)}\n\n{sentences}"


def interval(low: float | None, high: float | None) -> str:
    """Return an interval of Elo, an open end as an arrow."""
    ends = ["←" if low is None else f"{low:+.0f}", "→" if high is None else f"{high:+.0f}"]
    return f"{ends[0]} … {ends[1]}"
