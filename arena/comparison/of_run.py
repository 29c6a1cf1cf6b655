"""What shows, draws and finishes a run that compares heuristics, for commands and pages of all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.comparison.ratings import HeuristicDuel, HeuristicStrength, comparison
from arena.comparison.tables import compared, comparison_document
from arena.table.rows import frame

if TYPE_CHECKING:
    import pandas as pd
    from tqdm import tqdm

    from arena.games.run import Run
    from arena.table.parts import Part
    from arena.table.picture import Picture
    from arena.tournament.frames import Frames
    from arena.tournament.pool import Anchor

NAME = "Comparison"
SUBJECT = "heuristics compared"
TABLES = ("ratings", "pairings")
"""The tables that it prints in place of a tournament's."""
REPLACED = ("standings", "crosstable")
"""Figures of a tournament that say nothing here, where each level is a pool of its own."""


def parts(frames: Frames, anchor: Anchor | None = None, margin: float = 30.0) -> list[Part]:
    """Return the answer, the pairings and the ratings; nothing before two heuristics have met.

    margin: Elo within which heuristics count as equivalent.
    """
    return compared(frames, comparison(frames, anchor, margin))


def document(frames: Frames, anchor: Anchor | None = None) -> dict[str, Any]:
    """Return ratings, pairings and the answer as plain data. anchor: a heuristic and its Elo at every level."""
    return comparison_document(comparison(frames, anchor))


def pictures(frames: Frames) -> list[Picture]:
    """Return the figure of the ratings, none before two heuristics have met."""
    from arena.comparison.figures import levels

    ratings = comparison(frames).ratings
    return [levels(ratings)] if ratings else []


def ratings(frames: Frames) -> pd.DataFrame:
    """Return a row for each heuristic at each level."""
    return frame(comparison(frames).ratings, HeuristicStrength)


def pairings(frames: Frames) -> pd.DataFrame:
    """Return a row for each two heuristics at each level."""
    return frame(comparison(frames).pairings, HeuristicDuel)


def verdicts(frames: Frames) -> list[str]:
    """Return a sentence for each pairing."""
    return [pairing.verdict for pairing in comparison(frames).pairings]


def answer(frames: Frames) -> str:
    """Return a sentence that sums up all pairings."""
    return comparison(frames).answer


def finish(run: Run, shown: tqdm[Any]) -> None:
    """Search a sample of positions again, one search at a time, and ask each agent about the same positions."""
    from arena.comparison.asked import compare_choices
    from arena.comparison.timing import time_alone

    shown.set_description("searching by turns")
    time_alone(run)
    shown.set_description("asking all about the same positions")
    compare_choices(run)
