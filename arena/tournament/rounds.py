"""Formats that depend on results: rounds and places; and the openings of a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.board import Outcome, Rules, split_moves
from arena.games.formats import FORMATS, FixedFormat, of_name, replay
from arena.records import DOUBLED, Job
from arena.table.cells import agent_label, fixed, percent
from arena.table.rows import cell, table_row
from arena.tournament.frames import Frames


@table_row
class Met:
    """A match in a format that pairs agents by results."""

    round: int = cell("From 1.", "round")
    one: str = cell("An agent.", "agent", agent_label)
    two: str = cell("Its opponent.", "against", agent_label)
    pairs: int = cell("[pairs] Openings that were played with both colours.", "pairs", least=1)
    points_one: float = cell("[points] Of agent one.", "points", fixed(1))
    points_two: float = cell("[points] Of its opponent.", "points", fixed(1))


@dataclass(frozen=True, slots=True)
class Rounds:
    """All matches, and the final places."""

    matches: tuple[Met, ...] = ()
    places: tuple[str, ...] = ()
    """The agents, best first; nothing before the end and where a format leaves that to ratings."""


def rounds(frames: Frames) -> Rounds:
    """Return the matches in the order in which they were played; nothing where all pairings were known beforehand."""
    plan, names = frames.plan, [str(name) for name in frames.agents["name"]]
    name = str(plan.get("format", ""))
    if name.partition(":")[0] not in FORMATS or plan.get("pairs"):
        return Rounds()  # those in files are skipped: tables import no file of a user's
    how = of_name(name, len(names), int(plan.get("rounds", 1)), int(plan.get("seed", 0)), include_self=False)
    if isinstance(how, FixedFormat):
        return Rounds()
    results = _results(frames, names)
    batches, places = replay(how, results)
    scores: dict[tuple[int, int, int], list[int]] = {}
    for job in (job for batch in batches for job in batch if job in results):
        ends = (job.round, max(job.first, job.second), min(job.first, job.second))
        score = scores.setdefault(ends, [0, 0])
        points = DOUBLED[results[job]]
        score[int(job.first != ends[1])] += points
        score[int(job.first == ends[1])] += 2 - points
    rows = (
        Met(number, names[one], names[two], (won + lost) // 4, won / 2, lost / 2)
        for (number, one, two), (won, lost) in scores.items()
    )
    return Rounds(tuple(rows), tuple(names[place] for place in places))


def _results(frames: Frames, names: list[str]) -> dict[Job, Outcome]:
    """Return how the stored games ended."""
    results, outcomes = frames.results, {points: outcome for outcome, points in DOUBLED.items()}
    places, openings = [names.index(agent) for agent in results.agents], np.array(results.openings, dtype=np.int64) - 1
    return {
        Job(places[one], places[two], int(openings[opening])): outcomes[int(2 * results.points[opening, one, two])]
        for opening, one, two in np.argwhere(results.games).tolist()
    }


WORTH = {1: "first player wins", 0: "draw", -1: "second player wins"}


@table_row
class Opening:
    """One opening."""

    opening: str = cell("Its moves, columns from 1.", "opening")
    worth: int | None = cell(
        "With perfect play, for the first player: 1 a win, 0 a draw, -1 a loss; None where that is not known.",
        "with perfect play",
        lambda worth: WORTH[worth],
    )
    games: int = cell("[games]", "games")
    first_wins: int = cell("[games]", "first wins")
    draws: int = cell("[games]", "draws")
    second_wins: int = cell("[games]", "second wins")
    score: float | None = cell(
        "[share] The first player's points a game; None without games.", "first player's score", percent
    )


def openings(frames: Frames) -> list[Opening]:
    """Return a row for each opening, in the order in which they are played."""
    played, rules, rows = frames.results, Rules(**frames.plan["rules"]), []
    place = {opening: number for number, opening in enumerate(played.openings)}
    for number, moves, value in frames.openings[["opening", "moves", "value"]].itertuples(index=False, name=None):
        index = place.get(str(number), slice(0))
        points = played.points[index][played.games[index] > 0.0].astype(float)
        mover = 1 if len(split_moves(moves, rules)) % 2 == 0 else -1
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
