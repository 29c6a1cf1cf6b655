"""Strength by depth: what a ply and a doubling of nodes are worth, where agents differ in nothing but depth."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from agents.errors import InputError
from agents.registry import parse
from arena.measure import without_depth
from arena.statistics.elo import Z95
from arena.statistics.trend import Line, elo_per_doubling, elo_per_ply
from arena.views.tables import count, fixed, render


@dataclass(frozen=True, slots=True)
class Sweep:
    """The agents of a run that differ in depth alone, family by family."""

    table: pd.DataFrame
    """agent (without its depth), depth (plies), elo, error (half the 95 % interval), nodes_per_move."""
    lines: dict[str, tuple[Line, Line]]
    """By family: Elo per ply, and per doubling of nodes; missing where no line can be fitted."""


def of(standings: pd.DataFrame) -> Sweep | None:
    """Return the sweep within a run's standings, or None where no two agents differ in depth alone."""
    rows = []
    for row in standings.to_dict(orient="records"):
        if pd.isna(row["elo"]) or "#" in row["agent"]:
            continue
        try:
            spec = parse(row["agent"])
        except InputError:
            continue  # its file or its package is gone, while the run is still there
        depth = spec.resolved().get("depth")
        if isinstance(depth, int):
            error = (row["high"] - row["low"]) / 2
            family = without_depth(spec)
            nodes = row["nodes_per_move"]
            rows.append({"agent": family, "depth": depth, "elo": row["elo"], "error": error, "nodes_per_move": nodes})
    table = pd.DataFrame(rows, columns=["agent", "depth", "elo", "error", "nodes_per_move"])
    table = table[table.duplicated("agent", keep=False)].sort_values(["agent", "depth"], ignore_index=True)
    if table.empty:
        return None
    lines = {}
    for family, group in table.groupby("agent", sort=False):
        errors = list(group["error"] / Z95)
        try:
            lines[str(family)] = (
                elo_per_ply(list(group["depth"]), list(group["elo"]), errors),
                elo_per_doubling(list(group["nodes_per_move"]), list(group["elo"]), errors),
            )
        except InputError:
            continue  # all alike, or without an error: there is no line
    return Sweep(table, lines)


def text(sweep: Sweep, style: str) -> str:
    """Return the table and, but for CSV, the slopes with their 95 % errors."""
    if style == "csv":
        return render(sweep.table, style)
    shown = sweep.table.rename(columns={"elo": "Elo", "error": "±", "nodes_per_move": "nodes/move"})
    table = render(shown, style, {"Elo": fixed(0), "±": fixed(0), "nodes/move": count})
    sentences = [
        f"{family}: {ply.slope:+.0f} ± {Z95 * ply.slope_error:.0f} Elo a ply, "
        f"{doubling.slope:+.0f} ± {Z95 * doubling.slope_error:.0f} Elo a doubling of nodes"
        for family, (ply, doubling) in sweep.lines.items()
    ]
    return "\n\n".join([table, *(["\n".join(sentences)] if sentences else [])])
