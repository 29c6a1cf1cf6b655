"""Exercises: positions with what each move is worth. They are drawn by a seed or read from a file, and then solved.

Drawn positions come from games that `greedy` plays against itself: on the way there wins in one are taken and threats
are blocked, as between sensible players. The same seed gives the same positions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.players.simple import Greedy
from agents.score import sign
from agents.solver.solver import MEBIBYTES
from arena.perfect.scored import read_positions
from arena.perfect.solved import Discs, Values, solve_all

if TYPE_CHECKING:
    from arena.games.executor import Cluster

ATTEMPTS = 20
"""The most games played for each position wanted; then the board has too few positions."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position, and what a move in each column is worth to the side to move."""

    board: Board
    scores: tuple[int | None, ...]
    """The solver's; None where the column is full."""

    @property
    def score(self) -> int:
        """The best column's score."""
        return max(score for score in self.scores if score is not None)

    @property
    def perfect(self) -> frozenset[int]:
        """The columns that win soonest, draw, or lose latest."""
        best = self.score
        return frozenset(column for column, score in enumerate(self.scores) if score == best)

    @property
    def good(self) -> frozenset[int]:
        """The columns that keep the value: the win or the draw; in a lost position all of them."""
        best = sign(self.score)
        return frozenset(c for c, score in enumerate(self.scores) if score is not None and sign(score) == best)

    @property
    def legal(self) -> int:
        """The number of legal moves."""
        return sum(score is not None for score in self.scores)

    @property
    def clear_cut(self) -> bool:
        """Whether a legal move loses value."""
        return len(self.good) < self.legal


def default_plies(rules: Rules) -> range:
    """Return the plies that positions come from: the middle of the game, 12 to 30 on the standard board."""
    size = rules.columns * rules.rows
    return range(2 * size // 7, 5 * size // 7 + 1)


def positions_from(seed: int, plies: Sequence[int], rules: Rules, games: int) -> Iterator[Board]:
    """Yield different positions of these plies from so many random games. Raises InputError for plies out of range.

    seed: what games and plies are drawn with. games: their number; each gives one position at most.
    """
    rules.refuse_most_fours("the solver")
    size = rules.columns * rules.rows
    if not plies or not 0 <= min(plies) <= max(plies) < size:
        raise InputError(f"positions of a {rules} board have 0 to {size - 1} plies")
    chance = random.Random(seed)  # noqa: S311  a sample, not a secret
    player = Greedy()
    player.new_game(seed)
    seen: set[int] = set()
    for _ in range(games):
        board, ply = Board(rules), chance.choice(plies)
        while board.ply < ply and board.outcome is None:
            board = board.play(player.choose(board, Limits()).column)
        key = min(board.key, board.mirror().key)
        if board.outcome is None and key not in seen:
            seen.add(key)
            yield board


def sample(
    count: int, seed: int, plies: Sequence[int], rules: Rules = STANDARD, progress: Callable[[], object] = lambda: None
) -> list[Board]:
    """Return `count` random positions of these plies, no two equal or mirror images of each other.

    A larger count with the same seed begins with the same positions. progress: called after each. Raises InputError
    where the board does not have that many.
    """
    boards = []
    for board in islice(positions_from(seed, plies, rules, count * ATTEMPTS), count):
        boards.append(board)
        progress()
    if len(boards) < count:
        raise InputError(f"only {len(boards)} different positions were found, not {count}: ask for fewer or more plies")
    return boards


def questions(
    positions: int | Path,
    seed: int,
    plies: Sequence[int] | None = None,
    rules: Rules = STANDARD,
    progress: Callable[[], object] = lambda: None,
) -> tuple[list[Board], dict[Discs, Values]]:
    """Return different positions, and the scores of their columns as far as a file has them.

    positions: how many to draw with the seed, or a file for `read_positions`; `plies` selects positions in either
    case. progress: called for each position drawn. Raises InputError.
    """
    if isinstance(positions, int):
        return sample(positions, seed, plies or default_plies(rules), rules, progress), {}
    held = [row for row in read_positions(positions, rules) if not plies or row[0].ply in plies]
    if not held:
        raise InputError(f"{positions} has no position of {min(plies or [0])} to {max(plies or [0])} plies")
    return [board for board, _, _ in held], {(board.own, board.opp): scores for board, _, scores in held if scores}


def solve(
    boards: Sequence[Board],
    threads: int | Cluster = 1,
    mebibytes: int = MEBIBYTES,
    progress: Callable[[], object] = lambda: None,
    scores: dict[Discs, Values] | None = None,
    *,
    strong: bool = True,
) -> list[Exercise]:
    """Return different positions of one board as exercises. Raises InputError without memory for the solver's table.

    threads: they share a table of so many mebibytes. progress: called after each position that is solved. scores: the
    columns' scores of positions that need no solving, by the discs of the side to move and of the other; those of every
    position solved are added at once, so that an interruption loses none. strong: score
    by distance; else scores are 1, 0 and -1, which are found sooner.
    """
    solved = {} if scores is None else scores
    chunks = [[(board.own, board.opp)] for board in boards if (board.own, board.opp) not in solved]
    if chunks:
        with closing(solve_all(boards[0].rules, chunks, threads, strong=strong, mebibytes=mebibytes)) as answers:
            for discs, values in answers:
                solved[discs] = values
                progress()
    return [Exercise(board, solved[board.own, board.opp]) for board in boards]
