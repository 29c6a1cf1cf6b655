"""Grades as rows and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from arena.grade import Answer, Candidate, Exercise
from arena.statistics.shares import share
from arena.views.audit_text import span
from arena.views.labels import label
from arena.views.tables import count, note, percent, render, significant


def row(candidate: Candidate, exercises: Sequence[Exercise], answers: Sequence[Answer]) -> dict[str, Any]:
    """Return an agent's grades.

    agent, depth (plies), positions, good (the share that kept the value, with its 95 % interval good_low and
    good_high), perfect (the share that no other move beat by distance, likewise), clear_cut (positions where a legal
    move loses value) and of these alone clear_good, clear_good_low, clear_good_high and clear_perfect; nodes and
    seconds a move.
    """
    good = [answer.column in exercise.good for exercise, answer in zip(exercises, answers, strict=True)]
    perfect = [answer.column in exercise.perfect for exercise, answer in zip(exercises, answers, strict=True)]
    clear = [place for place, exercise in enumerate(exercises) if exercise.clear_cut]
    return {
        "agent": candidate.name,
        "depth": candidate.depth,
        "positions": len(exercises),
        **_share("good", good),
        **_share("perfect", perfect),
        "clear_cut": len(clear),
        **_share("clear_good", [good[place] for place in clear]),
        **_share("clear_perfect", [perfect[place] for place in clear]),
        "nodes": sum(answer.nodes for answer in answers) / len(answers),
        "seconds": sum(answer.seconds for answer in answers) / len(answers),
    }


def chance(exercises: Sequence[Exercise]) -> dict[str, float | None]:
    """Return what a legal move at random scores: good, perfect, clear_good, clear_perfect."""
    found: dict[str, float | None] = {}
    for prefix, part in (("", exercises), ("clear_", [each for each in exercises if each.clear_cut])):
        for name in ("good", "perfect"):
            shares = [len(getattr(each, name)) / each.legal for each in part]
            found[prefix + name] = sum(shares) / len(shares) if shares else None
    return found


def text(rows: Sequence[dict[str, Any]], exercises: Sequence[Exercise], style: str) -> str:
    """Return the grades as a table, and what they are measured on."""
    if style == "csv":
        return render(pd.DataFrame(rows), style)
    labels = label([each["agent"] for each in rows])
    table = [
        {
            "agent": labels.of(each["agent"]),
            "depth": each["depth"],
            "good": each["good"],
            "perfect": each["perfect"],
            "clear-cut good": each["clear_good"],
            "95 %": span(each["clear_good_low"], each["clear_good_high"]),
            "clear-cut perfect": each["clear_perfect"],
            "nodes": each["nodes"],
            "ms": each["seconds"] * 1000,
        }
        for each in rows
    ]
    random = chance(exercises)
    table.append(
        dict.fromkeys(table[0])
        | {"agent": "(any legal move)", "good": random["good"], "perfect": random["perfect"]}
        | {"clear-cut good": random["clear_good"], "clear-cut perfect": random["clear_perfect"]}
    )
    shares = dict.fromkeys(("good", "perfect", "clear-cut good", "clear-cut perfect"), percent)
    formats = {**shares, "nodes": count, "ms": significant(3)}
    shown = pd.DataFrame(table, dtype=object)
    if shown["depth"].isna().all():
        shown = shown.drop(columns="depth")
    plies = [each.board.ply for each in exercises]
    clear = sum(each.clear_cut for each in exercises)
    where = f"{len(exercises):,} positions of {min(plies)} to {max(plies)} plies"
    about = note(f"{where}, of which {clear:,} are clear-cut: a legal move loses value", style)
    lines = [render(shown, style, formats), about]
    if labels.shared:
        lines.append(note(f"all agents have {labels.shared}", style))
    return "\n\n".join(lines)


def _share(name: str, hits: Sequence[bool]) -> dict[str, float | None]:
    found = share(hits, [1] * len(hits))
    if found is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: found.share, f"{name}_low": found.low, f"{name}_high": found.high}
