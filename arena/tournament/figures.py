"""The figures of a stored run, the most important first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from arena.plugins import at_hand, run_of
from arena.statistics.sprt import Sprt
from arena.table.labels import Labels
from arena.table.picture import Picture
from arena.tournament import effort_figures as costs
from arena.tournament import strength_figures
from arena.tournament.effort import effort
from arena.tournament.frames import Frames
from arena.tournament.pairings import evidence
from arena.tournament.standings import crosstable, standings

R = TypeVar("R", bound=Any)


def pictures(frames: Frames) -> list[Picture]:
    """Return the figures of a run's tables that have something to draw."""
    rows, searches, looks = standings(frames), effort(frames), evidence(frames)
    labels, order = _labels(frames), [row.agent for row in rows]
    searches = in_order(searches, order)
    figures = []
    if looks:
        test = Sprt.parse(frames.plan["sprt"])
        hypotheses = (f"{test.elo0:+g} {test.unit}", f"{test.elo1:+g} {test.unit}")
        figures.append(strength_figures.path(looks, hypotheses))
    if of_run := run_of(frames.plan):
        figures += of_run.pictures(frames)
    if any(row.elo is not None for row in rows):
        figures += [
            strength_figures.standings(rows, labels),
            strength_figures.crosstable(crosstable(frames), order, labels),
        ]
        if strength_figures.pareto(rows):
            figures.append(strength_figures.cost(rows, labels))
    if costs.have_curves(searches):
        figures.append(costs.states(searches, frames.plan["rules"]["columns"], labels))
    if any(row.nodes_per_second for row in searches):
        figures.append(costs.speed(searches, labels))
    return figures + [picture for offer in at_hand("FIGURES", frames) for picture in offer.load()(frames, order)]


def _labels(frames: Frames) -> Labels:
    return Labels.among(map(str, frames.agents["name"]))


def in_order(rows: Iterable[R], order: Sequence[str]) -> list[R]:
    """Return the rows in the order of their agents, so that an agent looks the same in every figure."""
    places = {name: place for place, name in enumerate(order)}
    return sorted(rows, key=lambda row: places.get(row.agent, len(places)))
