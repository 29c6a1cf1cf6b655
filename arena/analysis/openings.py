"""The openings of a run: what each is worth with perfect play, and what the games made of it."""

from __future__ import annotations

from dataclasses import dataclass

from agents.board import split_moves
from arena.analysis.frames import Frames


@dataclass(frozen=True, slots=True)
class Opening:
    """One opening."""

    opening: str
    """Its moves, columns from 1."""
    worth: int | None
    """With perfect play, for the first player: 1 a win, 0 a draw, -1 a loss; None where that is not known."""
    games: int
    """[games]"""
    first_wins: int
    """[games]"""
    draws: int
    """[games]"""
    second_wins: int
    """[games]"""
    score: float | None
    """[share] The first player's points a game; None without games."""


def openings(frames: Frames) -> list[Opening]:
    """Return a row for each opening, in the order in which they are played."""
    played, rows = frames.played(), []
    place = {opening: number for number, opening in enumerate(played.openings)}
    for number, moves, value in frames.openings[["opening", "moves", "value"]].itertuples(index=False, name=None):
        found = place.get(str(number), slice(0))
        points = played.points[found][played.games[found] > 0.0].astype(float)
        mover = 1 if len(split_moves(moves)) % 2 == 0 else -1
        rows.append(
            Opening(
                opening=moves,
                worth=None if value is None or value != value else mover * ((value > 0) - (value < 0)),  # noqa: PLR0124  nan
                games=len(points),
                first_wins=int((points == 1.0).sum()),
                draws=int((points == 0.5).sum()),
                second_wins=int((points == 0.0).sum()),
                score=float(points.mean()) if len(points) else None,
            )
        )
    return rows
