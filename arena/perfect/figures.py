"""Figures of an audit and of grades: kept values by ply, and good moves by depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.perfect import kept as audit
from arena.table.labels import Labels, of_rows
from arena.table.picture import Picture, beside, looks, whiskers
from arena.table.rows import rows_of
from arena.tournament.figures import in_order

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arena.perfect.kept import RangeAudit
    from arena.tournament.frames import Frames

Graded = Any
"""A row of `arena.perfect.grading.Grade`, or of a DataFrame of grades."""


def audit_pictures(frames: Frames, order: Sequence[str] = ()) -> list[Picture]:
    """Return the figures of a run's audit; none if nothing is audited. order: the order of the agents' colours."""
    ranges = in_order(audit.ranges(frames), order)
    return [kept(ranges, Labels.among(map(str, frames.agents["name"])))] if ranges else []


def of_frame(table: pd.DataFrame) -> list[Picture]:
    """Return the figures of a DataFrame of grades."""
    from arena.perfect.grading import Grade

    return grades(rows_of(table, Grade))


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


def grades(rows: Sequence[Graded]) -> list[Picture]:
    """Return the figure of grades: the share of clear-cut positions that each agent answered well, by its depth."""
    agents, labels = list(dict.fromkeys(row.agent for row in rows)), of_rows(rows)

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

    return [Picture("grades", "Grade by depth", draw, (6.4, 3.2), [labels.of(agent) for agent in agents])]
