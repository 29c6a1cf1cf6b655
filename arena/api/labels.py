"""Positions with their truth, and what is fitted to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import STANDARD, Rules
from arena.api.given import checked, listed, rules_of, whole

if TYPE_CHECKING:
    import pandas as pd


@checked
def label(
    count: int = 1000,
    *,
    plies: Sequence[int] | None = None,
    columns: bool = False,
    seed: int = 1,
    workers: int = 1,
    mebibytes: int = 256,
    rules: Rules | str = STANDARD,
    out: str | Path | None = None,
) -> pd.DataFrame:
    """Draw positions and return them with their exact scores; `arena label` from Python. Raises InputError.

    count: how many, each once up to mirror image, from games of so many `plies` that greedy plays against itself.
    columns: also what a move in each column is worth. workers: threads that share a table of so many mebibytes. out:
    also write them there, to a file that the `positions` of `grade` may name. The columns of the table are the fields
    of `arena.measure.label.Label`.
    """
    from arena.analysis.rows import frame
    from arena.measure import labelled
    from arena.measure.grade import default_plies, sample
    from arena.measure.label import Label
    from arena.measure.label import label as labels
    from arena.play import tournament

    whole("count", count, 1)
    whole("seed", seed, 0)
    whole("mebibytes", mebibytes, 1, 65_536)
    size = rules_of(rules)
    if out is not None:
        labelled.refuse(Path(out), size, columns=columns)
    boards = sample(count, seed, listed("plies", plies or default_plies(size), 12), size)
    rows = labels(boards, {}, columns=columns, threads=tournament.workers(workers), mebibytes=mebibytes)
    if out is not None:
        labelled.write(Path(out), rows, size)
    return frame(rows, Label)
