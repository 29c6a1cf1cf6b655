"""Measurements beside tournaments: what depths cost, how good moves are, and the proof that pruning is free.

`.attrs["meta"]` of their tables says what is needed to repeat them, as `arena.store.machine.meta` returns it.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agents.board import Board, Rules
from arena.api.given import boards_of, checked, depths_of, listed, named, rules_of, specs, whole
from arena.api.progress import bar
from arena.api.result import Result, opened

if TYPE_CHECKING:
    import pandas as pd


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
    dearer rows are there without numbers. The columns of the table are the fields of `arena.measure.costs.Cost`; with
    `why` those of `InspectedCost`, which also say what the searches did inside. Raises InputError.
    """
    from arena.analysis.rows import frame
    from arena.measure.costs import Cost, InspectedCost
    from arena.measure.depths import depth_table, left_aside
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
    progress: show a bar. The columns of the table are the fields of `arena.measure.marks.Marks` or, by stages, of
    `arena.measure.stages.StageMarks`.
    """
    from arena.analysis.rows import frame
    from arena.measure import grade as measure
    from arena.measure.exam import Exam
    from arena.measure.marks import Marks
    from arena.measure.questions import questions
    from arena.measure.stages import StageMarks
    from arena.play import tournament
    from arena.store.machine import load, meta

    used = load()
    if isinstance(positions, str | Path):
        positions = Path(positions)
    else:
        whole("positions", positions, 1)
    whole("seed", seed, 0)
    who = measure.candidates(specs(agents), depths_of(depth))
    built = [each.spec.build() for each in who]
    threads, asked = tournament.workers(workers), None if plies is None else listed("plies", plies, 12)
    with bar("step", None, shown=progress) as step:
        boards, known = questions(positions, seed, asked, rules_of(rules), threads, step, staged=stages)
        exam = Exam.of(boards, known, seed, threads, step, rungs=depths_of(ladder) if ladder else None, mirror=mirror)
        found = list(exam.sit(who, built, step))
    about = meta(seed, None, used())
    if stages:
        return frame([row for _, rows in found for row in rows], StageMarks, about)
    return frame([row for row, _ in found], Marks, about)


@checked
def audit(run: Result | str | Path, *, strong: bool = False, workers: int = 1, progress: bool = False) -> pd.DataFrame:
    """Hold every move of a stored run against perfect play, and return a row for each agent; `arena audit` from Python.

    What is found is stored with the run; what is stored already is not solved again. strong: also by distance. workers:
    threads. progress: show a bar. The columns of the table are the fields of `arena.analysis.audited.AgentAudit`.
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
    from arena.measure.proof import Proof
    from arena.measure.verify import Disagreement, Effort
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
    `arena.measure.bench.Speed`, or of `arena.measure.slowdown.Slowdown`.
    """
    from arena.analysis.rows import frame
    from arena.measure import bench as measure
    from arena.measure.slowdown import Slowdown, read, slowdowns
    from arena.store.machine import load, meta

    before, used = None if compare is None else read(Path(compare)), load()
    speeds = measure.bench(specs(agents) or measure.benches())
    about = meta(None, None, used())
    if before is None:
        return frame(speeds, measure.Speed, about)
    return frame(slowdowns(before, speeds, limit), Slowdown, about)
