"""Grades as rows and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from arena.measure.grade import Answer, Candidate, Exercise
from arena.report.audit import span
from arena.report.labels import label
from arena.report.tables import count, note, percent, render, significant
from arena.statistics.counts import Counts
from arena.statistics.intervals import score_interval
from arena.statistics.shares import share

GAIN = "gain, 95 %"


def row(
    candidate: Candidate,
    exercises: Sequence[Exercise],
    answers: Sequence[Answer],
    reference: Sequence[Answer] | None = None,
) -> dict[str, Any]:
    """Return an agent's grades, and how they differ from those of the reference, another agent's at the same depth.

    agent, depth (plies), positions, good (the share that kept the value, with its 95 % interval good_low and
    good_high), perfect (the share that no other move beat by distance, likewise), clear_cut (positions where a legal
    move loses value) and of these alone clear_good, clear_good_low, clear_good_high and clear_perfect; better and worse
    (how many of these this agent alone, or the reference alone, answered well) and gain (the difference of the two
    shares, with gain_low and gain_high), None without a reference; nodes and seconds a move.
    """
    good = _good(exercises, answers)
    other = _good(exercises, reference) if reference else []
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
        **_gain([good[place] for place in clear], [other[place] for place in clear] if other else []),
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
            GAIN: points(each["gain_low"], each["gain_high"]),
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
    shown = shown.drop(columns=[column for column in ("depth", GAIN) if shown[column].isna().all()])
    plies = [each.board.ply for each in exercises]
    clear = sum(each.clear_cut for each in exercises)
    where = f"{len(exercises):,} position{'s' if len(plies) > 1 else ''} of {min(plies)} to {max(plies)} plies"
    about = note(f"{where}, of which {clear:,} are clear-cut: a legal move loses value", style)
    lines = [render(shown, style, formats), about]
    if GAIN in shown:
        first = labels.of(rows[0]["agent"])
        about = f"gain: percentage points of clear-cut good moves over {first} at the same depth"
        lines.append(note(about, style))
    if labels.shared:
        lines.append(note(f"all agents have {labels.shared}", style))
    return "\n\n".join(lines)


def points(low: float | None, high: float | None) -> str | None:
    """Write an interval of a difference between shares, in percentage points."""
    return None if low is None or high is None else f"{100 * low:+.1f} … {100 * high:+.1f}"


def _good(exercises: Sequence[Exercise], answers: Sequence[Answer]) -> list[bool]:
    return [answer.column in exercise.good for exercise, answer in zip(exercises, answers, strict=True)]


def _gain(good: Sequence[bool], reference: Sequence[bool]) -> dict[str, float | None]:
    """Return how two agents' answers to the same questions differ: a question that both answer alike tells nothing."""
    if not reference:
        return dict.fromkeys(("better", "worse", "gain", "gain_low", "gain_high"))
    better = sum(own and not other for own, other in zip(good, reference, strict=True))
    worse = sum(other and not own for own, other in zip(good, reference, strict=True))
    low, high = score_interval(Counts((worse, len(good) - worse - better, better)))
    gain = (better - worse) / len(good)
    return {"better": better, "worse": worse, "gain": gain, "gain_low": 2 * low - 1, "gain_high": 2 * high - 1}


def _share(name: str, hits: Sequence[bool]) -> dict[str, float | None]:
    found = share(hits, [1] * len(hits))
    if found is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: found.share, f"{name}_low": found.low, f"{name}_high": found.high}
