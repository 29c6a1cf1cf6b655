"""Moves of agents graded against perfect play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import Rules
from agents.errors import InputError
from arena.games.progress import Watch, bar, workers_of
from arena.games.settings import Apart, depths_of, listed, rules_of, specs, whole
from arena.table.measured import Measured, Progress, Warn, remaining, warn_caller

if TYPE_CHECKING:
    from arena.games.progress import Workers
    from arena.perfect.grading import Grade, Grading


@dataclass(frozen=True, slots=True)
class Graded(Measured["Grade"]):
    """The grades of agents."""

    grading: Grading | None = None
    """The sample and the ladder; None if no agent was graded."""
    candidates: int = 0
    """The number of rows to grade."""


def grade(
    agents: Sequence[object],
    depth: int | Iterable[int] = range(1, 7),
    *,
    positions: int | str | Path = 500,
    seed: int = 1,
    plies: Sequence[int] | None = None,
    ladder: int | Iterable[int] | None = None,
    workers: Workers = 1,
    rules: Rules | str = "7x6x4",
    isolation: Apart | None = None,
    progress: Progress = False,
    warn: Warn = warn_caller,
) -> Graded:
    """Return how often agents find a good move in solved positions; `arena grade` from Python. Raises InputError.

    agents: specs, folders, rosters, classes, functions or objects. depth: plies, for agents that leave their depth
    open. positions: a number of positions, drawn with the seed from games of `plies`, or a file of them, see
    `arena.perfect.scored`. ladder:
    depths of alpha-beta to find the depth that plays like an agent. workers: threads that solve. rules: the board.
    isolation: settings for agents of files, see `run`; an agent that fails is left out. progress: show a bar. Ctrl-C
    keeps the rows found so far. The columns of the table are the fields of `arena.perfect.grading.Grade`.
    """
    from arena.perfect.exercises import default_plies, positions_from, questions
    from arena.perfect.grading import Grade, Grading, candidates

    asked = Path(positions) if isinstance(positions, str | Path) else whole("positions", positions, 1)
    whole("seed", seed, 0)
    drawn = None if plies is None else listed("plies", plies, 12)
    rungs = depths_of(ladder) if ladder else None
    board = rules_of(rules)
    entered = candidates(specs(agents, isolation, warn), depths_of(depth), board)
    threads = workers_of(workers)
    # an agent that cannot be made fails before anything is solved, and so do plies that the board lacks
    built = [candidate.spec.build() for candidate in entered]
    next(positions_from(seed, drawn or default_plies(board), board, 1), None)
    rows: list[Grade] = []
    done, interrupted, watch, faults = None, False, Watch(seed), list[InputError]()
    with bar(progress, "move") as shown:
        try:
            boards, scores = questions(asked, seed, drawn, board, shown.update)
            shown.total = shown.n + len(boards) * (len(built) + len(rungs or ()) + 1) - len(scores)
            grading = Grading.of(boards, scores, seed, threads, shown.update, rungs=rungs)
            for row in grading.grades(entered, built, shown.update, faults):
                rows.append(row)
                done = grading
        except KeyboardInterrupt:
            interrupted = True
    return Graded(
        rows, Grade, *watch.end(), interrupted, grading=done, candidates=len(entered),
        faults=tuple(faults) if interrupted else remaining(faults, rows),
    )  # fmt: skip
