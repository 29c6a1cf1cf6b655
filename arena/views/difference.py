"""Two runs side by side: whether an agent gained, and whether it still visits the same nodes."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from agents.errors import InputError
from arena.statistics.elo import Z95
from arena.views.frames import Frames
from arena.views.tables import count, fixed, percent, render, significant

METRICS = ("score", "nodes", "ms", "same_nodes")


def rows(old: Frames, new: Frames) -> list[dict[str, Any]]:
    """Return a row for each agent of both runs, from the games that both have.

    agent; games (of the same opponent, opening and colour in both runs); score_old, score_new, score (the difference)
    with its 95 % error, by openings; nodes_old and nodes_new (a move in those games), nodes (their ratio); ms likewise;
    positions (that the agent met in both runs), same_nodes (the share of them at which it visited exactly as many
    nodes), same_moves. Raises InputError where the runs share no games.
    """
    both = _sides(old).join(_sides(new), how="inner", lsuffix="_old", rsuffix="_new")
    if both.empty:
        raise InputError("the two runs share no game: no agent met the same opponent from the same opening in both")
    met = _decisions(old).join(_decisions(new), how="inner", lsuffix="_old", rsuffix="_new")
    table = []
    for agent, games in both.groupby(level="agent", sort=True):
        difference = games["points_new"] - games["points_old"]
        by_opening = difference.groupby(level="opening").mean()
        spread = float(by_opening.std(ddof=1)) if len(by_opening) > 1 else math.nan
        error = Z95 * spread / math.sqrt(len(by_opening)) if len(by_opening) > 1 else None
        row = {
            "agent": agent,
            "games": len(games),
            "score_old": float(games["points_old"].mean()),
            "score_new": float(games["points_new"].mean()),
            "score": float(difference.mean()),
            "error": error,
        }
        for name, column, scale in (("nodes", "nodes", 1.0), ("ms", "seconds", 1000.0)):
            before = _mean(old, agent, games["game_old"], column)
            after = _mean(new, agent, games["game_new"], column)
            row |= {f"{name}_old": before * scale, f"{name}_new": after * scale}
            row[name] = after / before if before else None
        seen = met[met.index.get_level_values("agent") == agent]
        same = seen["nodes_old"] == seen["nodes_new"]
        row["positions"] = len(seen)
        row["same_nodes"] = float(same.mean()) if len(seen) else None
        row["same_moves"] = float((seen["column_old"] == seen["column_new"]).mean()) if len(seen) else None
        table.append(row)
    return table


def text(table: list[dict[str, Any]], style: str) -> str:
    """Return the comparison as text."""
    frame = pd.DataFrame(table)
    if style == "csv":
        return render(frame, style)
    shown = pd.DataFrame({"agent": frame["agent"], "games": frame["games"]})
    shown["score"] = [f"{row['score_old']:.1%} → {row['score_new']:.1%}" for row in table]
    shown["gain"] = [_gain(row) for row in table]
    shown["nodes/move"] = [f"{count(row['nodes_old'])} → {count(row['nodes_new'])}" for row in table]
    shown["nodes ×"] = frame["nodes"]
    shown["same nodes"] = frame["same_nodes"]
    shown["same moves"] = frame["same_moves"]
    shown["time ×"] = frame["ms"]
    formats = {"nodes ×": significant(4), "time ×": fixed(2), "same nodes": percent, "same moves": percent}
    return render(shown.astype(object), style, formats)


def fails(table: list[dict[str, Any]], condition: str) -> list[str]:
    """Return a line for each agent for which a condition holds, such as "score<-0.02" or "nodes>1.05".

    Metrics: score (new minus old, 0 to 1), nodes and ms (new over old), same_nodes (a share). Raises InputError.
    """
    for sign in ("<", ">"):
        metric, found, bound = condition.partition(sign)
        if found:
            break
    metric = metric.strip().replace("-", "_")
    try:
        limit = float(bound)
    except ValueError:
        limit = math.nan
    if metric not in METRICS or math.isnan(limit):
        raise InputError(f"--fail-if {condition!r} is not METRIC<NUMBER or METRIC>NUMBER with {', '.join(METRICS)}")
    lines = []
    for row in table:
        value = row[metric]
        if value is not None and (value < limit if sign == "<" else value > limit):
            lines.append(f"{row['agent']}: {metric} is {value:.4g}, which is {sign} {limit:g}")
    return lines


def _sides(frames: Frames) -> pd.DataFrame:
    """Return each game from both sides: (agent, opponent, colour, opening's moves) -> points, game."""
    games = frames.games.merge(frames.openings.rename(columns={"moves": "from"}), on="opening")
    parts = []
    for agent, opponent, colour in (("first", "second", 0), ("second", "first", 1)):
        part = games[[agent, opponent, "from", "points", "game"]]
        part = part.set_axis(["agent", "opponent", "opening", "points", "game"], axis=1)
        part = part.assign(colour=colour)
        part["points"] = part["points"] if colour == 0 else 1.0 - part["points"]
        parts.append(part)
    sides = pd.concat(parts).drop_duplicates(["agent", "opponent", "colour", "opening"])
    return sides.set_index(["agent", "opponent", "colour", "opening"])


def _mean(frames: Frames, agent: object, games: pd.Series[int], column: str) -> float:
    """Return an agent's mean nodes or seconds a move in these games."""
    moves = frames.moves
    return float(moves.loc[(moves["agent"] == agent) & moves["game"].isin(games), column].mean())


def _decisions(frames: Frames) -> pd.DataFrame:
    """Return each agent's decision in each position that it met: (agent, moves so far) -> nodes, column."""
    strings = dict(zip(frames.games["game"], frames.games["moves"], strict=True))
    places = zip(frames.moves["game"], frames.moves["ply"], strict=True)
    moves = frames.moves.assign(position=[_before(strings[game], ply) for game, ply in places])
    return moves.drop_duplicates(["agent", "position"]).set_index(["agent", "position"])[["nodes", "column"]]


def _before(moves: str, ply: int) -> str:
    words = moves.split(",") if "," in moves else list(moves)
    return ",".join(words[:ply])


def _gain(row: dict[str, Any]) -> str:
    return f"{row['score']:+.1%}" + ("" if row["error"] is None else f" ± {row['error']:.1%}")
