"""The agents of one process that plays games: made when they are first needed, and strangers kept from game to game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from agents.agent import Agent, prepare
from agents.board import Board, Rules
from agents.registry import Spec
from agents.remote.stranger import Stranger
from agents.remote.terms import Source, Terms
from arena.play.match import Conditions, play_game
from arena.store.records import GameRecord, Job

KEPT = 8
"""Strangers whose processes a worker keeps; the one that has not played for longest ends first."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything that the games of a run share; small and picklable."""

    specs: tuple[Spec, ...]
    """From which any process makes its own copies of the agents."""
    openings: tuple[Board, ...]
    rules: Rules
    seed: int
    conditions: Conditions
    sources: tuple[Source | None, ...] = ()
    """For each agent what starts it in a process of its own; None where it plays in the worker. For none at all ()."""
    terms: Terms = Terms()  # noqa: RUF009  immutable

    def source(self, place: int) -> Source | None:
        """Return what starts that agent in a process of its own, None where it plays in the worker."""
        return self.sources[place] if self.sources else None

    @property
    def apart(self) -> bool:
        """Whether any agent lives in a process of its own."""
        return any(source is not None for source in self.sources)


@dataclass(slots=True)
class Field:
    """The agents of one process."""

    setting: Setting
    made: dict[tuple[int, int], Agent] = field(default_factory=dict)
    """By place and copy; strangers that played last stand last."""

    def play(self, job: Job, turn: Callable[[Board], None] = lambda board: None) -> GameRecord:  # noqa: ARG005  see play_game
        """Play one game."""
        setting = self.setting
        players = (self.agent(job.first, 0), self.agent(job.second, int(job.first == job.second)))
        if setting.apart:
            self._make_room(players)
        opening = setting.openings[job.opening]
        return play_game(job.key, players, opening, job.seeds(setting.seed), setting.conditions, turn=turn)

    def agent(self, place: int, copy: int) -> Agent:
        """Return this process's agent; `copy` 1 is a second one for an agent that meets itself.

        A stranger starts when its game begins, and loses it where it does not.
        """
        agent = self.made.pop((place, copy), None)
        if agent is None:
            source = self.setting.source(place)
            if source is not None:
                agent = Stranger(source, self.setting.terms, self.setting.rules)
            else:
                agent = self.setting.specs[place].build()
                prepare(agent, self.setting.rules, self.setting.specs[place].text)
        self.made[place, copy] = agent
        return agent

    def close(self) -> None:
        """End every stranger's process."""
        for agent in self.made.values():
            if isinstance(agent, Stranger):
                agent.close()

    def _make_room(self, players: tuple[Agent, Agent]) -> None:
        """End the processes of those who have not played for longest, so that two more may start."""
        idle = [
            each for each in self.made.values() if isinstance(each, Stranger) and each.running and each not in players
        ]
        for stranger in idle[: max(0, len(idle) + 2 - KEPT)]:
            stranger.close()
