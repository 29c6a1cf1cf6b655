"""Prepares the games of a plan: makes their setting, and makes each agent once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from agents.agent import Limits
from agents.board import STANDARD, Board
from agents.errors import InputError
from agents.failure import Failure
from agents.process_agent import ProcessAgent, start
from agents.specs.registry import Spec, parse
from arena.games.entries import Entry
from arena.games.field import Field, Setting
from arena.games.isolation import Isolation, anchored, kept_apart
from arena.games.object_agent import ObjectAgent, is_absent
from arena.games.plan import Plan
from arena.games.referee import Conditions
from arena.games.time_control import TimeControl
from arena.store.run_file import NewAgent, Store
from arena.store.sources import OBJECT


def setting_of(plan: Plan, agents: Sequence[Spec], boards: Sequence[Board]) -> Setting:
    """Return the setting that all games of a plan share, with these agents and openings. Raises InputError."""
    clock = None if plan.clock is None else TimeControl.parse(plan.clock)
    conditions = Conditions(Limits(nodes=plan.nodes, seconds=plan.seconds), plan.margin, clock)
    sources = tuple(
        None if is_absent(spec) else plan.isolation.source(place, spec) for place, spec in enumerate(agents)
    )
    process_limits = plan.isolation.process_limits(plan.margin)
    sources = kept_apart(sources) if process_limits.sandbox else sources
    return Setting(tuple(agents), tuple(boards), plan.rules, plan.seed, conditions, sources, process_limits)


def introduced(
    names: Sequence[str], entries: Sequence[Entry | None], isolation: Isolation
) -> tuple[tuple[str, ...], tuple[Entry | None, ...]]:
    """Return agents with their entries; `uci:` engines get the names that they report.

    An engine that does not start keeps its spec as name, and loses its games. Raises InputError, see `make_ready`.
    """
    called, extended = list(names), list(entries)
    for place, (name, entry) in enumerate(zip(names, entries, strict=True)):
        if entry is None and name.startswith("uci:"):
            agent = start(parse(name).source(isolation.folder), isolation.process_limits(0.0))
            with suppress(Failure):
                agent.prepare(STANDARD)
            if agent.name:
                called[place], extended[place] = agent.name, Entry(agent.name, name, isolation.folder)
            agent.close()
    return tuple(called), tuple(extended)


def make_ready(setting: Setting) -> None:
    """Make and prepare every agent once, so that unfit agents are reported before the first game.

    Their compiled code is then on disk, where the workers find it. An engine that does not start loses its games later,
    but an engine without the board, an option or the variant is an error now. Raises InputError.
    """
    field = Field(setting)
    try:
        for place, spec in enumerate(setting.specs):
            if is_absent(spec):
                continue  # it has no games left
            agent = field.agent(place, 0)
            if isinstance(agent, ProcessAgent) and agent.may_refuse:
                with suppress(Failure):
                    agent.prepare(setting.rules)
                agent.close()
    finally:
        field.close()


def new_agents(plan: Plan, agents: Mapping[int, Spec]) -> list[NewAgent]:
    """Return a plan's agents, given by place, in the form that a run stores. Raises InputError."""
    names = plan.names()
    return [
        NewAgent(
            names[place],
            spec,
            stranger=plan.isolation.source(place, spec) is not None,
            author=plan.isolation.author(place),
            digest=spec.digest() if isinstance(spec, ObjectAgent) else None,
        )
        for place, spec in agents.items()
    ]


def stored_agents(plan: Plan, store: Store, objects: Mapping[int, ObjectAgent]) -> list[Spec]:
    """Return the specs of a stored run's agents, with the `objects` that were passed again.

    Agents that meet nobody become absent objects. Raises InputError, also for a missing file.
    """
    idle = plan.idle()

    def remade(place: int, spec: Spec, *, stranger: bool) -> Spec:
        if place in idle:
            return ObjectAgent(spec.text, OBJECT, {})
        if spec.kind.startswith(OBJECT):
            return objects.get(place) or ObjectAgent(spec.text, spec.kind, {})
        if spec.kind == "llm" and "disguise" in spec.parameters:
            raise InputError(
                f"{spec.text} plays in a disguise, as version 0.2.0 had it: its run is shown, not continued"
            )
        return plan.isolation.spec(place, plan.agents[place]) if stranger else anchored(spec, plan.isolation.folder)

    return [remade(place, spec, stranger=stranger) for place, (spec, stranger) in enumerate(store.agents())]
