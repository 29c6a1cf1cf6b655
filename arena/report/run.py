"""The whole report of a run: as tables and lines, and as one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from arena.analysis.counts import Counts, Start, counts, start
from arena.analysis.crosstable import Crossing, crosstable
from arena.analysis.effort import effort
from arena.analysis.evidence import evidence
from arena.analysis.faults import faults
from arena.analysis.frames import Frames
from arena.analysis.phases import phases
from arena.analysis.pool import Anchor
from arena.analysis.rows import plain
from arena.analysis.standings import Standing, standings
from arena.analysis.sweep import Depth, Slopes, Sweep, sweep
from arena.report import efforts, meaning, order, rounds, times
from arena.report.claims import claims_line, sessions_line
from arena.report.column import Column, Part, Table, known, label, varied
from arena.report.evidence import evidence_line
from arena.report.labels import Labels
from arena.report.numbers import (
    count,
    dashed,
    elo_interval,
    fixed,
    gap,
    limits,
    milliseconds,
    percent,
    rating,
    superiority,
)
from arena.statistics.elo import Z95
from arena.statistics.trend import Line

STANDINGS = [
    Column("#", "#"),
    Column("agent", "agent", label),
    Column("Elo", "elo marked", rating, known),
    Column("95 %", "elo low high", elo_interval, known),
    Column("behind", "gap gap_high", gap, known, least=4),
    Column("LOS %", "gap_los basis", superiority, known, least=3),
    Column("points", "points", fixed(1), least=6),
    Column("score", "score", percent),
    Column("games", "games", when=varied),
    Column("W-D-L", "wins draws losses", dashed, least=5),
    Column("as first", "first_wins first_draws first_losses", dashed, least=7),
    Column("as second", "second_wins second_draws second_losses", dashed, least=7),
    Column("nodes", "nodes_per_move", count, least=1),
    Column("ms", "ms_per_move ms_high", milliseconds, least=2),
    Column("faults", "faults", when=any),
]
SWEEP = [
    Column("agent", "agent", label),
    Column("depth", "depth"),
    Column("Elo", "elo marked", rating),
    Column("95 %", "elo low high", elo_interval),
    Column("nodes/move", "nodes_per_move", count),
    Column("geometric", "nodes_geometric", count),
]
FAULTS_SHOWN = 10


def document(frames: Frames, anchor: Anchor | None = None) -> dict[str, Any]:
    """Return standings, crosstable, effort, the games, what they start from and how they were made, as plain data."""
    games, looks = counts(frames), evidence(frames)
    found = {
        "standings": plain(standings(frames, anchor)),
        "crosstable": plain(crosstable(frames)),
        "effort": plain(effort(frames)),
        "games": {"played": games.played, "distinct": games.distinct, "planned": games.planned},
        "openings": plain([start(frames)])[0],
        "phases": plain(phases(frames)),
        **{name: frames.made[name] for name in ("seed", "versions", "machine", "command", "sessions")},
    }
    return found | rounds.document(frames) | order.document(frames) | ({"sprt": plain(looks)} if looks else {})


def parts(frames: Frames, anchor: Anchor | None = None) -> list[Part]:
    """Return the run's tables, and the lines before and after them."""
    pools = [list(rows) for _, rows in groupby(standings(frames, anchor), key=lambda row: row.pool)]
    free = standings(frames) if anchor else [row for pool in pools for row in pool]  # who is anchored has no error
    sweeps = [sweep(list(rows), frames.agents) for _, rows in groupby(free, key=lambda row: row.pool)]
    crossings, looks, labels = crosstable(frames), evidence(frames), Labels.among(frames.agents["name"])
    found: list[Part] = [openings_line(start(frames))]
    for pool in pools:
        heading = f"Standings of pool {pool[0].pool} of {len(pools)}" if len(pools) > 1 else "Standings"
        found += _pool(pool, heading + limits(frames.plan), crossings, anchor)
    found += rounds.parts(frames) + order.parts(frames)
    found += efforts.parts(frames)
    for each in sweeps:
        found += sweep_parts(each)
    found += [games_line(counts(frames)), sessions_line(frames), claims_line(frames)]
    return [*found, evidence_line(frames, looks[-1], labels)] if looks else found


def _pool(pool: Sequence[Standing], heading: str, crossings: Sequence[Crossing], anchor: Anchor | None) -> list[Part]:
    """Return standings and crosstable of the agents of a pool."""
    labels = Labels.among(row.agent for row in pool)
    rows = [row for row in crossings if row.agent in labels.texts]
    points = {(row.agent, row.opponent): row.points for row in rows}
    crossed = [Column(str(n), partial(_points, points, other.agent)) for n, other in enumerate(pool, start=1)]
    title = "Crosstable: points of the row's agent against the column's"
    notes = meaning.standings(pool)
    return [
        Table("standings", _title(heading, pool, labels, anchor), Standing, pool, STANDINGS, labels, notes=notes),
        "\n".join(_same(pool)),
        Table("crosstable", title, Crossing, rows, [*STANDINGS[:2], *crossed], labels, lines=pool),
    ]


def _points(points: Mapping[tuple[str, str], float], other: str, row: Standing) -> object:
    return points.get((row.agent, other), "")


def _same(pool: Sequence[Standing]) -> list[str]:
    """Return a line for each agent that plays the games of another."""
    places = {row.agent: place for place, row in enumerate(pool, start=1)}
    same = [(places[row.agent], places[row.plays_as]) for row in pool if row.plays_as is not None]
    return [f"#{place} plays exactly as #{other}: the two are rated as one" for place, other in same]


def _title(heading: str, pool: Sequence[Standing], labels: Labels, anchor: Anchor | None) -> str:
    """Return the title of the standings, with what would be the same in every row."""
    games = pool[0].games
    alike = not varied([row.games for row in pool])
    notes = [f"{games:,} game{'s' if games != 1 else ''} each"] if alike else []
    notes += [] if any(row.faults for row in pool) else ["no faults"]
    notes += [f"95 %: {pool[0].basis}"] if pool[0].basis else []
    notes += [f"{labels.of(anchor[0])} is {anchor[1]:g}"] if anchor and anchor[0] in labels.texts else []
    notes += [labels.note] if labels.note else []
    return ": ".join(filter(None, [heading, ", ".join(notes)]))


def sweep_parts(found: Sweep) -> list[Part]:
    """Return strength by depth as a table, and what more search is worth to each family."""
    table = Table("sweep", "Strength by depth", Depth, found.rows, SWEEP, notes=meaning.SWEEP)
    return [table, "\n".join(map(_slopes, found.slopes))]


def openings_line(found: Start) -> str:
    """Return what games start from and, where the opening book knows it, who wins from there."""
    line = f"Openings: {found.drawn:,}"
    if found.set and found.population:
        line += f" of the {found.population:,} of {found.set}"
    if found.draws is None:
        return line
    mix = f"{found.first_wins} won by the first player, {found.draws} drawn, {found.second_wins} by the second"
    return f"{line}; with perfect play {mix}"


def games_line(found: Counts) -> str:
    """Return how many games there are."""
    line = f"games {found.played:,}, distinct {found.distinct:,}"
    return line if found.played >= found.planned else f"{line}, planned {found.planned:,}"


def _slopes(family: Slopes) -> str:
    slopes = ((family.ply, "a ply"), (family.doubling, "a doubling of nodes"))
    said = [f"{_slope(line)} Elo {unit}" for line, unit in slopes if line.bend is None]
    if len(said) < 2:  # the points bend: each step has its own number
        steps = (
            f"{one} to {two} {elo:+z.0f}{f' ± {half:.0f}' if half else ''}" for one, two, elo, half in family.steps
        )
        said = [f"Elo from depth {', '.join(steps)}", *said]
    return f"{family.agent}: {', '.join(said)}"


def _slope(line: Line) -> str:
    """Return the slope of a line with its error."""
    return f"{line.slope:+z.0f} ± {Z95 * line.slope_error:.0f}" if line.slope_error else f"{line.slope:+z.0f}"


def warnings(frames: Frames) -> list[str]:
    """Return what a reader must know before believing the tables: repeated games, faults."""
    lines = []
    if repeating := counts(frames).repeating:
        labels = Labels.among(frames.agents["name"])
        worst = [f"{labels.of(r.one)} v {labels.of(r.two)} ({r.distinct} of {r.games})" for r in repeating[:3]]
        more = f" and {len(repeating) - 3} more" if len(repeating) > 3 else ""
        lines.append(f"warning: few games are distinct: {', '.join(worst)}{more}")
    found = faults(frames)
    for each in found[:FAULTS_SHOWN]:
        often = f"{each.games} game{'s' if each.games > 1 else ''}"
        lines.append(f"fault of {each.agent} ({often}): {each.termination}: {each.detail}")
    if len(found) > FAULTS_SHOWN:
        lines.append(f"and {len(found) - FAULTS_SHOWN} other faults")
    return [*lines, *times.warnings(frames)]
