"""Tunes the weights of heuristics."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import Rules
from agents.errors import InputError
from arena.api.progress import Progress, Watch, bar, cores
from arena.api.settings import rules_of, whole

if TYPE_CHECKING:
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import TuningResult


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result of a tuning."""

    outcome: TuningResult
    compare: str
    """The command that plays the tuned weights against the start; empty where nothing better was found."""
    interrupted: bool


def tune(
    heuristic: str = "",
    *,
    start: str | None = None,
    search: str = "alphabeta:order=centre",
    depth: int = 4,
    positions: int | str | Path = 4000,
    evaluations: int = 300,
    seed: int = 1,
    workers: int | None = 1,
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> Tuned:
    """Search the weights of a heuristic for better ones; `arena tune` from Python. Raises InputError.

    heuristic: a name with weights, such as "windows(1,10,100,1000)", or a name, with the weights in `start`. search,
    depth: what uses the heuristic, and its plies. positions: a number of positions, or a file of them; one half trains,
    the other is held out. evaluations: heuristics to try. seed: of all random choices. workers: threads that solve.
    rules: the board. Ctrl-C keeps the results so far.
    """
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import Tuning, held, outcome

    asked = positions if isinstance(positions, int) else str(positions)
    task = Task(
        _started(heuristic, start), search, whole("depth", depth, 1, 64), asked, whole("evaluations", evaluations, 2),
        seed, rules_of(rules),
    )  # fmt: skip
    tuning, interrupted, watch = Tuning(task), False, Watch(seed, None)
    with bar(progress, "position", desc="solving") as shown:
        train, held_out = task.sets(cores(workers), shown.update)
    with bar(progress, "try", task.evaluations) as shown:

        def tried(best: float) -> None:
            shown.set_postfix_str(f"best {best:.4f}", refresh=False)
            shown.update()

        try:
            tuning.search(train, tried)
        except KeyboardInterrupt:
            interrupted = True
    best = tuning.best()
    result = outcome(tuning, held(tuning, train, best), held(tuning, held_out, best), watch.end()[0])
    return Tuned(result, _compare(task, result), interrupted)


def _started(heuristic: str, start: str | None) -> str:
    """Return a heuristic with its weights at the start. Raises InputError."""
    if not heuristic:
        raise InputError("which heuristic? arena tune 'windows(1,10,100,1000)'")
    if start is not None and "(" in heuristic:
        raise InputError(f"--start needs a heuristic's name alone: {heuristic} has its weights already")
    return heuristic if start is None else f"{heuristic}({start})"


def _compare(task: Task, result: TuningResult) -> str:
    """Return the command that plays tuned weights against those at the start; empty where they are the same."""
    if result.tuned == result.start:
        return ""
    words = ["arena", "compare", result.tuned, result.start, "--search", task.search, "--depth", str(task.depth)]
    return shlex.join([*words, *(["--board", str(task.rules)] if task.rules != Rules() else [])])
