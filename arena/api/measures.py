"""Measurements beside tournaments: what depths cost, how good moves are, and the proof that pruning is free.

`.attrs["meta"]` of their tables says what is needed to repeat them, as `arena.store.machine.meta` returns it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agents.board import Board, Rules
from arena.api import jobs
from arena.api.result import Result, opened
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

    agents: specs, classes, functions or objects; one of your own gets the depth as `limits.depth` and must search as
    deep. depth: plies. positions: the text of moves, or Boards. budget: seconds that a search may be expected to take;
    dearer rows are there without numbers. The columns of the table are the fields of `arena.measure.depths.Cost`; with
    `why` those of `InspectedCost`, which also say what the searches did inside. Raises InputError.
    """
    from arena.measure.depths import Cost, InspectedCost
    from arena.rows import frame

    found = jobs.depths(
        specs(agents), depths_of(depth), boards_of(positions, rules), budget, why=why,
        warn=lambda line: warnings.warn(line.replace("--", ""), stacklevel=5),
    )  # fmt: skip
    return frame(found.rows, InspectedCost if why else Cost, found.meta)


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
    from arena.measure.grading import Grade, StageGrade
    from arena.rows import frame

    if isinstance(positions, str | Path):
        positions = Path(positions)
    else:
        whole("positions", positions, 1)
    whole("seed", seed, 0)
    found = jobs.grade(
        specs(agents), depths_of(depth), positions, seed, None if plies is None else listed("plies", plies, 12),
        rules_of(rules), stages=stages, ladder=depths_of(ladder) if ladder else None, mirror=mirror,
        workers=jobs.workers_of(workers), progress=progress,
    )  # fmt: skip
    if found.interrupted:
        raise KeyboardInterrupt
    return frame(found.by_stage, StageGrade, found.meta) if stages else frame(found.rows, Grade, found.meta)


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
    from arena.measure.verify import Disagreement, Effort
    from arena.rows import frame

    whole("positions", positions, 1)
    whole("depth", depth, 1, 20)
    whole("seed", seed, 0)
    names, orders = named("heuristics", heuristics, "smart-aware"), named("orderings", orderings, "centre")
    done = jobs.verify(positions, depth, seed, names, orders, rules_of(rules))
    found = done.findings
    searches = frame(found.compiled + found.plain, Effort, done.meta)
    return Verified(searches, frame(found.disagreements, Disagreement, done.meta))


@checked
def bench(agents: Sequence[object] = (), *, compare: str | Path | None = None, limit: float = 1.05) -> pd.DataFrame:
    """Return how fast searches are on this machine, a row for each; `arena bench` from Python. Raises InputError.

    agents: specs; every built-in search, ordering and heuristic and the solver, if empty. compare: a file that `arena
    bench --json` or the table's `to_json(orient="records")` wrote; the rows then say how many times as long as before a
    search takes, and whether all of the interval lies beyond the limit. The columns of the table are the fields of
    `arena.measure.bench.Speed`, or of `arena.measure.bench.Slowdown`.
    """
    from arena.measure.bench import Slowdown, Speed
    from arena.rows import frame

    if compare is None:
        speeds = jobs.bench(specs(agents))
        return frame(speeds.rows, Speed, speeds.meta)
    found = jobs.slowdowns(Path(compare), specs(agents), limit)
    return frame(found.rows, Slowdown, found.meta)


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
    from arena.measure.label import Label
    from arena.rows import frame

    whole("count", count, 1)
    whole("seed", seed, 0)
    whole("mebibytes", mebibytes, 1, 65_536)
    found = jobs.label(
        count, listed("plies", plies, 12) if plies else None, seed, rules_of(rules), columns=columns,
        out=None if out is None else Path(out), workers=jobs.workers_of(workers), mebibytes=mebibytes,
    )  # fmt: skip
    if found.interrupted:
        raise KeyboardInterrupt
    return frame(found.rows, Label, found.meta)


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
    for name, value, low in (("depth", depth, 1), ("evaluations", evaluations, 2), ("rounds", rounds, 0)):
        whole(name, value, low)
    settings = {
        "heuristic": heuristic, "by": by, "search": search, "depth": depth, "evaluations": evaluations,
        "positions": positions if isinstance(positions, int) else str(positions), "openings": openings, "seed": seed,
        "rules": rules_of(rules), **({"optimiser": optimiser} if optimiser else {}),
    }  # fmt: skip
    tuning = jobs.new_tuning(settings, sprt, None if out is None else Path(out), again=True)
    depths = None if confirm is None else depths_of(confirm)
    found = jobs.tune(tuning, depths, sprt, rounds, workers=jobs.threads(workers))
    if found.interrupted:
        raise KeyboardInterrupt
    return found.outcome
