"""Extends a stored run by agents and openings, and replays the games of agents."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents.board import Outcome
from agents.errors import InputError, unknown
from agents.specs.registry import Spec, package
from arena.games import openings
from arena.games.entries import Entry
from arena.games.formats import replay
from arena.games.isolation import Isolation, anchored
from arena.games.object_agent import ObjectAgent, is_absent, refuse_absent
from arena.games.plan import Plan
from arena.games.setup import introduced, make_ready, new_agents, setting_of, stored_agents
from arena.records import Job
from arena.store import extend as storing
from arena.store import queries
from arena.store.machine import changes
from arena.store.run_file import Store
from arena.store.sources import digest, named_files


@dataclass(frozen=True, slots=True)
class Growth:
    """The changes of a stored run."""

    add: tuple[str, ...] = ()
    """The names of agents that join, from `arena.games.entries.invited`."""
    entries: tuple[Entry | None, ...] = ()
    """For each of these its entry in a folder or roster, or None."""
    rounds: int | None = None
    """The new number of openings per pairing, which must not be smaller."""
    replay: tuple[str, ...] = ()
    """Agents whose games are deleted and played again, by name, spec or file."""
    command: str = ""
    """The command line."""
    objects: Mapping[str | int, ObjectAgent] = field(default_factory=dict)
    """The run's objects, passed again: by name, or by place in a list."""
    debug: str = ""
    """A file to append all lines sent to and received from process agents to."""


def grow(store: Store, plan: Plan, growth: Growth, objects: Mapping[int, ObjectAgent]) -> Plan:
    """Extend a stored run and return its new plan. `objects` are the objects passed again, by place.

    Raises InputError, and changes nothing, if the change is impossible or the files of an agent have changed.
    """
    names = store.names()
    stored = enumerate(store.agents())
    agents = [objects.get(place) or anchored(spec, plan.isolation.folder) for place, (spec, _) in stored]
    replayed = sorted({place for text in growth.replay for place in _places(store, text, agents, plan)})
    knows_data = store.has("session")
    grown = _grown(plan, growth, store.path)
    idle = grown.idle()
    for place in idle.intersection(replayed):
        raise InputError(f"{names[place]} meets nobody in {store.path}; begin a new run")
    changed = {place: now for place, now in _changed(store, agents, data=knows_data).items() if place not in idle}
    _refuse_changed(store, names, [place for place in changed if place not in replayed])
    _refuse_version(store, grown, names, agents, replayed)
    absent = {place for place, spec in enumerate(agents) if is_absent(spec)}
    if absent:
        refuse_absent(store, absent & grown.waiting(_counting(store, replayed)))
    if not knows_data:
        storing.add_sessions(store, _changed(store, agents))
    if grown == plan and not replayed and not changed:
        return plan
    _refuse_strays(store, grown, [*replayed, *idle])
    boards = openings.draw(grown.openings, grown.rounds, grown.seed, grown.rules) if grown.rounds > plan.rounds else []
    if boards and [board.text for board in boards[: plan.rounds]] != store.openings():
        raise InputError(f"{store.path} was not played from the openings that {plan.openings} has now")
    more = boards[plan.rounds :]
    joined = range(len(plan.agents), len(grown.agents))
    specs = {place: grown.isolation.spec(place, grown.agents[place]) for place in joined}
    make_ready(setting_of(grown, [*stored_agents(grown, store, objects), *specs.values()], ()))
    values = zip([board.text for board in more], openings.values(more), strict=True)
    digests = changed | {place: digest(agents[place]) for place in replayed if place not in objects}
    described = {place: (objects[place].kind, objects[place].described()) for place in changed if place in objects}
    document = store.plan() | grown.document()
    if more:
        document["looks"] = [*document.get("looks", []), plan.rounds]  # results may have led to the extension
    storing.grow(
        store,
        document,
        grown.tournament().most + sum(bool({job.first, job.second} & idle) for job in _counting(store, replayed)),
        new_agents(grown, specs),
        list(values),
        growth.command,
        digests,
        replayed,
        described,
    )
    return grown


def newcomers(
    path: Path, names: Sequence[str], entries: Sequence[Entry | None]
) -> tuple[tuple[str, ...], tuple[Entry | None, ...], str]:
    """Return the agents that are not in a run yet, with their entries, and a line for the user. Raises InputError.

    An agent of a folder or a roster is in the run if the run has its path, or its name with the same content, as after
    moving a folder. The line is empty if all agents are new.
    """
    with Store.read(path) as store:
        plan, rows, players = Plan.from_document(store.plan()), queries.described(store), store.names()
        kinds = {anchored(spec, plan.isolation.folder).kind for spec, _ in store.agents()}
    digests = {name: stored for name, (_, _, stored) in zip(players, rows, strict=True) if stored is not None}
    paths = kinds | {_path(entry) for entry in plan.isolation.entries if entry}
    isolation = Isolation(entries=tuple(entries))
    arrivals = [
        (name, entry)
        for place, (name, entry) in enumerate(zip(names, entries, strict=True))
        if entry is None
        or not (_path(entry) in paths or (name in digests and digests[name] == digest(isolation.spec(place, name))))
    ]
    added = ", ".join(name for name, _ in arrivals) or "nobody"
    joining = introduced(tuple(name for name, _ in arrivals), tuple(entry for _, entry in arrivals), plan.isolation)
    line = f"{len(names) - len(arrivals)} play already; added: {added}" if len(arrivals) < len(names) else ""
    return *joining, line


def _path(entry: Entry) -> str:
    """Return a unique path of an entry: its file with the name in it, or its roster's folder with its name."""
    return entry.spec if entry.folder in entry.spec else f"{entry.folder}/:{entry.name}"


def _grown(plan: Plan, growth: Growth, path: Path) -> Plan:
    """Return the extended plan. Raises InputError."""
    rounds = plan.rounds if growth.rounds is None else growth.rounds * openings.repetitions(plan.openings)[1]
    if rounds < plan.rounds:
        raise InputError(f"{path} has {plan.rounds} rounds already, and {rounds} are fewer")
    if growth.add and plan.comparison:
        raise InputError(f"{path} compares heuristics; agents cannot join it")
    if growth.add and plan.pairs:
        raise InputError(f"{path} plays pairs that were named one by one; a new agent would have no opponent")
    isolation = plan.isolation
    if isolation.entries or any(growth.entries):
        before = isolation.entries or (None,) * len(plan.agents)
        isolation = replace(isolation, entries=(*before, *growth.entries))
    return replace(plan, agents=(*plan.agents, *growth.add), rounds=rounds, isolation=isolation)


def _places(store: Store, text: str, agents: Sequence[Spec], plan: Plan) -> list[int]:
    """Return the places of the agents with this name, spec or file. Raises InputError."""
    names, named = store.names(), store.name_of(text)
    files = {Path(folder, text).resolve() for folder in (plan.isolation.folder, "") if text.endswith(".py")}
    places = [
        place
        for place, (name, spec) in enumerate(zip(names, agents, strict=True))
        if text in (name, spec.text) or named == name or files & {file.resolve() for file in named_files(spec)}
    ]
    if not places:
        raise unknown("agent to replay", text, names)
    return places


def _changed(store: Store, agents: Sequence[Spec], *, data: bool = True) -> dict[int, str | None]:
    """Return the new digests of agents with changed files, by place; missing files count as unchanged.

    An object has also changed if its class or its attributes have. Without `data` only Python files count, as in files
    of earlier versions.
    """
    changed: dict[int, str | None] = {}
    rows = queries.described(store)
    for place, (spec, stored) in enumerate(zip(agents, rows, strict=True)):
        if isinstance(spec, ObjectAgent):
            now = spec.digest()
            if (spec.kind, spec.described(), now) != stored:
                changed[place] = now
        elif stored[-1] is not None and (now := digest(spec, data=data)) not in (None, stored[-1]):
            changed[place] = now
    return changed


def _refuse_changed(store: Store, names: Sequence[str], changed: Sequence[int]) -> None:
    """Raise InputError if the files of an agent have changed since it played."""
    played = {names[place]: queries.games_of(store, place) for place in changed}
    played = {name: games for name, games in played.items() if games}
    if played:
        said = ", ".join(f"{name} has changed since its {games} games" for name, games in played.items())
        again = " ".join(f"--replay {shlex.quote(name)}" for name in played)
        raise InputError(f"{said}; {again} deletes them and plays again, or --out begins a new run")


def _refuse_version(
    store: Store, grown: Plan, names: Sequence[str], agents: Sequence[Spec], replayed: Sequence[int]
) -> None:
    """Raise InputError if games are left and agents that have played are from a package with another version now."""
    other = changes(store)
    results = _counting(store, replayed)
    played = {place for job in results for place in (job.first, job.second)}
    packages = {place: package(agents[place].kind) for place in sorted(played)} if other else {}
    apart = {place: name for place, name in packages.items() if name in other}
    if not apart or not grown.waiting(results):
        return
    for name in dict.fromkeys(apart.values()):
        then, now = other[str(name)]
        theirs = [names[place] for place in apart if apart[place] == name]
        shown = ", ".join(theirs[:3]) + (f" and {len(theirs) - 3} more" if len(theirs) > 3 else "")
        raise InputError(
            f"{store.path}: {shown} played with {name} {then}, and this is {now}, in which agents may play otherwise; "
            f"--replay NAME deletes an agent's games and plays again, or {name} {then} continues"
        )


def _counting(store: Store, replayed: Collection[int]) -> dict[Job, Outcome]:
    """Return the results of the stored games without those of the `replayed` agents."""
    return {job: end for job, end in store.outcomes().items() if not {job.first, job.second} & {*replayed}}


def _refuse_strays(store: Store, grown: Plan, replayed: Sequence[int]) -> None:
    """Raise InputError if the new plan does not contain all games that still count."""
    results = _counting(store, replayed)
    batches, _ = replay(grown.tournament(), results)
    if not results.keys() <= {job for batch in batches for job in batch}:
        raise InputError(f"{store.path}: a {grown.format} of these agents would have gone otherwise; begin a new run")
