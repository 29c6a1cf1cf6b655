"""Positions with their truth, and what is fitted to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import Rules
from arena.api.given import checked, depths_of, listed, rules_of, whole

if TYPE_CHECKING:
    import pandas as pd

    from arena.measure.tune.outcome import Outcome


@checked
def label(
    count: int = 1000,
    *,
    plies: Sequence[int] | None = None,
    columns: bool = False,
    seed: int = 1,
    workers: int = 1,
    mebibytes: int = 256,
    rules: Rules | str = "7x6x4",
    out: str | Path | None = None,
) -> pd.DataFrame:
    """Draw positions and return them with their exact scores; `arena label` from Python. Raises InputError.

    count: how many, each once up to mirror image, from games of so many `plies` that greedy plays against itself.
    columns: also what a move in each column is worth. workers: threads that share a table of so many mebibytes. out:
    also write them there, to a file that the `positions` of `grade` may name. The columns of the table are the fields
    of `arena.measure.label.Label`; `.attrs["meta"]` says with what they were made.
    """
    from arena.analysis.rows import frame
    from arena.measure import labelled
    from arena.measure.grade import default_plies, sample
    from arena.measure.label import Label
    from arena.measure.label import label as labels
    from arena.play import tournament
    from arena.store.machine import load, meta

    used = load()
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
    return frame(rows, Label, meta(seed, None, used()))


@checked
def tune(
    heuristic: str,
    *,
    by: str = "moves",
    search: str = "alphabeta:order=centre",
    depth: int = 4,
    positions: int | str | Path = 4000,
    evaluations: int = 300,
    optimiser: str | None = None,
    confirm: Sequence[int] | int | None = None,
    sprt: str = "elo0=0,elo1=15",
    openings: str = "plies:6",
    rounds: int = 2000,
    seed: int = 1,
    workers: int = 1,
    out: str | Path | None = None,
    rules: Rules | str = "7x6x4",
) -> Outcome:
    """Search the weights of a heuristic for better ones, and test these; `arena tune` from Python. Raises InputError.

    heuristic: with its weights, such as "windows(1,10,100,1000)". by: moves, score or games. positions: how many
    questions, or a file that `label` writes; a half of them each to train and to hold out. evaluations: heuristics to
    try. confirm: depths of the games that follow, by default that of the search. out: keep there what was tried and
    the verdict, and beside it the games as stored runs; a file X
    """
    from arena.measure.tune.confirmation import confirm as games
    from arena.measure.tune.optimiser import default
    from arena.measure.tune.outcome import held, outcome
    from arena.measure.tune.state import State
    from arena.measure.tune.task import Task
    from arena.measure.tune.tuning import Tuning
    from arena.play import tournament
    from arena.store.machine import load, meta

    used = load()
    for name, value, low in (("depth", depth, 1), ("evaluations", evaluations, 2), ("rounds", rounds, 0)):
        whole(name, value, low)
    asked = positions if isinstance(positions, int) else str(positions)
    task = Task(
        heuristic, by, search, depth, asked, evaluations, openings, seed, optimiser or default(), rules_of(rules)
    )  # fmt: skip
    path = None if out is None else Path(out)
    state = State.of(path, task.document())
    tuning, threads = Tuning(task, state), tournament.workers(workers)
    train, held_out = task.sets(threads, lambda: None)
    tuning.search(train)
    best = tuning.best()
    sets = held(tuning, train, best), held(tuning, held_out, best)
    depths = depths_of(depth if confirm is None else confirm) if best != tuning.family.start and rounds else []
    tuned = tuning.family.text(best)
    matches = [games(tuned, tuning.start, each, task.terms(sprt, rounds), threads, tuning=path) for each in depths]
    found = outcome(tuning, *sets, matches, meta(seed, None, used()))
    state.conclude(asdict(found))
    return found
