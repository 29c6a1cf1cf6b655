"""Strength by the value of one parameter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import pandas as pd

from agents.specs.components import HEURISTICS, ORDERINGS
from arena.records import Interval
from arena.table.cells import agent_label, count, ends, number, rating, signed, step, without_parameter
from arena.table.rows import INTERVAL, Column, cell, known, table_row
from arena.tournament.pool import Ends
from arena.tournament.standings import Standing


@table_row
class Swept:
    """One agent of a family that differs only in one numeric parameter."""

    agent: str = cell(
        "The family: the name without the parameter, or with … in place of a weight.", "agent", agent_label
    )
    depth: int | None = cell("[plies] The value where the parameter is the depth, else None.")
    elo: Interval = cell(
        "[Elo] Rating relative to the mean of the pool.",
        "Elo", rating, beside="marked", ends=Column("95 %", INTERVAL, ends(signed)), prefix="",
    )  # fmt: skip
    marked: bool = cell("Whether only a prior keeps the rating finite.")
    nodes_per_move: float | None = cell("[nodes] Mean of all its moves.", "nodes/move", count)
    parameter: str = cell("What differs: a key of the spec, or a weight such as `windows(three)`.")
    value: float = cell("[of the parameter] Its value.", "value", number)
    step: Interval | None = cell(
        "[Elo] Rating minus that of the value before; None for the first, and where one of the two is marked.",
        "step", step, known, of=INTERVAL, by="which allows for what the two ratings share",
        note="Elo from the value before, with half of its 95 % interval",
    )  # fmt: skip


_CALL = re.compile(r"([^()]+)\(([^()]*)\)")


def sweep(standings: Sequence[Standing], agents: pd.DataFrame, ends: Ends) -> list[Swept]:
    """Return the agents of one pool that differ in one parameter alone, family by family.

    agents: those of `Frames`, more than the pool's too. ends: as `arena.tournament.pool.gap_ends` returns it.
    """
    parameters = dict(zip(agents["name"], agents["parameters"], strict=True))
    families: dict[tuple[bool, str, str], list[tuple[float, Standing]]] = {}
    for standing in standings:
        if standing.elo is not None and "#" not in standing.agent:
            for family, parameter, value in _parameters(standing.agent, parameters[standing.agent]):
                families.setdefault((parameter != "depth", parameter, family), []).append((value, standing))
    rows: list[Swept] = []
    for (_, parameter, family), members in sorted(families.items()):
        if len({value for value, _ in members}) > 1:
            rows += _swept(family, parameter, sorted(members, key=lambda member: member[0]), ends)
    return rows


def _parameters(name: str, parameters: Mapping[str, object]) -> Iterator[tuple[str, str, float]]:
    """Yield each number in an agent's spec: the spec without it, the name of the parameter, and its value."""
    for key, value in parameters.items():
        if isinstance(value, int | float) and not isinstance(value, bool) and key != "seed":
            yield without_parameter(name, key), key, value
        elif isinstance(value, str) and value in name and (call := _CALL.fullmatch(value)):
            part, weights = call[1], call[2].split(",")
            component = {**HEURISTICS, **ORDERINGS}.get(part)
            for place, weight in enumerate(weights):
                title, _, number = weight.rpartition("=")
                named = component.weights if component is not None and component.weights else ()
                called = title or (named[place] if place < len(named) else f"weight {place + 1}")
                masked = [*weights[:place], f"{title}=…" if title else "…", *weights[place + 1 :]]
                with suppress(ValueError):
                    yield name.replace(value, f"{part}({','.join(masked)})"), f"{part}({called})", float(number)


def _swept(family: str, parameter: str, members: Sequence[tuple[float, Standing]], ends: Ends) -> list[Swept]:
    rows = []
    for (_, before), (value, standing) in zip([(0.0, None), *members], members):  # noqa: B905  the first has none before
        step = None
        assert standing.elo is not None
        if before is not None and before.elo is not None and not (before.marked or standing.marked):
            step = Interval(standing.elo.value - before.elo.value, *ends(standing.agent, before.agent))
        depth = int(value) if parameter == "depth" else None
        rows.append(
            Swept(family, depth, standing.elo, standing.marked, standing.nodes_per_move, parameter, value, step)
        )
    return rows
