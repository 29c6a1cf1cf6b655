"""Figures of the quality of moves by ply and by depth, and the path of a sequential test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.report.figures.picture import COLOURS, FAINT, INK, Picture, beside, looks, whiskers
from arena.report.labels import Labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from arena.analysis.audit import RangeAudit
    from arena.analysis.pairings import Look


Graded = Any
"""A row of `arena.measure.grading.Grade`, or of a DataFrame of grades."""


def kept(rows: Sequence[RangeAudit], labels: Labels) -> Picture:
    """Draw how often each agent kept the value in clear-cut positions, by ranges of plies."""
    agents = list(dict.fromkeys(row.agent for row in rows))
    spans = sorted({(row.first, row.last) for row in rows})

    def draw(axes: Axes) -> None:
        look = looks(agents)
        for place, agent in enumerate(agents):
            shift = beside(place, len(agents), len(spans))
            known = [row for row in rows if row.agent == agent and row.clear_kept is not None]
            at = [spans.index((row.first, row.last)) + shift for row in known]
            shares = [row.clear_kept for row in known if row.clear_kept is not None]
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
            own = [row for row in rows if row.agent == agent and row.clear_good is not None]
            shares = [row.clear_good for row in own if row.clear_good is not None]
            if own and own[0].depth is None:  # an agent without a depth is a horizontal line
                axes.axhline(100 * shares[0].value, label=labels.of(agent), **(look[agent] | {"marker": ""}))
            else:
                whiskers(axes, [row.depth or 0 for row in own], shares, 100, label=labels.of(agent), **look[agent])
        if depths:
            axes.set_xticks(depths)
        axes.autoscale(axis="y")
        axes.set_xlabel("depth, plies")
        axes.set_ylabel("clear-cut positions\nanswered well, %, with 95 % interval")

    return Picture("grades", "Grade by depth", draw, (6.4, 3.2), [labels.of(agent) for agent in agents])


def path(rows: Sequence[Look], hypotheses: tuple[str, str]) -> Picture:
    """Draw the log-likelihood ratio by pairs, and the bounds at which H0 and H1 are accepted."""

    def draw(axes: Axes) -> None:
        axes.plot([row.pairs for row in rows], [row.llr for row in rows], color=COLOURS[0])
        axes.plot(rows[-1].pairs, rows[-1].llr, "o", color=COLOURS[0])
        names = (f"H0 accepted: {hypotheses[0]}", f"H1 accepted: {hypotheses[1]}")
        for bound, name, side in zip((rows[-1].lower, rows[-1].upper), names, ("top", "bottom"), strict=True):
            axes.axhline(bound, color=INK, linestyle="--", linewidth=1)
            axes.annotate(
                name, (0.01, bound), xycoords=("axes fraction", "data"), xytext=(0, -3 if side == "top" else 3),
                textcoords="offset points", va=side, fontsize=8,
            )  # fmt: skip
        axes.axhline(0, color=FAINT, linewidth=0.8)
        axes.margins(y=0.16)
        axes.set_xlabel("pairs of games")
        axes.set_ylabel("log-likelihood ratio")

    return Picture("sprt", "Sequential test", draw, (6.4, 3.2))
