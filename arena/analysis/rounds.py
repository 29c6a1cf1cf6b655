"""How a Swiss tournament, a knockout or a ladder went: its matches, round by round, and the places in the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.analysis.frames import Frames
from arena.play.course import Course, Listed, Outcomes, Stage, course
from arena.play.schedule import FORMATS
from arena.play.sprt import DOUBLED
from arena.store.schema import RESULTS


@dataclass(frozen=True, slots=True)
class Met:
    """A match of a tournament whose pairings depend on results."""

    round: int
    """From 1; of a ladder the number of the newcomer."""
    one: str
    """An agent; of a ladder the newcomer."""
    two: str
    """Its opponent."""
    pairs: int
    """[pairs] Openings that were played with both colours."""
    points_one: float
    """[points] Of agent one."""
    points_two: float
    """[points] Of its opponent."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """All matches, and who came where."""

    matches: tuple[Met, ...] = ()
    places: tuple[str, ...] = ()
    """The agents, best first; nothing before the end and where a format leaves that to ratings."""


def rounds(frames: Frames) -> Rounds:
    """Return the matches in the order in which they were played; nothing where all pairings were known beforehand."""
    plan, names = frames.plan, [str(name) for name in frames.agents["name"]]
    name = str(plan.get("format", ""))
    if name.partition(":")[0] not in FORMATS or plan.get("pairs"):
        return Rounds()  # those in files are left alone: tables import nothing of a user's
    how = course(name, len(names), int(plan.get("rounds", 1)), int(plan.get("seed", 0)), include_self=False)
    if isinstance(how, Listed):
        return Rounds()
    outcomes = {
        key: outcome for outcome, result in RESULTS.items()
        for key in frames.games["key"][frames.games["result"] == result]
    }  # fmt: skip
    found: dict[tuple[int, int, int], list[int]] = {}
    places: list[int] = []
    for stage in _played(how, outcomes, places):
        for job in stage.jobs:
            if job.key in outcomes:
                ends = (stage.round, max(job.first, job.second), min(job.first, job.second))
                made = found.setdefault(ends, [0, 0])
                points = DOUBLED[outcomes[job.key]]
                made[int(job.first != ends[1])] += points
                made[int(job.first == ends[1])] += 2 - points
    rows = (
        Met(number, names[one], names[two], (own + other) // 4, own / 2, other / 2)
        for (number, one, two), (own, other) in found.items()
    )
    return Rounds(tuple(rows), tuple(names[place] for place in places))


def _played(how: Course, outcomes: Outcomes, places: list[int]) -> Iterator[Stage]:
    """Yield the stages up to the first that is not played to its end; then no `places` are added."""
    stages = how.stages(outcomes)
    while True:
        try:
            stage = next(stages)
        except StopIteration as end:
            places += end.value
            return
        yield stage
        if any(job.key not in outcomes for job in stage.jobs):
            return
