"""What a verification visited, as a table of nodes saved against plain minimax."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pandas as pd

from arena.measure.verify import Effort, Verification
from arena.report.tables import count, percent, render, title


def text(found: Verification, style: str, what: str) -> str:
    """Return the share of plain minimax's nodes that each search visited, over all heuristics and positions."""
    efforts = found.efforts
    frame = pd.DataFrame(
        {
            "search": effort.search.kind
            if effort.search.kind == "minimax"
            else f"alphabeta:order={effort.search.order}",
            "variant": effort.search.variant,
            "nodes": effort.nodes,
            "minimax": effort.minimax,
        }
        for effort in efforts
    )
    sums = frame.pivot_table(["nodes", "minimax"], "search", "variant", aggfunc="sum", sort=False)
    shares = sums["nodes"] / sums["minimax"]
    shown = shares.reset_index().astype(object).rename_axis(columns=None)
    head = f"{what}: share of plain minimax's {count(sums['minimax'].iloc[0, 0])} nodes, depth {efforts[0].depth}"
    return f"{title(head, style)}\n{render(shown, style, dict.fromkeys(shares.columns, percent))}"


def document(found: Sequence[Verification]) -> dict[str, object]:
    """Return everything, for JSON."""
    wrong = [dataclasses.asdict(disagreement) for part in found for disagreement in part.disagreements]
    return {
        "agree": not wrong,
        "searches": [_effort(effort) for part in found for effort in part.efforts],
        "disagreements": wrong,
    }


def _effort(effort: Effort) -> dict[str, object]:
    numbers = {key: value for key, value in dataclasses.asdict(effort).items() if key != "search"}
    return {"agent": effort.search.spec(effort.heuristic, effort.depth), **numbers}
