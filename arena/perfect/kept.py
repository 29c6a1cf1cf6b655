"""The rows of an audit: how often each agent kept the value of its position, and what it threw away."""

from __future__ import annotations

from typing import Any

import pandas as pd

from arena.records import Interval
from arena.statistics.intervals import CLUSTERED, finite_population, proportion
from arena.statistics.pairing import Basis
from arena.table.cells import PROBABLY, agent_label, count, ends, fixed, of_hundred, percent
from arena.table.rows import MEASURED, Column, cell, frame, table_row
from arena.tournament.frames import Frames

BY_METHOD = PROBABLY.format("share")


@table_row
class Kept:
    """How often moves kept the value of their positions: a win stayed a win and a draw a draw."""

    moves: int = cell("[moves] Audited ones, of games that are audited to their end.", "moves", count, least=3)
    kept: Interval | None = cell(
        "[share] Moves that kept the value.",
        "kept", percent,
        ends=Column("95 %", MEASURED, ends(of_hundred), least=4, note=BY_METHOD), prefix="", by="for other openings",
    )  # fmt: skip
    chance: float | None = cell(
        "[share] What moves at random would keep in the same positions.",
        "by chance", percent, least=2, note="what random moves would keep",
    )  # fmt: skip
    clear_cut: int = cell(
        "[moves] Those at which some legal moves keep the value and others lose it.",
        "clear-cut", count, least=1, note="positions where some legal moves keep the value and others lose it",
    )  # fmt: skip
    clear_kept: Interval | None = cell(
        "[share] Clear-cut moves that kept the value.",
        "of these kept", percent, ends=Column("95 %", MEASURED, ends(of_hundred), note=BY_METHOD), prefix="clear_",
    )  # fmt: skip
    clear_chance: float | None = cell(
        "[share] What moves at random would keep in the clear-cut positions.", "by chance", percent
    )
    basis: str = cell("What the intervals rest on.")


@table_row
class Audited:
    """An agent and its audited games."""

    agent: str = cell("Its name in the run.", "agent", agent_label)
    games: int = cell("[games] Those that are audited to their end.", "games")


@table_row
class AgentAudit(Kept, Audited):
    """What an agent kept and what it threw away."""

    wins_thrown: int = cell("[moves] Moves that gave up a win.", "wins")
    draws_thrown: int = cell("[moves] Moves that turned a draw into a loss.", "draws")
    points_thrown: float = cell("[points] Given up per game by all its moves; a win is one, a draw half.")
    blunder_games: int = cell("[games] Those with a move that lost value.", "blundering games")
    first_blunder_mean: float | None = cell(
        "[plies] Ply of the first such move, the mean over these games.", "mean", fixed(1), least=2
    )
    first_blunder_median: float | None = cell("[plies] The median.", "first ply: median", fixed(1), least=2)
    won_games: int = cell("[games] Those in which it stood to win.", "won games", least=1)
    won_games_lost: int = cell("[games] Those of them that it lost.", "lost after all", least=1)


@table_row
class Range:
    """An agent and a range of plies."""

    agent: str = cell("Its name in the run.", "agent", agent_label)
    first: int = cell("[plies] The first ply of the range.")
    last: int = cell("[plies] The last ply of it.")


@table_row
class RangeAudit(Kept, Range):
    """What an agent kept in a range of plies."""


@table_row
class Coverage:
    """How much of a run is audited."""

    games: int = cell("[games] Those that are audited to their end.")
    moves: int = cell("[moves] Those of these games.")
    clear_cut: int = cell("[moves] Those at which a legal move loses value.")
    games_played: int = cell("[games] Those in which a move was made.")
    drawn: int = cell("[moves] Random ones of these games, left out: they stood in for a language model's replies.")


RANGE = 14
"""The plies in one range: a third of the standard board."""


def whole(frames: Frames) -> pd.DataFrame:
    """Return the audited moves of all games that are audited to their end, but those that no agent chose.

    Random moves in place of a language model's replies tell nothing of it. Adds to the columns of the audit: kept;
    clear_cut, whether some legal moves kept the value and others lost it; chance, the share of the legal moves that
    kept it; side, 0 for the first player; lost, whether that side lost.
    """
    moves, replies = frames.table("audit"), frames.table("replies")
    moves, drawn = moves[moves["game"].isin(_complete(frames))], replies[replies["drawn"].eq(True)]
    moves = moves[~(moves["game"] * 100 + moves["ply"]).isin(drawn["game"] * 100 + drawn["ply"])].copy()
    moves["kept"] = moves["after"] == moves["value"]
    moves["clear_cut"] = moves["keeping"] < moves["legal"]
    moves["chance"] = moves["keeping"] / moves["legal"]
    moves["side"] = moves["ply"] % 2
    points = moves["game"].map(frames.games.set_index("game")["points"])
    moves["lost"] = points == moves["side"]
    return moves


def _complete(frames: Frames) -> pd.Index[Any]:
    """Return the games that are audited to their end."""
    moves, audited = frames.moves.groupby("game").size(), frames.table("audit").groupby("game").size()
    return audited.index[audited == moves.reindex(audited.index)]


def agents(frames: Frames) -> list[AgentAudit]:
    """Return a row for each agent, best first by clear-cut moves kept."""
    if not frames.has("audit"):
        return []
    moves = whole(frames)
    rows = []
    for agent in map(str, frames.agents["name"]):
        decisions = moves[moves["agent"] == agent]
        if len(decisions):
            shrink = shrink_of(frames, decisions)
            games = int(decisions["game"].nunique())
            rows.append(AgentAudit(agent=agent, games=games, **_kept(decisions, shrink), **_thrown(decisions)))
    return sorted(rows, key=lambda row: (_or(row.clear_kept, -1.0), _or(row.kept, 0.0)), reverse=True)


def _or(share: Interval | None, instead: float) -> float:
    return instead if share is None else share.value


def ranges(frames: Frames) -> list[RangeAudit]:
    """Return a row for each agent and range of plies, in the order of `agents`."""
    moves = whole(frames)
    rows = []
    for row in agents(frames):
        decisions = moves[moves["agent"] == row.agent]
        shrink = shrink_of(frames, decisions)
        for first in range(0, int(moves["ply"].max()) + 1, RANGE):
            last = first + RANGE - 1
            rows.append(
                RangeAudit(row.agent, first, last, **_kept(decisions[decisions["ply"].between(first, last)], shrink))
            )
    return rows


def coverage(frames: Frames) -> Coverage:
    """Return how much of a run is audited."""
    moves, replies = whole(frames), frames.table("replies")
    return Coverage(
        games=int(moves["game"].nunique()),
        moves=len(moves),
        clear_cut=int(moves["clear_cut"].sum()),
        games_played=int(frames.moves["game"].nunique()),
        drawn=int(replies.loc[replies["game"].isin(_complete(frames)), "drawn"].sum()),
    )


def kept(frames: Frames) -> dict[str, float]:
    """Return the share of each agent's moves that kept the value; nothing of an agent that was not audited."""
    moves = whole(frames)
    return {str(agent): float(share) for agent, share in moves.groupby("agent")["kept"].mean().items()}


def shrink_of(frames: Frames, moves: pd.DataFrame) -> float:
    """Return the finite-population factor of the standard error of these moves; 0 where all openings were played."""
    if frames.population is None:
        return 1.0
    games = frames.games[frames.games["game"].isin(moves["game"])]
    return finite_population(int(games.groupby(["first", "second"])["opening"].nunique().min()), frames.population)


def _kept(moves: pd.DataFrame, shrink: float) -> dict[str, Any]:
    clear = moves[moves["clear_cut"]]
    return {
        "moves": len(moves),
        "kept": _proportion(moves, "kept", shrink),
        "chance": _mean(moves["chance"]),
        "clear_cut": len(clear),
        "clear_kept": _proportion(clear, "kept", shrink),
        "clear_chance": _mean(clear["chance"]),
        "basis": str(Basis.EXACT) if shrink == 0.0 else CLUSTERED,
    }


def _thrown(moves: pd.DataFrame) -> dict[str, Any]:
    blunders = moves[~moves["kept"]]
    seats = ["game", "side"]
    first = blunders.groupby(seats)["ply"].min()
    won = moves[moves["value"] == 1].groupby(seats)["lost"].any()
    return {
        "wins_thrown": int((blunders["value"] == 1).sum()),
        "draws_thrown": int((blunders["value"] == 0).sum()),
        "points_thrown": float((moves["value"] - moves["after"]).sum() / 2 / moves.groupby(seats).ngroups),
        "blunder_games": len(first),
        "first_blunder_mean": _mean(first),
        "first_blunder_median": float(first.median()) if len(first) else None,
        "won_games": len(won),
        "won_games_lost": int(won.sum()),
    }


def _proportion(moves: pd.DataFrame, column: str, shrink: float) -> Interval | None:
    """Return the share of moves for which the column holds, with an interval clustered by opening."""
    openings = moves.groupby("opening")[column]
    yes, counts = openings.sum(), openings.size()
    return proportion([int(number) for number in yes], [int(number) for number in counts], shrink)


def _mean(values: pd.Series[Any]) -> float | None:
    return float(values.mean()) if len(values) else None


def agents_frame(frames: Frames) -> pd.DataFrame:
    """Return `agents` as a table, without rows if nothing is audited."""
    rows = agents(frames)
    return frame(rows, type(rows[0]) if rows else AgentAudit)
