"""Regret beside ratings: what an agent's average move throws away, and how well that predicts strength."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from arena.analysis.audit import shrink_of, whole
from arena.analysis.frames import Frames
from arena.analysis.pool import Anchor
from arena.analysis.standings import standings
from arena.cells import agent_label, count, elo_interval, fixed, rating
from arena.records import Interval
from arena.rows import Column, cell, known, table_row
from arena.statistics.means import mean_interval
from arena.statistics.trend import rank_correlation

PHASES = 3
"""Thirds of the board's cells: beginning, middle and end."""


@table_row
class Regret:
    """An agent's rating and the value that its moves lost."""

    pool: int = cell("Number from 1; ratings of different pools cannot be compared.")
    agent: str = cell("Its name in the run.", "agent", agent_label)
    elo: Interval | None = cell(
        "[Elo] Rating, as in the standings.", "Elo", rating, known, of="elo marked",
        ends=Column("95 %", "elo low high", elo_interval, known), low_high="low high", by="None where it is open",
    )  # fmt: skip
    marked: bool = cell("Whether only a prior keeps the rating finite.")
    moves: int = cell("[moves] Audited ones, of games that are audited to their end.", "moves", count, least=2)
    regret: Interval | None = cell(
        "[points] Lost per move on average; a win is worth one, a draw a half, and perfect play loses nothing.",
        "regret", fixed(4), note="points that a move throws away on average",
        ends=Column("95 %", "", lambda low, high: f"{low:.4f} … {high:.4f}", known, least=3), by="by openings",
    )  # fmt: skip
    beginning: float | None = cell(
        "[points] The same of moves in the first third of the board's cells.", "beginning", fixed(4)
    )
    middle: float | None = cell("[points] In the second third.", "middle", fixed(4))
    end: float | None = cell("[points] In the last third.", "end", fixed(4))


def regrets(frames: Frames, anchor: Anchor | None = None) -> list[Regret]:
    """Return a row for each audited agent, in the order of the standings; nothing where the run is not audited."""
    if frames.audit.empty:
        return []
    moves, rules = whole(frames), frames.plan["rules"]
    lost = moves.assign(
        lost=(moves["value"] - moves["after"]) / 2, phase=moves["ply"] * PHASES // (rules["columns"] * rules["rows"])
    )
    rows = []
    for each in standings(frames, anchor):
        own = lost[lost["agent"] == each.agent]
        if len(own):
            by_phase = own.groupby("phase")["lost"].mean()
            phases = [float(by_phase[place]) if place in by_phase else None for place in range(PHASES)]
            mean = mean_interval(own["lost"].to_numpy(), own["opening"].to_numpy(), shrink=shrink_of(frames, own))
            rows.append(Regret(each.pool, each.agent, each.elo, each.marked, len(own), mean, *phases))
    return rows


def predictions(rows: Sequence[Regret]) -> dict[int, Interval]:
    """Return the rank correlation of ratings with less regret for each pool of at least three rated agents."""
    found = {}
    for pool, own in itertools.groupby(rows, lambda row: row.pool):
        both = [(row.elo.value, -row.regret.value) for row in own if row.elo is not None and row.regret is not None]
        correlation = rank_correlation(*zip(*both, strict=True)) if len(both) > 2 else None
        if correlation is not None:
            found[pool] = correlation
    return found
