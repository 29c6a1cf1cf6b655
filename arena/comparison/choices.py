"""Why one heuristic is better: in which positions two of them choose differently, and which one gives more away."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from arena.tournament.frames import Frames


@dataclass(frozen=True, slots=True)
class Choices:
    """What two heuristics chose in the same positions, over all levels."""

    positions: int
    different: int
    """Positions in which they chose different columns."""
    judged: int
    """Those of them for which the solver says which choice keeps the value of the position."""
    lost: tuple[int, int]
    """How often the first, and the second, gave a win or a draw away where the other one kept it."""
    example: tuple[int, int] | None
    """Game and ply of such a position, of the heuristic that gave more away."""


def compare_choices(frames: Frames, levels: Mapping[str, Mapping[str, str]], one: str, two: str) -> Choices | None:
    """Return what two heuristics chose in the same positions; None where nobody asked them.

    levels: the heuristic of each agent, by level.
    """
    both = [_both(frames, {heuristic: agent for agent, heuristic in names.items()}, one, two)
            for names in levels.values()]  # fmt: skip
    rows = pd.concat(both) if both else pd.DataFrame()
    if rows.empty:
        return None
    different = rows[rows["column_one"] != rows["column_two"]]
    judged = different.dropna(subset=["lost_one", "lost_two"])
    first, second = judged[judged["lost_one"] > judged["lost_two"]], judged[judged["lost_two"] > judged["lost_one"]]
    worse = first if len(first) > len(second) else second
    example = None if worse.empty else (int(worse["game"].iloc[0]), int(worse["ply"].iloc[0]))
    return Choices(len(rows), len(different), len(judged), (len(first), len(second)), example)


def _both(frames: Frames, agents: Mapping[str, str], one: str, two: str) -> pd.DataFrame:
    """Return the positions of a level in which both heuristics chose, with the choices of each."""
    choices = frames.table("choices")
    first, second = (choices[choices["agent"] == agents.get(name)] for name in (one, two))
    return first.merge(second, on=["game", "ply"], suffixes=("_one", "_two"))


def why(choices: Choices | None, one: str, two: str, path: str) -> str:
    """Return the same in a sentence, with the command that shows an example; empty where nobody asked them.

    path: the file of the run.
    """
    if choices is None:
        return ""
    if not choices.different:
        return f"why: both chose the same move in all {choices.positions:,} positions that they were asked about"
    line = f"why: they chose differently in {choices.different:,} of {choices.positions:,} positions"
    if not any(choices.lost):
        return f"{line}, and neither gave a win or a draw away there" if choices.judged else line
    times = [f"{name} {count:,} time{'s' * (count != 1)}" for name, count in zip((one, two), choices.lost, strict=True)]
    line += f"; where one of them gave a win or a draw away, it was {times[0]} and {times[1]}"
    game, ply = choices.example or (0, 0)
    return f"{line}; look at: arena replay {shlex.quote(path)} {game} --ply {ply}"
