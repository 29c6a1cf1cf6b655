"""An audit as text in any style, and as one document."""

from __future__ import annotations

from typing import Any

import pandas as pd

from arena.analysis import audit
from arena.analysis.frames import Frames
from arena.report.labels import Labels, label
from arena.report.run import rows
from arena.report.tables import count, fixed, note, percent, render, section

CLEAR_CUT = "clear-cut: some legal moves kept the value, others lost it"


def document(frames: Frames) -> dict[str, Any]:
    """Return agents, ranges of plies, and how much of the run is audited, as plain data."""
    moves = audit.whole(frames)
    return {
        "agents": rows(audit.agents(frames)) if len(moves) else [],
        "ranges": rows(audit.ranges(frames)) if len(moves) else [],
        "audited": {
            "games": int(moves["game"].nunique()),
            "moves": len(moves),
            "clear_cut": int(moves["clear_cut"].sum()),
            "strong": audit.is_strong(moves),
            "games_played": int(frames.moves["game"].nunique()),
        },
    }


def text(frames: Frames, style: str) -> str:
    """Return the audit's tables one below the other, and the line that counts its moves."""
    moves = audit.whole(frames)
    games, played = moves["game"].nunique(), frames.moves["game"].nunique()
    line = f"audited games {games:,} of {played:,}, moves {len(moves):,}, clear-cut {int(moves['clear_cut'].sum()):,}"
    return "\n\n".join([*sections(frames, style), note(line, style)])


def sections(frames: Frames, style: str) -> list[str]:
    """Return the audit's tables with their headings, the most important first; none where nothing is audited."""
    moves = audit.whole(frames)
    if moves.empty:
        return []
    table = audit.agents(frames)
    labels = label(list(frames.agents["name"]))
    parts = [section(heading(labels), kept(table, labels, style), style)]
    if style != "csv":  # there the first table has everything
        parts.append(section("Thrown away", thrown(table, labels, style), style))
        if audit.is_strong(moves):
            parts.append(section(DISTANCE, distance(table, labels, style), style))
    parts.append(section("Value kept, by ply", by_ply(audit.ranges(frames), labels, style), style))
    return parts


def part(frames: Frames) -> dict[str, Any]:
    """Return what a run's document has of an audit: the rows of its agents, or nothing."""
    return {"audit": rows(audit.agents(frames))} if len(audit.whole(frames)) else {}


def heading(labels: Labels) -> str:
    """Return the heading of the table of kept values."""
    shared = f"; all agents have {labels.shared}" if labels.shared else ""
    return f"Value kept: moves that kept the win or the draw there was ({CLEAR_CUT}){shared}"


DISTANCE = "Distance: moves that no other beat, and by how many moves those that kept the value delay a win on average"


def kept(table: pd.DataFrame, labels: Labels, style: str) -> str:
    """Return how often each agent kept the value, as text."""
    if style == "csv":
        return render(table, style)
    shown = pd.DataFrame(  # a blank parts two columns of one name
        {
            "agent": [labels.of(name) for name in table["agent"]],
            "moves": table["moves"],
            "kept": table["kept"],
            "95 %": [span(row["low"], row["high"]) for row in rows(table)],
            "by chance": table["chance"],
            "clear-cut": table["clear_cut"],
            "of these kept": table["clear_kept"],
            "95 % ": [span(row["clear_low"], row["clear_high"]) for row in rows(table)],
            "by chance ": table["clear_chance"],
        }
    )
    shares = dict.fromkeys(("kept", "by chance", "of these kept", "by chance "), percent)
    return render(shown.astype(object), style, {"moves": count, "clear-cut": count, **shares})


def thrown(table: pd.DataFrame, labels: Labels, style: str) -> str:
    """Return what each agent threw away, as text."""
    shown = pd.DataFrame(
        {
            "agent": [labels.of(name) for name in table["agent"]],
            "games": table["games"],
            "wins": table["wins_thrown"],
            "draws": table["draws_thrown"],
            "points a game": table["points_thrown"],
            "blundering games": table["blunder_games"],
            "first ply: median": table["first_blunder_median"],
            "mean": table["first_blunder_mean"],
            "won games": table["won_games"],
            "lost after all": table["won_games_lost"],
        }
    )
    formats = {"points a game": fixed(2), "mean": fixed(1), "first ply: median": fixed(1)}
    return render(shown.astype(object), style, formats)


def distance(table: pd.DataFrame, labels: Labels, style: str) -> str:
    """Return how close each agent came to the fastest win and the slowest loss, as text."""
    shown = pd.DataFrame(
        {
            "agent": [labels.of(name) for name in table["agent"]],
            "best": table["best"],
            "95 %": [span(row["best_low"], row["best_high"]) for row in rows(table)],
            "by chance": table["best_chance"],
            "delay": table["delay"],
        }
    )
    return render(shown.astype(object), style, {"best": percent, "by chance": percent, "delay": fixed(2)})


def by_ply(table: pd.DataFrame, labels: Labels, style: str) -> str:
    """Return how often each agent kept the value in each range of plies, as text: of all moves, of the clear-cut."""
    if style == "csv":
        return render(table, style)
    spans = {f"{row['first']}-{row['last']}": (row["first"], row["last"]) for row in rows(table)}
    shares = {(row["agent"], row["first"]): row for row in rows(table)}
    agents = list(dict.fromkeys(table["agent"]))
    shown = pd.DataFrame({"agent": [labels.of(agent) for agent in agents]})
    for prefix, field in (("ply ", "kept"), ("clear-cut ", "clear_kept")):
        for name, (first, _) in spans.items():
            shown[f"{prefix}{name}"] = [shares[agent, first][field] for agent in agents]
    return render(shown.astype(object), style, dict.fromkeys(shown.columns[1:], percent))


def span(low: float | None, high: float | None) -> str | None:
    """Return an interval of shares, in percent."""
    return None if low is None or high is None else f"{low * 100:.1f} … {high * 100:.1f}"
