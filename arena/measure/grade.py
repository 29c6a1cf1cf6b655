"""Grades: how often an agent finds a good move, on positions whose truth is known.

The positions come from games that `greedy` plays against itself, so that wins in one are taken and threats blocked on
the way there, as between players of some sense. The same seed gives the same positions.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.agent import Agent, Limits, new_game, prepare
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.players.simple import Greedy
from agents.solver.solver import MEBIBYTES
from agents.specs.registry import KINDS, Spec, parse
from arena.analysis.comparison import without_depth
from arena.measure.solve import Discs, Question, Values, solve_all
from arena.play.referee import Conditions, Fault, decide
from arena.statistics.isotonic import place

if TYPE_CHECKING:
    from arena.play.cluster import Cluster


ATTEMPTS = 20
"""Games that are played for a position, at most, before the board is said not to have so many."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position, and what a move in each column is worth to the side to move."""

    board: Board
    scores: tuple[int | None, ...]
    """The solver's; None where the column is full."""

    @property
    def perfect(self) -> frozenset[int]:
        """The columns that win soonest, draw, or lose latest."""
        best = max(score for score in self.scores if score is not None)
        return frozenset(column for column, score in enumerate(self.scores) if score == best)

    @property
    def good(self) -> frozenset[int]:
        """The columns that keep the value: a win, a draw, or what is lost anyway."""
        best = max(_sign(score) for score in self.scores if score is not None)
        return frozenset(c for c, score in enumerate(self.scores) if score is not None and _sign(score) == best)

    @property
    def legal(self) -> int:
        """The number of legal moves."""
        return sum(score is not None for score in self.scores)

    @property
    def clear_cut(self) -> bool:
        """Whether a legal move loses value."""
        return len(self.good) < self.legal


@dataclass(frozen=True, slots=True)
class Candidate:
    """One agent to be graded, by itself a row of the table."""

    spec: Spec
    name: str
    depth: int | None
    """Plies; None where the agent decides."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent played in an exercise, and what that cost."""

    column: int
    """0-based."""
    nodes: int
    seconds: float


def default_plies(rules: Rules) -> range:
    """Return the plies that positions come from: the middle of the game, 12 to 30 on the standard board."""
    size = rules.columns * rules.rows
    return range(2 * size // 7, 5 * size // 7 + 1)


def sample(
    count: int, seed: int, plies: Sequence[int], rules: Rules = STANDARD, progress: Callable[[], object] = lambda: None
) -> list[Board]:
    """Return so many different positions, mirror images counting as one, of random ones of these plies.

    A larger number begins with the same ones. Raises InputError where the board does not have that many.
    """
    found = []
    for board in islice(drawn(seed, plies, rules, count * ATTEMPTS), count):
        found.append(board)
        progress()
    if len(found) < count:
        raise InputError(f"only {len(found)} different positions were found, not {count}: ask for fewer or more plies")
    return found


def drawn(seed: int, plies: Sequence[int], rules: Rules, games: int) -> Iterator[Board]:
    """Yield different positions as `sample` does, from so many games. Raises InputError for plies out of range."""
    rules.refuse_most_fours("the solver")
    size = rules.columns * rules.rows
    if not plies or not 0 <= min(plies) <= max(plies) < size:
        raise InputError(f"positions of a {rules} board have 0 to {size - 1} plies")
    chance = random.Random(seed)  # noqa: S311  a sample, not a secret
    player = Greedy()
    player.new_game(seed)
    seen: set[int] = set()
    for _ in range(games):
        board = _play_on(player, Board(rules), chance.choice(plies))
        key = min(board.key, board.mirror().key)
        if board.outcome is None and key not in seen:
            seen.add(key)
            yield board


def solve(
    boards: Sequence[Board],
    threads: int | Cluster = 1,
    mebibytes: int = MEBIBYTES,
    progress: Callable[[], object] = lambda: None,
    known: dict[Discs, Values] | None = None,
    *,
    strong: bool = True,
) -> list[Exercise]:
    """Return different positions of one board with their truth. Raises InputError without memory for the table.

    known: the columns' scores of positions that need not be solved, by the discs of the side to move and of the other.
    strong: by distance; else scores are 1, 0 and -1, sooner found.
    """
    found = dict(known or {})
    chunks = [[(board.own, board.opp)] for board in boards if (board.own, board.opp) not in found]
    if chunks:
        with closing(solve_all(Question(boards[0].rules, strong, mebibytes), chunks, threads)) as answers:
            for discs, values in answers:
                found[discs] = values
                progress()
    return [Exercise(board, found[board.own, board.opp]) for board in boards]


def candidates(specs: Sequence[Spec], depths: Sequence[int]) -> list[Candidate]:
    """Return who is graded: an agent that leaves its depth open at each of `depths`, others as their specs say."""
    found: dict[tuple[str, int | None], Candidate] = {}
    for spec in specs:
        given = spec.parameters.get("depth")
        if _is_open(spec):
            rows = [Candidate(replace(spec, parameters={**spec.parameters, "depth": d}), spec.text, d) for d in depths]
        elif isinstance(given, int):
            rows = [Candidate(spec, without_depth(spec.text), given)]
        else:
            rows = [Candidate(spec, spec.text, None)]
        for row in rows:
            found.setdefault((row.name, row.depth), row)
    return list(found.values())


def answers(
    candidate: Candidate,
    agent: Agent,
    exercises: Sequence[Exercise],
    seed: int,
    progress: Callable[[], object] = lambda: None,
) -> list[Answer]:
    """Let the candidate's agent move in each position, forgetting all between them. Raises InputError if it fails."""
    prepare(agent, exercises[0].board.rules, candidate.spec.text)
    given = []
    for number, exercise in enumerate([exercises[0], *exercises]):  # the first only warms up
        try:
            new_game(agent, seed + number)
            move = decide(agent, exercise.board, Conditions(Limits()))
        except Fault as fault:
            raise InputError(f"agent {candidate.spec.text!r} on {exercise.board.text}: {fault}") from fault
        given.append(Answer(move.column, move.nodes, move.seconds))
        if number:
            progress()
    return given[1:]


def _is_open(spec: Spec) -> bool:
    """Return whether an agent of this spec searches to a fixed depth and neither spec nor kind says which."""
    depth = KINDS[spec.kind].parameters.get("depth") if spec.kind in KINDS else None
    return depth is not None and depth.default is None and not {"depth", "nodes", "seconds"} & spec.parameters.keys()


def _play_on(player: Greedy, board: Board, ply: int) -> Board:
    while board.ply < ply and board.outcome is None:
        board = board.play(player.choose(board, Limits()).column)
    return board


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


# The reference ladder: alpha-beta with its defaults at rising depths, in the same positions as those who are graded.
#
# One pool of questions for all, so that a grade, which depends on the questions, becomes a depth, which says more. What
# is held against the rungs is the share of perfect moves in all positions: on 1,500 of them, depths 3 and 7 lie 10
# standard errors of the difference apart by it, by good moves in clear-cut positions 4. `arena.statistics.isotonic`
# says how the place on the ladder and its interval are found.

RUNG = "alphabeta"
"""With its heuristic and its order of moves; the depth says which rung."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """What the rungs answered."""

    depths: tuple[int, ...]
    """[plies] Ascending, two or more."""
    perfect: tuple[tuple[bool, ...], ...]
    """For each rung whether its answers were perfect, position by position."""

    @classmethod
    def climb(
        cls,
        depths: Sequence[int],
        exercises: Sequence[Exercise],
        seed: int,
        progress: Callable[[], object] = lambda: None,
    ) -> Ladder:
        """Let each rung answer. Raises InputError for fewer than two depths."""
        if len(depths) < 2:
            raise InputError("a ladder has two depths or more, such as 1..8")
        rungs = []
        for depth in depths:
            spec = parse(f"{RUNG}:depth={depth}")
            given = answers(Candidate(spec, spec.text, depth), spec.build(), exercises, seed, progress)
            rungs.append(perfect(exercises, given))
        return cls(tuple(depths), tuple(rungs))

    def marks(self, own: Sequence[bool]) -> dict[str, Any]:
        """Return the fields of `Marks` that say what depth finds as many perfect moves.

        Beyond an end of the ladder the depth is None, and the interval has only the end on the ladder's side.
        """
        found = place(self.depths, np.array(self.perfect, float), np.array(own, float))
        if found is None:
            return {}
        bottom, top = self.depths[0], self.depths[-1]
        low = None if math.isinf(found.low) and found.at < top else min(max(found.low, bottom), top)
        high = None if math.isinf(found.high) and found.at > bottom else min(max(found.high, bottom), top)
        if math.isinf(found.at):
            return {"plays_like_low": low} if found.at > 0 else {"plays_like_high": high}
        return {"plays_like": found.at, "plays_like_low": low, "plays_like_high": high}


def perfect(exercises: Sequence[Exercise], given: Sequence[Answer]) -> tuple[bool, ...]:
    """Return for each position whether the answer was perfect."""
    return tuple(answer.column in exercise.perfect for exercise, answer in zip(exercises, given, strict=True))
