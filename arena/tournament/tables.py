"""The report of a run: its tables and the lines between them, as parts and as one document."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from agents.specs.plugins import is_file
from arena.plugins import at_hand, run_of
from arena.statistics.intervals import MARGIN
from arena.statistics.pairing import Basis
from arena.statistics.pool import clones
from arena.statistics.ratings import Pool, Rating
from arena.statistics.sprt import Sprt
from arena.store.machine import Load
from arena.table.cells import duration, ends, percent, signed
from arena.table.labels import Labels
from arena.table.parts import Detail, Part, Table, render
from arena.table.rows import Column, columns, plain, varied
from arena.tournament import effort_tables as efforts
from arena.tournament.answer import answer
from arena.tournament.effort import BUSY, SLOWED, effort, overruns, phases, slowed
from arena.tournament.faults import FaultReport, faults
from arena.tournament.frames import Frames
from arena.tournament.pairings import Look, duel, evidence, sprt_estimate
from arena.tournament.pool import Anchor, gap_ends, ratings_of
from arena.tournament.rounds import Met, rounds
from arena.tournament.standings import (
    Crossing,
    GameCounts,
    Standing,
    Start,
    chose_alike,
    counts,
    crosstable,
    standings,
    start,
)
from arena.tournament.sweep import Swept, sweep

ROUNDS = columns(Met, "round", "one", "points_one", "points_two", "two", "pairs")
STANDINGS = [Column("#", "#"), *columns(Standing)]
SWEEP = columns(Swept, "agent", "value", "elo", "step", "nodes_per_move")


def rounds_parts(frames: Frames) -> list[Part]:
    """Return the matches and the places; nothing for other formats."""
    played = rounds(frames)
    if not played.matches:
        return []
    labels = Labels.among(frames.agents["name"])
    name = frames.plan["format"]
    places = ", ".join(f"{place}. {labels.of(agent)}" for place, agent in enumerate(played.places, start=1))
    lines: list[Part] = [f"Places by the {name.partition(':')[0]}: {places}"] if places else []
    return [Table("rounds", f"Rounds: {name}, in the order of play", Met, played.matches, ROUNDS, labels), *lines]


def rounds_document(frames: Frames) -> dict[str, Any]:
    """Return the same as plain data; nothing for other formats."""
    played = rounds(frames)
    return {"rounds": plain(played.matches), "places": list(played.places)} if played.matches else {}


def taken(frames: Frames) -> str:
    """Return the source of the ratios of times in a table of pairings, in words."""
    positions = frames.table("times")["position"].nunique()
    return (
        f"{positions} positions searched by turns on one core" if positions else "the games, with different positions"
    )


def time_warnings(frames: Frames) -> list[str]:
    """Return a line if the machine was busy with other work, and one for each agent that overran its limit."""
    share = slowed(frames)
    lines = []
    if frames.sampled:
        played = frames.pairings["games"].sum()
        lines.append(f"nodes and times come from a sample of {len(frames.games):,} games, of {played:,}")
    if share > BUSY:
        lines.append(
            f"warning: the machine was busy: {share:.0%} of the searches by turns took {SLOWED:g} times as long "
            "as the fastest run of the same search"
        )
    labels = Labels.among(frames.agents["name"])
    return lines + [
        f"{labels.of(row.agent)} overran {duration(row.limit)} a move in {row.over:,} of {row.moves:,} moves, "
        f"by {duration(row.typical)} in the median and {duration(row.most)} at most"
        for row in overruns(frames)
        if row.typical is not None and row.most is not None
    ]


def sessions_line(frames: Frames) -> str:
    """Return a line with the number of sessions that played the games, empty unless they differ."""
    sessions = frames.made["sessions"]
    differ = [
        name for name in ("versions", "machine") if any(session[name] != sessions[0][name] for session in sessions)
    ]
    names = {"versions": "versions", "machine": "machines"}
    changed = " and ".join(names[name] for name in differ)
    return f"played in {len(sessions)} sessions, with different {changed}" if differ else ""


def claims_line(frames: Frames) -> str:
    """Return a line that names agents with unverified numbers, or one about agents played in-process, or nothing."""
    labels = Labels.among(frames.agents["name"])
    claimed = frames.moves[(frames.moves["nodes"] > 0) | frames.moves["score"].notna()]["agent"].unique()
    strangers = frames.agents["name"][(frames.agents["stranger"] == 1) & frames.agents["name"].isin(claimed)]
    if (frames.plan.get("isolation") or {}).get("nobody"):
        return "--in-process: agents from files played in the arena's own process"
    names = ", ".join(map(labels.of, strangers))
    return f"nodes and scores of {names} are as they reported, unverified" if names else ""


def nodes_line(frames: Frames) -> str:
    """Return a line that says how an agent of a Python file reports nodes, if one that moved reports none."""
    labels = Labels.among(frames.agents["name"])
    moves = frames.moves.assign(nodes=frames.reported(frames.moves))
    silent = moves.groupby("agent")["nodes"].count().loc[lambda counts: counts == 0].index
    agents = zip(frames.agents["name"], frames.agents["kind"], strict=True)
    names = [labels.of(name) for name, kind in agents if is_file(str(kind)) and name in silent]
    how = "return Analysis(column, score, nodes=…), of agents, in place of the column"
    return f"no nodes from {', '.join(names)}: to show them, {how}" if names else ""


def evidence_line(frames: Frames, last: Look, labels: Labels) -> str:
    """Return the state of the sequential test, as one line."""
    test = Sprt.parse(frames.plan["sprt"])
    one, two = (labels.of(name) for name in frames.agents["name"][:2])
    decision = {"continue": "not decided"}.get(last.decision, f"{last.decision} accepted")
    return (
        f"sequential test of {one} against {two}, H0 {test.elo0:+g} and H1 {test.elo1:+g} {test.unit}: {decision} "
        f"after {last.pairs} pairs, LLR {last.llr:.2f}, bounds [{last.lower:.2f}, {last.upper:.2f}]"
        f"{_strength(frames, decided=last.decision != 'continue')}"
    )


def _strength(frames: Frames, *, decided: bool) -> str:
    """Return the strength of the first agent, if every opening was played or the test has stopped the match."""
    met = duel(frames, *frames.agents["name"][:2])
    if met.basis == Basis.EXACT and met.score is not None:
        elo = "" if met.elo is None or math.isinf(met.elo.value) else f", {met.elo.value:+z.0f} Elo"
        return f"; every opening was played: exactly {percent(met.score)}{elo}"
    if last := sprt_estimate(frames):
        within = ends(signed)(last)
        return f"; {last.value:+z.0f} Elo [{within}] allowing for the stop, which ratings and pairings do not"
    return "" if not decided else "; ratings and pairings do not allow for the stop and are biased"


FAULTS_SHOWN = 10


def document(frames: Frames, anchor: Anchor | None = None) -> dict[str, Any]:
    """Return standings, crosstable, effort, games, openings and the origin of a run, as plain data."""
    games, looks = counts(frames), evidence(frames)
    data = {
        "standings": plain(standings(frames, anchor)),
        "crosstable": plain(crosstable(frames)),
        "effort": plain(effort(frames)),
        "games": {"played": games.played, "distinct": games.distinct, "planned": games.planned},
        "openings": plain([start(frames)])[0],
        "phases": plain(phases(frames)),
        **{name: frames.made[name] for name in ("seed", "versions", "machine", "command", "sessions", "loads")},
    }
    for offer in at_hand("TABLES", frames):
        data |= offer.load(2)(frames)
    return data | rounds_document(frames) | ({"sprt": plain(looks)} if looks else {})


def offered(frames: Frames, only: str = "") -> list[Part]:
    """Return what others add to a run's tables, such as its audit. only: the table that will be shown, or all."""
    return [part for offer in at_hand("TABLES", frames) for part in offer.load()(frames, only)]


def parts(frames: Frames, anchor: Anchor | None = None) -> list[Part]:
    """Return the run's tables, and the lines before and after them."""
    pools = [list(rows) for _, rows in groupby(standings(frames, anchor), key=lambda row: row.pool)]
    free = standings(frames) if anchor else [row for pool in pools for row in pool]  # an anchored agent has no error
    sweeps = [
        sweep(rows, frames.agents, gap_ends(frames, [row.agent for row in rows]))
        for rows in (list(rows) for _, rows in groupby(free, key=lambda row: row.pool))
    ]
    rates = ratings_of(frames, anchor)
    crossings, looks, labels = crosstable(frames), evidence(frames), Labels.among(frames.agents["name"])
    report: list[Part] = [f"{openings_line(start(frames))}\n{games_line(counts(frames))}"]
    alike = chose_alike(frames)
    for pool in pools:
        heading = f"Standings of pool {pool[0].pool} of {len(pools)}" if len(pools) > 1 else "Standings"
        rated = rates.get(pool[0].agent)
        scale = zero(pool, anchor, rated[1]) if rated else []
        report += _pool(pool, heading + _limits(frames.plan), crossings, anchor, frames.load(), scale, alike)
    report += rounds_parts(frames)
    report += [replace(part, detail=True) if isinstance(part, Table) else part for part in efforts.parts(frames)]
    for swept in sweeps:
        report += sweep_parts(swept)
    report += [sessions_line(frames), claims_line(frames), nodes_line(frames)]
    answers = [evidence_line(frames, looks[-1], labels)] if looks else []
    answers += answer(frames, anchor)
    return [*report, "\n".join(answers)] if answers else report


def whole(frames: Frames, anchor: Anchor | None = None, margin: float = MARGIN) -> list[Part]:
    """Return the answer and the first tables of a run: of a comparison pairings, ratings and costs by depth.

    margin: in Elo; two heuristics are level if they are shown to differ by less.
    """
    of_run = run_of(frames.plan)
    if of_run is None:
        *tables, last = parts(frames, anchor)
        return [last, *tables] if isinstance(last, str) else [*tables, last]
    return [*of_run.parts(frames, anchor, margin), *efforts.parts(frames), games_line(counts(frames))]


def _pool(
    pool: Sequence[Standing], heading: str, crossings: Sequence[Crossing], anchor: Anchor | None, load: Load | None,
    scale: Sequence[str], alike: Collection[frozenset[str]],
) -> list[Part]:  # fmt: skip
    """Return standings and crosstable of the agents of a pool.

    scale: the lines of `zero`. alike: as `resolution` takes it.
    """
    labels = Labels.among(row.agent for row in pool)
    rows = [row for row in crossings if row.agent in labels.texts]
    points = {(row.agent, row.opponent): row.points for row in rows}
    crossed = [Column(str(n), partial(_points, points, other.agent)) for n, other in enumerate(pool, start=1)]
    title = "Crosstable: points of the row's agent against the column's"
    places = [f"#{place}" for place in range(1, len(pool) + 1)]
    return [
        Table(
            "standings", _title(heading, pool, labels, anchor), Standing, pool, efforts.busy(STANDINGS, load), labels
        ),
        Detail("\n".join([*scale, *_basis(pool), *_same(pool), *resolution(pool, places, alike)])),
        Table("crosstable", title, Crossing, rows, [*STANDINGS[:2], *crossed], labels, lines=pool, detail=True),
    ]


def zero(rows: Sequence[Rating | Standing], anchor: Anchor | None, pool: Pool) -> list[str]:
    """Return lines on the zero of the ratings and, if it is known, on the advantage of moving first."""
    mean = "the agents without a mark" if 0 < sum(row.marked for row in rows) < len(rows) else "all agents"
    mean += ", those that play the same games counted once" if any(row.plays_as is not None for row in rows) else ""
    anchored = anchor is not None and anchor[0] in {row.agent for row in rows if row.elo is not None}
    lines = [f"Elo: {anchor[0]} is {anchor[1]:g}" if anchor and anchored else f"Elo: 0 is the mean of {mean}"]
    if pool.advantage is not None:
        low, high = pool.advantage.low, pool.advantage.high
        shown = low is not None and high is not None and low * high > 0.0
        ends = f"{low:+.0f} to {high:+.0f}"
        lines.append(
            f"moving first is worth {pool.advantage.value:+.0f} Elo [{ends}]"
            if shown
            else f"no advantage of moving first is shown ({ends} Elo)"
        )
    return lines


NAMED = 5
TOLD = 3
"""Agents, and pairs of neighbours, that a line names at most; JSON has all."""


def resolution(
    rows: Sequence[Rating | Standing], names: Sequence[str], alike: Collection[frozenset[str]] = ()
) -> list[str]:
    """Return lines on the agents that may be best, and on the games to separate neighbours that seem to differ.

    alike: pairs of agents that chose alike with each other, which no match separates.
    """
    best = [name for name, row in zip(names, rows, strict=True) if row.may_be_best]
    several = " or ".join(best)
    if len(best) > 2 and best == list(names[: len(best)]):
        several = f"one of the first {len(best)}"
    elif len(best) > NAMED:
        several = f"one of {len(best)} from {best[0]} to {best[-1]}, which JSON names"
    lines = [f"with 95 % confidence the best is {several}"] if 0 < len(best) < len(names) else []
    unclear = [
        (f"{above} from {name} in {row.games_to_tell:,}", f"{row.gap.value:.0f} Elo")
        for above, name, before, row in zip(names, names[1:], rows, rows[1:], strict=False)
        if frozenset((before.agent, row.agent)) not in alike
        and row.games_to_tell is not None
        and row.gap is not None
        and row.gap.value >= MARGIN
    ]
    if unclear:
        (first, apart), *others = unclear[:TOLD]
        named = [f"{first} games if {apart} apart", *(f"{pair} ({gap})" for pair, gap in others)]
        more = len(unclear) - TOLD
        rest = f"; JSON has {more} more pair{'s' if more > 1 else ''}" if more > 0 else ""
        lines.append(f"a fresh match separates, with 80 % power, {', '.join(named)}{rest}")
    return lines


def _points(points: Mapping[tuple[str, str], float], other: str, row: Standing) -> object:
    return points.get((row.agent, other), "")


def _limits(plan: Mapping[str, Any]) -> str:
    """Return the limits of all agents, to follow a title; empty if there are none."""
    nodes, seconds = plan.get("nodes"), plan.get("seconds")
    limits = [f"{nodes:,} nodes"] if nodes else []
    limits += [f"{seconds:g} s"] if seconds else []
    limits = [f"{' and '.join(limits)} a move"] if limits else []
    limits += [f"{plan['clock']} s a game"] if plan.get("clock") else []
    return f" at {', '.join(limits)}" if limits else ""


def _basis(pool: Sequence[Standing]) -> list[str]:
    """Return a line on the method of the intervals."""
    return [f"95 %: {pool[0].basis}"] if pool[0].basis else []


def _same(pool: Sequence[Standing]) -> list[str]:
    """Return a line for each agent that plays exactly as another."""
    places = {row.agent: place for place, row in enumerate(pool, start=1)}
    same = [(places[row.agent], places[row.plays_as]) for row in pool if row.plays_as is not None]
    return [f"#{place} plays exactly as #{other}: the two are rated as one" for place, other in same]


def _title(heading: str, pool: Sequence[Standing], labels: Labels, anchor: Anchor | None) -> str:
    """Return the title of the standings, with the values that are the same in every row."""
    games = pool[0].games
    alike = not varied([row.games for row in pool])
    notes = [f"{games:,} game{'s' if games != 1 else ''} each"] if alike else []
    notes += [] if any(row.faults for row in pool) else ["no faults"]
    rated = {row.agent for row in pool if row.elo is not None}
    notes += [f"{labels.of(anchor[0])} is {anchor[1]:g}"] if anchor and anchor[0] in rated else []
    notes += [labels.note] if labels.note else []
    return ": ".join(filter(None, [heading, ", ".join(notes)]))


def sweep_parts(swept: Sequence[Swept]) -> list[Part]:
    """Return strength by each parameter as a table."""
    parts: list[Part] = []
    for parameter, rows in groupby(swept, key=lambda row: row.parameter):
        named = [replace(column, header=parameter) if column.of == "value" else column for column in SWEEP]
        parts.append(Table("sweep", f"Strength by {parameter}", Swept, list(rows), named))
    return parts


def openings_line(openings: Start) -> str:
    """Return the number of openings and, if the opening book knows them, their outcomes with perfect play."""
    line = f"{openings.drawn:,} opening{'s' if openings.drawn != 1 else ''}"
    if openings.set and openings.population:
        line += f" of the {openings.population:,} of {openings.set}"
    line += ", each played twice"
    if openings.draws is None:
        return line
    mix = f"the first player wins {openings.first_wins}, {openings.draws} are drawn"
    return f"{line}; with perfect play {mix}, the second wins {openings.second_wins}"


def games_line(games: GameCounts) -> str:
    """Return the number of games."""
    line = f"games {games.played:,}, distinct {games.distinct:,}"
    return line if games.played >= games.planned else f"{line}, planned {games.planned:,}"


def warnings(frames: Frames) -> list[str]:
    """Return the warnings of a run: repeated games, an extension after looks at the results, faults, times.

    Two agents that play exactly alike, which the answer says, repeat their games, and need no warning.
    """
    lines = []
    alike, chose = clones(frames.results), chose_alike(frames)
    if repeating := [
        pair
        for pair in counts(frames).repeating
        if alike.get(pair.one, pair.one) != alike.get(pair.two, pair.two) and {pair.one, pair.two} not in chose
    ]:
        labels = Labels.among(frames.agents["name"])
        worst = [f"{labels.of(r.one)} v {labels.of(r.two)} ({r.distinct} of {r.games})" for r in repeating[:3]]
        more = f" and {len(repeating) - 3} more" if len(repeating) > 3 else ""
        lines.append(f"warning: few games are distinct: {', '.join(worst)}{more}")
    looks = frames.plan.get("looks")
    if looks and not frames.plan.get("sprt"):  # which allows looks at any time
        lines.append(
            f"warning: this run was extended after {' and '.join(map(str, looks))} rounds: if the results decided "
            "that, the 95 % ranges and sure % err more often than stated; a fresh run with another --seed does not"
        )
    return [*lines, *fault_lines(frames), *time_warnings(frames)]


def fault_lines(frames: Frames) -> list[str]:
    """Return a line for each kind of fault, ten at most."""
    kinds, lines, labels = faults(frames), [], Labels.among(frames.agents["name"])
    for kind in kinds[:FAULTS_SHOWN]:
        often = f"{kind.games} game{'s' if kind.games > 1 else ''}"
        lines.append(f"fault of {labels.of(kind.agent)} ({often}): {kind.termination}: {kind.detail}")
    return [*lines, f"and {len(kinds) - FAULTS_SHOWN} other faults"] if len(kinds) > FAULTS_SHOWN else lines


def fault_rows(reports: Sequence[FaultReport], style: str) -> str:
    """Return the kinds of faults as a table for programs."""
    return render(reports, (), style, row=FaultReport)


def paragraphs(reports: Sequence[FaultReport]) -> str:
    """Return a paragraph for each kind of fault."""
    return "\n\n".join(map(_paragraph, reports)) or "no faults"


def _paragraph(fault: FaultReport) -> str:
    often = f"{fault.games} game{'s' if fault.games > 1 else ''}"
    lines = [f"{fault.agent}: {fault.termination}, {often}"]
    if fault.detail:
        lines.append(f"  {fault.detail}")
    for title, text in (("", fault.traceback), ("the end of its output:", fault.output)):
        if text:
            lines += [f"  {title}"] if title else []
            lines.append(textwrap.indent(text.rstrip("\n"), "    "))
    lines.append(f"  first in game {fault.game}; again: {fault.command}")
    return "\n".join(lines)
