"""An exam: agents one after the other in the same positions, each with its marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from agents.agent import Agent
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.score import in_plies, plies_to_end
from arena.analysis.rows import without
from arena.measure.grade import (
    Answer,
    Candidate,
    Exercise,
    Ladder,
    answers,
    default_plies,
    drawn,
    perfect,
    sample,
    solve,
)
from arena.measure.label import label, read
from arena.measure.solve import Discs, Values
from arena.play.interrupt import stoppable
from arena.statistics.intervals import Counts, score_interval, share
from arena.statistics.means import typical_time

if TYPE_CHECKING:
    from arena.play.cluster import Cluster


# The marks of an agent: how often its answers were good, and what it gained on another's.


@dataclass(frozen=True, slots=True)
class Marks:
    """How good an agent's moves were in positions whose truth is known, and what they cost."""

    agent: str
    """Its spec, without the depth where that stands beside it."""
    depth: int | None
    """[plies] None where the agent decides."""
    positions: int
    """[positions]"""
    good: float
    """[share] Moves that kept the value: a win, a draw, or what is lost anyway."""
    good_low: float
    """[share] Lower end of its 95 % interval."""
    good_high: float
    """[share] Upper end of it."""
    perfect: float
    """[share] Moves that no other beat by distance."""
    perfect_low: float
    """[share] Lower end of its 95 % interval."""
    perfect_high: float
    """[share] Upper end of it."""
    clear_cut: int
    """[positions] Those where a legal move loses value."""
    clear_good: float | None
    """[share] Good moves in these alone."""
    clear_good_low: float | None
    """[share] Lower end of its 95 % interval."""
    clear_good_high: float | None
    """[share] Upper end of it."""
    clear_perfect: float | None
    """[share] Perfect moves in these alone."""
    clear_perfect_low: float | None
    """[share] Lower end of its 95 % interval."""
    clear_perfect_high: float | None
    """[share] Upper end of it."""
    better: int | None
    """[positions] Clear-cut ones that this agent alone answered well, the reference did not; None without one."""
    worse: int | None
    """[positions] Those that the reference alone answered well."""
    gain: float | None
    """[share] Good moves in clear-cut positions beyond the reference's, the first agent's at the same depth."""
    gain_low: float | None
    """[share] Lower end of its 95 % interval."""
    gain_high: float | None
    """[share] Upper end of it."""
    nodes: float | None
    """[nodes] Mean of a move; None of an agent that tells none."""
    seconds: float
    """[seconds] Mean of the middle nine tenths of the moves, by the referee's clock."""
    seconds_low: float | None
    """[seconds] Lower end of its 95 % interval."""
    seconds_high: float | None
    """[seconds] Upper end of it."""
    plays_like: float | None = None
    """[plies] Depth at which the reference ladder finds as many perfect moves; None beyond its ends."""
    plays_like_low: float | None = None
    """[plies] Lower end of its 95 % interval, None where that is open."""
    plays_like_high: float | None = None
    """[plies] Upper end of it, None where that is open; all three are None where no ladder was asked."""
    mirrored: float | None = None
    """[share] Positions answered alike on the mirrored board, of those that differ from it; None where nobody asked."""
    mirrored_low: float | None = None
    """[share] Lower end of its 95 % interval."""
    mirrored_high: float | None = None
    """[share] Upper end of it."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What a legal move at random scores: shares of good and perfect moves, in all and in clear-cut positions."""

    good: float | None
    perfect: float | None
    clear_good: float | None
    clear_perfect: float | None
    agent: str = "(any legal move)"


@dataclass(frozen=True, slots=True)
class Paper:
    """What agents are asked."""

    positions: int
    first_ply: int
    last_ply: int
    clear_cut: int
    """Positions in which a legal move loses value."""
    chance: Chance
    rungs: Sequence[int] = ()
    """[plies] Depths of the reference ladder, where one was asked."""

    @classmethod
    def of(cls, exercises: Sequence[Exercise], rungs: Sequence[int] = ()) -> Paper:
        """Describe exercises, one or more."""
        plies = [each.board.ply for each in exercises]
        clear = sum(each.clear_cut for each in exercises)
        return cls(len(plies), min(plies), max(plies), clear, chance(exercises), rungs)


def marks(
    candidate: Candidate,
    exercises: Sequence[Exercise],
    answers: Sequence[Answer],
    reference: Sequence[Answer] | None = None,
) -> Marks:
    """Return an agent's marks, and how they differ from those of the reference, another agent's at the same depth."""
    good = _good(exercises, answers)
    other = _good(exercises, reference) if reference else []
    perfect = [answer.column in exercise.perfect for exercise, answer in zip(exercises, answers, strict=True)]
    clear = [place for place, exercise in enumerate(exercises) if exercise.clear_cut]
    seconds = typical_time([answer.seconds for answer in answers])
    assert seconds is not None
    return Marks(
        agent=candidate.name,
        depth=candidate.depth,
        positions=len(exercises),
        **share_of("good", good),
        **share_of("perfect", perfect),
        clear_cut=len(clear),
        **share_of("clear_good", [good[place] for place in clear]),
        **share_of("clear_perfect", [perfect[place] for place in clear]),
        **_gain([good[place] for place in clear], [other[place] for place in clear] if other else []),
        nodes=sum(answer.nodes for answer in answers) / len(answers) or None,
        seconds=seconds.value,
        seconds_low=seconds.low,
        seconds_high=seconds.high,
    )


def chance(exercises: Sequence[Exercise]) -> Chance:
    """Return what a legal move at random scores."""
    clear = [each for each in exercises if each.clear_cut]
    everywhere, there = _by_chance(exercises), _by_chance(clear) if clear else (None, None)
    return Chance(*everywhere, *there)


def _by_chance(exercises: Sequence[Exercise]) -> tuple[float, float]:
    """Return the shares of good and of perfect moves among the legal ones."""
    good = fmean(len(each.good) / each.legal for each in exercises)
    return good, fmean(len(each.perfect) / each.legal for each in exercises)


def _good(exercises: Sequence[Exercise], answers: Sequence[Answer]) -> list[bool]:
    return [answer.column in exercise.good for exercise, answer in zip(exercises, answers, strict=True)]


def _gain(good: Sequence[bool], reference: Sequence[bool]) -> dict[str, Any]:
    """Return how two agents' answers to the same questions differ: a question that both answer alike tells nothing."""
    if not reference:
        return dict.fromkeys(("better", "worse", "gain", "gain_low", "gain_high"))
    better = sum(own and not other for own, other in zip(good, reference, strict=True))
    worse = sum(other and not own for own, other in zip(good, reference, strict=True))
    low, high = score_interval(Counts((worse, len(good) - worse - better, better)))
    gain = (better - worse) / len(good)
    return {"better": better, "worse": worse, "gain": gain, "gain_low": 2 * low - 1, "gain_high": 2 * high - 1}


def share_of(name: str, hits: Sequence[bool]) -> dict[str, Any]:
    """Return the fields of a share and of its interval, None without answers."""
    found = share(hits, [1] * len(hits))
    if found is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: found.share, f"{name}_low": found.low, f"{name}_high": found.high}


# Positions by how far the game has come and how far it is to its end.
#
# The stages and difficulties are those of Pascal Pons' test sets ("Solving Connect 4: how to build a perfect AI",
# 2015), in parts of the board's cells, so that they fit every board: a third of them is 14 on 7x6, two thirds are 28.
#
# * stage, by plies played: beginning below a third, end above two thirds, middle between;
# * difficulty, by plies to the end of perfect play: easy below a third, hard above two thirds, medium between.
#
# What is played and what is left make a whole game at most, so that only six of the nine sets can have positions.

STAGES = ("beginning", "middle", "end")
DIFFICULTIES = ("easy", "medium", "hard")
SETS = tuple((stage, level) for place, stage in enumerate(STAGES) for level in DIFFICULTIES[: len(STAGES) - place])
"""Those that can have positions: what begins late is over soon."""
BATCH = 64
"""Positions that are solved at a time to find those that are wanted."""
TRIES = 20
"""Positions that are solved for one that is wanted, at most; a set may stay short of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageMarks(Marks):
    """The marks of an agent in the positions of one stage and one difficulty."""

    stage: str
    """beginning, middle or end: below a third of the cells taken, from a third to two thirds, above two thirds."""
    difficulty: str
    """easy, medium or hard: perfect play ends within a third of the cells, from a third to two thirds, later."""


def which(board: Board, score: int) -> tuple[str, str]:
    """Return the stage and the difficulty of a position with the solver's score."""
    size = board.rules.columns * board.rules.rows
    left = plies_to_end(in_plies(score, board)) if score else size - board.ply
    return STAGES[_third(board.ply, size)], DIFFICULTIES[_third(left, size)]


def by_set(exercises: Sequence[Exercise]) -> Iterator[tuple[tuple[str, str], list[int]]]:
    """Yield each set that has positions, in their order, with the places of its exercises."""
    found = [which(each.board, max(score for score in each.scores if score is not None)) for each in exercises]
    for name in SETS:
        if places := [place for place, own in enumerate(found) if own == name]:
            yield name, places


def staged_sample(
    count: int,
    seed: int,
    rules: Rules = STANDARD,
    threads: int | Cluster = 1,
    progress: Callable[[], object] = lambda: None,
) -> list[Board]:
    """Return so many positions, as equally many of each set as there are: the seed decides which.

    They are drawn as `grade.sample` does, from plies of each stage in turn, solved, and kept where their set has still
    room. A set that random play hardly reaches may stay short. Raises InputError where none is found at all.
    """
    size = rules.columns * rules.rows
    wanted = {name: count // len(SETS) + (place < count % len(SETS)) for place, name in enumerate(SETS)}
    found: dict[tuple[str, str], list[Board]] = {name: [] for name in SETS}
    for third, stage in enumerate(STAGES):
        plies = [ply for ply in range(1, size) if _third(ply, size) == third]
        room = sum(number for (at, _), number in wanted.items() if at == stage)
        stream = islice(drawn(seed, plies, rules, TRIES * room), TRIES * room)
        while any(len(found[name]) < wanted[name] for name in SETS if name[0] == stage):
            boards = list(islice(stream, BATCH))
            for row, board in zip(label(boards, {}, threads), boards, strict=True):
                name = which(board, row.score)
                if len(found[name]) < wanted[name]:
                    found[name].append(board)
                    progress()
            if len(boards) < BATCH:
                break
    boards = [board for name in SETS for board in found[name]]
    if not boards:
        raise InputError(f"no position of a {rules} board was found")
    return boards


def _third(plies: int, size: int) -> int:
    """Return 0 below a third of the cells, 2 above two thirds, else 1."""
    return 0 if 3 * plies < size else 2 if 3 * plies > 2 * size else 1


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


# The positions of a grade: drawn by a seed, or read from a file of labels, with what is known of them.


def questions(
    positions: int | Path,
    seed: int,
    plies: Sequence[int] | None = None,
    rules: Rules = STANDARD,
    threads: int | Cluster = 1,
    progress: Callable[[], object] = lambda: None,
    *,
    staged: bool = False,
) -> tuple[list[Board], dict[Discs, Values]]:
    """Return different positions, and what a move in each column is worth in those where that is known.

    positions: how many to draw, or a file that `arena label` writes; of this those of so many plies. staged: those
    drawn are of each stage and difficulty alike, which takes solving many. progress: called for each that is drawn.
    Raises InputError.
    """
    if isinstance(positions, int):
        if not staged:
            return sample(positions, seed, plies or default_plies(rules), rules, progress), {}
        if plies:
            raise InputError("positions by stage have plies of their own: leave the plies out")
        return staged_sample(positions, seed, rules, threads, progress), {}
    held = [row for row in read(positions, rules) if not plies or row[0].ply in plies]
    if not held:
        raise InputError(f"{positions} has no position of {min(plies or [0])} to {max(plies or [0])} plies")
    return [board for board, _, _ in held], {(board.own, board.opp): known for board, _, known in held if known}
