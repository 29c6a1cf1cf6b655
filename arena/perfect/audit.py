"""Every move of a stored run compared with perfect play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import InputError
from arena.games.progress import bar, workers_of
from arena.table.measured import Progress

if TYPE_CHECKING:
    from arena.games.progress import Workers


def audit(run: Path, *, workers: Workers = 1, progress: Progress = False) -> int:
    """Compare every move of a stored run with perfect play, store the results, and return the number of positions.

    Stored results are not computed again. Raises InputError if it cannot go on; results so far are kept.
    """
    from arena.perfect.judge import audit as solve_moves
    from arena.perfect.judge import missing
    from arena.store.run_file import Store
    from arena.store.validation import refuse_damaged

    threads = workers_of(workers)
    with Store.read(run) as store:
        refuse_damaged(store)
        rules, openings = store.rules(), missing(store)
    if not openings:
        return 0
    rules.refuse_most_fours("the solver")
    total = sum(map(len, openings))
    shown = bar(progress, "position", total, leave=True, smoothing=0.1)
    with Store.resume(run) as store, shown:
        try:
            solve_moves(store, openings, threads, shown.update)
        except InputError as error:
            raise InputError(f"{error}; what was audited is kept") from error
    return total
