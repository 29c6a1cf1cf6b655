"""An exam: agents one after the other in the same positions, each with its marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agents.agent import Agent
from agents.board import Board
from arena.analysis.rows import without
from arena.measure.grade import Answer, Candidate, Exercise, answers, solve
from arena.measure.marks import Marks, Paper, marks, share_of
from arena.measure.reference import Ladder, perfect
from arena.measure.solving import Discs, Values
from arena.measure.stages import StageMarks, by_set
from arena.play.interrupt import stoppable

if TYPE_CHECKING:
    from arena.play.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Exam:
    """What is asked, and what is to be known beside the marks."""

    exercises: Sequence[Exercise]
    seed: int
    ladder: Ladder | None = None
    """Whom the answers are held against to say what depth plays like them."""
    mirror: bool = False
    """Whether each position is asked in the mirror, too."""

    @classmethod
    def of(
        cls,
        boards: Sequence[Board],
        known: dict[Discs, Values],
        seed: int,
        threads: int | Cluster,
        progress: Callable[[], object] = lambda: None,
        *,
        rungs: Sequence[int] | None = None,
        mirror: bool = False,
    ) -> Exam:
        """Solve the positions that are not known, and let a ladder of these rungs answer them. Raises InputError."""
        exercises = solve(boards, threads, progress=progress, known=known)
        ladder = Ladder.climb(rungs, exercises, seed, progress) if rungs else None
        return cls(exercises, seed, ladder, mirror)

    @property
    def paper(self) -> Paper:
        """What is asked, described."""
        return Paper.of(self.exercises, self.ladder.depths if self.ladder else ())

    def sit(
        self, candidates: Sequence[Candidate], agents: Sequence[Agent], progress: Callable[[], object] = lambda: None
    ) -> Iterator[tuple[Marks, list[StageMarks]]]:
        """Yield each candidate's marks, in all and by stage and difficulty; `agents` are what the candidates build.

        They are held against the first one's at the same depth. `progress` is called after each move. Raises InputError
        for an agent that fails.
        """
        references: dict[int | None, list[Answer]] = {}
        for candidate, agent in zip(candidates, agents, strict=True):
            with stoppable([agent]):
                given = answers(candidate, agent, self.exercises, self.seed, progress)
                mirrored = self._mirrored(candidate, agent, given, progress) if self.mirror else {}
            other = references.get(candidate.depth)
            like = self.ladder.marks(perfect(self.exercises, given)) if self.ladder else {}
            yield (
                replace(marks(candidate, self.exercises, given, other), **like, **mirrored),
                [self._staged(candidate, name, places, given, other) for name, places in by_set(self.exercises)],
            )
            if candidate.name == candidates[0].name:
                references[candidate.depth] = given

    def _staged(
        self,
        candidate: Candidate,
        name: tuple[str, str],
        places: Sequence[int],
        given: Sequence[Answer],
        other: Sequence[Answer] | None,
    ) -> StageMarks:
        """Return the marks in the exercises at these places alone."""
        asked = [self.exercises[place] for place in places]
        answered = [given[place] for place in places]
        reference = None if other is None else [other[place] for place in places]
        row = marks(candidate, asked, answered, reference)
        return StageMarks(**without(row), stage=name[0], difficulty=name[1])

    def _mirrored(
        self, candidate: Candidate, agent: Agent, given: Sequence[Answer], progress: Callable[[], object]
    ) -> dict[str, Any]:
        """Return the fields of `Marks` that say how often the answer in the mirror is the mirrored answer."""
        seen = [replace(each, board=each.board.mirror()) for each in self.exercises]
        turned = answers(candidate, agent, seen, self.seed, progress)
        return share_of(
            "mirrored",
            [
                one.column + other.column == image.board.rules.columns - 1
                for one, other, image, exercise in zip(given, turned, seen, self.exercises, strict=True)
                if image.board.key != exercise.board.key
            ],
        )
