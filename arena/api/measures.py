"""Measurements beside tournaments: what depths cost, how good moves are, and the proof that pruning is free.

`.attrs["meta"]` of their tables says what is needed to repeat them, as `arena.store.machine.meta` returns it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agents.board import Board, Rules
from arena.api.result import Result, bar, opened
from arena.api.settings import boards_of, checked, depths_of, listed, named, rules_of, specs, whole

if TYPE_CHECKING:
    import pandas as pd

    from arena.measure.tuning.tuning import Outcome


@checked
def depths(
    agents: Sequence[object],
    depth: int | Iterable[int] = range(1, 9),
    *,
    positions: Board | str | Sequence[Board | str] = "",
    rules: Rules | str = "7x6x4",
    budget: float = 10.0,
    why: bool = False,
) -> pd.DataFrame:
    """Return what each depth costs, a row for each agent, position and depth; `arena depths` from Python.

    agents: specs, classes, functions or objects; one of your own is told the depth by `limits.depth` and must search as
    deep. depth: plies. positions: the text of moves, or Boards. budget: seconds that a search may be expected to take;
    dearer rows are there without numbers. The columns of the table are the fields of `arena.measure.depths.Cost`; with
    `why` those of `InspectedCost`, which also say what the searches did inside. Raises InputError.
    """
    from arena.analysis.rows import frame
    from arena.measure.depths import Cost, InspectedCost, depth_table, left_aside
    from arena.store.machine import load, meta

    who, used = specs(agents), load()
    if aside := left_aside(who):
        warnings.warn(f"the own depth of {aside} is left aside: depth says which are measured", stacklevel=3)
    rows = depth_table(who, depths_of(depth), boards_of(positions, rules), budget, why=why)
    return frame(rows, InspectedCost if why else Cost, meta(None, None, used()))


@checked
def grade(
    agents: Sequence[object],
    depth: int | Iterable[int] = range(1, 7),
    *,
    positions: int | str | Path = 500,
    seed: int = 1,
    plies: Sequence[int] | None = None,
    stages: bool = False,
    ladder: int | Iterable[int] = (),
    mirror: bool = False,
    workers: int = 1,
    rules: Rules | str = "7x6x4",
    progress: bool = False,
) -> pd.DataFrame:
    """Return how often agents find a good move where the truth is known; `arena grade` from Python. Raises InputError.

    agents: specs, classes, functions or objects. depth: plies, for agents that leave their depth open. positions: how
    many, drawn by the seed from games of so many plies, or a file that `label` writes. stages: a row for each of Pons'
    sets, with columns `stage` and `difficulty`; as many positions are drawn of each. ladder: depths of alpha-beta that
    say what depth plays like an agent. mirror: ask each position in the mirror, too. workers: threads that solve.
    progress: show a bar. The columns of the table are the fields of `arena.measure.grading.Grade` or, by stages, of
    `arena.measure.grading.StageGrade`.
    """
    from arena.analysis.rows import frame
    from arena.measure.exercises import questions
    from arena.measure.grading import Grade, Grading, StageGrade, candidates
    from arena.play import run as tournament
    from arena.store.machine import load, meta

    used = load()
    if isinstance(positions, str | Path):
        positions = Path(positions)
    else:
        whole("positions", positions, 1)
    whole("seed", seed, 0)
    who = candidates(specs(agents), depths_of(depth))
    built = [each.spec.build() for each in who]
    threads, asked = tournament.workers(workers), None if plies is None else listed("plies", plies, 12)
    with bar("step", None, shown=progress) as step:
        boards, known = questions(positions, seed, asked, rules_of(rules), threads, step, staged=stages)
        rungs = depths_of(ladder) if ladder else None
        grading = Grading.of(boards, known, seed, threads, step, rungs=rungs, mirror=mirror)
        found = list(grading.grades(who, built, step))
    about = meta(seed, None, used())
    if stages:
        return frame([row for _, rows in found for row in rows], StageGrade, about)
    return frame([row for row, _ in found], Grade, about)


@checked
def audit(run: Result | str | Path, *, strong: bool = False, workers: int = 1, progress: bool = False) -> pd.DataFrame:
    """Hold every move of a stored run against perfect play, and return a row for each agent; `arena audit` from Python.

    What is found is stored with the run; what is stored already is not solved again. strong: also by distance. workers:
    threads. progress: show a bar. The columns of the table are the fields of `arena.analysis.audit.AgentAudit`.
    Raises InputError.
    """
    return opened(run).audit(strong=strong, workers=workers, progress=progress)


class Verified(NamedTuple):
    """What the exact searches visited, and where they disagreed."""

    searches: pd.DataFrame
    """Columns: the fields of `arena.measure.verify.Effort`."""
    disagreements: pd.DataFrame
    """Columns: the fields of `arena.measure.verify.Disagreement`; no row where every search agrees."""


@checked
def verify(
    *,
    positions: int = 40,
    depth: int = 6,
    seed: int = 1,
    heuristics: Sequence[str] = (),
    orderings: Sequence[str] = (),
    rules: Rules | str = "7x6x4",
) -> Verified:
    """Let every exact search meet plain minimax, and return where any two disagree; `arena verify` from Python.

    positions: how many, drawn by the seed from random play. depth: plies. heuristics, orderings: only these. Returns a
    named pair of tables: `searches`, whose columns are the fields of `arena.measure.verify.Effort`, and
    `disagreements`, those of `arena.measure.verify.Disagreement`, without a row where all agree. Raises InputError.
    """
    from arena.analysis.rows import frame
    from arena.measure.verify import Disagreement, Effort, Proof
    from arena.store.machine import load, meta

    used = load()
    whole("positions", positions, 1)
    whole("depth", depth, 1, 20)
    whole("seed", seed, 0)
    names, orders = named("heuristics", heuristics, "smart-aware"), named("orderings", orderings, "centre")
    found = Proof.of(positions, depth, seed, names, orders, rules_of(rules)).run()
    about = meta(seed, None, used())
    return Verified(frame(found.compiled + found.plain, Effort, about), frame(found.disagreements, Disagreement, about))


@checked
def bench(agents: Sequence[object] = (), *, compare: str | Path | None = None, limit: float = 1.05) -> pd.DataFrame:
    """Return how fast searches are on this machine, a row for each; `arena bench` from Python. Raises InputError.

    agents: specs; every built-in search, ordering and heuristic and the solver, if empty. compare: a file that `arena
    bench --json` or the table's `to_json(orient="records")` wrote; the rows then say how many times as long as before a
    search takes, and whether all of the interval lies beyond the limit. The columns of the table are the fields of
    `arena.measure.bench.Speed`, or of `arena.measure.bench.Slowdown`.
    """
    from arena.analysis.rows import frame
    from arena.measure import bench as measure
    from arena.measure.bench import Slowdown, read, slowdowns
    from arena.store.machine import load, meta

    before, used = None if compare is None else read(Path(compare)), load()
    speeds = measure.bench(specs(agents) or measure.benches())
    about = meta(None, None, used())
    if before is None:
        return frame(speeds, measure.Speed, about)
    return frame(slowdowns(before, speeds, limit), Slowdown, about)


# Positions with their truth, and what is fitted to them.


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
    from arena.measure import label as labelled
    from arena.measure.exercises import default_plies, sample
    from arena.measure.label import Label
    from arena.measure.label import label as labels
    from arena.play import run
    from arena.store.machine import load, meta

    used = load()
    whole("count", count, 1)
    whole("seed", seed, 0)
    whole("mebibytes", mebibytes, 1, 65_536)
    size = rules_of(rules)
    if out is not None:
        labelled.refuse(Path(out), size, columns=columns)
    boards = sample(count, seed, listed("plies", plies or default_plies(size), 12), size)
    rows = labels(boards, {}, columns=columns, threads=run.workers(workers), mebibytes=mebibytes)
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
    from arena.measure.tuning.confirmation import confirm as games
    from arena.measure.tuning.goals import Task, default
    from arena.measure.tuning.tuning import State, Tuning, held, outcome
    from arena.play import run
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
    tuning, threads = Tuning(task, state), run.workers(workers)
    train, held_out = task.sets(threads, lambda: None)
    tuning.search(train)
    best = tuning.best()
    sets = held(tuning, train, best), held(tuning, held_out, best)
    depths = depths_of(depth if confirm is None else confirm) if best != tuning.family.start and rounds else []
    tuned = tuning.family.text(best)
    matches = [games(task, tuned, tuning.start, each, sprt, rounds, threads, tuning=path) for each in depths]
    found = outcome(tuning, *sets, matches, meta(seed, None, used()))
    state.conclude(asdict(found))
    return found
