"""Figures of the cost of searches: states by depth, and nodes a second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Protocol

from arena.analysis.comparison import without_depth
from arena.analysis.effort import uniform_nodes
from arena.cells import duration, rate
from arena.report.figures.picture import COLOURS, FAINT, Picture, looks
from arena.report.labels import Labels
from arena.statistics.intervals import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Searched(Protocol):
    """A row that says what a depth costs."""

    @property
    def agent(self) -> str: ...  # noqa: D102  as in the rows of effort
    @property
    def depth(self) -> int: ...  # noqa: D102
    @property
    def nodes(self) -> float | None: ...  # noqa: D102
    @property
    def nodes_per_second(self) -> float | None: ...  # noqa: D102


def states(rows: Sequence[Searched], columns: int, labels: Labels) -> Picture:
    """Draw the nodes of each depth on a logarithmic axis, and the minimal tree of a board of so many columns."""
    lines = _lines(rows, "nodes")
    label = f"minimal tree, uniform, b = {columns}: b^⌈i/2⌉ + b^⌊i/2⌋ − 1 nodes at each ply i = 0 … d"

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import NullFormatter

        axes.set_yscale("log")
        look = looks(list(lines))
        for agent, (depths, nodes) in lines.items():
            axes.plot(depths, nodes, label=labels.of(agent), **look[agent])
        depths = sorted({row.depth for row in rows})
        least = [uniform_nodes(columns, depth) for depth in depths]
        axes.plot(depths, least, color=FAINT, linestyle=":", marker="_", label=label)
        axes.yaxis.set_major_formatter(lambda nodes, _: rate(nodes).replace(".0", ""))
        axes.yaxis.set_minor_formatter(NullFormatter())
        _by_depth(axes, depths)
        axes.set_ylabel("states (nodes) a search")

    return Picture("states", "States by depth", draw, (6.4, 3.3), [*map(labels.of, lines), label])


def times(rows: Sequence[Searched], labels: Labels) -> Picture:
    """Draw the time of a search of each depth on a logarithmic axis; it is in the rows of a depth table alone."""
    lines = _lines(rows, "seconds")

    def draw(axes: Axes) -> None:
        from matplotlib.ticker import NullFormatter

        axes.set_yscale("log")
        look = looks(list(lines))
        for agent, (depths, seconds) in lines.items():
            axes.plot(depths, seconds, label=labels.of(agent), **look[agent])
        axes.yaxis.set_major_formatter(lambda seconds, _: duration(seconds).replace(".00", "").replace(".0", ""))
        axes.yaxis.set_minor_formatter(NullFormatter())
        _by_depth(axes, sorted({row.depth for row in rows}))
        axes.set_ylabel("time of a search")

    return Picture("time", "Time by depth", draw, (6.4, 3.3), [*map(labels.of, lines)])


def speed(rows: Sequence[Searched], labels: Labels) -> Picture:
    """Draw how many nodes a second each agent visits: by depth or, where all have one and the same, as bars."""
    lines = _lines(rows, "nodes_per_second")
    if len({row.depth for row in rows}) == 1:
        return _bars({agent: rates[0] / 1e6 for agent, (_, rates) in lines.items()}, labels)

    def draw(axes: Axes) -> None:
        look = looks(list(lines))
        for agent, (depths, rates) in lines.items():
            axes.plot(depths, [each / 1e6 for each in rates], label=labels.of(agent), **look[agent])
        _by_depth(axes, sorted({row.depth for row in rows}))
        axes.set_ylim(0, 1.08e-6 * max((each for _, rates in lines.values() for each in rates), default=1e6))
        axes.set_ylabel(SPEED)

    return Picture("speed", "Nodes a second", draw, (6.4, 3.0), [*map(labels.of, lines)])


def over_minimal(rows: Sequence[Searched], labels: Labels) -> Picture:
    """Draw how many times the nodes of the minimal tree each agent visits, by depth."""
    lines = _lines(rows, "over_minimal")

    def draw(axes: Axes) -> None:
        axes.set_yscale("log")
        look = looks(list(lines))
        for agent, (depths, times) in lines.items():
            axes.plot(depths, times, label=labels.of(agent), **look[agent])
        axes.axhline(1, color=FAINT, linestyle=":")
        axes.yaxis.set_major_formatter("{x:g}")
        _by_depth(axes, sorted({row.depth for row in rows}))
        axes.set_ylabel("nodes over the minimal tree")

    return Picture("minimal", "Nodes over the minimal tree", draw, (6.4, 3.3), [*map(labels.of, lines)])


SPEED = "million nodes a second"


def _bars(rates: Mapping[str, float], labels: Labels) -> Picture:
    def draw(axes: Axes) -> None:
        axes.barh(range(len(rates)), list(rates.values()), height=0.6, color=COLOURS[0])
        axes.set_yticks(range(len(rates)), [labels.of(agent) for agent in rates])
        axes.set_ylim(len(rates) - 0.5, -0.5)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(SPEED)

    return Picture("speed", "Nodes a second", draw, (6.4, 0.9 + 0.28 * max(len(rates), 2)))


def _lines(rows: Sequence[Searched], field: str) -> Mapping[str, tuple[list[int], list[float]]]:
    """Return the depths and the values of each line where they are known, of several positions the mean.

    A line is an agent, or those that differ in depth alone and have one depth each.
    """
    depths: dict[str, set[int]] = {}
    for row in rows:
        depths.setdefault(row.agent, set()).add(row.depth)
    single = Counter(without_depth(agent) for agent, found in depths.items() if len(found) == 1)
    lines: dict[str, dict[int, list[float]]] = {}
    for row in sorted(rows, key=lambda row: row.depth):
        family = without_depth(row.agent)
        line = family if len(depths[row.agent]) == 1 and single[family] > 1 else row.agent
        if value := getattr(row, field, None):  # of a table that was cut down, some may lack
            value = value.value if isinstance(value, Interval) else value
            lines.setdefault(line, {}).setdefault(row.depth, []).append(value)
    return {line: (list(values), [fmean(each) for each in values.values()]) for line, values in lines.items()}


def _by_depth(axes: Axes, depths: Sequence[int]) -> None:
    axes.set_xticks(depths if len(depths) <= 20 else depths[::2])
    axes.set_xlabel("depth, plies")
