"""Depth tables: the costs of searches as a DataFrame and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from agents.board import column_text
from arena.analysis.summary import branching_factor
from arena.measure.depths import Cost
from arena.report.run import rows
from arena.report.tables import count, duration, fixed, percent, rate, render


def frame(costs: Sequence[Cost]) -> pd.DataFrame:
    """Return a row for each measurement.

    agent, position, depth (plies), nodes, seconds, nodes_per_second, minimax_share (of plain minimax's nodes),
    branching (effective), move (from 1), score (for the side to move); empty where it was skipped.
    """
    table = [
        {
            "agent": cost.agent,
            "position": cost.position,
            "depth": cost.depth,
            "nodes": cost.nodes,
            "seconds": cost.seconds,
            "nodes_per_second": cost.nodes / cost.seconds if cost.nodes is not None and cost.seconds else None,
            "minimax_share": cost.nodes / cost.minimax if cost.nodes is not None and cost.minimax else None,
            "branching": branching_factor(cost.nodes, cost.depth) if cost.nodes is not None else None,
            "move": None if cost.move is None else int(column_text(cost.move)),
            "score": cost.score,
        }
        for cost in costs
    ]
    columns = list(table[0]) if table else []
    return pd.DataFrame(table, columns=columns, dtype=object)


def means(table: pd.DataFrame) -> pd.DataFrame:
    """Return the means over the positions, a row for each agent and depth; a depth skipped anywhere is skipped."""
    averaged = []
    for (agent, depth), group in table.groupby(["agent", "depth"], sort=False):
        whole = not group["nodes"].isna().any()
        nodes = float(group["nodes"].mean()) if whole else None
        seconds = float(group["seconds"].mean()) if whole else None
        shares = group["minimax_share"].dropna()
        averaged.append(
            {
                "agent": agent,
                "position": f"mean of {len(group)}",
                "depth": depth,
                "nodes": nodes,
                "seconds": seconds,
                "nodes_per_second": nodes / seconds if nodes is not None and seconds else None,
                "minimax_share": float(shares.mean()) if whole and len(shares) else None,
                "branching": branching_factor(nodes, int(depth)) if nodes is not None else None,
                "move": None,
                "score": None,
            }
        )
    return pd.DataFrame(averaged, columns=table.columns, dtype=object)


def document(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the table as plain data."""
    return rows(table)


def text(table: pd.DataFrame, style: str) -> str:
    """Return the table as text; a row that was too dear says so."""
    if style == "csv":
        return render(table, style)
    shown = table.rename(
        columns={
            "nodes": "states", "seconds": "time", "nodes_per_second": "states/s", "minimax_share": "of minimax",
        }
    )  # fmt: skip
    shown["states"] = [count(nodes) if nodes is not None else "skipped" for nodes in table["nodes"]]
    shown["position"] = [position or "(empty)" for position in table["position"]]
    told = {"move": table["move"].notna(), "score": table["score"].notna(), "position": table["position"] != ""}
    shown = shown.drop(columns=[name for name, rows in told.items() if not rows.any()])
    formats = {
        "time": duration, "states/s": rate, "of minimax": percent, "branching": fixed(2),
    }  # fmt: skip
    return render(shown, style, formats)
