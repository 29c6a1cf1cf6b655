"""Positions of the last plies, where no heuristic takes part, and how searches judge them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.board import Board, Outcome, Rules
from agents.score import sign
from agents.specs.registry import Spec
from arena.games.searches import answer_at, at_depth, plies_left
from arena.table.cells import after

LAST = 3
"""[plies] left at most where the end of the game is asked."""
GAMES = 300
"""Random games that the positions before the end come from."""


@dataclass(frozen=True, slots=True)
class WrongEnding:
    """A position near the end of the game that a search misjudges, though no heuristic takes part in it."""

    search: str
    position: str
    depth: int
    """[plies] All that are left."""
    value: int | None
    right: int
    """1 where the side to move wins, 0 for a draw, -1 where it loses."""
    drawing: str

    def __str__(self) -> str:
        right = {1: "the side to move wins", 0: "the board fills up: a draw, worth 0", -1: "the side to move loses"}
        where = f"{after(self.position)} at depth {self.depth}"
        return f"{where} {self.search} has value {self.value}, but {right[self.right]}\n{self.drawing}"


def endings(rules: Rules, seed: int, depth: int = LAST) -> list[Board]:
    """Return positions before the last plies of a game, at most `depth` and LAST: won, drawn and lost ones of a length.

    They come from random play, with the seed, that completes no line before. A board on which none is seen has none.
    """
    chance = random.Random(seed)  # noqa: S311  a sample, not a secret
    boards: dict[tuple[int, int], Board] = {}
    size = rules.columns * rules.rows
    for _ in range(GAMES):
        board, left = Board(rules), chance.randint(1, min(depth, LAST, size))
        while board.ply < size - left:
            quiet = [after for column in board.legal_moves() if (after := board.play(column)).outcome is None]
            if not quiet:
                break
            board = chance.choice(quiet)
        else:
            boards.setdefault((left, exact(board)), board)
    return [boards[key] for key in sorted(boards)]


def exact(board: Board) -> int:
    """Return 1 where the side to move wins, 0 for a draw, -1 where it loses, by plain search to the end."""
    if board.outcome is not None:
        return 0 if board.outcome is Outcome.DRAW else -1
    return max(-exact(board.play(column)) for column in board.legal_moves())


def wrong_endings(search: Spec, boards: Sequence[Board]) -> Iterator[WrongEnding | None]:
    """Ask a search to the end of the game, and yield for each position None or how its result is another than it has.

    boards: `endings`. Only the sign of the value counts. Raises InputError for a search that fails or has no value.
    """
    for depth in sorted({plies_left(board) for board in boards}):
        with at_depth(search, depth, boards[0].rules) as agent:
            for board in boards:
                if plies_left(board) == depth:
                    value, right = answer_at(agent, board, search.text, depth).score, exact(board)
                    wrong = sign(value or 0) != right
                    yield WrongEnding(search.text, board.text, depth, value, right, str(board)) if wrong else None


def wrong_ending(search: Spec, boards: Sequence[Board]) -> WrongEnding | None:
    """Return the first of `wrong_endings`; None where it judges all positions rightly. Raises InputError likewise."""
    return next(filter(None, wrong_endings(search, boards)), None)
