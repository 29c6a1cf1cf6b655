"""The standings of a run, its crosstable, and its counts of games and openings."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agents.board import Rules, split_moves
from arena.records import Interval, Outcomes
from arena.statistics.means import search_cost
from arena.statistics.ratings import Rating
from arena.table import rows
from arena.table.cells import (
    LOS,
    PROBABLY,
    STAR,
    WITHIN,
    agent_label,
    count,
    ends,
    fixed,
    gap,
    milliseconds,
    percent,
    rating,
    signed,
    superiority,
)
from arena.table.rows import INTERVAL, Column, cell, known, table_row, varied
from arena.tournament import pool
from arena.tournament.frames import Frames


@table_row
class Strength:
    """What one agent of a pool reached, and at what cost."""

    elo: Interval | None = cell(
        "[Elo] Rating relative to an anchor or the mean of the pool's agents without a mark; None without opponents.",
        "Elo", rating, known, beside="marked", note=STAR,
        ends=Column("95 %", INTERVAL, ends(signed), known, note=PROBABLY.format("Elo")),
        prefix="", by="None where it is open",
    )  # fmt: skip
    marked: bool = cell("Whether only a prior keeps the rating finite.")
    basis: str | None = cell("What the interval rests on.")
    plays_as: str | None = cell("An agent above with exactly the same games; the two are rated as one.")
    gap: Interval | None = cell(
        "[Elo] How far the row above is ahead; None for the first row, and where the two are rated as one.",
        "behind", gap, known, of=INTERVAL, least=4, note="Elo below the row above", by="None where it is open",
    )  # fmt: skip
    gap_los: float | None = cell(
        "[percent] Likelihood that the row above is stronger, by the same test as the gap's interval.",
        "sure %", superiority, known, beside="basis", least=3, note=LOS.format("the row above"),
    )  # fmt: skip
    games_to_tell: int | None = cell(
        "[games] About how many a new match with the row above, rated by itself, needs to show the gap, or 30 Elo if "
        "it is smaller, with a power of 80 %; None where a difference is already shown."
    )
    may_be_best: bool = cell(
        "Whether it is in the set that holds the strongest agent of the pool with 95 % confidence."
    )
    points: float = cell("[points] A win is one, a draw a half.", "points", fixed(1), least=6)
    score: float | None = cell("[share] Points a game; None without games.", "score", percent)
    games: int = cell("[games] A game against itself counts from both sides.", "games", when=varied)
    outcomes: Outcomes = cell("[games]", "W-D-L", least=5, prefix="")
    first: Outcomes = cell("[games] as the first player.", "as first", least=7)
    second: Outcomes = cell("[games] as the second player.", "as second", least=7)
    nodes_per_move: float | None = cell(
        "[nodes] Mean of all its moves with a reported count; None without any.",
        "nodes", count, least=1, note="mean of a move",
    )  # fmt: skip
    ms_per_move: Interval | None = cell(
        "[milliseconds] Mean of the same moves, as in `effort`; the referee's clock where a search broke off.",
        "ms", milliseconds, of=INTERVAL, least=2, note=f"mean time of a move, {WITHIN}",
        prefix="ms_", by="by openings",
    )  # fmt: skip
    faults: int = cell("[games] Games lost by an illegal move, an exception or the clock.", "faults", when=any)


@table_row
class Place:
    """An agent and its pool."""

    pool: int = cell("Number from 1; agents of different pools never met, not even through others.")
    agent: str = cell("Its name in the run.", "agent", agent_label)


@table_row
class Standing(Strength, Place):
    """An agent's row of the standings."""


@functools.lru_cache(maxsize=1)  # a report asks for its tables and for its figures
def standings(frames: Frames, anchor: pool.Anchor | None = None) -> list[Standing]:
    """Return a row for each agent, pool by pool and best first.

    Raises InputError where the anchor is no agent of the run.
    """
    sides = frames.sides()
    ratings = pool.ratings_of(frames, anchor)
    order = list(ratings)
    pools = {agent: number for number, part in enumerate(pool.parts(frames), start=1) for agent in part}
    rows = []
    moves = frames.searched()
    moves = moves.assign(opening=frames.opening_of(moves))
    played, decided = dict(list(sides.groupby("agent"))), dict(list(moves.groupby("agent")))
    for agent in map(str, frames.agents["name"]):
        rating, rated = ratings.get(agent, (None, None))
        decisions = decided.get(agent, moves[:0])
        cost = search_cost(*(decisions[name].to_numpy() for name in ("nodes", "seconds", "opening")))
        rows.append(
            Standing(
                pool=pools[agent],
                agent=agent,
                **_rated(rating),
                basis=None if rated is None else rated.method,
                **_results(played.get(agent, sides[:0])),
                nodes_per_move=None if cost is None else cost.nodes,
                ms_per_move=None if cost is None else cost.seconds.scaled(1000),
            )
        )
    return sorted(rows, key=lambda row: (row.pool, *_rank(row, order)))


def _rated(rating: Rating | None) -> dict[str, Any]:
    """Return the fields of a row that come from an agent's rating; empty ones where it has none."""
    names = ("elo", "plays_as", "gap", "gap_los", "games_to_tell")
    flags = {name: bool(getattr(rating, name, False)) for name in ("marked", "may_be_best")}
    return {name: getattr(rating, name, None) for name in names} | flags


def _results(sides: pd.DataFrame) -> dict[str, Any]:
    """Return what an agent made of its games, from the sides that it played."""
    games, points, first, fault = (sides[name].to_numpy() for name in ("games", "points", "first", "fault"))
    number, total = int(games.sum()), float(points @ games)
    results: dict[str, Any] = {
        "points": total,
        "score": total / number if number else None,
        "games": number,
        "faults": int(games[fault].sum()),
    }
    for name, part in (("outcomes", first | ~first), ("first", first), ("second", ~first)):
        results[name] = Outcomes(*(int(games[part & (points == worth)].sum()) for worth in (1.0, 0.5, 0.0)))
    return results


def _rank(row: Standing, order: Sequence[str]) -> tuple[float, float]:
    """Return the sort key of a pool's rows: agents without a rating come last, and after them agents without games."""
    last = float("inf")
    return order.index(row.agent) if row.agent in order else last, last if row.score is None else -row.score


@table_row
class Crossing:
    """The games of an agent against an opponent."""

    agent: str = cell("Its name in the run.", "agent", agent_label)
    opponent: str = cell("The other's name; the agent's own where it met itself.")
    games: int = cell("[games]")
    points: float = cell("[points] The agent's: a win is one, a draw a half.")
    wins: int = cell("[games]")
    draws: int = cell("[games]")
    losses: int = cell("[games]")


def crosstable(frames: Frames) -> list[Crossing]:
    """Return a row for each agent and opponent that met."""
    sides = frames.sides()
    points, games = sides["points"], sides["games"]
    ends = {name: games.where(points == worth, 0) for name, worth in (("wins", 1.0), ("draws", 0.5), ("losses", 0.0))}
    table = sides.drop(columns=["first", "fault"]).assign(points=points * games, **ends)
    return rows.from_frame(Crossing, table.groupby(["agent", "opponent"]).sum().reset_index())


FEW = 0.9
"""A pairing with a smaller share of distinct games counts as repeating; a little repetition is chance."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """A pairing that plays the same games again."""

    one: str
    two: str
    distinct: int
    games: int


@dataclass(frozen=True, slots=True)
class GameCounts:
    """How many games a run has."""

    played: int
    distinct: int
    """Different move strings, counted within each pairing."""
    planned: int
    repeating: tuple[Repetition, ...]
    """The pairings that repeat themselves, the worst first."""


@dataclass(frozen=True, slots=True)
class Start:
    """What the games of a run start from."""

    set: str | None
    """As `--openings` names it."""
    drawn: int
    """How many openings were drawn."""
    population: int | None
    """From how many; None for runs that do not say."""
    first_wins: int | None = None
    """How many of those drawn the first player wins with perfect play; None where one's value is unknown."""
    draws: int | None = None
    second_wins: int | None = None


def counts(frames: Frames) -> GameCounts:
    """Count the games, and the distinct ones within pairings."""
    pairings = frames.pairings
    repeating = pairings[pairings["distinct"] < FEW * pairings["games"]]
    rows = [Repetition(row.one, row.two, row.distinct, row.games) for row in repeating.itertuples(index=False)]
    worst = tuple(sorted(rows, key=lambda row: row.distinct / row.games))
    return GameCounts(int(pairings["games"].sum()), int(pairings["distinct"].sum()), frames.planned, worst)


SHARED = 3
"""Openings from which two agents have to choose alike before that is said of them."""


def chose_alike(frames: Frames) -> set[frozenset[str]]:
    """Return the pairs of agents that made the same moves in all games with each other, in both colours."""
    games = frames.games[frames.games["first"] != frames.games["second"]]
    one, two = (games[["first", "second"]].agg(end, axis=1) for end in ("min", "max"))
    moves = games.groupby([one, two, games["opening"]])["moves"].agg(["size", "nunique"])
    same = ((moves["size"] > 1) & (moves["nunique"] == 1)).groupby(level=[0, 1]).agg(["size", "all"])
    return {frozenset(pair) for pair in same.index[same["all"] & (same["size"] >= SHARED)]}


def start(frames: Frames) -> Start:
    """Return what games start from."""
    plan, values = frames.plan, frames.openings["value"]
    drawn = plan.get("openings"), len(values), plan.get("population")
    if values.isna().any() or values.empty:
        return Start(*drawn)
    rules = Rules(**plan["rules"])
    plies = frames.openings["moves"].map(lambda moves: len(split_moves(moves, rules)))
    first = np.sign(values.where(plies % 2 == 0, -values))
    return Start(*drawn, *(int((first == value).sum()) for value in (1, 0, -1)))
