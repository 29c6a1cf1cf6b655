"""Figures of kept values and of grades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.table.labels import Labels
from arena.table.picture import Picture, beside, looks, whiskers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from arena.perfect.kept import RangeAudit

Graded = Any
"""A row of `arena.perfect.grading.Grade`, or of a DataFrame of grades."""


def kept(rows: Sequence[RangeAudit], labels: Labels) -> Picture:
    """Draw how often each agent kept the value in clear-cut positions, by ranges of plies."""
    agents = list(dict.fromkeys(row.agent for row in rows))
    spans = sorted({(row.first, row.last) for row in rows})

    def draw(axes: Axes) -> None:
        look = looks(agents)
        for place, agent in enumerate(agents):
            shift = beside(place, len(agents), len(spans))
            audited = [row for row in rows if row.agent == agent and row.clear_kept is not None]
            at = [spans.index((row.first, row.last)) + shift for row in audited]
            shares = [row.clear_kept for row in audited if row.clear_kept is not None]
            whiskers(axes, at, shares, 100, label=labels.of(agent), **look[agent])
        axes.set_xticks(range(len(spans)), [f"{first}-{last}" for first, last in spans])
        axes.set_xlabel("ply (discs on the board before the move)")
        axes.set_ylabel("clear-cut moves that\nkept the value, %, with 95 % interval")

    return Picture("kept", "Value kept, by ply", draw, (6.4, 3.2), [labels.of(agent) for agent in agents])


def grades(rows: Sequence[Graded], labels: Labels) -> Picture:
    """Draw the share of clear-cut positions that each agent answered well, by its depth."""
    agents = list(dict.fromkeys(row.agent for row in rows))

    def draw(axes: Axes) -> None:
        look = looks(agents)
        depths = sorted({row.depth for row in rows if row.depth is not None})
        for agent in agents:
            graded = [row for row in rows if row.agent == agent and row.clear_good is not None]
            shares = [row.clear_good for row in graded if row.clear_good is not None]
            if graded and graded[0].depth is None:  # an agent without a depth is a horizontal line
                axes.axhline(100 * shares[0].value, label=labels.of(agent), **(look[agent] | {"marker": ""}))
            else:
                whiskers(axes, [row.depth or 0 for row in graded], shares, 100, label=labels.of(agent), **look[agent])
        if depths:
            axes.set_xticks(depths)
        axes.autoscale(axis="y")
        axes.set_xlabel("depth, plies")
        axes.set_ylabel("clear-cut positions\nanswered well, %, with 95 % interval")

    return Picture("grades", "Grade by depth", draw, (6.4, 3.2), [labels.of(agent) for agent in agents])
