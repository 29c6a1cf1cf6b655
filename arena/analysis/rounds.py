"""Formats that depend on results: rounds, places and the order of neighbours; and the openings of a run."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from agents.board import Outcome, Rules, split_moves
from arena.analysis.frames import Frames
from arena.cells import agent_label, fixed, percent
from arena.play.formats import FORMATS, FixedFormat, of_name, replay
from arena.play.formats_by_results import AdaptiveSampling
from arena.records import DOUBLED, Job
from arena.rows import cell, table_row
from arena.statistics import sampling as statistics
from arena.store.schema import RESULTS

if TYPE_CHECKING:
    from arena.statistics.arrays import Floats


@table_row
class Met:
    """A match in a format that pairs agents by results."""

    round: int = cell("From 1; in a ladder the number of the newcomer.", "round")
    one: str = cell("An agent; in a ladder the newcomer.", "agent", agent_label)
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
    found: dict[tuple[int, int, int], list[int]] = {}
    for job in (job for batch in batches for job in batch if job in results):
        ends = (job.round, max(job.first, job.second), min(job.first, job.second))
        made = found.setdefault(ends, [0, 0])
        points = DOUBLED[results[job]]
        made[int(job.first != ends[1])] += points
        made[int(job.first == ends[1])] += 2 - points
    rows = (
        Met(number, names[one], names[two], (own + other) // 4, own / 2, other / 2)
        for (number, one, two), (own, other) in found.items()
    )
    return Rounds(tuple(rows), tuple(names[place] for place in places))


def _results(frames: Frames, names: list[str]) -> dict[Job, Outcome]:
    """Return how the stored games ended."""
    places = {name: place for place, name in enumerate(names)}
    outcomes = {result: outcome for outcome, result in RESULTS.items()}
    games = frames.games[["first", "second", "opening", "result"]].itertuples(index=False, name=None)
    return {Job(places[one], places[two], int(opening) - 1): outcomes[result] for one, two, opening, result in games}


@table_row
class Neighbours:
    """Two neighbours in the order of a run that was played with `--order uncertain`."""

    place: int = cell("Of the one above, from 1.", "#")
    agent: str = cell("The one above.", "agent", agent_label)
    against: str = cell("The one below.", "above", agent_label)
    pairs: int = cell("[pairs] Openings that the two played with both colours.", "pairs", least=1)
    evidence: float = cell(
        "[nats] That the one above is better: a betting test on their own games, valid at any time.",
        "evidence", fixed(1), least=1,
    )  # fmt: skip
    needed: float = cell(
        "[nats] Evidence that shows it, corrected for all neighbours of the pool.", "needed", fixed(1), least=2
    )
    shown: bool = cell(
        "Whether the two are shown to be in this order.", "order", lambda shown: "shown" if shown else "open"
    )


def neighbours(frames: Frames) -> list[Neighbours]:
    """Return a row for every two neighbours, from the top; nothing of runs of another order."""
    names = [str(name) for name in frames.agents["name"]]
    if frames.plan.get("order") != "uncertain" or not frames.played().openings:
        return []
    counts = _counts(frames, names)
    ranked = statistics.order(statistics.strengths(counts)[0])
    level = AdaptiveSampling(len(names), int(frames.plan["rounds"])).level
    evidence = statistics.shown(counts, ranked)
    pairs = counts.sum(axis=-1)[ranked[:-1], ranked[1:]]
    return [
        Neighbours(place + 1, names[above], names[below], int(pairs[place]), found, level, found >= level)
        for place, (above, below, found) in enumerate(zip(ranked[:-1], ranked[1:], evidence.tolist(), strict=True))
    ]


def _counts(frames: Frames, names: list[str]) -> Floats:
    """Return pairs of games as `arena.statistics.sampling` has them, of openings played with both colours."""
    played, counts = frames.played(), np.zeros((len(names), len(names), 5))
    for one, two in itertools.permutations(range(len(played.agents)), 2):
        both = (played.games[:, one, two] > 0.0) & (played.games[:, two, one] > 0.0)
        made = 1.0 + played.points[both, one, two] - played.points[both, two, one]
        own, other = (names.index(played.agents[place]) for place in (one, two))
        counts[own, other] = np.bincount((2.0 * made).astype(np.int64), minlength=5)
    return counts


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
    played, rules, rows = frames.played(), Rules(**frames.plan["rules"]), []
    place = {opening: number for number, opening in enumerate(played.openings)}
    for number, moves, value in frames.openings[["opening", "moves", "value"]].itertuples(index=False, name=None):
        found = place.get(str(number), slice(0))
        points = played.points[found][played.games[found] > 0.0].astype(float)
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
