"""The figures of a stored run, the most important first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from arena.analysis import audit
from arena.analysis.audit import RangeAudit
from arena.analysis.comparison import comparison
from arena.analysis.effort import Effort, effort
from arena.analysis.frames import Frames
from arena.analysis.pairings import evidence
from arena.analysis.standings import crosstable, standings
from arena.report.figures import effort as costs
from arena.report.figures import quality, strength
from arena.report.figures.picture import Picture
from arena.report.labels import Labels
from arena.statistics.sprt import Sprt

R = TypeVar("R", Effort, RangeAudit)


def pictures(frames: Frames) -> list[Picture]:
    """Return the figures of a run's tables that have something to draw."""
    rows, searches, looks = standings(frames), effort(frames), evidence(frames)
    labels, order = _labels(frames), [row.agent for row in rows]
    searches = _sorted(searches, order)
    found = []
    if looks:
        test = Sprt.parse(frames.plan["sprt"])
        hypotheses = (f"{test.elo0:+g} {test.unit}", f"{test.elo1:+g} {test.unit}")
        found.append(quality.path(looks, hypotheses))
    if frames.plan.get("comparison") and (ratings := comparison(frames).ratings):
        found.append(strength.levels(ratings))
    if any(row.elo is not None for row in rows):
        found += [strength.standings(rows, labels), strength.crosstable(crosstable(frames), order, labels)]
        if strength.pareto(rows):
            found.append(strength.cost(rows, labels))
    if costs.have_curves(searches):
        found.append(costs.states(searches, frames.plan["rules"]["columns"], labels))
    if any(row.nodes_per_second for row in searches):
        found.append(costs.speed(searches, labels))
    return [*found, *audit_pictures(frames, order)]


def audit_pictures(frames: Frames, order: Sequence[str] = ()) -> list[Picture]:
    """Return the figures of a run's audit; none if nothing is audited. order: the order of the agents' colours."""
    ranges = _sorted(audit.ranges(frames), order)
    return [quality.kept(ranges, _labels(frames))] if ranges else []


def _labels(frames: Frames) -> Labels:
    return Labels.among(map(str, frames.agents["name"]))


def _sorted(rows: Iterable[R], order: Sequence[str]) -> list[R]:
    """Return the rows in the order of their agents, so that an agent looks the same in every figure."""
    places = {name: place for place, name in enumerate(order)}
    return sorted(rows, key=lambda row: places.get(row.agent, len(places)))
