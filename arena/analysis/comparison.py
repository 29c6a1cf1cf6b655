"""Heuristics compared: at each level a pool of its own, the pairings within it, and a sentence for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from arena.analysis import audit, summary
from arena.analysis.frames import Frames
from arena.analysis.pairings import FORMATS, Duel, duels, row, shown
from arena.analysis.pool import elo_text
from arena.measure.comparison import Level, spec
from arena.report import run as report
from arena.report.tables import count, note, percent, render, section, significant
from arena.statistics.verdict import verdict


def document(
    frames: Frames, heuristics: Sequence[str], search: str, levels: Sequence[Level]
) -> dict[str, list[dict[str, Any]]]:
    """Return the comparison as plain data: `ratings` of each heuristic at each level, and `pairings`.

    A rating has at (the level), heuristic, kept (the share of moves that kept the value of their positions, where the
    run is audited) and else what standings have, best first. A pairing has at, heuristic, against, verdict (a sentence)
    and else what `pairings.row` has, from the view of heuristic. A heuristic from a file goes by its function's name
    where that is enough to tell it from the others.
    """
    short = {name: name.rpartition(":")[2] for name in heuristics}
    if len(set(short.values())) < len(short):
        short = {name: name for name in heuristics}
    ratings: list[dict[str, Any]] = []
    pairings: list[dict[str, Any]] = []
    for level in levels:
        names = {spec(search, heuristic, level): short[heuristic] for heuristic in heuristics}
        pool = frames.only(names)
        found = [_pairing(met, names, str(level)) for met in duels(pool) if met.statistics is not None]
        ratings += _ratings(pool, names, str(level), found)
        pairings += found
    return {"ratings": ratings, "pairings": pairings}


def _pairing(met: Duel, names: Mapping[str, str], level: str) -> dict[str, Any]:
    assert met.statistics is not None
    one, two = names[met.one], names[met.two]
    found = {key: value for key, value in row(met).items() if key not in {"agent", "against"}}
    sentence = verdict(one, two, met.statistics, where=f"at {level}", distinct=met.distinct, effort=met.nodes_ratio)
    return {"at": level, "heuristic": one, "against": two, **found, "verdict": sentence}


def _ratings(
    frames: Frames, names: Mapping[str, str], level: str, pairings: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    kept = audit.kept(frames)
    table = []
    for found in report.rows(summary.standings(frames)):
        agent = found.pop("agent")
        distinct = sum(met["distinct"] for met in pairings if names[agent] in (met["heuristic"], met["against"]))
        table.append({"at": level, "heuristic": names[agent], **found, "distinct": distinct, "kept": kept.get(agent)})
    return table


def text(found: Mapping[str, list[dict[str, Any]]], search: str, style: str) -> str:
    """Return the comparison as two tables and, but for CSV, its sentences."""
    headings = (f"Ratings: each level is a pool; {search}, nodes and ms are means of a move", "Pairings")
    tables = ratings(found["ratings"], style), pairings(found["pairings"], style)
    parts = [section(heading, table, style) for heading, table in zip(headings, tables, strict=True)]
    if style != "csv":
        between = "\n" if style == "plain" else "\n\n"
        parts.append(between.join(note(each["verdict"], style) for each in found["pairings"]))
    return "\n\n".join(parts)


def ratings(rows: Sequence[dict[str, Any]], style: str) -> str:
    """Return what each heuristic reached at each level, and what it spent, as a table."""
    frame = pd.DataFrame(rows)
    if style == "csv":
        return render(frame, style)
    frame["Elo"] = [elo_text(each) for each in rows]
    names = {"nodes_per_move": "nodes", "ms_per_move": "ms"}
    columns = ["at", "heuristic", "Elo", "score", "games", "distinct", "nodes", "ms"]
    columns += ["faults"] if frame["faults"].any() else []
    columns += ["kept"] if frame["kept"].notna().any() else []
    formats = {"score": percent, "games": count, "distinct": count, "nodes": count, "ms": significant(3)}
    return render(frame.rename(columns=names)[columns].astype(object), style, formats | {"kept": percent})


def pairings(rows: Sequence[dict[str, Any]], style: str) -> str:
    """Return the pairings at each level as a table."""
    if style == "csv":
        return render(pd.DataFrame(rows), style)
    columns = ["at", "heuristic", "against", "score", "Elo", "95 %", "LOS %", "pairs", "distinct", "nodes ×", "time ×"]
    return render(shown(rows)[columns], style, FORMATS)
