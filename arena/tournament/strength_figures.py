"""Figures of strength: ratings with intervals, the crosstable, strength against cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from arena.table.cells import rate
from arena.table.labels import Labels
from arena.table.picture import COLOURS, FAINT, INK, Picture, lengths, logarithmic, looks, open_ends

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from arena.tournament.pairings import Look
    from arena.tournament.standings import Crossing, Standing

Rated = Any
"""A row of an `agent` with its rating `elo`: of standings, of a pool, or of a DataFrame."""
ELO = "Elo, with 95 % interval"
SCALE = ("#fbe3cc", "#9fb9d0", "#004a75")
"""From lost to won, always darker, for grey prints."""


def pools_of(rows: Sequence[Rated]) -> list[list[Rated]]:
    """Return the rated rows of each pool. Pools do not share a zero, so each needs its own axis."""
    pools: dict[int, list[Rated]] = {}
    for row in rows:
        if row.elo is not None:
            pools.setdefault(getattr(row, "pool", 1), []).append(row)
    return list(pools.values())


def _panels(
    name: str, title: str, draw: Callable[[Axes, list[Rated]], None], pools: Sequence[list[Rated]],
    heights: Sequence[float], legend: Sequence[str] = (),
) -> Picture:  # fmt: skip
    """Return a picture with a panel for each pool."""

    def panel(number: int, pool: list[Rated], axes: Axes) -> None:
        draw(axes, pool)
        if len(pools) > 1:
            axes.set_title(f"pool {number} of {len(pools)}", loc="right", fontweight="normal", fontsize=9)

    first, *below = [partial(panel, number, pool) for number, pool in enumerate(pools or [[]], start=1)]
    return Picture(name, title, first, (6.4, sum(heights)), legend, below, heights)


def standings(rows: Sequence[Rated], labels: Labels) -> Picture:
    """Draw each agent's rating with its 95 % interval, the best on top, a panel for each pool."""
    pools = pools_of(rows)

    def draw(axes: Axes, rated: list[Rated]) -> None:
        for place, row in enumerate(rated):
            assert row.elo is not None
            axes.errorbar(row.elo.value, place, xerr=lengths([row.elo]), fmt="o", color=COLOURS[0], ecolor=INK)
            open_ends(axes, (row.elo.value, place), (16, 0), row.elo)
        axes.axvline(0, color=FAINT, linewidth=1)
        axes.set_yticks(range(len(rated)), [labels.of(row.agent) for row in rated])
        axes.set_ylim(len(rated) - 0.5, -0.5)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(ELO if len(pools) < 2 else f"{ELO}, within the pool")

    heights = [0.9 + 0.28 * max(len(pool), 2) for pool in pools or [[]]]
    return _panels("standings", "Standings", draw, pools, heights)


def crosstable(rows: Sequence[Crossing], order: Sequence[str], labels: Labels) -> Picture:
    """Draw the share of points that the row's agent made against the column's, in the order of the standings."""
    shares = {(row.agent, row.opponent): row.points / row.games for row in rows}

    def draw(axes: Axes) -> None:
        from matplotlib.colors import LinearSegmentedColormap

        scale = LinearSegmentedColormap.from_list("lost, even, won", SCALE, N=21)
        cells = [[shares.get((agent, other), float("nan")) for other in order] for agent in order]
        shown = axes.pcolormesh(cells, cmap=scale, vmin=0, vmax=1, edgecolor="face", linewidth=0.2)  # no raster image
        for line, agent in enumerate(order):
            for column, other in enumerate(order):
                share = shares.get((agent, other))
                if share is not None and len(order) <= 16:
                    colour = "#ffffff" if share > 0.64 else "#111111"
                    axes.text(
                        column + 0.5,
                        line + 0.5,
                        f"{share * 100:.0f}",
                        ha="center",
                        va="center",
                        fontsize=8,
                        color=colour,
                    )
        axes.set_ylim(len(order), 0)
        middles = [place + 0.5 for place in range(len(order))]
        axes.set_xticks(middles, [str(place) for place in range(1, len(order) + 1)])
        axes.set_yticks(middles, [f"{labels.of(name)}  {place}" for place, name in enumerate(order, 1)])
        axes.grid(visible=False)
        axes.set_xlabel("against")
        bar = axes.get_figure().colorbar(shown, ax=axes, format=lambda share, _: f"{share * 100:.0f}")  # type: ignore[union-attr]
        bar.set_label("points of the row's agent, %")

    return Picture("crosstable", "Crosstable", draw, (7.0, 1.1 + 0.3 * max(len(order), 3)))


def pareto(rows: Sequence[Standing]) -> list[Standing]:
    """Return the agents of a pool that no other beats in both cost and strength, the cheapest first."""
    front: list[Standing] = []
    for row in sorted(_priced(rows), key=lambda row: (row.nodes_per_move or 0, -_elo(row))):
        if not front or _elo(row) > _elo(front[-1]):
            front.append(row)
    return front


def _elo(row: Standing) -> float:
    return row.elo.value if row.elo else 0.0


def _priced(rows: Sequence[Standing]) -> list[Standing]:
    return [row for row in rows if row.elo is not None and row.nodes_per_move]


FRONT = "Pareto front: nobody is cheaper and stronger"


def cost(rows: Sequence[Standing], labels: Labels) -> Picture:
    """Draw strength against the mean nodes of a move, and the Pareto front.

    Each pool has a panel and a front of its own: agents that never met, not even through others, are not comparable.
    """
    pools = pools_of(_priced(rows))
    look = looks([row.agent for pool in pools for row in pool])
    costs = [row.nodes_per_move or 1 for row in _priced(rows)] or [1]
    cheapest, dearest = min(costs), max(costs)
    front_label = FRONT if len(pools) < 2 else f"{FRONT} within the pool"

    def draw(axes: Axes, priced: list[Standing]) -> None:
        front = pareto(priced)
        axes.set_xscale("log")
        if len(pools) > 1 or dearest < 4 * cheapest:  # the same for all panels, and room for several ticks
            room = max(1.5, 4 * cheapest / dearest)
            axes.set_xlim(cheapest / room, dearest * room)
        for row in priced:
            assert row.elo is not None
            style = {**look[row.agent], "linestyle": "none"}
            nodes = row.nodes_per_move or 0
            axes.errorbar([nodes], [row.elo.value], yerr=lengths([row.elo]), label=labels.of(row.agent), **style)
            open_ends(axes, (nodes, row.elo.value), (0, 16), row.elo)
        ends = [row.nodes_per_move or 0 for row in front], [_elo(row) for row in front]
        axes.step(*ends, where="post", color=INK, linewidth=1, zorder=0, label=front_label)
        axes.plot(*ends, linestyle="none", marker="o", markersize=11, markerfacecolor="none", markeredgecolor=INK)
        logarithmic(axes.xaxis, lambda nodes, _: rate(nodes).replace(".0", ""))
        axes.set_xlabel("nodes a move, mean")
        axes.set_ylabel(ELO)

    legend = [front_label, *(labels.of(agent) for agent in look)]
    heights = [3.2 if len(pools) < 2 else 2.6] * max(1, len(pools))
    return _panels("cost", "Strength against cost", draw, pools, heights, legend)


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
