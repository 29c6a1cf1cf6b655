"""Agents outside of tournaments, with the same names and the same isolation; those that fail can be left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.agent import Agent
from agents.errors import InputError
from agents.process_agent import ProcessAgent, ProcessLimits, Source, check_sandbox, start
from agents.specs.kinds import KINDS
from agents.specs.registry import Spec
from agents.specs.sources import PYTHON
from arena.games.entries import Entry, address, holds_entries, invited, numbered
from arena.games.interrupt import stoppable
from arena.games.isolation import Isolation, kept_apart
from arena.games.object_agent import ObjectAgent


@dataclass(frozen=True, slots=True)
class ProcessSpec(Spec):
    """A spec that builds an agent in a separate process, which starts when it is first needed."""

    origin: Source
    process_limits: ProcessLimits

    def build(self) -> Agent:
        """Return a new agent."""
        return start(self.origin, self.process_limits)

    def source(self, folder: str = "") -> Source:  # noqa: ARG002  see Spec
        """Return the source that starts the agent."""
        return self.origin

    def having(self, **parameters: object) -> Spec:
        """Return a copy with these parameters replaced."""
        settings = {**self.parameters, **parameters}
        words, options = self.origin.words, self.origin.options
        if self.kind in KINDS:
            words = (f"{self.kind}:{','.join(f'{key}={_written(value)}' for key, value in settings.items())}",)
        else:
            options = tuple({**settings, **{key: value for key, value in options if key == PYTHON}}.items())
        return replace(self, parameters=settings, origin=replace(self.origin, words=words, options=options))


def _written(value: object) -> object:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


def entrants(
    agents: Iterable[object], isolation: Mapping[str, Any] = {}, warn: Callable[[str], object] = lambda _: None
) -> list[Spec]:
    """Return the specs of agents, given as specs, folders, rosters or objects. Raises InputError.

    isolation: fields of `Isolation`, for process agents. warn: called with a line for each file of a folder that cannot
    play, or plays under another name.
    """
    players: list[tuple[str, Entry | None, ObjectAgent | None]] = []
    lines: list[str] = []
    for agent in agents:
        if isinstance(agent, Entry):
            players.append((agent.name, agent, None))
        elif isinstance(agent, str | Path):
            names, entries, broken, remarks = invited([str(agent)])
            players += [(name, entry, None) for name, entry in zip(names, entries, strict=True)]
            lines += [*(f"left out: {line}" for line in broken), *remarks]
        else:
            spec = ObjectAgent.of(agent)
            players.append((spec.text, None, spec))
    if lines and not players:
        raise InputError(lines[0].removeprefix("left out: "))
    for line in lines:
        warn(line)
    return specs_of(players, isolation)


def specs_of(
    players: Sequence[tuple[str, Entry | None, ObjectAgent | None]], isolation: Mapping[str, Any]
) -> list[Spec]:
    """Return the specs of agents, each given by its name with its entry or its object, if any. Raises InputError."""
    if isolation.get("sandbox"):
        check_sandbox()
    lives = Isolation(folder=str(Path.cwd()), entries=tuple(entry for _, entry, _ in players), **isolation)
    specs = [spec or lives.spec(place, name) for place, (name, _, spec) in enumerate(players)]
    sources: Sequence[Source | None] = [
        None if isinstance(spec, ObjectAgent) else lives.source(place, spec) for place, spec in enumerate(specs)
    ]
    limits = lives.process_limits(ProcessLimits().margin)
    sources = kept_apart(sources) if limits.sandbox else sources
    numbers = numbered(name for name, _, _ in players)
    called = [number if players[place][1] else specs[place].text for place, number in enumerate(numbers)]
    return [
        ProcessSpec(name, spec.kind, spec.parameters, source, limits) if source else replace(spec, text=name)
        for name, spec, source in zip(called, specs, sources, strict=True)
    ]


def entrant(agent: object, isolation: Mapping[str, Any] = {}) -> Spec:
    """Return the spec of one agent, see `entrants`. Raises InputError if there are several."""
    specs = entrants([agent], isolation)
    if len(specs) == 1:
        return specs[0]
    if not holds_entries(str(agent)):
        raise InputError(f"{agent!r} stands for {len(specs)} agents, one is needed")
    names = [spec.text for spec in specs]
    first = address(str(agent), names[0])
    raise InputError(f"{agent} holds several agents: write {first}; there are {', '.join(names)}")


@contextmanager
def attended(agents: Collection[object]) -> Generator[None]:
    """Stop agents at Ctrl-C, as `stoppable` does, and end the processes of process agents when the block ends."""
    try:
        with stoppable(agents):
            yield
    finally:
        for agent in agents:
            if isinstance(agent, ProcessAgent):
                agent.close()


@contextmanager
def outlived(agent: object, faults: list[InputError] | None) -> Generator[None]:
    """Add an InputError of a process agent to `faults`, if given, so that the job goes on with the other agents."""
    try:
        yield
    except InputError as error:
        if faults is None or not isinstance(agent, ProcessAgent):
            raise
        faults.append(error)
