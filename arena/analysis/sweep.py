"""Strength by depth: what a ply and a doubling of nodes are worth, where agents differ in nothing but depth."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from agents.errors import InputError
from agents.registry import Spec
from arena.analysis.pool import elo_text
from arena.measure.depths import without_depth
from arena.report.tables import count, render
from arena.statistics.elo import Z95
from arena.statistics.trend import Line, elo_per_doubling, elo_per_ply


@dataclass(frozen=True, slots=True)
class Sweep:
    """The agents of a run that differ in depth alone, family by family."""

    table: pd.DataFrame
    """agent (without its depth), depth (plies), elo, low, high, marked, nodes_per_move."""
    lines: dict[str, tuple[Line, Line]]
    """By family: Elo per ply, and per doubling of nodes; missing where no line can be fitted."""


def of(standings: pd.DataFrame, agents: pd.DataFrame) -> Sweep | None:
    """Return the sweep within the standings of one pool, or None where no two agents differ in depth alone.

    `agents` are those of `Frames`, more than the pool's too.
    """
    stored = agents.set_index("name")
    rows = []
    for row in standings.to_dict(orient="records"):
        if pd.isna(row["elo"]) or "#" in row["agent"]:
            continue
        spec = Spec(row["agent"], *stored.loc[row["agent"], ["kind", "parameters"]])
        depth = spec.parameters.get("depth")
        if isinstance(depth, int):
            rows.append({**row, "agent": without_depth(spec), "depth": depth})
    table = pd.DataFrame(rows, columns=["agent", "depth", "elo", "low", "high", "marked", "nodes_per_move"])
    table = table[table.duplicated("agent", keep=False)].sort_values(["agent", "depth"], ignore_index=True)
    if table.empty:
        return None
    rated = int(standings["elo"].notna().sum())
    lines = {str(family): found for family, group in table.groupby("agent") if (found := _lines(group, rated))}
    return Sweep(table, lines)


def _lines(family: pd.DataFrame, rated: int) -> tuple[Line, Line] | None:
    """Return Elo per ply and per doubling of nodes of one family in a pool of so many agents that are `rated`.

    Ratings that only a prior holds are left out. The others are relative to the mean of the pool, which each agent
    moves along: the errors of n independent strengths are larger by the root of n / (n - 1).
    """
    family = family[~family["marked"].astype(bool) & family["nodes_per_move"].notna()]
    errors = list((family["high"] - family["low"]) / 2.0 / Z95 * math.sqrt(rated / (rated - 1)))
    try:
        return (
            elo_per_ply(list(family["depth"]), list(family["elo"]), errors),
            elo_per_doubling(list(family["nodes_per_move"]), list(family["elo"]), errors),
        )
    except InputError:
        return None  # fewer than two are left, or all are alike


def text(sweep: Sweep, style: str) -> str:
    """Return the table and, but for CSV, the slopes with their 95 % errors."""
    if style == "csv":
        return render(sweep.table, style)
    shown = sweep.table[["agent", "depth"]].copy()
    shown["Elo"] = [elo_text(row) for row in sweep.table.to_dict(orient="records")]
    shown["nodes/move"] = sweep.table["nodes_per_move"]
    table = render(shown, style, {"nodes/move": count})
    sentences = [
        f"{family}: {ply.slope:+.0f} ± {Z95 * ply.slope_error:.0f} Elo a ply, "
        f"{doubling.slope:+.0f} ± {Z95 * doubling.slope_error:.0f} Elo a doubling of nodes"
        for family, (ply, doubling) in sweep.lines.items()
    ]
    return "\n\n".join([table, *(["\n".join(sentences)] if sentences else [])])
