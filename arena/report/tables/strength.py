"""Tables of strength: ratings, pairings, comparisons, and two runs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.analysis.comparison import Comparison, HeuristicDuel, HeuristicStrength, comparison
from arena.analysis.difference import Change
from arena.analysis.frames import Frames
from arena.analysis.pairings import Duel, tally
from arena.cells import count
from arena.report.column import Detail, Part, Table, busy
from arena.report.labels import Labels
from arena.rows import always, columns, plain
from arena.statistics.ratings import Rating
from arena.store.machine import Load

RATINGS = columns(Rating, "agent elo low gap gap_los *")
DUELS = columns(
    Duel,
    "agent against counts score elo low nelo los_score survives * "
    "-pairs -nodes_ratio -time_ratio -time_ratio_low -basis",
)
HEURISTIC_RATINGS = columns(
    HeuristicStrength,
    "at heuristic elo low score games distinct * -gap -gap_los -points -wins -first_wins -second_wins",
    elo={"when": always, "note": ""}, low={"when": always}, games={"write": count, "when": always, "least": 2},
    ms_per_move={"least": 0},
)  # fmt: skip
PAIRINGS = columns(
    HeuristicDuel,
    "at heuristic against score elo low los_score survives * -counts -nelo -games -basis",
    los_score={"least": 1},
)
CHANGES = columns(Change, "agent games score_old score score_low positions same_moves *")


def pool_parts(ratings: Sequence[Rating], method: str) -> list[Part]:
    """Return the table of ratings. method: the basis of the intervals, in words."""
    return [Table("ratings", "Ratings", Rating, ratings, RATINGS), Detail(f"95 %: {method}")]


def pairings_parts(duels: Sequence[Duel]) -> list[Part]:
    """Return pairings as a table, and the settings that all their agents share."""
    labels = Labels.among(name for met in duels for name in (met.agent, met.against))
    table = Table("pairings", "", Duel, duels, DUELS, labels)
    bases = dict.fromkeys(met.basis for met in duels if met.basis)
    return [table, Detail(f"95 %: {', '.join(bases)}" if bases else ""), tally(duels), labels.note]


def comparison_parts(
    found: Comparison, search: str, timed: str = "the games", loads: Sequence[Load | None] = (None, None)
) -> list[Part]:
    """Return the answer, the pairings, those of the answer's heuristic first, and the ratings.

    search: the spec that all heuristics are used in. timed: the source of the times in the pairings. loads: the loads
    of the machine while the times of the ratings and of the pairings were measured.
    """
    title = f"Ratings at each level of {search}"
    bases = dict.fromkeys(row.basis for row in found.ratings if row.basis)
    ratio = f"the first's over the second's, from {timed}"
    pairings = [replace(each, note=ratio) if each.of == "time_ratio" else each for each in PAIRINGS]
    rows = sorted(found.pairings, key=lambda row: found.subject not in (row.heuristic, row.against))
    return [
        f"{found.answer}." if found.answer else "",
        found.why,
        Table("pairings", "Pairings", HeuristicDuel, rows, busy(pairings, loads[1])),
        Detail("\n".join(row.verdict for row in rows)),
        Detail(tally(rows)),
        found.again,
        Table("ratings", title, HeuristicStrength, found.ratings, busy(HEURISTIC_RATINGS, loads[0])),
        Detail("".join(f"95 %: {basis}" for basis in list(bases)[:1])),
        f"Elo: {found.zero}" if found.ratings else "",
    ]


def comparison_document(found: Comparison) -> dict[str, Any]:
    """Return ratings, pairings and the answer as plain data."""
    return {"ratings": plain(found.ratings), "pairings": plain(found.pairings), "answer": found.answer}


def comparison_part(frames: Frames, anchor: tuple[str, float] | None = None) -> dict[str, Any]:
    """Return the same for a run's document; nothing if the run compares no heuristics. anchor: one of them."""
    return comparison_document(comparison(frames, anchor)) if frames.plan.get("comparison") else {}


def difference_parts(changes: Sequence[Change], *loads: Load | None) -> list[Part]:
    """Return the comparison as a table, and a line for each agent that is identical or visited other nodes.

    loads: the loads of the machine during the games of the two runs.
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
    if len(same) == len(changes) > 1:
        same = [f"all {len(same)} agents are identical: their games are the same"]
    said = "\n".join([*same, *lines])
    return [Table("changes", "", Change, changes, busy(CHANGES, *loads), labels), said, labels.note]
