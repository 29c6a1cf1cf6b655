"""The agents of one process that plays games, made when they are first needed."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from agents.agent import Agent, prepare
from agents.board import Board, Rules
from agents.errors import InputError, Unavailable
from agents.process_agent import ProcessAgent, ProcessLimits, Source, start
from agents.specs.components import HEURISTICS, ORDERINGS
from agents.specs.kinds import KINDS
from agents.specs.notation import call
from agents.specs.registry import Spec
from arena.games.referee import Conditions, play_game
from arena.records import GameRecord, Job

ROOM = 128 << 20
"""Bytes of memory that an idle agent may take: Python takes 15 MB, with numpy 30."""


def _most_running() -> int:
    """Return how many processes this machine's memory has room for, shared among workers on all cores: 8 to 64."""
    if not hasattr(os, "sysconf"):  # Windows
        return 8
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(8, min(64, memory // (os.cpu_count() or 1) // ROOM))


MOST_RUNNING = _most_running()
"""Processes of process agents that a worker keeps; the one that has been idle for longest ends first.

To start a process takes as long as a short game.
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that the games of a run share; small and picklable."""

    specs: tuple[Spec, ...]
    """Any process makes its own copies of the agents from these."""
    openings: tuple[Board, ...]
    rules: Rules
    seed: int
    conditions: Conditions
    sources: tuple[Source | None, ...] = ()
    """For each agent how to start it in a process of its own; None where it plays in the worker. () means all None."""
    process_limits: ProcessLimits = ProcessLimits()  # noqa: RUF009  immutable

    def source(self, place: int) -> Source | None:
        """Return how to start that agent in a process of its own; None where it plays in the worker."""
        return self.sources[place] if self.sources else None

    @property
    def apart(self) -> bool:
        """Whether any agent lives in a process of its own."""
        return any(source is not None for source in self.sources)

    @property
    def crowded(self) -> bool:
        """Whether there are more process agents than a worker keeps processes."""
        return sum(source is not None for source in self.sources) > MOST_RUNNING

    @property
    def served(self) -> bool:
        """Whether any agent asks a server, which may fail while the other agents play on."""
        return any(spec.kind == "llm" for spec in self.specs)

    @property
    def kept(self) -> list[str]:
        """The names of the agents that cannot be sent to other processes, such as some objects of a program."""
        return [spec.text for spec in self.specs if not getattr(spec, "travels", True)]


@dataclass(slots=True)
class Field:
    """The agents of one process."""

    setting: Setting
    agents: dict[tuple[int, int], Agent] = field(default_factory=dict)
    """By place and copy; process agents that played last stand last."""

    def play(self, job: Job, turn: Callable[[Board], None] = lambda board: None) -> GameRecord:  # noqa: ARG005  see play_game
        """Play one game."""
        setting = self.setting
        players = (self.agent(job.first, 0), self.agent(job.second, int(job.first == job.second)))
        if setting.apart:
            self._make_room(players)
        opening = setting.openings[job.opening]
        return play_game(job, players, opening, job.seeds(setting.seed), setting.conditions, turn=turn)

    def answer(self, job: Job, turn: Callable[[Board], None] = lambda board: None) -> GameRecord | Exception:  # noqa: ARG005  see play_game
        """Play one game in a worker; return its record, or the exception that the run's process raises."""
        try:
            return self.play(job, turn)
        except InputError as error:
            return error
        except Exception:  # noqa: BLE001  it is raised in the run's process
            return RuntimeError(traceback.format_exc())

    def agent(self, place: int, copy: int) -> Agent:
        """Return this process's agent; `copy` 1 is a second one for an agent that meets itself.

        A process agent starts when its game begins, and loses the game if it fails to start.
        """
        agent = self.agents.pop((place, copy), None)
        if agent is None:
            source = self.setting.source(place)
            if source is not None:
                agent = start(source, self.setting.process_limits, self.setting.rules)
            else:
                agent = self.setting.specs[place].build()
                try:
                    prepare(agent, self.setting.rules, self.setting.specs[place].text)
                except Unavailable as error:
                    error.place = place
                    raise
        self.agents[place, copy] = agent
        return agent

    def ahead(self, wanted: Callable[[], bool]) -> None:
        """Make agents from the last to the first until a job is waiting, while the run's process begins with the first.

        So two processes share the compilation. Users' code, and agents that cannot be made, are left to the run's
        process, which reports errors.
        """
        for place, spec in reversed(list(enumerate(self.setting.specs))):
            if wanted():
                return
            if _is_own(spec):
                with suppress(Exception):
                    self.agent(place, 0)

    def close(self) -> None:
        """End the process of every process agent."""
        for agent in self.agents.values():
            if isinstance(agent, ProcessAgent):
                agent.close()

    def _make_room(self, players: tuple[Agent, Agent]) -> None:
        """End the processes of the agents that have been idle longest, so that two more may start."""
        processes = [agent for agent in self.agents.values() if isinstance(agent, ProcessAgent)]
        idle = [agent for agent in processes if agent.running and agent not in players]
        for agent in idle[: max(0, len(idle) + 2 - MOST_RUNNING)]:
            agent.close()


def _is_own(spec: Spec) -> bool:
    """Return whether all parts of an agent come with the program."""
    parts = {call(str(spec.parameters[key])).name for key in ("heuristic", "order") if key in spec.parameters}
    return spec.kind in KINDS and parts <= HEURISTICS.keys() | ORDERINGS.keys()
