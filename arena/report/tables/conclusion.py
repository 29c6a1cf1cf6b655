"""What a run shows, in a few sentences: which agent is the best and how sure that is, and which agents play alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from arena.analysis.frames import Frames
from arena.analysis.pairings import evidence
from arena.analysis.standings import Standing, standings
from arena.cells import percent
from arena.report.labels import Labels
from arena.report.tables.run import evidence_line

NAMED = 3
"""Agents that a sentence names at most."""


def conclusion(frames: Frames) -> list[str]:
    """Return the sentences, pool by pool; none of a comparison, which has an answer of its own, and without games."""
    labels = Labels.among(frames.agents["name"])
    if frames.plan.get("comparison"):
        return []
    if looks := evidence(frames):
        return [evidence_line(frames, looks[-1], labels)]
    sentences = []
    for _, pool in groupby(standings(frames), key=lambda row: row.pool):
        rows = [row for row in pool if row.elo is not None]
        sentences += [*_best(rows, labels), *_alike(rows, labels)]
    return sentences


def _best(rows: Sequence[Standing], labels: Labels) -> list[str]:
    """Return a sentence on the best of a pool's rated agents, the strongest of which comes first."""
    if len(rows) < 2:
        return []
    first = rows[0]
    name, number = labels.of(first.agent), len(rows)
    others = [row.agent for row in rows[1:] if row.plays_as != first.agent]
    rivals = [row.agent for row in rows[1:] if row.may_be_best and row.agent in others]
    if not others:
        return []  # all play alike
    if not rivals:
        return [f"{name} is the best of {number} agents, with 95 % confidence."]
    leads = f"{name} leads with {percent(first.score or 0.0)} of the points"
    if len(rivals) == len(others):
        return [f"None of the {number} agents is shown to be the best: {leads}."]
    names = [labels.of(agent) for agent in rivals]
    named = " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    named = named if len(rivals) <= NAMED else f"any of {len(rivals)} others"
    return [f"{leads}, but {named} may be the best of the {number} agents, too (95 % confidence)."]


def _alike(rows: Sequence[Standing], labels: Labels) -> list[str]:
    """Return a sentence for each agent that plays exactly as another, with the share of the nodes that it visits."""
    by_name = {row.agent: row for row in rows}
    pairs = [(row, by_name[row.plays_as]) for row in rows if row.plays_as in by_name]
    return [_plays_like(one, other, labels) for one, other in pairs[:NAMED]]


def _plays_like(one: Standing, other: Standing, labels: Labels) -> str:
    low, high = sorted((one, other), key=lambda row: row.nodes_per_move or 0.0)
    said = f"{labels.of(low.agent)} plays exactly like {labels.of(high.agent)}"
    if not low.nodes_per_move or not high.nodes_per_move:
        return f"{said}."
    share = low.nodes_per_move / high.nodes_per_move
    return f"{said}, with {percent(share)} of the nodes." if share < 1 else f"{said}, with as many nodes."
