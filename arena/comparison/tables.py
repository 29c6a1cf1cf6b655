"""Tables of a comparison of heuristics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.comparison.ratings import Comparison, HeuristicDuel, HeuristicStrength
from arena.store.machine import Load
from arena.table.cells import count
from arena.table.parts import Detail, Part, Table
from arena.table.rows import always, columns, plain
from arena.tournament.effort_tables import busy
from arena.tournament.frames import Frames
from arena.tournament.pairings import tally
from arena.tournament.tables import taken

HEURISTIC_RATINGS = columns(
    HeuristicStrength, "at", "heuristic", "elo", "score", "games", "distinct", "nodes_per_move", "ms_per_move",
    "faults", "kept", elo={"when": always, "note": ""}, low={"when": always}, ms_per_move={"least": 0},
    games={"write": count, "when": always, "least": 2},
)  # fmt: skip
PAIRINGS = columns(
    HeuristicDuel, "at", "heuristic", "against", "score", "elo", "los_score", "survives", "pairs", "distinct",
    "nodes_ratio", "time_ratio", los_score={"least": 1},
)  # fmt: skip


def comparison_parts(
    result: Comparison, search: str, timed: str = "the games", loads: Sequence[Load | None] = (None, None)
) -> list[Part]:
    """Return the answer, the pairings, those of the answer's heuristic first, and the ratings.

    search: the spec that all heuristics are used in. timed: the source of the times in the pairings. loads: the loads
    of the machine while the times of the ratings and of the pairings were measured.
    """
    title = f"Ratings at each level of {search}"
    bases = dict.fromkeys(row.basis for row in result.ratings if row.basis)
    ratio = f"the first's over the second's, from {timed}"
    pairings = [replace(column, note=ratio) if column.of == "time_ratio" else column for column in PAIRINGS]
    rows = sorted(result.pairings, key=lambda row: result.subject not in (row.heuristic, row.against))
    return [
        f"{result.answer}." if result.answer else "",
        result.why,
        Table("pairings", "Pairings", HeuristicDuel, rows, busy(pairings, loads[1])),
        Detail("\n".join(row.verdict for row in rows)),
        Detail(tally(rows)),
        result.again,
        Table("ratings", title, HeuristicStrength, result.ratings, busy(HEURISTIC_RATINGS, loads[0])),
        Detail("".join(f"95 %: {basis}" for basis in list(bases)[:1])),
        f"Elo: {result.zero}" if result.ratings else "",
    ]


def comparison_document(result: Comparison) -> dict[str, Any]:
    """Return ratings, pairings and the answer as plain data."""
    return {"ratings": plain(result.ratings), "pairings": plain(result.pairings), "answer": result.answer}


def compared(frames: Frames, result: Comparison) -> list[Part]:
    """Return the answer, the pairings and the ratings of a comparison; nothing before two heuristics have met."""
    if not result.pairings:
        return []
    loads = frames.load(), frames.load("times" if frames.has("times") else "games")
    return comparison_parts(result, frames.plan["comparison"]["search"], taken(frames), loads)
