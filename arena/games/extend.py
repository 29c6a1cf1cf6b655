"""Extends a stored run by agents and openings, and replays the games of agents."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents.board import Board
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

    Raises InputError, and changes nothing, if the change is impossible or an agent that has played is another now.
    """
    names, rows = store.names(), queries.described(store)
    agents = [anchored(spec, plan.isolation.folder) for spec, _ in store.agents()]
    agents = [objects.get(place, spec) for place, spec in enumerate(agents)]
    grown = _grown(plan, growth, store.path)
    idle = grown.idle()
    replayed = {place for text in growth.replay for place in _places(store, text, agents, plan)}
    for place in replayed & idle:
        raise InputError(f"{names[place]} meets nobody in {store.path}; begin a new run")
    results = {job: end for job, end in store.outcomes().items() if not {job.first, job.second} & replayed}
    code = {place: _code(spec, rows[place]) for place, spec in enumerate(agents) if place not in idle}
    code = {place: now for place, now in code.items() if now != rows[place]}
    _refuse_changed(names, results, code)
    if left := grown.waiting(results):
        _refuse_version(store, results, agents)
        refuse_absent(store, {place for place in left if place < len(agents) and is_absent(agents[place])})
    if grown == plan and not replayed and not code:
        return plan
    counting = {job: end for job, end in results.items() if not {job.first, job.second} & idle}
    batches, _ = replay(grown.tournament(), counting)
    if not counting.keys() <= {job for batch in batches for job in batch}:
        raise InputError(f"{store.path}: a {grown.format} of these agents would have gone otherwise; begin a new run")
    document = store.plan() | grown.document()
    boards: Sequence[Board] = ()
    if grown.rounds > plan.rounds:
        boards = openings.draw(grown.openings, grown.rounds, grown.seed, grown.rules)
        if [board.text for board in boards[: plan.rounds]] != store.openings():
            raise InputError(f"{store.path} was not played from the openings that {plan.openings} has now")
        boards = boards[plan.rounds :]
        document["looks"] = [*document.get("looks", []), plan.rounds]  # results may have led to the extension
    specs = {place: grown.isolation.spec(place, grown.agents[place]) for place in range(len(agents), len(grown.agents))}
    make_ready(setting_of(grown, [*stored_agents(grown, store, objects), *specs.values()], ()))
    storing.grow(
        store,
        document,
        grown.tournament().most + len(results) - len(counting),
        growth.command,
        new_agents(grown, specs),
        list(zip([board.text for board in boards], openings.values(boards), strict=True)),
        code,
        replayed | code.keys(),  # a changed agent without games may have times
    )
    return grown


def newcomers(
    path: Path, names: Sequence[str], entries: Sequence[Entry | None]
) -> tuple[tuple[str, ...], tuple[Entry | None, ...], str]:
    """Return the agents that are not in a run yet, with their entries, and a line for the user, empty if all are new.

    An agent of a folder or a roster is in the run if the run has its path, or its name with the same content, as after
    moving a folder. Raises InputError.
    """
    with Store.read(path) as store:
        isolation = Plan.from_document(store.plan()).isolation
        paths = {anchored(spec, isolation.folder).kind for spec, _ in store.agents()}
        contents = {(name, row[2]) for name, row in zip(store.names(), queries.described(store), strict=True) if row[2]}
    paths |= {_path(entry) for entry in isolation.entries if entry}
    arrivals = [
        (name, entry)
        for name, entry in zip(names, entries, strict=True)
        if entry is None
        or not (_path(entry) in paths or (name, digest(Isolation(entries=(entry,)).spec(0, name))) in contents)
    ]
    joining = introduced([name for name, _ in arrivals], [entry for _, entry in arrivals], isolation)
    present, added = len(names) - len(arrivals), ", ".join(name for name, _ in arrivals)
    return *joining, f"{present} play already; added: {added or 'nobody'}" if present else ""


def _path(entry: Entry) -> str:
    """Return a unique path of an entry: its file with the name in it, or its roster's folder with its name."""
    return entry.spec if entry.folder in entry.spec else f"{entry.folder}/:{entry.name}"


def _grown(plan: Plan, growth: Growth, path: Path) -> Plan:
    """Return the extended plan. Raises InputError."""
    rounds = plan.rounds if growth.rounds is None else growth.rounds * openings.repetitions(plan.openings)[1]
    if rounds < plan.rounds:
        raise InputError(f"{path} has {plan.rounds} rounds already, and {rounds} are fewer")
    if growth.add and plan.pairs:
        raise InputError(f"{path} plays pairs that were named one by one; a new agent would have no opponent")
    isolation = plan.isolation
    if isolation.entries or any(growth.entries):
        before = isolation.entries or (None,) * len(plan.agents)
        isolation = replace(isolation, entries=(*before, *growth.entries))
    return replace(plan, agents=(*plan.agents, *growth.add), rounds=rounds, isolation=isolation)


def _places(store: Store, text: str, agents: Sequence[Spec], plan: Plan) -> set[int]:
    """Return the places of the agents with this name, spec or file. Raises InputError."""
    names, name = store.names(), store.name_of(text)
    files = {Path(folder, text).resolve() for folder in (plan.isolation.folder, "") if text.endswith(".py")}
    places = {
        place
        for place, spec in enumerate(agents)
        if name == names[place] or text == spec.text or files & {file.resolve() for file in named_files(spec)}
    }
    if not places:
        raise unknown("agent to replay", text, names)
    return places


def _code(spec: Spec, row: tuple[str, str, str | None]) -> tuple[str, str, str | None]:
    """Return an agent's kind, parameters and digest as they are now; without files, or if one misses, the stored."""
    if isinstance(spec, ObjectAgent):
        return spec.kind, spec.described(), spec.digest()
    return *row[:2], row[2] and (digest(spec) or row[2])


def _refuse_changed(names: Sequence[str], results: Collection[Job], changed: Collection[int]) -> None:
    """Raise InputError if any of the changed agents has games that still count."""
    games = Counter(place for job in results for place in {job.first, job.second} if place in changed)
    if games:
        said = ", ".join(f"{names[place]} has changed since its {games[place]} games" for place in sorted(games))
        again = " ".join(f"--replay {shlex.quote(names[place])}" for place in sorted(games))
        raise InputError(f"{said}; {again} deletes them and plays again, or --out begins a new run")


def _refuse_version(store: Store, results: Collection[Job], agents: Sequence[Spec]) -> None:
    """Raise InputError if agents with games that still count are from a package with another version now."""
    names, played = store.names(), sorted({place for job in results for place in (job.first, job.second)})
    for name, (then, now) in changes(store).items():
        if theirs := [names[place] for place in played if package(agents[place].kind) == name]:
            raise InputError(
                f"{store.path}: {', '.join(theirs)} played with {name} {then}, and this is {now}, which may "
                f"play otherwise; --replay NAME deletes an agent's games and plays again, or {name} {then} continues"
            )
