"""Tournaments: agents of any kind against each other, and heuristics in the same search."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from agents.board import Rules
from agents.errors import InputError
from arena.api import jobs
from arena.api.result import Result, load
from arena.api.settings import PLAN, checked, listed, named, of_type, refuse_unknown, rules_of
from arena.store.folder import run_file

if TYPE_CHECKING:
    from arena.play.entries import Entry
    from arena.play.extend import Growth
    from arena.play.object_agent import ObjectAgent
    from arena.play.run import Run


class Apart(TypedDict, total=False):
    """How agents of files and commands live in a run, as `arena.play.isolation.Isolation` has it."""

    patience: float
    """Seconds to start, and for a move where the run has no limit of its own; 60 by default."""
    memory: int
    """Megabytes a process; 1024 by default."""
    sandbox: bool
    """Whether they see no network and no files but their own."""
    everyone: bool
    """Whether built-in agents play in processes of their own as well."""
    nobody: bool
    """Whether agents of files play in the arena's processes."""


@checked
def run(
    agents: Sequence[object] | Mapping[str, object] = (),
    *,
    rounds: int | None = None,
    openings: str | None = None,
    seed: int | None = None,
    format: str | None = None,  # noqa: A002  as the command calls it
    order: Literal["fair", "uncertain"] | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    include_self: bool | None = None,
    rules: Rules | str | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    margin: float | None = None,
    sprt: str | None = None,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    add: Sequence[str | Path] = (),
    replay: Sequence[str | Path] = (),
    keep: bool = False,
    workers: int = 1,
    isolation: Apart | None = None,
    times: Literal["alone", "games"] = "games",
    why: bool = False,
    cluster: str | None = None,
    progress: bool = False,
) -> Result:
    """Play a tournament, store it, and return its tables; `arena run` from Python. Raises InputError.

    agents: specs, classes, functions or objects with `choose(board, limits)`; by default the default field. A mapping
    gives them names, {"mine": Mine(3), "other": "greedy"}; else an object is called by its attribute `name` or its
    class, and a second one `Mine#2`. Your own classes and objects play in the arena's processes; those that cannot be
    sent to others play in this one. Their class, public attributes and a digest of their source are stored.

    What is played, each with the default of the command: rounds: openings per pairing, each played twice with colours
    swapped (20). openings: plies:N, fair:N, fair:N:pairs or a file ("plies:4"). seed: decides all chance (1). format:
    who meets whom, such as "gauntlet" or "swiss:5" ("round-robin"). order: "uncertain" spends games where the order of
    two neighbours is least sure ("fair"). pairs: only these pairings, by name. include_self: every agent also meets
    itself. rules: the board ("7x6x4"). nodes, seconds: what every agent may spend on a move. margin: seconds past the
    limit before the referee calls time (0.1). sprt: stop two agents' match when decided, such as "elo0=0,elo1=30".

    out: the file, by default a new one in `results/`. resume: a file whose missing games are played instead. It grows
    by `rounds`, by the agents to `add`, and by those to `replay` (names, specs or files), whose games are played again;
    with `keep` agents whose files, versions or attributes have changed go on. `agents` then are the run's own objects,
    all in their order or by name, which are needed where games of theirs are missing. workers: processes; more than one
    need `if __name__ == "__main__":` in a script. isolation: how agents of files live. times: "alone" searches a sample
    of positions by turns afterwards. why: look into every search afterwards, which `effort` and `phases` then tell of.
    cluster: HOST:PORT of a Dask scheduler, whose workers play, or local:N; see docs/scale.md. progress: show a bar.
    """
    from arena.play import run as tournament
    from arena.play.isolation import Isolation
    from arena.play.plan import DEFAULT_FIELD, Plan
    from arena.play.run import Run

    asked_for: dict[str, Any] = {
        "rounds": rounds, "openings": openings, "seed": seed, "format": format, "order": order, "pairs": pairs,
        "include_self": include_self, "rules": rules, "nodes": nodes, "seconds": seconds, "margin": margin,
        "sprt": sprt,
    }  # fmt: skip
    plan = {name: value for name, value in asked_for.items() if value is not None}
    _refuse_wrong(plan, isolation or {})
    processes = tournament.workers(workers)
    if resume is not None:
        growth = _growth(_objects(agents), add, replay, plan, keep=keep)
        _refuse_cluster(growth.objects, cluster)
        grown = Run.resume(run_file(resume), growth)
        processes = _processes(growth.objects.values(), processes)
        if grown.warning:
            warnings.warn(grown.warning, stacklevel=3)
        return _played(grown, processes, times, cluster, why, progress)
    if add or replay or keep:
        raise InputError("add, replay and keep are for a stored run, which resume names")
    names, entries, given = _invited(_named(agents) or _named(DEFAULT_FIELD))
    if "rules" in plan:
        plan["rules"] = rules_of(plan["rules"])
    apart = Isolation(folder=str(Path.cwd()), entries=entries, **(isolation or {}))
    _refuse_cluster(given, cluster)
    asked = Plan(names, isolation=apart, **plan)
    processes = _processes(given.values(), processes)
    begun = Run.begin(asked, None if out is None else Path(out), given=given, jobs=processes if cluster is None else 1)
    return _played(begun, processes, times, cluster, why, progress)


@checked
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
    workers: int = 1,
    times: Literal["alone", "games"] = "alone",
    why: bool = False,
    cluster: str | None = None,
    progress: bool = False,
) -> Result:
    """Let heuristics meet in the same search, and return the run; `arena compare` from Python. Raises InputError.

    heuristics: names or file.py:function, two or more. search: the spec of the search that all use. depth, nodes or
    seconds: how much of it everybody has for a move, one level or a list of them; depth 4 to 6 by default. openings,
    rounds, seed, times, why, cluster, progress: as in `run`. The answer has `ratings`, `pairings` and `verdicts`.
    """
    from agents.specs.notation import every
    from arena.play import run as tournament
    from arena.play.run import Run

    processes = tournament.workers(workers)
    amounts = {
        key: [value] if isinstance(value, int | float) else None if value is None else listed(key, value, 4)
        for key, value in (("depth", depth), ("nodes", nodes), ("seconds", seconds))
    }
    plan = jobs.comparison_plan(
        tuple(every(named("heuristics", heuristics, "smart-aware"))), search, amounts, openings=openings,
        rounds=rounds, seed=seed, rules=rules_of(rules),
    )  # fmt: skip
    begun = Run.begin(plan, None if out is None else Path(out), jobs=processes if cluster is None else 1)
    return _played(begun, processes, times, cluster, why, progress)


def _refuse_wrong(plan: Mapping[str, Any], isolation: Mapping[str, Any]) -> None:
    """Raise InputError for a limit of the wrong type, and for a word that `isolation` does not have."""
    for name in plan.keys() & PLAN.keys():
        of_type(name, plan[name], PLAN)
    refuse_unknown("run(isolation=…)", isolation, Apart.__annotations__)


def _refuse_cluster(given: Collection[object], cluster: str | None) -> None:
    if given and cluster is not None:
        raise InputError("a cluster plays agents that are named by a spec or a file; your own objects stay here")


def _objects(agents: Sequence[object] | Mapping[str, object]) -> dict[str | int, ObjectAgent]:
    """Return the objects of a stored run that are given again, by name or by place in a list. Raises InputError."""
    from arena.play.object_agent import ObjectAgent

    found: dict[str | int, ObjectAgent] = {}
    for place, (name, agent) in enumerate(_named(agents)):
        if isinstance(agent, str | Path):
            raise InputError(
                f"with resume agents are the run's own objects, and {str(agent)!r:.80} is none; add has it join"
            )
        found[place if name is None else name] = ObjectAgent.of(agent, name)
    return found


def _growth(
    objects: Mapping[str | int, ObjectAgent], add: Sequence[object], replay: Sequence[object], plan: Mapping[str, Any],
    *, keep: bool,
) -> Growth:  # fmt: skip
    """Return what a stored run is to have beyond its plan. Raises InputError."""
    from arena.play.extend import Growth

    for name in plan.keys() - {"rounds"}:
        raise InputError(f"resume continues the plan that is stored; {name} cannot change it")
    names, entries, given = _invited([(None, agent) for agent in listed("add", add)])
    if given:
        raise InputError("an agent that joins a stored run is named by a spec or a file")
    again = tuple(map(str, listed("replay", replay)))
    return Growth(names, entries, plan.get("rounds"), again, keep, objects=objects)


def _processes(given: Iterable[ObjectAgent], asked: int) -> int:
    """Return in how many processes agents can play that were given as they are; say so where it is but this one."""
    kept = [each.text for each in given if not each.travels]
    if kept and asked > 1:
        text = f"all games are played in this process, since {' and '.join(kept)} cannot be sent to another"
        warnings.warn(text, stacklevel=4)
    return 1 if kept else asked


def _played(run: Run, processes: int, times: str, cluster: str | None, why: bool, progress: bool) -> Result:
    """Play what is missing and return the tables; say what of agents' answers could not be kept."""
    jobs.play(
        run, processes, cluster, times=times, why=why, progress=progress,
        warn=lambda line: warnings.warn(line, stacklevel=6),
    )  # fmt: skip
    return load(run.store.path)


def _named(agents: object) -> list[tuple[str | None, object]]:
    """Return the agents with their names, None where they were given as a list. Raises InputError."""
    from arena.play.object_agent import NAME

    if not isinstance(agents, Mapping):
        return [(None, agent) for agent in listed("agents", agents)]
    for name in agents:
        if not (isinstance(name, str) and NAME.fullmatch(name)):
            raise InputError(f"an agent's name has letters, digits, blanks and . + - _, at most 80, not {name!r:.100}")
    return list(agents.items())


def _invited(
    agents: Iterable[tuple[str | None, object]],
) -> tuple[tuple[str, ...], tuple[Entry | None, ...], dict[int, ObjectAgent]]:
    """Return the names of all agents, their entries in folders and rosters, and those given as they are, by place.

    An agent that is named in the program has an entry as one of a roster has. Raises InputError.
    """
    from arena.play.entries import Entry
    from arena.play.object_agent import ObjectAgent

    names: list[str] = []
    entries: list[Entry | None] = []
    given: dict[int, ObjectAgent] = {}
    for name, agent in agents:
        if isinstance(agent, str | Path):
            found, their = jobs.invite([str(agent)], strict=True, warn=lambda line: warnings.warn(line, stacklevel=6))
            if name is not None:
                if len(found) != 1:
                    raise InputError(f"{str(agent)!r:.80} stands for {len(found)} agents, and {name} names one")
                [entry] = their
                their = (replace(entry, name=name) if entry else Entry(name, found[0], str(Path.cwd())),)
                found = (name,)
            names += found
            entries += their
        else:
            given[len(names)] = ObjectAgent.of(agent, name)
            names.append(given[len(names)].text)
            entries.append(None)
    return tuple(names), tuple(entries), given


# Several stored runs as one.


@checked
def merge(runs: Sequence[Result | str | Path], out: str | Path) -> Result:
    """Write the games of several stored runs into a new file, and return it; `arena merge` from Python.

    runs: of the same board, openings, seed and limits; agents are the same where their names and the digests of their
    files are. A game that several hold counts once, as the first of them has it. Raises InputError, and leaves no file,
    where they do not belong together.
    """
    paths = [run.path if isinstance(run, Result) else run_file(run) for run in listed("runs", runs, "one.sqlite")]
    jobs.merge(paths, Path(out))
    return load(out)
