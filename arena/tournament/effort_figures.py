"""Figures of the cost of searches: states by depth, and nodes a second."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from arena.records import Interval
from arena.table.cells import duration, rate, without_depth
from arena.table.labels import Labels
from arena.table.picture import COLOURS, FAINT, Picture, logarithmic, looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Searched = Any
"""A row with the cost of a depth for an `agent`: of `arena.tournament.effort`, of a depth table, or of a DataFrame."""


def states(rows: Sequence[Searched], columns: int, labels: Labels) -> Picture:
    """Draw the nodes of each depth on a logarithmic axis, and the fewest of alpha-beta. columns: of the board.

    Where nobody has two depths, the agents stand beside each other, each with a point.
    """
    if not have_curves(rows):
        return _points("states", "States", rows, "nodes", labels, "states (nodes) a search", _nodes)
    label = f"fewest with the best order, b = {columns}: b^⌈i/2⌉ + b^⌊i/2⌋ − 1 nodes at each ply i = 0 … d"

    def finish(axes: Axes, depths: Sequence[int]) -> None:
        least = [uniform_nodes(columns, depth) for depth in depths]
        axes.plot(depths, least, color=FAINT, linestyle=":", marker="_", label=label)
        axes.set_yscale("log")
        logarithmic(axes.yaxis, _nodes)
        axes.set_ylabel("states (nodes) a search")

    return _by_depth("states", "States by depth", rows, "nodes", labels, finish, legend=[label])


def times(rows: Sequence[Searched], labels: Labels) -> Picture:
    """Draw the time of a search of each depth on a logarithmic axis, as `states` does; only depth tables have it."""
    if not have_curves(rows, "seconds"):
        return _points("time", "Time", rows, "seconds", labels, "time of a search", _time)

    def finish(axes: Axes, _: Sequence[int]) -> None:
        axes.set_yscale("log")
        logarithmic(axes.yaxis, _time)
        axes.set_ylabel("time of a search")

    return _by_depth("time", "Time by depth", rows, "seconds", labels, finish)


def speed(rows: Sequence[Searched], labels: Labels) -> Picture:
    """Draw the nodes a second of each agent, by depth or, if nobody has two depths, as bars."""
    if not have_curves(rows, "nodes_per_second"):
        return _bars({agent: rates[0] / 1e6 for agent, (_, rates) in _lines(rows, "nodes_per_second").items()}, labels)

    def finish(axes: Axes, _: Sequence[int]) -> None:
        fastest = max((row.nodes_per_second or 0.0 for row in rows), default=0.0)
        axes.set_ylim(0, 1.08e-6 * (fastest or 1e6))
        axes.set_ylabel(SPEED)

    return _by_depth("speed", "Nodes a second", rows, "nodes_per_second", labels, finish, height=3.0, unit=1e6)


def have_curves(rows: Sequence[Searched], field: str = "nodes") -> bool:
    """Return whether an agent, or agents that differ in depth alone, have two depths where the field is known."""
    return any(len(depths) > 1 for depths, _ in _lines(rows, field).values())


def _nodes(nodes: float, _: float) -> str:
    return rate(nodes).replace(".0", "")


def _time(seconds: float, _: float) -> str:
    return duration(seconds).replace(".00", "").replace(".0", "")


def uniform_nodes(columns: int, depth: int) -> int:
    """Return the fewest nodes of alpha-beta in a uniform tree, where each node down to `depth` has so many moves.

    Source: Knuth, Moore, "An Analysis of Alpha-Beta Pruning", 1975, which counts the nodes of one ply.
    """
    return sum(columns ** (ply // 2) + columns ** (ply - ply // 2) - 1 for ply in range(depth + 1))


def _by_depth(
    name: str, title: str, rows: Sequence[Searched], field: str, labels: Labels,
    finish: Callable[[Axes, Sequence[int]], object], *, height: float = 3.3, unit: float = 1,
    legend: Sequence[str] = (),
) -> Picture:  # fmt: skip
    """Return a picture of a field of the rows by depth: a line for each agent, and the drawing of `finish`."""
    lines = _lines(rows, field)

    def draw(axes: Axes) -> None:
        look = looks(list(lines))
        for agent, (depths, values) in lines.items():
            axes.plot(depths, [value / unit for value in values], label=labels.of(agent), **look[agent])
        depths = sorted({row.depth for row in rows})
        axes.set_xticks(depths if len(depths) <= 20 else depths[::2])
        axes.set_xlabel("depth, plies")
        finish(axes, depths)

    return Picture(name, title, draw, (6.4, height), [*map(labels.of, lines), *legend])


def _points(
    name: str, title: str, rows: Sequence[Searched], field: str, labels: Labels, unit: str,
    written: Callable[[float, float], str],
) -> Picture:  # fmt: skip
    """Return a picture of a field of agents with one depth each: a point for each agent, on a logarithmic axis."""
    values = {agent: values[0] for agent, (_, values) in _lines(rows, field).items()}
    depths = {row.depth for row in rows}

    def draw(axes: Axes) -> None:
        axes.plot(list(values.values()), range(len(values)), color=COLOURS[0], linestyle="", marker="o")
        axes.set_xscale("log")
        logarithmic(axes.xaxis, written)
        _named(axes, values, labels)
        axes.set_xlabel(unit)

    title = f"{title} at depth {min(depths)}" if len(depths) == 1 else title
    return Picture(name, title, draw, _inches(values))


SPEED = "million nodes a second"


def _bars(rates: Mapping[str, float], labels: Labels) -> Picture:
    def draw(axes: Axes) -> None:
        axes.barh(range(len(rates)), list(rates.values()), height=0.6, color=COLOURS[0])
        _named(axes, rates, labels)
        axes.set_xlabel(SPEED)

    return Picture("speed", "Nodes a second", draw, _inches(rates))


def _named(axes: Axes, agents: Collection[str], labels: Labels) -> None:
    """Name the agents down the y-axis, which has its first one on top."""
    axes.set_yticks(range(len(agents)), [labels.of(agent) for agent in agents])
    axes.set_ylim(max(len(agents), 1) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")


def _inches(agents: Collection[str]) -> tuple[float, float]:
    """Return the size of a figure with a line for each agent."""
    return 6.4, 0.9 + 0.28 * max(len(agents), 2)


def _lines(rows: Sequence[Searched], field: str) -> Mapping[str, tuple[list[int], list[float]]]:
    """Return the depths and the values of each line where they are known, of several positions the mean.

    A line is an agent, or those that differ in depth alone and have one depth each.
    """
    depths: dict[str, set[int]] = {}
    for row in rows:
        depths.setdefault(row.agent, set()).add(row.depth)
    single = Counter(without_depth(agent) for agent, plies in depths.items() if len(plies) == 1)
    lines: dict[str, dict[int, list[float]]] = {}
    for row in sorted(rows, key=lambda row: row.depth):
        family = without_depth(row.agent)
        line = family if len(depths[row.agent]) == 1 and single[family] > 1 else row.agent
        if value := getattr(row, field, None):  # a reduced table may lack it
            value = value.value if isinstance(value, Interval) else value
            lines.setdefault(line, {}).setdefault(row.depth, []).append(value)
    return {line: (list(values), [fmean(numbers) for numbers in values.values()]) for line, values in lines.items()}
