"""The whole report of a run: as text in any style, and as one document."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from arena.analysis import pool, summary, sweep
from arena.analysis.frames import Frames
from arena.report.labels import Labels, label
from arena.report.tables import count, fixed, note, percent, rate, render, section, significant
from arena.statistics.sequential import Sprt


def document(frames: Frames) -> dict[str, Any]:
    """Return standings, crosstable, effort, the number of games and what they start from as plain data."""
    counts = summary.counts(frames)
    found = {
        "standings": rows(summary.standings(frames)),
        "crosstable": rows(summary.crosstable(frames)),
        "effort": rows(summary.effort(frames)),
        "games": {"played": counts.played, "distinct": counts.distinct, "planned": counts.planned},
        "openings": summary.openings(frames),
    }
    return found | {"sprt": rows(frames.evidence)} if len(frames.evidence) else found


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a DataFrame as a list of plain dicts, a missing value as None."""
    return [
        {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in row.items()}
        for row in frame.astype(object).to_dict(orient="records")
    ]


def text(frames: Frames, style: str) -> str:
    """Return the run's tables one below the other, and the line that counts its games."""
    table = summary.standings(frames)
    labels = label(list(frames.agents["name"]))
    effort_table = summary.effort(frames)
    if style != "csv":
        effort_table["agent"] = [labels.of(name) for name in effort_table["agent"]]
    pools = [table] if style == "csv" else [part.reset_index(drop=True) for _, part in table.groupby("pool")]
    header = note(openings(frames), style)
    parts = [] if style == "csv" else [header]
    parts += [section for part in pools for section in _pool(frames, part, len(pools), style)]
    parts.append(section("Effort: what a search of each depth costs", effort(effort_table, style), style))
    for _, part in table.groupby("pool"):
        strength = sweep.of(part, frames.agents)
        if strength is not None:
            parts.append(section("Strength by depth", sweep.text(strength, style), style))
    counts = summary.counts(frames)
    line = f"games {counts.played:,}, distinct {counts.distinct:,}"
    if counts.played < counts.planned:
        line += f", planned {counts.planned:,}"
    parts.append(note(line, style))
    parts += [header] if style == "csv" else []
    if len(frames.evidence):
        parts.append(note(evidence(frames, labels), style))
    return "\n\n".join(parts)


def openings(frames: Frames) -> str:
    """Return what games start from and, where the opening book knows it, who wins from there."""
    found = summary.openings(frames)
    line = f"Openings: {found['drawn']:,}"
    if found["set"] and found["population"]:
        line += f" of the {found['population']:,} of {found['set']}"
    if found["draws"] is None:
        return line
    mix = f"{found['first_wins']} won by the first player, {found['draws']} drawn, {found['second_wins']} by the second"
    return f"{line}; with perfect play {mix}"


def _pool(frames: Frames, table: pd.DataFrame, pools: int, style: str) -> list[str]:
    """Return standings and crosstable of the agents in a part of the standings, one of so many `pools`."""
    labels = label(list(table["agent"]))
    heading = f"Standings of pool {table['pool'].iloc[0]} of {pools}" if pools > 1 else "Standings"
    return [
        section(f"{heading}: {_notes(table, labels)}", standings(table, labels, style), style),
        section(
            "Crosstable: points of the row's agent against the column's",
            crosstable(frames, table, labels, style),
            style,
        ),
    ]


def evidence(frames: Frames, labels: Labels) -> str:
    """Return what the sequential test says, as one line."""
    test, last = Sprt.parse(frames.plan["sprt"]), frames.evidence.iloc[-1]
    one, two = (labels.of(name) for name in frames.agents["name"][:2])
    decision = {"continue": "not decided"}.get(last["decision"], f"{last['decision']} accepted")
    return (
        f"sequential test of {one} against {two}, H0 {test.elo0:+g} and H1 {test.elo1:+g} {test.unit}: {decision} "
        f"after {last['pairs']} pairs, LLR {last['llr']:.2f}, bounds [{last['lower']:.2f}, {last['upper']:.2f}]"
    )


def _notes(table: pd.DataFrame, labels: Labels) -> str:
    """Return what would be the same in every row of the standings, and what their marks mean."""
    games = table["games"].unique()
    notes = [f"{games[0]:,} game{'s' if games[0] != 1 else ''} each"] if len(games) == 1 else []
    notes += [] if table["faults"].any() else ["no faults"]
    notes += ["nodes and ms are means of a move"]
    notes += [f"all agents have {labels.shared}"] if labels.shared else []
    notes += ["* kept finite by a prior"] if table["marked"].any() else []
    return ", ".join(notes)


def standings(table: pd.DataFrame, labels: Labels, style: str) -> str:
    """Return the standings as text."""
    if style == "csv":
        return render(table, style)
    shown = pd.DataFrame({"#": range(1, len(table) + 1), "agent": [labels.of(name) for name in table["agent"]]})
    if table["elo"].notna().any():
        shown["Elo"] = [pool.elo_text(row) for row in table.to_dict(orient="records")]
    shown["points"] = table["points"]
    shown["score"] = table["score"]
    if len(table["games"].unique()) > 1:
        shown["games"] = table["games"]
    for header, prefix in (("W-D-L", ""), ("as first", "first_"), ("as second", "second_")):
        parts = [table[f"{prefix}{name}"].astype(str) for name in ("wins", "draws", "losses")]
        shown[header] = parts[0] + "-" + parts[1] + "-" + parts[2]
    shown["nodes"] = table["nodes_per_move"]
    shown["ms"] = table["ms_per_move"]
    if table["faults"].any():
        shown["faults"] = table["faults"]
    formats = {"score": percent, "points": fixed(1), "nodes": count, "ms": significant(3)}
    return render(shown, style, formats)


def crosstable(frames: Frames, table: pd.DataFrame, labels: Labels, style: str) -> str:
    """Return the crosstable as text, numbered and in the order of the standings."""
    pairs = summary.crosstable(frames)
    if style == "csv":
        return render(pairs, style)
    agents = list(table["agent"])
    points = {(row.agent, row.opponent): row.points for row in pairs.itertuples()}
    shown = pd.DataFrame({"#": range(1, len(agents) + 1), "agent": [labels.of(agent) for agent in agents]})
    for number, opponent in enumerate(agents, start=1):
        shown[str(number)] = [f"{points[a, opponent]:g}" if (a, opponent) in points else "" for a in agents]
    return render(shown, style)


def effort(table: pd.DataFrame, style: str) -> str:
    """Return the effort table as text."""
    names = {"nodes_median": "median", "nodes_per_second": "nodes/s"}
    shown = table if style == "csv" else table.rename(columns=names)
    formats = {
        "searches": count, "nodes": count, "median": count, "ms": significant(3), "nodes/s": rate,
        "branching": fixed(2),
    }  # fmt: skip
    return render(shown, style, formats)


def warnings(frames: Frames, counts: summary.Counts) -> list[str]:
    """Return what a reader must know before believing the tables: repeated games, faults."""
    lines = []
    if counts.repeating:
        labels = label(list(frames.agents["name"]))
        worst = [f"{labels.of(r.one)} v {labels.of(r.two)} ({r.distinct} of {r.games})" for r in counts.repeating[:3]]
        more = f" and {len(counts.repeating) - 3} more" if len(counts.repeating) > 3 else ""
        lines.append(f"warning: few games are distinct: {', '.join(worst)}{more}")
    faults = frames.games[~frames.games["termination"].isin(["line completed", "board full"])]
    losers = faults["first"].where(faults["points"] == 0.0, faults["second"])
    alike = faults.groupby([losers, faults["termination"], faults["detail"]], sort=False).size()
    lines.extend(
        f"fault of {agent} ({games} game{'s' if games > 1 else ''}): {termination}: {detail}"
        for (agent, termination, detail), games in alike.head(10).items()
    )
    if len(alike) > 10:
        lines.append(f"and {len(alike) - 10} other faults")
    return lines
