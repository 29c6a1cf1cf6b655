"""Games that two runs share: opponents, opening and colours the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from arena.analysis.frames import Frames

_SIDES: Final = ("first", "second")


def shared(old: Frames, new: Frames) -> tuple[list[str], pd.DataFrame]:
    """Return the names of all agents and the games that both runs have.

    These have first and second, the places of names; opening, its place among all by text; points and id of each run.
    """
    runs = old, new
    names = sorted({name for frames in runs for name in frames.agents["name"]})
    starts = sorted({moves for frames in runs for moves in frames.openings["moves"]})
    (one, places), (other, others) = (np.unique(_keys(frames, names, starts), return_index=True) for frames in runs)
    common = np.isin(one, other, assume_unique=True, kind="sort")
    both = {}
    for run, frames, rows in (("old", old, places[common]), ("new", new, others[np.searchsorted(other, one[common])])):
        both[f"points_{run}"] = frames.games["points"].to_numpy()[rows]
        both[f"id_{run}"] = frames.games["game"].to_numpy()[rows]
    pair, both["opening"] = np.divmod(one[common], len(starts))
    both["first"], both["second"] = np.divmod(pair, len(names))
    return names, pd.DataFrame(both, copy=False)


def _keys(frames: Frames, names: Sequence[str], starts: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return a number for who meets whom from where, for each game of a run."""
    first, second = (pd.Categorical(frames.games[side], names).codes.astype(np.int64) for side in _SIDES)
    place = pd.Index(starts).get_indexer(frames.openings["moves"])
    known = pd.Index(frames.openings["opening"]).get_indexer(frames.games["opening"])
    return np.asarray((first * len(names) + second) * len(starts) + place[known])


def sides_of(games: pd.DataFrame, agent: int) -> npt.NDArray[np.int64]:
    """Return an agent's sides of games: their places for the first player's, and beyond their number the second's."""
    first, second = (np.flatnonzero(games[side] == agent) for side in ("first", "second"))
    return np.concatenate([first, len(games) + second])


def seen(games: pd.DataFrame, sides: npt.NDArray[np.int64]) -> pd.DataFrame:
    """Return games as they look from these sides: agent and opponent (places), first (bool), opening, points, id."""
    first, seen = sides < len(games), games.take(sides % len(games)).reset_index(drop=True)
    points = {name: np.where(first, seen[name], 1.0 - seen[name]) for name in ("points_old", "points_new")}
    agent, opponent = (np.where(first, seen[one], seen[other]) for one, other in (_SIDES, _SIDES[::-1]))
    return seen.drop(columns=["first", "second"]).assign(agent=agent, opponent=opponent, first=first, **points)
