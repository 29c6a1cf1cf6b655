"""Tunes the weights of heuristics."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import Rules
from arena.games.progress import Watch, bar, cores
from arena.games.settings import rules_of, whole
from arena.table.measured import Progress

if TYPE_CHECKING:
    from arena.plugins.tune.tuning import TuningResult


def tune(
    heuristic: str,
    *,
    search: str = "alphabeta:order=centre",
    depth: int = 4,
    positions: int | str | Path = 4000,
    evaluations: int = 300,
    seed: int = 1,
    workers: int | None = 1,
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> TuningResult:
    """Search the weights of a heuristic for better ones; `arena tune` from Python. Raises InputError.

    heuristic: with its weights, such as "windows(1,10,100,1000)". search, depth: what uses the heuristic, and its
    plies. positions: a number of positions, or a file of them; one half trains, the other is held out. evaluations:
    heuristics to try. seed: of all random choices. workers: threads that solve. rules: the board.
    """
    from arena.plugins.tune.tuning import Tuning, TuningResult, held, sets, verdict

    whole("depth", depth, 1, 64)
    whole("evaluations", evaluations, 2)
    board, watch = rules_of(rules), Watch(seed)
    tuning = Tuning(heuristic, search, depth, board)
    with bar(progress, "position", desc="solving") as shown:
        train, held_out = sets(positions, seed, board, cores(workers), shown.update)
    with bar(progress, "try", evaluations) as shown:

        def tried(best: float) -> None:
            shown.set_postfix_str(f"best {best:.4f}", refresh=False)
            shown.update()

        tuning.search(train, evaluations, seed, tried)
    best, start = tuning.best(), tuning.family.start
    rows = [
        held(name, tuning.answers(part, start), tuning.answers(part, best))
        for name, part in (("train", train), ("held out", held_out))
    ]
    tuned = tuning.family.text(best)
    words = ["arena", "compare", tuned, tuning.start, "--search", search, "--depth", str(depth)]
    words += ["--board", str(board)] if board != Rules() else []
    return TuningResult(
        tuning.start, tuned, depth, len(tuning.values), rows[0], rows[1], verdict(tuning.start, tuned, depth, rows[1]),
        "" if tuned == tuning.start else shlex.join(words), watch.end()[0],
    )  # fmt: skip
