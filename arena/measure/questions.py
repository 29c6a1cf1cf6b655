"""The positions of a grade: drawn by a seed, or read from a file of labels, with what is known of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from arena.measure import stages
from arena.measure.grade import default_plies, sample
from arena.measure.labelled import read
from arena.measure.solving import Discs, Values

if TYPE_CHECKING:
    from arena.play.cluster import Cluster


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
        return stages.sample(positions, seed, rules, threads, progress), {}
    held = [row for row in read(positions, rules) if not plies or row[0].ply in plies]
    if not held:
        raise InputError(f"{positions} has no position of {min(plies or [0])} to {max(plies or [0])} plies")
    return [board for board, _, _ in held], {(board.own, board.opp): known for board, _, known in held if known}
