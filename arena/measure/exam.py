"""An exam: agents one after the other in the same positions, each with its marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from agents.agent import Agent
from arena.measure.grade import Answer, Candidate, Exercise, answers
from arena.measure.marks import Marks, marks
from arena.play.interrupt import stoppable


def examine(
    candidates: Sequence[Candidate],
    agents: Sequence[Agent],
    exercises: Sequence[Exercise],
    seed: int,
    progress: Callable[[], object] = lambda: None,
) -> Iterator[Marks]:
    """Yield each candidate's marks, held against the first one's at the same depth; `agents` are what they build.

    `progress` is called after each move. Raises InputError for an agent that fails.
    """
    references: dict[int | None, list[Answer]] = {}
    for candidate, agent in zip(candidates, agents, strict=True):
        with stoppable([agent]):
            given = answers(candidate, agent, exercises, seed, progress)
        yield marks(candidate, exercises, given, references.get(candidate.depth))
        if candidate.name == candidates[0].name:
            references[candidate.depth] = given
