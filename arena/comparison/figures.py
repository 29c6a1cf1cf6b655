"""Figures of a comparison of heuristics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arena.table.labels import harmless
from arena.table.picture import FAINT, Picture, beside, looks, whiskers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from arena.comparison.ratings import HeuristicStrength


def comparison(rows: Sequence[HeuristicStrength]) -> list[Picture]:
    """Return the figure of heuristics compared."""
    return [levels(rows)]


def levels(rows: Sequence[HeuristicStrength]) -> Picture:
    """Draw each heuristic's rating with its interval at each level; every level is a separate pool."""
    at = list(dict.fromkeys(row.at for row in rows))
    heuristics = list(dict.fromkeys(row.heuristic for row in rows))

    def draw(axes: Axes) -> None:
        look = looks(heuristics)
        for place, heuristic in enumerate(heuristics):
            shift = beside(place, len(heuristics), len(at))
            ratings = {row.at: row.elo for row in rows if row.heuristic == heuristic and row.elo is not None}
            places = [at.index(level) + shift for level in ratings]
            whiskers(axes, places, list(ratings.values()), label=harmless(heuristic), **look[heuristic])
        axes.axhline(0, color=FAINT, linewidth=1)
        axes.set_xticks(range(len(at)), at)
        axes.set_xlim(-0.5, len(at) - 0.5)
        axes.set_ylabel("Elo within the level, with 95 % interval")

    return Picture("ratings", "Heuristics compared", draw, (6.4, 3.2), [*map(harmless, heuristics)])
