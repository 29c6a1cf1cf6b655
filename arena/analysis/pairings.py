"""Every two agents that met: their games as pairs over shared openings, their Elo, and what they cost."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from arena.analysis.frames import Frames
from arena.report.labels import label
from arena.report.tables import fixed, note, percent, render
from arena.statistics.pairs import Pairing, pairing


@dataclass(frozen=True, slots=True)
class Duel:
    """One pairing, from the view of `one`."""

    one: str
    two: str
    counts: tuple[int, int, int, int, int]
    """Pairs: both lost, one lost and one drawn, even, one won and one drawn, both won."""
    games: int
    distinct: int
    """Different move strings."""
    statistics: Pairing | None
    """None where no opening was played with both colours."""
    nodes_ratio: float | None
    """Nodes a move of `one` over those of `two`."""
    time_ratio: float | None


def pairs(frames: Frames, one: str, two: str) -> pd.Series[float]:
    """Return the points of `one`, 0 to 2, on every opening that it played with both colours against `two`."""
    games = frames.games
    as_first = games[(games["first"] == one) & (games["second"] == two)].set_index("opening")["points"]
    as_second = 1.0 - games[(games["first"] == two) & (games["second"] == one)].set_index("opening")["points"]
    return as_first.add(as_second).dropna().sort_index()


def counts(points: pd.Series[float]) -> tuple[int, int, int, int, int]:
    """Return the numbers of pairs with 0, ½, 1, 1½ and 2 points."""
    tally = points.mul(2).round().astype(int).value_counts()
    return tuple(int(tally.get(category, 0)) for category in range(5))  # type: ignore[return-value]


def duel(frames: Frames, one: str, two: str) -> Duel:
    """Return the pairing of two agents of a run."""
    met = frames.only((one, two))
    games = met.games[met.games["first"] != met.games["second"]]
    numbers = counts(pairs(frames, one, two))
    population = frames.plan.get("population") if _deterministic(frames, one, two) else None
    moves = met.moves[met.moves["game"].isin(games["game"])]
    cost = moves.groupby("agent")[["nodes", "seconds"]].mean()
    return Duel(
        one,
        two,
        numbers,
        len(games),
        int(games["moves"].nunique()),
        pairing(numbers, population) if sum(numbers) else None,
        _ratio(cost, "nodes", one, two),
        _ratio(cost, "seconds", one, two),
    )


def duels(frames: Frames) -> list[Duel]:
    """Return every pairing that met, in the order of the agents."""
    met = {frozenset(pair) for pair in frames.games[["first", "second"]].itertuples(index=False, name=None)}
    names = itertools.combinations(frames.agents["name"], 2)
    return [duel(frames, one, two) for one, two in names if frozenset((one, two)) in met]


def row(met: Duel) -> dict[str, Any]:
    """Return a pairing as plain data: the fields of Duel and of its statistics, which are None without a pair."""
    return {
        "agent": met.one,
        "against": met.two,
        "counts": list(met.counts),
        "pairs": sum(met.counts),
        "games": met.games,
        "distinct": met.distinct,
        **{
            name: getattr(met.statistics, name, None)
            for name in (
                "score",
                "elo",
                "elo_error",
                "low",
                "high",
                "nelo",
                "nelo_error",
                "los",
                "los_score",
                "level",
                "more",
            )
        },
        "basis": None if met.statistics is None else str(met.statistics.basis),
        "nodes_ratio": met.nodes_ratio,
        "time_ratio": met.time_ratio,
    }


def shown(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Return rows of pairings with the headers and the intervals that a table shows."""
    names = {"los": "LOS %", "nodes_ratio": "nodes ×", "time_ratio": "time ×", "elo": "Elo", "nelo": "nElo"}
    frame = pd.DataFrame(rows).rename(columns=names).astype(object)
    frame["LL-LD-even-WD-WW"] = ["-".join(map(str, row["counts"])) for row in rows]
    frame["95 %"] = [interval(row) for row in rows]
    return frame


def interval(row: dict[str, Any]) -> str | None:
    """Return the 95 % interval of a pairing's Elo, an open end as an arrow."""
    if not row["pairs"]:
        return None
    ends = ["←" if row["low"] is None else f"{row['low']:+.0f}", "→" if row["high"] is None else f"{row['high']:+.0f}"]
    return f"{ends[0]} … {ends[1]}"


def text(rows: Sequence[dict[str, Any]], style: str) -> str:
    """Return pairings as a table."""
    if style == "csv":
        return render(pd.DataFrame(rows), style)
    labels = label(list(dict.fromkeys(row[side] for row in rows for side in ("agent", "against"))))
    frame = shown(rows)
    for side in ("agent", "against"):
        frame[side] = [labels.of(name) for name in frame[side]]
    columns = ["agent", "against", "LL-LD-even-WD-WW", "score", "Elo", "95 %", "nElo", "LOS %", "games", "distinct"]
    table = render(frame[[*columns, "basis"]], style, FORMATS)
    return f"{table}\n\n{note(f'all agents have {labels.shared}', style)}" if labels.shared else table


def _deterministic(frames: Frames, *names: str) -> bool:
    """Return whether these agents are known to play their games again alike."""
    agents = frames.agents[frames.agents["name"].isin(names)]
    return frames.plan.get("seconds") is None and bool(agents["deterministic"].all())


def _ratio(cost: pd.DataFrame, column: str, one: str, two: str) -> float | None:
    if one not in cost.index or two not in cost.index or not cost.loc[two, column]:
        return None
    return float(cost.loc[one, column] / cost.loc[two, column])


STATISTICS = (
    "score", "elo", "elo_error", "low", "high", "nelo", "nelo_error", "los", "los_score", "level", "more",
)  # fmt: skip
"""What a row tells of the statistics."""

FORMATS = {
    "score": percent, "Elo": fixed(0), "nElo": fixed(0), "LOS %": fixed(1), "nodes ×": fixed(2), "time ×": fixed(2),
}  # fmt: skip
"""How the columns of `shown` are written."""
