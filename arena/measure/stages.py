"""Positions by how far the game has come and how far it is to its end.

The stages and difficulties are those of Pascal Pons' test sets ("Solving Connect 4: how to build a perfect AI", 2015),
in parts of the board's cells, so that they fit every board: a third of them is 14 on 7x6, two thirds are 28.

* stage, by plies played: beginning below a third, end above two thirds, middle between;
* difficulty, by plies to the end of perfect play: easy below a third, hard above two thirds, medium between.

What is played and what is left make a whole game at most, so that only six of the nine sets can have positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.score import in_plies, plies_to_end
from arena.measure.grade import Exercise, drawn
from arena.measure.label import label
from arena.measure.marks import Marks

if TYPE_CHECKING:
    from arena.play.cluster import Cluster

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


def sample(
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
