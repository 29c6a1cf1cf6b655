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
    one, other = (_keyed(frames, names, starts) for frames in runs)
    both = one.merge(other, on="key", suffixes=("_old", "_new"))
    pair, opening = np.divmod(both.pop("key").to_numpy(), len(starts))
    first, second = np.divmod(pair, len(names))
    return names, both.assign(first=first, second=second, opening=opening)


def _keyed(frames: Frames, names: Sequence[str], starts: Sequence[str]) -> pd.DataFrame:
    """Return the games of a run, each once: a number for who meets whom from where, points and id."""
    place = {name: number for number, name in enumerate(names)}
    start = {moves: number for number, moves in enumerate(starts)}
    number = dict(zip(frames.openings["opening"], frames.openings["moves"].map(start), strict=True))
    games = frames.games
    first, second, opening = (
        games[name].map(known).to_numpy(dtype=np.int64)
        for name, known in (("first", place), ("second", place), ("opening", number))
    )
    key = (first * len(names) + second) * len(starts) + opening
    return pd.DataFrame({"key": key, "points": games["points"], "id": games["game"]}).drop_duplicates("key")


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
