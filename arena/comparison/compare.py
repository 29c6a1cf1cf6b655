"""Comparisons of heuristics in the same search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Rules
from agents.errors import InputError
from arena.games.progress import cluster_at, cores
from arena.games.settings import Apart, check_isolation, heuristics_of, listed, named, rules_of
from arena.tournament.result import Result, load
from arena.tournament.tournaments import _processes, play

if TYPE_CHECKING:
    from arena.games.progress import Workers
    from arena.games.run import Run


def compare(
    heuristics: Sequence[str],
    *,
    search: str = "alphabeta:order=centre",
    depth: Sequence[int] | int | None = None,
    nodes: Sequence[int] | int | None = None,
    seconds: Sequence[float] | float | None = None,
    openings: str | None = None,
    rounds: int = 100,
    seed: int = 1,
    rules: Rules | str = "7x6x4",
    out: str | Path | None = None,
    isolation: Apart | None = None,
    workers: int = 1,
    cluster: str | None = None,
    progress: bool = False,
) -> Result:
    """Let heuristics meet in the same search, and return the run; `arena compare` from Python. Raises InputError.

    heuristics: two or more names or file.py:function. search: the spec of the search for all of them. depth, nodes or
    seconds: the limit of every move, one level or a list of levels; by default depth 4 to 6. openings, rounds, seed,
    rules, out, isolation, workers, cluster, progress: see `run`. The result has `ratings`, `pairings` and `verdicts`.
    """
    check_isolation("compare", isolation)
    cores(workers)
    players = cluster_at(cluster) or workers
    begun = begin_comparison(
        heuristics, search=search, depth=depth, nodes=nodes, seconds=seconds, openings=openings, rounds=rounds,
        seed=seed, rules=rules, out=out, isolation=isolation, workers=players,
    )  # fmt: skip
    play(begun, players, progress=progress)
    return load(begun.store.path)


def begin_comparison(
    heuristics: Sequence[str],
    *,
    search: str = "alphabeta:order=centre",
    depth: Sequence[object] | int | None = None,
    nodes: Sequence[object] | int | None = None,
    seconds: Sequence[object] | float | None = None,
    openings: str | None = None,
    rounds: int = 100,
    seed: int = 1,
    rules: Rules | str = "7x6x4",
    out: str | Path | None = None,
    isolation: Mapping[str, Any] | None = None,
    workers: Workers = 1,
    command: str = "",
) -> Run:
    """Begin a tournament of heuristics at equal depth, nodes or seconds. Raises InputError.

    heuristics, search, depth, nodes, seconds, openings, rounds, seed, rules: see `compare`. out, isolation, command:
    see `begin`.
    """
    from agents.process_agent import check_sandbox
    from arena.comparison import plan as comparison
    from arena.comparison.trial import refuse_failing
    from arena.games.isolation import Isolation
    from arena.games.openings import DEFAULT_SET
    from arena.games.run import Run

    limits = {
        key: value for key, value in (("depth", depth), ("nodes", nodes), ("seconds", seconds)) if value is not None
    }
    if len(limits) > 1:
        raise InputError(f"choose one of {' and '.join(f'--{key}' for key in limits)}")
    [(key, values)] = limits.items() or [("depth", (4, 5, 6))]
    several = [values] if isinstance(values, int | float) else listed(key, values, 4)
    levels = [comparison.Level(key, str(value)) for value in dict.fromkeys(several)]
    names = heuristics_of(named("heuristics", heuristics, "smart-aware"))
    plan = comparison.plan(
        names, search, levels, openings=openings or DEFAULT_SET, rounds=rounds, seed=seed, rules=rules_of(rules)
    )
    apart = isolation or {}
    if apart.get("sandbox"):
        check_sandbox()
    plan = replace(plan, isolation=Isolation(folder=str(Path.cwd()), **apart))
    if not apart.get("everyone"):  # a trial here would run heuristics that are to be isolated
        refuse_failing(plan)
    return Run.begin(plan, None if out is None else Path(out), command, jobs=_processes(workers))
