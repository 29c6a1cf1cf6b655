"""Every two agents that met: games as pairs over shared openings, Elo, cost, and the path of a sequential test."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd

from arena.records import Interval
from arena.statistics import sprt
from arena.statistics.intervals import MARGIN, survivors
from arena.statistics.pairing import Basis, Pairing, pairing
from arena.statistics.sprt import Sprt
from arena.table import rows
from arena.table.cells import LOS, PROBABLY, agent_label, dashed, ends, fixed, percent, signed, superiority, yes
from arena.table.rows import INTERVAL, Column, cell, several, table_row
from arena.tournament import effort
from arena.tournament.frames import Frames


@table_row
class Meeting:
    """What the games of two agents tell, from the view of the first; numbers that no pair of games gives are None."""

    counts: tuple[int, int, int, int, int] = cell(
        "[pairs] Both lost, one lost and one drawn, even, one won and one drawn, both won.",
        "LL-LD-even-WD-WW", dashed, least=4,
    )  # fmt: skip
    pairs: int = cell("[pairs] Openings played with both colours.", "pairs", least=2)
    games: int = cell("[games]", "games", least=2)
    distinct: int = cell("[games] Those with different moves.", "distinct", least=3)
    score: float | None = cell("[share] Points a game, in the pairs.", "score", percent)
    elo: Interval | None = cell(
        "[Elo] Difference in rating; None where every point went one way.",
        "Elo", fixed(0), note="by how much the first is stronger",
        ends=Column("95 %", INTERVAL, ends(signed), note=PROBABLY.format("Elo")),
        prefix="", by="by the method in `basis`; None where it is open",
    )  # fmt: skip
    elo_error: float | None = cell(
        "[Elo] Half the 95 % interval of the normal approximation, which other tools print, whatever `basis` is."
    )
    nelo: float | None = cell(
        "[normalized Elo] The score's distance from one half in standard deviations of a game.",
        "nElo", fixed(0), least=5, note="the same in standard deviations of a game",
    )  # fmt: skip
    nelo_error: float | None = cell("[normalized Elo] Half its 95 % interval.")
    los: float | None = cell("[percent] Likelihood of superiority, by the normal approximation.")
    los_score: float | None = cell(
        "[percent] Likelihood of superiority, by the score test: 97.5 where `low` is 0.",
        "sure %", superiority, beside="basis", note=LOS.format("the first"),
    )  # fmt: skip
    level: bool | None = cell("Whether the two are shown to be within the margin of each other.")
    more: int | None = cell(
        "[pairs] About how many a new run, counted by itself, needs to tell a difference of the margin from none with "
        "a power of 80 %; None where a difference or its absence is already shown."
    )
    survives: bool | None = cell(
        "Whether the difference stays significant among all pairings of the table, by Holm's test; None "
        "without a pair.",
        "Holm", yes, several, least=1, note="whether a difference still shows among so many pairings",
    )  # fmt: skip
    basis: str | None = cell("What the interval rests on.", "basis", least=6)
    nodes_ratio: float | None = cell(
        "[ratio] Nodes a move divided by the other's; None where either reports none.",
        "nodes ×", fixed(2), least=1, note="the first's over the second's",
    )  # fmt: skip
    time_ratio: Interval | None = cell(
        "[ratio] Time a move divided by the other's, in the same positions if the run searched some by turns.",
        "time ×", fixed(2),
        ends=Column("95 %", INTERVAL, ends(fixed(2)), least=1),
    )  # fmt: skip

    @property
    def statistics(self) -> Pairing | None:
        """The same as the statistics of a pairing; None without a pair of games."""
        if self.basis is None:
            return None
        shared: dict[str, Any] = {field.name: rows.value(self, field.name) for field in fields(Pairing)}
        return Pairing(**shared | {"count": self.pairs, "unit": "pairs", "basis": Basis(self.basis)})


@table_row
class Sides:
    """The two agents."""

    agent: str = cell("Its name in the run.", "agent", agent_label)
    against: str = cell("The other's name.", "against", agent_label)


@table_row
class Duel(Meeting, Sides):
    """One pairing, from the view of `agent`."""


ESTIMATES = ("score", "elo_error", "nelo", "nelo_error", "los", "los_score", "level", "more")
"""What a row has of the statistics."""


def pairs(frames: Frames, one: str, two: str) -> pd.Series[float]:
    """Return the points of `one`, 0 to 2, on every opening that it played with both colours against `two`."""
    games = frames.results
    if not {one, two} <= set(games.agents):
        return pd.Series(dtype=float)
    side, other = games.agents.index(one), games.agents.index(two)
    both = (games.games[:, side, other] > 0.0) & (games.games[:, other, side] > 0.0)
    points = games.points[both, side, other] + 1.0 - games.points[both, other, side]
    return pd.Series(points.astype(float), np.array(games.openings, dtype=np.int64)[both]).sort_index()


def counts(points: pd.Series[float]) -> tuple[int, int, int, int, int]:
    """Return the numbers of pairs with 0, ½, 1, 1½ and 2 points."""
    tally = points.mul(2).round().astype(int).value_counts()
    return tuple(int(tally.get(category, 0)) for category in range(5))  # type: ignore[return-value]


def duel(frames: Frames, one: str, two: str, margin: float = MARGIN) -> Duel:
    """Return the pairing of agents `one` and `two`, as `one` sees it; within `margin` Elo they count as equivalent."""
    met = frames.only((one, two))
    apart = met.games.loc[met.games["first"] != met.games["second"], "game"]
    numbers = counts(pairs(met, one, two))
    moves = met.moves[met.moves["game"].isin(apart)]
    nodes = met.reported(moves).groupby(moves["agent"]).mean()
    sums = met.pairings[met.pairings["one"] != met.pairings["two"]].sum()
    estimates = pairing(numbers, met.population, margin) if sum(numbers) else None
    return Duel(
        agent=one,
        against=two,
        counts=numbers,
        pairs=sum(numbers),
        games=int(sums["games"]),
        distinct=int(sums["distinct"]),
        elo=None if estimates is None else estimates.interval,
        **{name: getattr(estimates, name, None) for name in ESTIMATES},
        survives=None if estimates is None else estimates.clear,
        basis=None if estimates is None else str(estimates.basis),
        nodes_ratio=float(nodes[one] / nodes[two]) if nodes.get(one, 0) > 0 and nodes.get(two, 0) > 0 else None,
        time_ratio=effort.ratio(met, one, two),
    )


def duels(frames: Frames, margin: float = MARGIN) -> list[Duel]:
    """Return every pairing that met, in the order of the agents."""
    met = set(map(frozenset, frames.pairings[["one", "two"]].itertuples(index=False, name=None)))
    names = itertools.combinations(frames.agents["name"], 2)
    return held([duel(frames, one, two, margin) for one, two in names if frozenset((one, two)) in met])


def held(duels: Sequence[Duel]) -> list[Duel]:
    """Return the pairings with the result of Holm's test in `survives`; exact results need no test."""
    tested = {
        place: met.los_score
        for place, met in enumerate(duels)
        if met.los_score is not None and met.basis != Basis.EXACT
    }
    kept = dict(zip(tested, survivors(list(tested.values())), strict=True))
    return [replace(met, survives=kept.get(place, met.survives)) for place, met in enumerate(duels)]


def tally(duels: Sequence[Meeting]) -> str:
    """Return how many of several pairings show a difference and how many of these survive; nothing of one."""
    clear = [met for met in duels if met.statistics is not None and met.statistics.clear]
    survive = sum(met.survives is True for met in clear)
    if len(duels) < 2:
        return ""
    counting = (
        f"; allowing for chance among so many, {survive} of them count{'s' * (survive == 1)} (Holm's test)"
        if clear
        else ""
    )
    return f"{len(clear)} of {len(duels)} pairings show{'s' * (len(clear) == 1)} a difference{counting}"


@table_row
class Look:
    """The state of the sequential test after so many pairs of games."""

    pairs: int = cell("[pairs] Openings that both agents had played with both colours.")
    llr: float = cell("Natural logarithm of the likelihood under H1 over that under H0.")
    lower: float = cell("At or below it H0 is accepted.")
    upper: float = cell("At or above it H1 is accepted.")
    decision: str = cell("`H0`, `H1` or `continue`.")


def sprt_estimate(frames: Frames) -> Interval | None:
    """Return the Elo of the first agent over the second, corrected for the stop of the test; None without a stop."""
    looks = evidence(frames)
    if not looks or looks[-1].decision == "continue":
        return None
    met = duel(frames, *frames.agents["name"][:2])
    return sprt.sprt_estimate(Sprt.parse(frames.plan["sprt"]), met.counts) if met.pairs == looks[-1].pairs else None


def evidence(frames: Frames) -> list[Look]:
    """Return a row for each look, the last one last; none of a run without a test."""
    return rows.from_frame(Look, frames.evidence)
