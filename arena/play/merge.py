"""Merges runs: shards that were played apart, and pools that share agents."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.play import formats
from arena.play.entries import Entry
from arena.play.formats import FixedFormat
from arena.play.plan import Plan
from arena.store import merge as merging
from arena.store import queries
from arena.store.connection import Lock, remove
from arena.store.machine import made
from arena.store.run_file import Store
from arena.store.sources import OBJECT


@dataclass(frozen=True, slots=True)
class MergedRun:
    """One of the runs, as its file describes it."""

    path: Path
    """As it was named."""
    file: Path
    """What is read: the same, or a copy of it in this format."""
    plan: Plan
    document: Mapping[str, Any]
    """The plan as it is stored."""
    agents: Mapping[str, Mapping[str, Any]]
    """What is stored of each, by name."""
    openings: Sequence[tuple[str, int | None]]
    """Moves and, where known, value."""
    made: Mapping[str, Any]
    games: int

    @classmethod
    def read(cls, path: Path, file: Path) -> MergedRun:
        """Read it. Raises InputError where it cannot be merged with any other."""
        with Store.read(file) as store, store.snapshot():
            document = store.plan()
            plan = Plan.from_document(document)
            known, openings = merging.agents(store), merging.openings(store)
            part = cls(path, file, plan, document, known, openings, made(store), store.count_games())
        if list(known) != plan.names() or len(openings) != plan.rounds:
            raise InputError(f"{path}: its plan has other agents or openings than are stored with it")
        if plan.sprt is not None:
            raise InputError(f"{path} cannot be merged: its sequential test would have seen other games")
        if not isinstance(plan.tournament(), FixedFormat):
            name = "the order uncertain" if plan.order == "uncertain" else f"a {plan.format.partition(':')[0]}"
            raise InputError(f"{path} cannot be merged: in {name} results decide the next pairings")
        return part

    def terms(self) -> dict[str, object]:
        """Return what must be the same in all runs, by how a message calls it."""
        plan, apart = self.plan, self.plan.isolation
        return {
            "board": str(plan.rules),
            "openings": plan.openings,
            "seed": plan.seed,
            "nodes for a move": plan.nodes,
            "seconds for a move": plan.seconds,
            "clock": plan.clock,
            "margin": plan.margin,
            "patience": apart.patience,
            "memory": apart.memory,
            "sandbox": apart.sandbox,
            "isolation": "everyone" if apart.everyone else "nobody" if apart.nobody else "strangers",
            "comparison": self.document.get("comparison"),
        }


def refuse_others(one: MergedRun, other: MergedRun) -> None:
    """Raise InputError where two runs were not played under the same terms."""
    theirs = other.terms()
    for what, own in one.terms().items():
        if own != theirs[what]:
            said = " and ".join("no limit" if value is None else str(value) for value in (own, theirs[what]))
            raise InputError(f"{one.path} and {other.path} cannot be merged: they differ in {what}, {said}")
    if any(moves != others for (moves, _), (others, _) in zip(one.openings, other.openings, strict=False)):
        raise InputError(f"{one.path} and {other.path} cannot be merged: {one.plan.openings} had other openings then")


def refuse_another(part: MergedRun, agent: Mapping[str, Any], known: MergedRun, other: Mapping[str, Any]) -> None:
    """Raise InputError where `agent` of the run `part` is not `other`, which has its name in the run `known`."""
    described = agent["digest"] is None or str(agent["kind"]).startswith(OBJECT)
    own = "digest", "deterministic", "stranger", *(("kind", "parameters") if described else ())
    if any(agent[name] != other[name] for name in own):
        raise InputError(
            f"{known.path} and {part.path} cannot be merged: {agent['name']} is not the same in both"
            + (", its files have changed" if agent["digest"] != other["digest"] else "")
        )


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of the games of several runs."""

    games: int
    """That count in the new one."""
    doubled: int
    """Games that more than one run held, once for each run but the first."""
    different: int
    """Those of them that went otherwise; the first run's count."""


def merge(
    paths: Sequence[Path], out: Path, command: str = "", progress: Callable[[int, int], object] = lambda *_: None
) -> Merged:
    """Write the games of the runs at `paths` into the new file `out`, and return how many there are.

    Raises InputError, and leaves no file, where they do not belong together. `command` is the command line; `progress`
    is called with the number of games read so far and the number of all.
    """
    if len(paths) < 2:
        raise InputError("there is nothing to merge: name two runs or more")
    if os.path.realpath(out) in set(map(os.path.realpath, paths)):  # which takes a loop of links as it is
        raise InputError(f"{out} is one of the runs to merge; the new file needs another name")
    with ExitStack() as copies:
        copies.enter_context(Lock(out))
        _refuse_taken(out)
        parts = [MergedRun.read(path, copies.enter_context(merging.up_to_date(path))) for path in paths]
        longest = _longest(parts)
        for other in parts:
            refuse_others(longest, other)  # the first may have fewer openings than others share
        agents: dict[str, tuple[MergedRun, Mapping[str, Any]]] = {}
        for part in parts:
            for name, agent in part.agents.items():
                refuse_another(part, agent, *agents.setdefault(name, (part, agent)))
        return _written(parts, [agent for _, agent in agents.values()], out, command, progress)


def _written(
    parts: Sequence[MergedRun], agents: Sequence[Mapping[str, Any]], out: Path, command: str,
    progress: Callable[[int, int], object],
) -> Merged:  # fmt: skip
    """Write the new file beside its place, and put it there when it is whole."""
    plan = _plan(parts, [agent["name"] for agent in agents])
    longest = _longest(parts)
    beside = out.with_name(f"{out.name}~")
    remove(beside)  # left by a merge that was killed; another that writes there would hold the lock of `out`
    commands = dict.fromkeys(part.made["command"] for part in parts if part.made["command"])
    typed = " && ".join([*commands, command] if command else commands)
    document = {**parts[0].document, **plan.document()}
    if looks := sorted({look for part in parts for look in part.document.get("looks", ())}):
        document["looks"] = looks  # results may have led to the extension of any of them
    total = sum(part.games for part in parts)
    store = Store.create(beside, document, plan.seed, plan.tournament().most, [], longest.openings, typed)
    try:
        with store:
            versions, machine = (_together([part.made[what] for part in parts]) for what in ("versions", "machine"))
            merging.set_origin(store, agents, versions, machine)
            merging.set_sessions(store, [part.made for part in parts])
            found = [merging.add(store, part.file, lambda games: progress(games, total)) for part in parts]
            store.set_planned(plan.tournament().most + queries.games_with(store, plan.dropped))
        beside.replace(out)
    except BaseException:
        remove(beside)
        raise
    doubled, different = map(sum, zip(*found, strict=True))
    return Merged(total - doubled, doubled, different)


def _plan(parts: Sequence[MergedRun], names: Sequence[str]) -> Plan:
    """Return the plan of all: their pairings, as a format where it has just these, and the most rounds."""
    first = parts[0].plan
    place = {name: number for number, name in enumerate(names)}
    pairs: dict[frozenset[int], formats.Pairing] = {}
    entries: dict[str, Entry | None] = {}
    for part in parts:
        own = list(part.agents)
        for one, other in replace(part.plan, dropped=()).pairings():
            pairing = place[own[one]], place[own[other]]
            pairs.setdefault(frozenset(pairing), pairing)
        for name, entry in zip(own, part.plan.isolation.entries, strict=False):
            entries.setdefault(name, entry)
    itself = any(len(pair) == 1 for pair in pairs)
    form, named = "round-robin", sorted(pairs.values())
    for name in dict.fromkeys([*(part.plan.format for part in parts if not part.plan.pairs), "round-robin"]):
        pairings = formats.pairings_of(name, len(names), include_self=itself)
        if first.comparison is None and {frozenset(pairing) for pairing in pairings} == pairs.keys():
            form, named = name, []
            break
    return replace(
        first,
        agents=tuple(_asked(parts, name) for name in names),
        rounds=max(part.plan.rounds for part in parts),
        format=form,
        include_self=itself and not named,
        dropped=tuple(dict.fromkeys(name for part in parts for name in part.plan.dropped)),
        pairs=tuple((names[one], names[other]) for one, other in named),
        isolation=replace(first.isolation, entries=tuple(entries.get(name) for name in names) if entries else ()),
    )


def _longest(parts: Sequence[MergedRun]) -> MergedRun:
    """Return the first of those that have the most openings."""
    return max(parts, key=lambda part: len(part.openings))


def _refuse_taken(out: Path) -> None:
    if out.exists():
        raise InputError(f"{out} exists; the new file needs another name")


def _asked(parts: Sequence[MergedRun], name: str) -> str:
    """Return how an agent was asked for, of which its name may be a second one."""
    return next(part.plan.agents[list(part.agents).index(name)] for part in parts if name in part.agents)


def _together(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what runs say of themselves: what all say as it is, else all that they say in one text."""
    found = {}
    for name in dict.fromkeys(name for each in runs for name in each):
        values = list(dict.fromkeys(each.get(name) for each in runs))
        found[name] = values[0] if len(values) == 1 else " / ".join(map(str, values))
    return found
