"""Two runs compared: their common games, the change of each agent's score, and the change of its nodes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from agents.errors import InputError, unknown
from arena.records import Interval
from arena.statistics.arrays import Floats
from arena.statistics.direct import special
from arena.statistics.intervals import finite_population, survivors
from arena.statistics.means import gain_interval, search_cost, time_ratio
from arena.store import queries
from arena.store.run_file import Store
from arena.table.cells import PROBABLY, agent_label, count, ends, fixed, gain, percent, significant
from arena.table.rows import MEASURED, Column, cell, table_row
from arena.tournament.frames import SAMPLE, Frames, table


@dataclass(frozen=True, slots=True, eq=False)
class CommonGames:
    """The games that both runs have; arrays of shape (openings, agents, agents), the first player's axis first."""

    agents: tuple[str, ...]
    """Agents of both runs, sorted by name."""
    openings: tuple[str, ...]
    """Moves of the openings of both runs, sorted."""
    met: npt.NDArray[np.bool_]
    """Whether both have the game."""
    points: tuple[Floats, Floats]
    """The first player's in the old and in the new run."""

    @classmethod
    def of(cls, old: Frames, new: Frames) -> CommonGames:
        """Return the common games of two runs."""
        runs = [(frames.results, _starts(frames)) for frames in (old, new)]
        agents = sorted(set(old.results.agents) & set(new.results.agents))
        openings = sorted(set(runs[0][1]) & set(runs[1][1]))
        cells = [
            np.ix_([starts[moves] for moves in openings], *[[played.agents.index(name) for name in agents]] * 2)
            for played, starts in runs
        ]
        met = np.logical_and(*(played.games[cell] > 0.0 for (played, _), cell in zip(runs, cells, strict=True)))
        one, other = (played.points[cell] for (played, _), cell in zip(runs, cells, strict=True))
        return cls(tuple(agents), tuple(openings), met, (one, other))

    def of_agent(self, agent: int) -> tuple[npt.NDArray[np.bool_], Floats, Floats]:
        """Return where an agent met others, once as the first player and once as the second, and its points."""
        met = np.concatenate([self.met[:, agent].T, self.met[:, :, agent].T])
        old, new = (
            np.concatenate([run[:, agent].T, 1.0 - run[:, :, agent].T])[met].astype(float) for run in self.points
        )
        return met, old, new

    def sides(self, places: npt.NDArray[np.int64]) -> pd.DataFrame:
        """Return sides of games: first, second and agent (names), opening (its moves).

        places: numbers of sides. With n games, 0 to n - 1 are the first players' sides, ordered by first player, second
            player and opening; n to 2n - 1 are the second players' in the same order.
        """
        often = self.met.sum(axis=0).ravel()
        ends, number = np.cumsum(often), int(often.sum())
        pairs = np.searchsorted(ends, places % number, side="right")
        within, opening = places % number - (ends - often)[pairs], np.empty(len(places), dtype=np.int64)
        for pair in np.unique(pairs):
            rows = pairs == pair
            opening[rows] = np.flatnonzero(self.met.reshape(len(self.met), -1)[:, pair])[within[rows]]
        names, starts = (np.array(texts, dtype=object) for texts in (self.agents, self.openings))
        first, second = np.divmod(pairs, len(names))
        agent = np.where(places < number, first, second)
        columns = {"first": names[first], "second": names[second], "opening": starts[opening], "agent": names[agent]}
        return pd.DataFrame(columns | {"as_first": places < number})


def _starts(frames: Frames) -> dict[str, int]:
    """Return the places of the openings that were played, by their moves."""
    place = {opening: number for number, opening in enumerate(frames.results.openings)}
    rows = reversed(list(zip(frames.openings["opening"].map(str), frames.openings["moves"], strict=True)))
    return {moves: place[opening] for opening, moves in rows if opening in place}


def records(frames: Frames, games: pd.DataFrame) -> tuple[list[int], list[str], pd.DataFrame]:
    """Return numbers and moves of games, and a table of their decisions.

    games: first, second (names) and opening of games that were played.
    """
    with Store.read(frames.path) as store:
        ids = queries.agent_numbers(store)
        wanted = games[["first", "second", "opening"]].itertuples(index=False, name=None)
        keys = [(ids[first], ids[second], int(opening)) for first, second, opening in wanted]
        stored = queries.games_by_job(store, keys)
        numbers, texts = zip(*(stored[key] for key in keys), strict=True)
        return list(numbers), list(texts), table(queries.moves(store, queries.numbered(numbers)))


FALSE_ALARMS: Final = 0.05  # how often a condition may fail any of several agents that only chance moved beyond it
METRICS = ("score", "nodes", "ms", "same_nodes", "same_moves")


@table_row
class Change:
    """How an agent does in two runs, from the games that both have: opponent, opening and colour the same."""

    agent: str = cell("Its name in both runs.", "agent", agent_label)
    games: int = cell("[games] In both runs.", "games", least=2)
    openings: int = cell("[openings] Among these games.")
    score_old: float = cell(
        "[share] Points a game in the old run.",
        "score", lambda old, new: f"{percent(old)} → {percent(new)}", beside="score_new", least=5,
    )  # fmt: skip
    score_new: float = cell("[share] Points a game in the new run.")
    score: Interval = cell(
        "[share] The gain.",
        "gain", gain,
        ends=Column("95 %", MEASURED, ends(gain), note=PROBABLY.format("gain")),
        by="by openings",
    )  # fmt: skip
    same_games: int | None = cell(
        "[games] Common games with the same moves in both runs; None for large runs, of which only a sample is read."
    )
    positions: int = cell("[positions] Positions before the two games diverge in which it moved.", "positions", least=4)
    same_nodes: float | None = cell(
        "[share] Positions at which it visited as many nodes.", "same nodes", percent, least=3
    )
    same_moves: float | None = cell("[share] Positions at which it chose the same column.", "same moves", percent)
    nodes_old: float | None = cell(
        "[nodes] Mean of a move in these positions, in the old run.",
        "nodes", lambda old, new: f"{count(old)} → {count(new)}", beside="nodes_new", least=6,
    )  # fmt: skip
    nodes_new: float | None = cell("[nodes] The same in the new run.")
    nodes: float | None = cell("[ratio] New over old.", "nodes ×", significant(4))
    ms_old: float | None = cell(
        "[milliseconds] Mean of a move in these positions in the old run, pauses of the machine left out, by the "
        "referee's clock."
    )
    ms_new: float | None = cell("[milliseconds] The same in the new run.")
    ms: float | None = cell(
        "[ratio] New over old, position by position: the geometric mean of the middle nine tenths.",
        "time ×", fixed(2), note="new over old; two runs of one program differ too",
    )  # fmt: skip

    @property
    def identical(self) -> bool:
        """Whether all of its games are the same in both runs, move by move and in their results."""
        return self.same_games == self.games and self.score.low == self.score.high == 0.0

    @property
    def other_nodes(self) -> int:
        """The positions at which it visited other nodes."""
        return 0 if self.same_nodes is None else round(self.positions * (1 - self.same_nodes))


def changes(old: Frames, new: Frames, agents: Sequence[str] = ()) -> list[Change]:
    """Return a row for each agent of both runs, or for those named. Raises InputError where they share no game."""
    if old.plan.get("rules") != new.plan.get("rules"):
        raise InputError("the two runs were played on different boards")
    common = CommonGames.of(old, new)
    if not common.met.any():
        raise InputError("the two runs share no game: no agent met the same opponent from the same opening in both")
    played = np.asarray(common.met.any(axis=0))
    met = [common.agents[place] for place in np.flatnonzero(played.any(axis=0) | played.any(axis=1)).tolist()]
    for agent in agents:
        if agent not in met:
            raise unknown("agent in games of both runs", agent, met)
    number = int(common.met.sum())
    sample = np.array(Random(0).sample(range(number), SAMPLE) if number > SAMPLE else range(number))  # noqa: S311  a sample, not a secret
    held = common.sides(np.concatenate([sample, sample + number]))
    decided, texts = {}, []
    for run, frames in (("old", old), ("new", new)):
        numbers = dict(zip(frames.openings["moves"][::-1], frames.openings["opening"][::-1], strict=True))
        held[f"id_{run}"], moves, decided[run] = records(frames, held.assign(opening=held["opening"].map(numbers)))
        texts.append(moves)
    held["alike"] = [_alike(*pair) for pair in zip(*texts, strict=True)]
    held["same"] = [one == two for one, two in zip(*texts, strict=True)]
    same = held.groupby("agent")["same"].sum() if number <= SAMPLE else {}
    return [
        Change(
            agent,
            **_gain(
                common, common.agents.index(agent), _population(old, new), int(same[agent]) if agent in same else None
            ),
            **_cost(_decisions(decided, agent, held[held["agent"] == agent])),
        )
        for agent in met
        if not agents or agent in agents
    ]


def fails(rows: Sequence[Change], condition: str) -> list[str]:
    """Return a line for each agent for which a condition holds, such as "score<-0.02" or "nodes>1.05".

    score is the gain (new less old, from -1 to 1), nodes and ms are ratios (new over old), same_nodes and same_moves
    shares. The gain fails only where the whole of its interval lies beyond the limit; of several rows, those that
    Holm's test leaves. Others fail where the number itself lies beyond it. Raises InputError.
    """
    metric, sign, limit = _condition(condition)
    measured = [row for row in rows if getattr(row, metric) is not None]
    chances = [_chance(row, metric, sign, limit) for row in measured]
    kept = survivors([100.0 - 100.0 * min(chance, 0.5) for chance in chances], 2 * FALSE_ALARMS)  # of one side
    lines = []
    for row, chance, survives in zip(measured, chances, kept, strict=True):
        if survives and chance < 0.025:
            value, low, high = _ends(row, metric)
            whole = "" if low == high else f" [{low:.4g} to {high:.4g}]"
            lines.append(f"{row.agent}: {metric} is {value:.4g}{whole}, which is {sign} {limit:g}")
    return lines


def _ends(row: Change, metric: str) -> tuple[float, float, float]:
    """Return a number and the ends of its interval, the number itself where it has none."""
    value = getattr(row, metric)
    if not isinstance(value, Interval):
        return value, value, value
    assert value.low is not None
    assert value.high is not None
    return value.value, value.low, value.high


def _chance(row: Change, metric: str, sign: str, limit: float) -> float:
    """Return the p value: the chance of a number so far beyond the limit if the true one is at the limit.

    It is 0.025 where the interval ends at the limit, by Student's t, and 0 for a number without an interval.
    """
    value, *ends = _ends(row, metric)
    end = ends[sign == "<"]
    if not (value < limit if sign == "<" else value > limit):
        return 1.0
    if end == value:
        return 0.0  # a fact
    freedom = max(1, row.openings - 1)
    return float(special().stdtr(freedom, special().stdtrit(freedom, 0.025) * (value - limit) / (value - end)))


def _condition(text: str) -> tuple[str, str, float]:
    parts = re.fullmatch(r"\s*([a-z_-]+)\s*([<>])\s*(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+))\s*", text)
    if parts is None or parts[1].replace("-", "_") not in METRICS:
        raise InputError(f"condition {text!r} is not METRIC<NUMBER or METRIC>NUMBER with {', '.join(METRICS)}")
    return parts[1].replace("-", "_"), parts[2], float(parts[3])


def _population(old: Frames, new: Frames) -> tuple[int, ...] | None:
    """Return the number of openings that could be drawn; None where anything else is random in either run."""
    return old.population if old.population == new.population else None


def _gain(common: CommonGames, agent: int, population: tuple[int, ...] | None, same: int | None) -> dict[str, Any]:
    """Return an agent's scores in the common games of both runs, and the gain; the openings are the sample.

    Where all games are the `same`, the gain is exactly 0.
    """
    met, old, gains = common.of_agent(agent)
    scores = {"score_old": float(old.mean()), "score_new": float(gains.mean())}
    gains -= old
    del old  # of a million games this is where most is held at once
    often = met.sum(axis=1)
    shrink = 1.0 if population is None else finite_population(int(often[often > 0].min()), population)
    if same == len(gains) and not gains.any():
        shrink = 0.0
    gain = gain_interval(gains, met.nonzero()[1].astype(np.int32), shrink)
    assert gain is not None
    return {
        "games": len(gains),
        "openings": int(met.any(axis=0).sum()),
        "same_games": same,
        **scores,
        "score": gain,
    }


def _decisions(decided: Mapping[str, pd.DataFrame], agent: str, games: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions that an agent made in both runs before the two games diverge; `games` are its sides."""
    decisions = games[["opening", "as_first", "id_old", "id_new", "alike"]]
    for run, frame in decided.items():
        moves = frame.loc[frame["agent"] == agent, ["game", "ply", "column", "nodes", "seconds"]]
        names = {"game": f"id_{run}"} | {name: f"{name}_{run}" for name in ("column", "nodes", "seconds")}
        decisions = decisions.merge(moves.rename(columns=names))
    return decisions[(decisions["ply"] <= decisions["alike"]) & (decisions["as_first"] == (decisions["ply"] % 2 == 0))]


def _alike(*games: str) -> int:
    """Return the number of moves up to which two games are the same."""
    one, two = (text.split(",") if "," in text else list(text) for text in games)
    other = (ply for ply, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1])
    return next(other, min(len(one), len(two)))


def _cost(moves: pd.DataFrame) -> dict[str, Any]:
    """Return how many of the decisions are the same, and their costs in both runs."""
    costs: dict[str, Any] = {"positions": len(moves)}
    for name, column in (("same_nodes", "nodes"), ("same_moves", "column")):
        costs[name] = _mean(moves[f"{column}_old"] == moves[f"{column}_new"])
    before, after = _mean(moves["nodes_old"]), _mean(moves["nodes_new"])
    costs |= {
        "nodes_old": before,
        "nodes_new": after,
        "nodes": after / before if before and after else None,
    }
    for run in ("old", "new"):
        cost = search_cost(moves[f"nodes_{run}"].to_numpy(), moves[f"seconds_{run}"].to_numpy())
        costs[f"ms_{run}"] = None if cost is None else 1000 * cost.seconds.value
    costs["ms"] = getattr(time_ratio(moves["seconds_new"].tolist(), moves["seconds_old"].tolist()), "value", None)
    return costs


def _mean(values: pd.Series[Any]) -> float | None:
    return float(values.mean()) if len(values) else None
