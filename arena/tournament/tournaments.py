"""Tournaments of agents of any kind, and comparisons of heuristics in the same search.

Begin or resume a run, then play it.
"""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Rules
from agents.errors import InputError, unknown
from arena.games.progress import bar, cluster_at, cores
from arena.games.settings import Apart, check_isolation, listed, rules_of
from arena.plugins import run_of
from arena.table.measured import Progress, Warn, warn_caller
from arena.tournament.result import Result, load
from arena.tournament.runs import run_file

if TYPE_CHECKING:
    from arena.games.entries import Entry
    from arena.games.executor import Executor, LiveGame
    from arena.games.object_agent import ObjectAgent
    from arena.games.plan import Plan
    from arena.games.progress import Workers
    from arena.games.run import Run
    from arena.tournament.pool import Anchor

LONG = 5.0
"""Seconds on one move after which the progress bar names the agent."""


def run(
    agents: Sequence[object] | Mapping[str, object] = (),
    *,
    rounds: int | None = None,
    openings: str | None = None,
    seed: int | None = None,
    format: str | None = None,  # noqa: A002  as the command calls it
    pairs: Sequence[tuple[str, str]] | None = None,
    include_self: bool | None = None,
    rules: Rules | str | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    clock: str | None = None,
    margin: float | None = None,
    sprt: str | None = None,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    add: Sequence[str | Path] = (),
    replay: Sequence[str | Path] = (),
    workers: int = 1,
    isolation: Apart | None = None,
    cluster: str | None = None,
    progress: bool = False,
) -> Result:
    """Play a tournament, store it, and return its tables; `arena run` from Python. Raises InputError.

    agents: specs, classes, functions or objects with `choose(board, limits)`; by default the default field. A mapping
    gives names, {"mine": Mine(3), "other": "greedy"}; otherwise an object has the name in its attribute `name` or that
    of its class, and a second one `Mine#2`. Your own classes and objects play in the arena's processes; those that
    cannot be sent to others play in this one. The run stores their class, public attributes and a digest of the source.

    The plan, with defaults in parentheses: rounds: openings per pairing, each played twice with colours swapped (20;
    with sprt all). openings: plies:N, fair:N, fair:N:pairs or a file ("plies:4"). seed: the seed
    of all random choices (1). "plies:0;repeat=40" plays every opening 40 times, for agents with chance. format: the
    pairings, such as "gauntlet" or "swiss:5" ("round-robin").
    pairs: only these pairings, by name.
    include_self: every agent also meets itself. rules: the board ("7x6x4"). nodes, seconds: the limits of every move.
    clock: seconds of each player for a whole game, and an increment, such as "60+1". margin: seconds past the limit
    before the referee calls time (0.1). sprt: stop two agents' match when decided, such as "elo0=0,elo1=30".

    out: the file, by default a new one in `results/`. resume: a stored run to continue instead. It may get more
    `rounds` and the agents of `add`; the games of agents in `replay` (names, specs or files) are deleted and played
    again. `agents` then are the run's own objects, all in order or by name, needed if they have games left. workers:
    processes; more than one need `if __name__ == "__main__":` in a script. isolation: settings for agents of files.
    cluster: HOST:PORT of a Dask scheduler for its workers to play, or local:N; see docs/scale.md. progress: show a bar.
    """
    keywords = locals()
    from arena.games.plan import SETTINGS

    plan = {name: keywords[name] for name in SETTINGS if keywords[name] is not None}
    for name, value in plan.items():
        SETTINGS[name].check_range(name, value)
    check_isolation("run", isolation)
    cores(workers)
    players = cluster_at(cluster) or workers
    if resume is None:
        begun = begin(agents, plan, out=out, isolation=isolation, add=add, replay=replay, workers=players)
    else:
        fixed = {name: value for name, value in (("out", out), ("isolation", isolation)) if value is not None}
        begun = resumed(resume, agents, plan | fixed, add=add, replay=replay, workers=players)
    play(begun, players, progress=progress)
    return load(begun.store.path)


# Begin a run in a new file, or resume it in its file.


def begin(
    agents: Sequence[object] | Mapping[str, object],
    plan: Mapping[str, Any],
    *,
    out: str | Path | None = None,
    isolation: Mapping[str, Any] | None = None,
    add: Sequence[object] = (),
    replay: Sequence[object] = (),
    anchor: Anchor | None = None,
    workers: Workers = 1,
    command: str = "",
    warn: Warn = warn_caller,
) -> Run:
    """Begin a tournament in a new file. Raises InputError.

    agents: see `run`; by default the default field. plan: fields of an `arena.games.plan.Plan`; with a sequential test
    `rounds` are by default all openings. out: by default a file in `results/` with a name
    from the time. isolation: fields of an `arena.games.isolation.Isolation`. add, replay: for stored runs, refused
    here. anchor: an agent with a fixed rating, which must be in the run. command: the command line,
    to be stored. warn: also called for each entry of a folder or roster that cannot play and is left out.
    """
    from agents.process_agent import check_sandbox
    from arena.games.entries import numbered
    from arena.games.isolation import Isolation
    from arena.games.openings import DEFAULT_SET, repetitions, shuffled
    from arena.games.plan import DEFAULT_FIELD, SETTINGS, Plan
    from arena.games.run import Run
    from arena.games.setup import introduced

    if add or replay:
        raise InputError("--add and --replay are for a stored run, which --resume FILE names")
    plan = {**plan, **({"rules": rules_of(plan["rules"])} if "rules" in plan else {})}
    _, times = repetitions(plan.get("openings", DEFAULT_SET))
    drawn = plan.get("rounds")
    if drawn is None and (times > 1 or plan.get("sprt") is not None):
        shuffle = plan.get("openings", DEFAULT_SET), plan.get("seed", 1), plan.get("rules", Rules())
        drawn = len(shuffled(*shuffle)) // times
        drawn = drawn if plan.get("sprt") is not None else min(drawn, SETTINGS["rounds"].default)
    plan |= {} if drawn is None else {"rounds": drawn * times}
    names, entries, objects = _invited(_named(agents) or _named(DEFAULT_FIELD), warn)
    _refuse_cluster(objects, workers)
    if isolation and isolation.get("sandbox"):
        check_sandbox()
    apart, typed = Isolation(folder=str(Path.cwd()), **(isolation or {})), names
    names, entries = introduced(names, entries, apart)
    if "pairs" in plan:
        spoken = dict(zip(numbered(typed), numbered(names), strict=True))
        plan["pairs"] = tuple((spoken.get(one, one), spoken.get(other, other)) for one, other in plan["pairs"])
    asked = Plan(names, isolation=replace(apart, entries=entries), **plan)
    _refuse_anchor(anchor, asked.names())
    if times > 1:
        _warn_of_repeats(asked, warn)
    return Run.begin(asked, None if out is None else Path(out), command, objects, jobs=_processes(workers))


def _warn_of_repeats(plan: Plan, warn: Warn) -> None:
    """Say which agents without chance would play the same games again from openings that are repeated."""
    names = [
        name
        for place, (name, text) in enumerate(zip(plan.names(), plan.agents, strict=True))
        if plan.isolation.spec(place, text).deterministic
    ]
    if len(names) > 1 and plan.seconds is None and plan.clock is None:
        warn(f"no chance in {', '.join(names)}: from a repeated opening they play the same game again")


def resumed(
    file: str | Path,
    agents: Sequence[object] | Mapping[str, object] = (),
    plan: Mapping[str, Any] = {},
    *,
    add: Sequence[object] = (),
    replay: Sequence[object] = (),
    workers: Workers = 1,
    command: str = "",
    debug: str = "",
    walled: bool = False,
    warn: Warn = warn_caller,
    say: Warn = lambda _: None,
) -> Run:
    """Continue a stored run, after extending it. Raises InputError.

    agents: the run's own objects, if it has any. plan: changed fields of the plan; only `rounds` can change. add,
    replay: see `run`; from folders and rosters only new agents join. command, warn: see `begin`.
    debug: a file to append all lines sent to and received from process agents to. walled: refuse a run with process
    agents, before any starts, if it began without a sandbox. say: called with lines on agents that join and on
    games that are deleted.
    """
    from arena.games.extend import Growth, newcomers
    from arena.games.run import Run
    from arena.store.run_file import Store

    objects = _objects(agents)
    for name in plan.keys() - {"rounds"}:
        raise InputError(f"--resume continues the plan that is stored; --{name.replace('_', '-')} cannot change it")
    names, entries, unnamed = _invited([(None, agent) for agent in listed("add", add)], warn)
    if unnamed:
        raise InputError("an agent that joins a stored run is named by a spec or a file")
    again = tuple(map(str, listed("replay", replay)))
    _refuse_cluster(objects, workers)
    path = run_file(file)
    if walled:
        with Store.read(path) as store:
            apart = any(stranger for _, stranger in store.agents())
            if apart and not (store.plan().get("isolation") or {}).get("sandbox"):
                raise InputError("this run began outside of a sandbox; arena run --resume continues it so")
    names, entries, joining = newcomers(path, names, entries)
    growth = Growth(names, entries, plan.get("rounds"), again, command, objects, debug)
    run = Run.resume(path, growth)
    if joining:
        say(joining)
    if run.deleted:
        say(f"{run.deleted:,} game{'s' * (run.deleted > 1)} deleted, to be played again")
    if run.warning:
        warn(run.warning)
    return run


def play(
    run: Run,
    workers: Workers = 1,
    *,
    audit: bool = False,
    seconds: float | None = None,
    games: int | None = None,
    progress: Progress = False,
    say: Warn = lambda _: None,
    warn: Warn = warn_caller,
) -> bool:
    """Play the missing games of a run, finish it, close it, and return whether no games are left.

    What a run of another kind still needs then follows, such as a comparison's fair times. audit: whether an
    audit will follow, for the command in error messages. seconds, games: stop after so much time or so many games,
    without the measurements. say: called with lines about the
    processes and, after Ctrl-C, the agents that were to move.

    Raises InputError if it cannot go on; finished games stay stored, and a new run without games leaves no file.
    """
    players = _executor(run, workers, say, warn)
    names, planned, played = run.plan.names(), run.store.planned(), len(run.store.played())
    shown = bar(progress, "game", planned, leave=True, initial=played, smoothing=0.1)
    try:
        with run.store, shown:
            with _naming(shown, names, players.live_games, say, run.tokens):
                whole = run.play(players, shown.update, seconds=seconds, games=games)
            if whole and (of_run := run_of(asdict(run.plan))):
                of_run.finish(run, shown)
    except InputError as error:
        if not run.store.path.exists():
            raise
        again = resume_command(run.store.path, audit=audit)
        raise InputError(f"{error}; what was played is kept, {again} continues") from error
    for name, remark in run.remarks.items():
        warn(f"agent {name}: {remark}")
    return whole


def resume_command(path: Path, *, audit: bool = False) -> str:
    """Return the command that plays the rest of a run, and then audits it if asked."""
    return f"arena run --resume {shlex.quote(str(path))}{' --audit' * audit}"


# Agents of all kinds, by their names.


def _named(agents: object) -> list[tuple[str | None, object]]:
    """Return the agents with their names from a mapping, or None. Raises InputError."""
    from arena.games.object_agent import NAME

    if not isinstance(agents, Mapping):
        return [(None, agent) for agent in listed("agents", agents)]
    for name in agents:
        if not (isinstance(name, str) and NAME.fullmatch(name)):
            raise InputError(f"an agent's name has letters, digits, blanks and . + - _, at most 80, not {name!r:.100}")
    return list(agents.items())


def _invited(
    agents: Iterable[tuple[str | None, object]], warn: Warn
) -> tuple[tuple[str, ...], tuple[Entry | None, ...], dict[int, ObjectAgent]]:
    """Return the names of all agents, their entries in folders and rosters, and the objects by place.

    An agent with a name from a mapping gets an entry, too; an agent may also be an entry. Raises InputError.
    """
    from arena.games.entries import Entry, invited
    from arena.games.object_agent import ObjectAgent

    names: list[str] = []
    entries: list[Entry | None] = []
    objects: dict[int, ObjectAgent] = {}
    for name, agent in agents:
        if isinstance(agent, Entry):
            names.append(agent.name)
            entries.append(agent)
            continue
        if not isinstance(agent, str | Path):
            objects[len(names)] = ObjectAgent.of(agent, name)
            names.append(objects[len(names)].text)
            entries.append(None)
            continue
        members, their, broken, remarks = invited([str(agent)])
        for line in [*(f"left out: {line}" for line in broken), *remarks]:
            warn(line)
        if name is not None:
            if len(members) != 1:
                raise InputError(f"{str(agent)!r:.80} stands for {len(members)} agents, and {name} names one")
            [entry] = their
            their = (replace(entry, name=name) if entry else Entry(name, members[0], str(Path.cwd())),)
            members = (name,)
        names += members
        entries += their
    return tuple(names), tuple(entries), objects


def _objects(agents: Sequence[object] | Mapping[str, object]) -> dict[str | int, ObjectAgent]:
    """Return the objects passed again for a stored run, by name or by place in a list. Raises InputError."""
    from arena.games.object_agent import ObjectAgent

    objects: dict[str | int, ObjectAgent] = {}
    for place, (name, agent) in enumerate(_named(agents)):
        if isinstance(agent, str | Path):
            more = f"write --add {shlex.quote(str(agent)):.80}"
            raise InputError(f"--resume continues the plan that is stored; agents cannot change it: {more}")
        objects[place if name is None else name] = ObjectAgent.of(agent, name)
    return objects


def _refuse_anchor(anchor: Anchor | None, names: Sequence[str]) -> None:
    """Raise InputError if the anchor is not among these names, before hours are spent on games."""
    if anchor is not None and anchor[0] not in names:
        raise unknown("agent to anchor the ratings", anchor[0], names)


def _refuse_cluster(objects: object, workers: Workers) -> None:
    if objects and not (workers is None or isinstance(workers, int)):
        raise InputError("a cluster plays agents that are named by a spec or a file; your own objects stay here")


# Choose the executor of games, and show the agents that are to move.


def _processes(workers: Workers) -> int | None:
    """Return the number of processes on this machine: 1 if a cluster plays, None for one a core."""
    return workers if workers is None or isinstance(workers, int) else 1


def _executor(run: Run, workers: Workers, say: Warn, warn: Warn) -> Executor:
    """Return the executor of a run's games.

    say, warn: called with lines if there are fewer processes than expected, and on how process agents are limited.
    """
    from agents.process_agent import limits_in_force

    asked = _processes(workers)
    processes = run.processes(asked)
    if not (workers is None or isinstance(workers, int)):
        return workers
    if any(run.setting.sources):
        rights = "in sandboxes" if run.setting.process_limits.sandbox else "with your rights (others' code: --sandbox)"
        say(f"agents in processes of their own, {rights}: {limits_in_force()}")
    if asked is None and processes < cores(None):
        say("one game at a time, as agents move by the clock; -j N plays N at the same time")
    elif asked is not None and processes < asked:
        if kept := run.setting.kept:
            warn(f"all games are played in this process, since {' and '.join(kept)} cannot be sent to another")
        else:
            say(f"{processes} processes, as a game whose moves are timed needs a core of its own")
    return run.executor(processes)


@contextmanager
def _naming(
    bar: Any,  # noqa: ANN401  a tqdm
    names: Sequence[str],
    live_games: Callable[[], list[LiveGame]],
    say: Warn,
    spent: object = "",
) -> Generator[None]:
    """Show beside the bar, once a second, the spending and agents that take long; after Ctrl-C report the latter."""
    done = threading.Event()

    def thinking(least: float) -> list[str]:
        games = [game for game in live_games() if game.seconds >= least]
        return [f"{names[game.mover]} thinks for {game.seconds:.0f} s" for game in games]

    def watch() -> None:
        while not done.wait(1.0):
            bar.set_postfix_str(", ".join(filter(None, [str(spent), *thinking(LONG)])), refresh=True)

    thread = threading.Thread(target=watch, daemon=True)
    if not bar.disable:
        thread.start()
    try:
        yield
    except KeyboardInterrupt:
        for line in thinking(1.0):
            say(line)
        raise
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()
