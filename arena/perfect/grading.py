"""Grades: how often agents find a good move in exercises, which are solved positions.

All agents answer the same exercises. A reference ladder, alpha-beta with its defaults at rising depths, can answer them
as well: then a grade, which depends on the exercises, becomes a depth, which says more. An agent's place there follows
from its share of perfect moves in all exercises, which tells depths apart best: on 1,500 of them depths 3 and 7 lie 10
standard errors of the difference apart by it, 4 by good moves in clear-cut positions. `arena.statistics.isotonic` says
how the place on the ladder and its interval are found.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.agent import Agent, Limits, prepare
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.specs.kinds import KINDS
from agents.specs.plugins import is_file
from agents.specs.registry import Spec, parse
from arena.games.entrants import attended, outlived
from arena.games.referee import Conditions, Fault, begin, decide
from arena.games.searches import at_depth, searched, takes_depth
from arena.perfect.exercises import Exercise, solve
from arena.perfect.solved import Discs, Values
from arena.records import Interval, MoveRecord
from arena.statistics.intervals import Counts, proportion, score_interval
from arena.statistics.isotonic import place
from arena.statistics.means import search_cost
from arena.table.cells import agent_label, count, ends, gain, milliseconds_of, of_hundred, percent, without_depth
from arena.table.rows import INTERVAL, MEASURED, Column, cell, known, table_row

if TYPE_CHECKING:
    from arena.games.executor import Cluster

RUNG = "alphabeta"
"""The agent of the reference ladder, with its own heuristic and order; each rung adds a depth."""


NO_REPLY = -1
"""In place of the column where a language model made no legal reply: no good move, whatever would have been played."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One agent to be graded, a row of the table."""

    spec: Spec
    name: str
    depth: int | None
    """[plies] None where the agent decides."""
    limits: Limits = Limits()  # noqa: RUF009  immutable
    """Of each of its moves: the depth, where it takes that from nowhere else."""


@table_row
class Grade:
    """How good an agent's moves were in solved positions, and what they cost."""

    agent: str = cell("Its spec; without the depth if the next column has it.", "agent", agent_label)
    depth: int | None = cell("[plies] None where the agent decides.", "depth", when=known)
    positions: int = cell("[positions]")
    good: Interval | None = cell(
        "[share] Moves that kept the value: a win, a draw, or what is lost anyway.",
        "good", percent, least=1,
    )  # fmt: skip
    perfect: Interval | None = cell(
        "[share] Moves that no other move beats: fastest wins, draws, slowest losses.", "perfect", percent, least=2
    )
    clear_cut: int = cell("[positions] Those where a legal move loses value.")
    clear_good: Interval | None = cell(
        "[share] Good moves in these alone.",
        "clear-cut good", percent, note="kept the win or the draw where a legal move loses it",
        ends=Column("95 %", MEASURED, ends(of_hundred)),
    )  # fmt: skip
    clear_perfect: Interval | None = cell(
        "[share] Perfect moves in these alone.",
        "clear-cut perfect", percent, least=3, note="won soonest or lost latest, too",
    )  # fmt: skip
    better: int | None = cell(
        "[positions] Clear-cut ones that it answered well and the reference did not; None without a reference."
    )
    worse: int | None = cell("[positions] Clear-cut ones that only the reference answered well.")
    gain: Interval | None = cell(
        "[share] `clear_good` minus that of the reference, the first agent at the same depth.",
        ends=Column("gain, 95 %", MEASURED, ends(gain), known),
    )  # fmt: skip
    nodes: float | None = cell("[nodes] Mean of a move; None for an agent that reports none.", "nodes", count)
    seconds: Interval = cell(
        "[seconds] Mean of a move, pauses of the machine left out, by the referee's clock.",
        "ms", milliseconds_of, of=INTERVAL,
    )  # fmt: skip
    plays_like: Interval | None = cell(
        "[plies] Depth at which the reference ladder finds as many perfect moves; None beyond its ends and without a "
        "ladder.",
        by="None where that is open", default=None,
    )  # fmt: skip
    unanswered: int | None = cell(
        "[positions] Without a legal reply from a language model; they count as missed. None for other agents.",
        "no legal reply", count, known, default=None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chance:
    """What a legal move at random scores: shares of good and perfect moves, in all and in clear-cut positions."""

    good: float | None
    perfect: float | None
    clear_good: float | None
    clear_perfect: float | None
    agent: str = "(any legal move)"


def candidates(specs: Sequence[Spec], depths: Sequence[int], rules: Rules = STANDARD) -> list[Candidate]:
    """Return the agents to grade: each that leaves its depth open at all of `depths`, the others as their specs say.

    An agent of a file leaves it open where its answers on the empty board show that it obeys the depth: its parameter
    `depth`, if its class has one, or `limits.depth`. In a folder or a roster it plays as it was handed in.
    """
    entries: dict[tuple[str, int | None], Candidate] = {}
    for spec in specs:
        depth = spec.parameters.get("depth")
        if _is_open(spec, rules):
            adjustable = spec.kind in KINDS or takes_depth(spec)
            rows = [
                Candidate(spec.having(depth=d), spec.text, d)
                if adjustable
                else Candidate(spec, spec.text, d, Limits(depth=d))
                for d in depths
            ]
        elif isinstance(depth, int):
            rows = [Candidate(spec, without_depth(spec.text), depth)]
        else:
            rows = [Candidate(spec, spec.text, None)]
        for row in rows:
            entries.setdefault((row.name, row.depth), row)
    return list(entries.values())


def _is_open(spec: Spec, rules: Rules) -> bool:
    """Return whether an agent of this spec searches to a fixed depth that neither spec nor kind sets."""
    if {"depth", "nodes", "seconds"} & spec.parameters.keys():
        return False
    if spec.kind not in KINDS:
        return is_file(spec.kind) and _is_typed(spec) and _obeys(spec, rules)
    depth = KINDS[spec.kind].parameters.get("depth")
    return depth is not None and depth.default is None


def _obeys(spec: Spec, rules: Rules) -> bool:
    """Return whether the agent of a file shows on the empty board that it searches one ply and two when asked to."""
    moves: list[MoveRecord] = []
    with suppress(Fault, Failure, InputError):  # it will fail again, where its faults are reported
        for depth in (1, 2):
            with at_depth(spec, depth, rules) as agent:
                moves.append(decide(agent, Board(rules), Conditions(Limits(depth=depth))))
    if len(moves) < 2 or not takes_depth(spec):
        return [move.depth for move in moves] == [1, 2]
    return not moves[0].nodes or len({(move.nodes, move.score, searched(move)) for move in moves}) > 1


def _is_typed(spec: Spec) -> bool:
    """Return whether a spec names a file, with a class in it or without; an entry of a folder or a roster does not."""
    return spec.text.startswith(spec.kind.rpartition(":")[0])


def answers(
    candidate: Candidate,
    agent: Agent,
    exercises: Sequence[Exercise],
    seed: int,
    progress: Callable[[], object] = lambda: None,
) -> list[MoveRecord]:
    """Let the candidate's agent move in each position from a cleared memory. Raises InputError if it fails.

    Where a language model makes no legal reply, the column is NO_REPLY, and no random move stands in for it. seed: the
    agent's at the warm-up, and one more with each exercise. progress: called after each exercise.
    """
    prepare(agent, exercises[0].board.rules, candidate.spec.text)
    moves = []
    for number, exercise in enumerate([exercises[0], *exercises]):  # the first only warms up
        try:
            begin(agent, seed + number)
            move = decide(agent, exercise.board, Conditions(candidate.limits))
        except Fault as fault:
            if not (fault.extra and getattr(agent, "keeps_replies", False)):
                where = exercise.board.text or "the empty board"
                raise InputError(f"agent {candidate.spec.text!r} on {where}: {fault}") from fault
            move = MoveRecord(exercise.board.ply, NO_REPLY, json.loads(fault.extra)["seconds"])
        moves.append(move if chosen(agent, move) else move._replace(column=NO_REPLY))
        if number:
            progress()
    return moves[1:]


def chosen(agent: Agent, move: MoveRecord) -> bool:
    """Return whether the agent chose a move, so that no random one stands in for a language model's reply."""
    return not (getattr(agent, "keeps_replies", False) and move.extra and json.loads(move.extra).get("drawn"))


def perfect(exercises: Sequence[Exercise], moves: Sequence[MoveRecord]) -> tuple[bool, ...]:
    """Return for each exercise whether the answer was perfect."""
    return tuple(move.column in exercise.perfect for exercise, move in zip(exercises, moves, strict=True))


def good(exercises: Sequence[Exercise], moves: Sequence[MoveRecord]) -> list[bool]:
    """Return for each exercise whether the answer kept the value."""
    return [move.column in exercise.good for exercise, move in zip(exercises, moves, strict=True)]


def grade(
    candidate: Candidate,
    exercises: Sequence[Exercise],
    moves: Sequence[MoveRecord],
    reference: Sequence[MoveRecord] | None = None,
) -> Grade:
    """Return an agent's grade, with its gain on the reference: the answers of another agent at the same depth.

    moves: the candidate's answers, one for each exercise.
    """
    kept, best = good(exercises, moves), perfect(exercises, moves)
    clear = [place for place, exercise in enumerate(exercises) if exercise.clear_cut]
    other = good(exercises, reference) if reference else []
    cost = search_cost([move.nodes for move in moves], [move.seconds for move in moves])
    assert cost is not None
    return Grade(
        agent=candidate.name,
        depth=candidate.depth,
        positions=len(exercises),
        good=_proportion(kept),
        perfect=_proportion(best),
        clear_cut=len(clear),
        clear_good=_proportion([kept[place] for place in clear]),
        clear_perfect=_proportion([best[place] for place in clear]),
        **_gain([kept[place] for place in clear], [other[place] for place in clear] if other else []),
        nodes=cost.nodes or None,
        seconds=cost.seconds,
        unanswered=[move.column for move in moves].count(NO_REPLY) if candidate.spec.kind == "llm" else None,
    )


def _proportion(hits: Sequence[bool]) -> Interval | None:
    """Return a share with its interval, None without answers."""
    return proportion(hits, [1] * len(hits))


def _gain(good: Sequence[bool], reference: Sequence[bool]) -> dict[str, Any]:
    """Return the fields of the gain on the reference; only exercises that the two answer differently count."""
    if not reference:
        return dict.fromkeys(("better", "worse", "gain"))
    better = sum(hit and not other for hit, other in zip(good, reference, strict=True))
    worse = sum(other and not hit for hit, other in zip(good, reference, strict=True))
    low, high = score_interval(Counts((worse, len(good) - worse - better, better)))
    gain = Interval((better - worse) / len(good), 2 * low - 1, 2 * high - 1)
    return {"better": better, "worse": worse, "gain": gain}


def chance(exercises: Sequence[Exercise]) -> Chance:
    """Return what a legal move at random scores."""
    clear = [exercise for exercise in exercises if exercise.clear_cut]
    everywhere, there = _by_chance(exercises), _by_chance(clear) if clear else (None, None)
    return Chance(*everywhere, *there)


def _by_chance(exercises: Sequence[Exercise]) -> tuple[float, float]:
    """Return the shares of good and of perfect moves among the legal ones."""
    good = fmean(len(exercise.good) / exercise.legal for exercise in exercises)
    return good, fmean(len(exercise.perfect) / exercise.legal for exercise in exercises)


@dataclass(frozen=True, slots=True)
class ReferenceLadder:
    """What the rungs of the reference ladder answered."""

    depths: tuple[int, ...]
    """[plies] Ascending, two or more."""
    perfect: tuple[tuple[bool, ...], ...]
    """For each rung whether its answers were perfect, position by position."""
    good: tuple[tuple[bool, ...], ...] = ()
    """For each rung whether they kept the value."""

    @classmethod
    def climb(
        cls,
        depths: Sequence[int],
        exercises: Sequence[Exercise],
        seed: int,
        progress: Callable[[], object] = lambda: None,
    ) -> ReferenceLadder:
        """Let a rung of each depth answer. Raises InputError for fewer than two depths.

        seed, progress: for each rung, as `answers` takes them.
        """
        if len(depths) < 2:
            raise InputError("a ladder has two depths or more, such as 1..8")
        rungs = []
        for depth in depths:
            spec = parse(f"{RUNG}:depth={depth}")
            moves = answers(Candidate(spec, spec.text, depth), spec.build(), exercises, seed, progress)
            rungs.append((tuple(perfect(exercises, moves)), tuple(good(exercises, moves))))
        return cls(tuple(depths), *zip(*rungs, strict=True))

    def plays_like(self, hits: Sequence[bool]) -> Interval | None:
        """Return the depth with as many perfect moves; None where the positions do not separate the rungs.

        Beyond an end of the ladder the depth is infinite, and the interval has only the end on the ladder's side.
        """
        depth = place(self.depths, np.array(self.perfect, float), np.array(hits, float))
        if depth is None:
            return None
        assert depth.low is not None  # an end beyond the ladder is infinite
        assert depth.high is not None
        bottom, top = self.depths[0], self.depths[-1]
        low = None if math.isinf(depth.low) and depth.value < top else min(max(depth.low, bottom), top)
        high = None if math.isinf(depth.high) and depth.value > bottom else min(max(depth.high, bottom), top)
        if math.isinf(depth.value):
            low, high = (low, None) if depth.value > 0 else (None, high)
        return Interval(depth.value, low, high)


@dataclass(frozen=True, slots=True)
class Grading:
    """The exercises of a grading, and what else it measures."""

    exercises: Sequence[Exercise]
    seed: int
    ladder: ReferenceLadder | None = None
    """Gives each grade the depth that plays like it."""

    @classmethod
    def of(
        cls,
        boards: Sequence[Board],
        scores: dict[Discs, Values],
        seed: int,
        threads: int | Cluster,
        progress: Callable[[], object] = lambda: None,
        *,
        rungs: Sequence[int] | None = None,
    ) -> Grading:
        """Solve the positions that are not known, and let a ladder of these rungs answer them. Raises InputError.

        scores: the columns' scores of solved positions, by the discs of the side to move and of the other. rungs: the
        ladder's depths, or no ladder. seed: as the field. threads: for solving. progress: called after each position
        solved and each answer.
        """
        exercises = solve(boards, threads, progress=progress, scores=scores)
        ladder = ReferenceLadder.climb(rungs, exercises, seed, progress) if rungs else None
        return cls(exercises, seed, ladder)

    def grades(
        self,
        candidates: Sequence[Candidate],
        agents: Sequence[Agent],
        progress: Callable[[], object] = lambda: None,
        faults: list[InputError] | None = None,
    ) -> Iterator[Grade]:
        """Yield each candidate's grade; `agents` are what the candidates build.

        The reference of each is the first candidate at the same depth. `progress` is called after each move. A process
        agent that fails has no grade, nor at further depths, and its error joins the `faults`, if given. Raises
        InputError for one that fails.
        """
        failed: set[str] = set()
        references: dict[int | None, list[MoveRecord]] = {}
        for candidate, agent in zip(candidates, agents, strict=True):
            if candidate.name in failed:
                continue
            moves = None
            with attended([agent]), outlived(agent, faults):
                moves = answers(candidate, agent, self.exercises, self.seed, progress)
            if moves is None:
                failed.add(candidate.name)
                continue
            like = self.ladder.plays_like(perfect(self.exercises, moves)) if self.ladder else None
            yield replace(grade(candidate, self.exercises, moves, references.get(candidate.depth)), plays_like=like)
            if candidate.name == candidates[0].name:
                references[candidate.depth] = moves
