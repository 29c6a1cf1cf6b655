"""A run: a plan and where it is stored, played to its end or continued from where it stopped."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError, unknown
from agents.registry import expand, parse
from agents.sources import one_line
from arena import openings, schedule, trial
from arena.executors import Executor, Setting, Table
from arena.match import Conditions
from arena.statistics.sequential import Sprt
from arena.store import Store

RESULTS = Path("results")
DEFAULT_FIELD = tuple(
    f"{search},heuristic={heuristic}"
    for heuristic in ("powers-of-ten", "smart-aware")
    for search in ("minimax:depth=6", "alphabeta:depth=6", "alphabeta:depth=6,order=centre")
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is asked for. Raises InputError when it makes no sense."""

    agents: tuple[str, ...]
    """Specs of single agents, as `specs` returns them."""
    openings: str = openings.DEFAULT
    rounds: int = 20
    """Openings per pairing; each is played twice, colours swapped."""
    seed: int = 1
    format: str = "round-robin"
    pairs: tuple[tuple[str, str], ...] = ()
    """Pairings by name, in place of the format's."""
    include_self: bool = False
    rules: Rules = Rules()  # noqa: RUF009  immutable
    nodes: int | None = None
    """For every move of every agent, as are `seconds`."""
    seconds: float | None = None
    margin: float = 0.1
    """Seconds past the limit before the referee calls time."""
    sprt: str | None = None
    """A sequential test that stops the run once decided, such as "elo0=0,elo1=30"."""

    def __post_init__(self) -> None:
        for name, low in (("rounds", 1), ("seed", 0), ("nodes", 1)):
            value = getattr(self, name)
            if value is not None and not low <= value < 1 << 63:
                raise InputError(f"{name} must be at least {low}, not {value}")
        if self.seconds is not None and not 0.0 < self.seconds <= 86_400.0:
            raise InputError(f"seconds must be positive and at most a day, not {self.seconds}")
        if not self.margin >= 0.0:
            raise InputError(f"margin must not be negative, as {self.margin} is")
        if self.format not in schedule.FORMATS:
            raise unknown("format", self.format, schedule.FORMATS)
        if len(self.agents) < (1 if self.include_self else 2):
            raise InputError("a tournament needs two agents; --include-self lets one meet itself")
        if self.sprt is not None:
            trial.check(self.sprt, self.pairings())

    def names(self) -> list[str]:
        """Return a name for each agent: its spec, numbered where it is named twice."""
        seen: Counter[str] = Counter()
        names = []
        for agent in self.agents:
            seen[agent] += 1
            names.append(agent if seen[agent] == 1 else f"{agent}#{seen[agent]}")
        return names

    def pairings(self) -> list[schedule.Pairing]:
        """Return who meets whom. Raises InputError where a pair names nobody."""
        if self.pairs:
            return schedule.named(self.pairs, self.names())
        return schedule.FORMATS[self.format](len(self.agents), include_self=self.include_self)

    def jobs(self) -> list[schedule.Job]:
        """Return every game, in the order to play them."""
        return schedule.jobs(self.pairings(), self.rounds)

    def document(self) -> dict[str, Any]:
        """Return the plan as plain data, which `from_document` reads."""
        return asdict(self)

    @classmethod
    def from_document(cls, data: dict[str, Any]) -> Plan:
        """Return the plan that `document` wrote. Raises InputError."""
        fields = {key: value for key, value in data.items() if key != "population"}
        try:
            return cls(
                **fields
                | {
                    "agents": tuple(data["agents"]),
                    "pairs": tuple((one, other) for one, other in data["pairs"]),
                    "rules": Rules(**data["rules"]),
                }
            )
        except (TypeError, KeyError) as error:
            raise InputError(f"the stored plan cannot be read: {one_line(error)}") from error


def specs(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the specs of the single agents that the texts name, ranges and choices expanded. Raises InputError."""
    return tuple(spec.text for text in texts for spec in expand(text))


class Run:
    """A plan, its openings and its file; `play` plays what is missing."""

    def __init__(self, plan: Plan, boards: Sequence[Board], store: Store, *, new: bool) -> None:
        self.plan = plan
        self.new = new
        self.store = store
        conditions = Conditions(Limits(nodes=plan.nodes, seconds=plan.seconds), plan.margin)
        self.setting = Setting(plan.agents, tuple(boards), plan.rules, plan.seed, conditions)

    @classmethod
    def begin(cls, plan: Plan, path: Path | None = None) -> Run:
        """Start a run in a new file, by default one in `results/` named after the time. Raises InputError."""
        boards = openings.draw(plan.openings, plan.rounds, plan.seed, plan.rules)
        population = len(openings.everything(plan.openings, plan.rules))
        agents = [(name, parse(spec)) for name, spec in zip(plan.names(), plan.agents, strict=True)]
        check(plan, boards)
        jobs = plan.jobs()
        store = Store.create(
            path or _new_path(),
            plan.document() | {"population": population},
            plan.seed,
            len(jobs),
            agents,
            [(board.text, value) for board, value in zip(boards, openings.values(boards), strict=True)],
        )
        return cls(plan, boards, store, new=True)

    @classmethod
    def resume(cls, path: Path) -> Run:
        """Continue a run in its file. Raises InputError."""
        store = Store.resume(path)
        try:
            plan = Plan.from_document(store.plan())
            boards = [Board.from_moves(moves, plan.rules) for moves in store.openings()]
            check(plan, boards)
        except BaseException:
            store.close()
            raise
        return cls(plan, boards, store, new=False)

    def play(self, executor: Executor, progress: Callable[[], object] = lambda: None) -> None:
        """Play and store every game that is not stored yet; `progress` is called after each."""
        jobs = self.plan.jobs()
        played = self.store.played()
        todo = {job.key: job for job in jobs if job.key not in played}
        test = self._trial(jobs)
        if test is not None:
            self.store.add_evidence(test.pairs, test.evidence)  # a kill may have come between a pair and its evidence
            if test.decided:
                return
        games = executor.run(self.setting, list(todo.values()))
        try:
            for record in games if test is None else trial.in_order(list(todo.values()), games):
                self.store.add(todo[record.key], record)
                progress()
                if test is not None and test.see(todo[record.key], record.outcome):
                    self.store.add_evidence(test.pairs, test.evidence)
                    if test.decided:
                        break
        finally:
            games.close()

    def _trial(self, jobs: Sequence[schedule.Job]) -> trial.Trial | None:
        """Return the run's sequential test with the stored games seen, or None."""
        if self.plan.sprt is None:
            return None
        test = trial.Trial(Sprt.parse(self.plan.sprt))
        outcomes = self.store.outcomes()
        for job in jobs:
            if job.key not in outcomes:
                break
            test.see(job, outcomes[job.key])
        return test


def check(plan: Plan, boards: Sequence[Board]) -> None:
    """Make and prepare every agent once, so that what cannot play is said before the first game. Raises InputError.

    It also leaves their compiled code on disk, where the workers find it.
    """
    table = Table(Setting(plan.agents, tuple(boards), plan.rules, plan.seed, Conditions()))
    for place in range(len(plan.agents)):
        table.seat(place, 0)


def workers(jobs: int | None) -> int:
    """Return how many processes to use: as many as asked, by default one for each processor."""
    if jobs is not None:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _new_path() -> Path:
    stem = datetime.now().astimezone().strftime("run-%Y%m%d-%H%M%S")
    path = RESULTS / f"{stem}.sqlite"
    number = 2
    while path.exists():
        path = RESULTS / f"{stem}-{number}.sqlite"
        number += 1
    return path
