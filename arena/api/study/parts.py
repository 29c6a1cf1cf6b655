"""What a study is made of: runs of games, depth tables and grades.

Each part knows which quantities it measures; it can be planned, played, shown, and compared with itself played again.
Parts are equal if they measure the same.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from agents.board import Rules
from agents.errors import InputError
from arena.analysis.frames import Frames
from arena.api import measures, tournaments, truth
from arena.api.progress import Measured, Progress, Warn
from arena.api.settings import Apart, specs
from arena.measure.depths import Cost
from arena.measure.grading import Grade
from arena.measure.study import quantities, verify
from arena.measure.study.claims import Estimate, Quantity
from arena.play.entries import Entry
from arena.play.run import Run
from arena.report import study as report
from arena.rows import plain, restored
from arena.store.run_file import Store
from arena.store.validation import refuse_damaged
from arena.store.writing import read_json, write_json


@dataclass(frozen=True, slots=True)
class Session:
    """How parts are played."""

    workers: int | None
    command: str
    ends: float | None
    """When the budget is spent, by the monotonic clock."""
    progress: Progress
    say: Warn
    warn: Warn

    @property
    def seconds(self) -> float | None:
        """What is left of the budget."""
        return None if self.ends is None else max(0.0, self.ends - time.monotonic())


@dataclass(frozen=True)
class StudyPart:
    """What all kinds have."""

    name: str
    """Of its file, and of its part of the page."""
    group: str
    """The name of the [[games]] that it belongs to, which claims may name; of others their table."""
    agents: Mapping[str, Entry]
    """By the names that claims have."""
    settings: Mapping[str, Any]
    """What the function that measures is asked for, as keywords."""
    isolation: Apart


@dataclass(frozen=True)
class Games(StudyPart):
    """A run: a tournament, a sequential test of two, or a comparison of heuristics.

    Heuristics of files have one name in every clone: they count from the current folder, which is the study's.
    """

    audit: bool
    """Whether every move is then checked against perfect play."""
    kind: ClassVar[str] = "games"
    """The table of the study's file."""

    @property
    def compared(self) -> bool:
        """Whether heuristics are compared; the run's tables name their agents by specs."""
        return "heuristics" in self.settings

    def file(self, folder: Path) -> Path:
        """Return the file of the run."""
        return folder / "runs" / f"{self.name}.sqlite"

    def files(self, folder: Path) -> list[Path]:
        """Return all that it makes."""
        return [self.file(folder)]

    def refusal(self, quantity: Quantity, agents: Sequence[str]) -> str:
        """Return why a quantity of its agents cannot be taken from it; empty where it can."""
        pairs = self.settings.get("pairs") or itertools.combinations(self.agents, 2)
        if len(quantity.agents) < 2 or set(agents) in map(set, pairs):
            return ""
        return f"{' and '.join(agents)} do not meet in {quantity.games or 'any games'}"

    def begin(self, path: Path, session: Session) -> Run:
        """Begin the run in a new file. Raises InputError that names the games."""
        plan: dict[str, Any] = {**self.settings}
        own: dict[str, Any] = {"out": path, "isolation": self.isolation, "workers": session.workers}
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            if self.compared:
                return tournaments.begin_comparison(plan.pop("heuristics"), **plan, **own, command=session.command)
            return tournaments.begin(
                list(self.agents.values()), plan, **own, command=session.command, warn=session.warn
            )  # fmt: skip
        except InputError as error:
            raise InputError(f"[games] {self.group}: {str(error).replace('--', '')}") from error

    def planned(self, folder: Path, session: Session) -> int:
        """Make every agent, and return how many games it would play. Raises InputError."""
        run = self.begin(folder / f"{self.name}.sqlite", session)
        games = run.store.planned()
        run.workers.close()
        run.store.discard()
        return games

    def play(self, folder: Path, session: Session) -> bool:
        """Play what is missing, and return whether nothing is left. Raises InputError."""
        path, seconds = self.file(folder), session.seconds
        shared: dict[str, Any] = {"workers": session.workers, "warn": session.warn}
        if path.exists():
            run = tournaments.resumed(path, command=session.command, say=session.say, **shared)
        else:
            run = self.begin(path, session)
        seconds = None if seconds is None else max(0.01, seconds)
        whole = tournaments.play(run, seconds=seconds, progress=session.progress, **shared)
        if whole and self.audit:
            truth.audit(path, workers=session.workers, progress=session.progress)
        return whole

    def estimates(self, folder: Path, asked: Mapping[Quantity, Sequence[str]]) -> dict[Quantity, Estimate | None]:
        """Return quantities, each of the agents that it asks for."""
        frames = Frames.read(self.file(folder), whole=True)
        told = {name: entry.spec if self.compared else name for name, entry in self.agents.items()}
        return {
            each: quantities.of_run(frames, each, [told[name] for name in agents]) for each, agents in asked.items()
        }

    def shown(self, folder: Path) -> report.Shown:
        """Return its tables and figures."""
        return report.of_run(self.name, Frames.read(self.file(folder)))

    def same(self, old: Path, new: Path) -> verify.Again:
        """Return what differs between two folders."""
        with Store.read(self.file(old)) as store:
            refuse_damaged(store, whole=True)
        one, other = (Frames.read(self.file(each), whole=True) for each in (old, new))
        return verify.of_run(self.name, one, other)


@dataclass(frozen=True)
class Measurement(StudyPart):
    """Rows that a function measures, in a file for each call of it."""

    kind: ClassVar[str]
    row: ClassVar[type]
    job: ClassVar[Callable[..., Measured[Any]]]

    def calls(self, folder: Path) -> dict[Path, list[Entry]]:
        """Return the agents that are measured together, by the file of their rows."""
        return {folder / "measured" / f"{self.kind}.json": [*self.agents.values()]}

    def files(self, folder: Path) -> list[Path]:
        """Return all that it makes."""
        return list(self.calls(folder))

    def refusal(self, quantity: Quantity, agents: Sequence[str]) -> str:  # noqa: ARG002  as of games
        """Return why a quantity of its agents cannot be taken from it; empty where it can."""
        return ""

    def planned(self, folder: Path, session: Session) -> None:
        """Make every agent, and let the job check its settings until it would begin. Raises InputError."""
        ready = replace(session, progress=_begins)
        try:
            for entries in self.calls(folder).values():
                for spec in specs(entries, self.isolation, session.warn):
                    spec.build()
                with suppress(_Begun):
                    self.measured(entries, ready)
        except InputError as error:
            raise InputError(f"[{self.kind}]: {str(error).replace('--', '')}") from error

    def measured(self, entries: Sequence[Entry], session: Session) -> Measured[Any]:
        """Measure some agents. Raises InputError."""
        shared: dict[str, Any] = {"isolation": self.isolation, "progress": session.progress, "warn": session.warn}
        return type(self).job(entries, **self.settings, **shared)

    def play(self, folder: Path, session: Session) -> bool:
        """Measure what is missing, and return whether nothing is left. Raises InputError."""
        for path, entries in self.calls(folder).items():
            if path.exists():
                continue
            if session.seconds == 0.0:
                return False
            found = self.measured(entries, session)
            if found.interrupted:
                raise KeyboardInterrupt
            path.parent.mkdir(parents=True, exist_ok=True)
            write_json(path, {"rows": plain(found.rows), "meta": found.meta})
        return True

    def document(self, folder: Path) -> list[dict[str, Any]]:
        """Return the rows as plain data. Raises InputError for a damaged file."""
        remedy = "delete it, and arena study play measures it again"
        return [row for path in sorted(self.calls(folder)) for row in read_json(path, {"rows": [{}]}, remedy)["rows"]]

    def same(self, old: Path, new: Path) -> verify.Again:
        """Return what differs between two folders."""
        return verify.Again(verify.row_differences(f"measured/{self.name}", self.document(old), self.document(new)))


@dataclass(frozen=True)
class Depths(Measurement):
    """Depth tables, one for each agent; they set its depth."""

    kind: ClassVar[str] = "depths"
    row: ClassVar[type] = Cost
    job: ClassVar[Callable[..., Measured[Any]]] = measures.depths

    def calls(self, folder: Path) -> dict[Path, list[Entry]]:
        """Return each agent, by the file of its rows."""
        return {folder / "measured" / f"depths-{slug(name)}.json": [entry] for name, entry in self.agents.items()}

    def refusal(self, quantity: Quantity, agents: Sequence[str]) -> str:  # noqa: ARG002  as of games
        """Return why a quantity of its agents cannot be taken from it; empty where it can."""
        known = quantity.depth in self.settings.get("depth", range(1, 9))
        return "" if known else f"[depths] has no depth {quantity.depth}"

    def estimates(self, folder: Path, asked: Mapping[Quantity, Sequence[str]]) -> dict[Quantity, Estimate | None]:
        """Return the nodes of searches."""
        rows, drawn = self.document(folder), "openings" in self.settings
        return {quantity: quantities.of_depths(rows, quantity, drawn=drawn) for quantity in asked}

    def shown(self, folder: Path) -> report.Shown:
        """Return its table and figures."""
        rows = [restored(Cost, row) for row in self.document(folder)]
        return report.of_depths(rows, Rules.parse(self.settings.get("rules", "7x6x4")).columns)


@dataclass(frozen=True)
class Grades(Measurement):
    """Grades of all agents on the same positions."""

    kind: ClassVar[str] = "grade"
    row: ClassVar[type] = Grade
    job: ClassVar[Callable[..., Measured[Any]]] = truth.grade

    def estimates(self, folder: Path, asked: Mapping[Quantity, Sequence[str]]) -> dict[Quantity, Estimate | None]:
        """Return shares of good moves."""
        rows = self.document(folder)
        return {quantity: quantities.of_grade(rows, quantity) for quantity in asked}

    def shown(self, folder: Path) -> report.Shown:
        """Return its table and figure."""
        rows = [restored(Grade, row) for row in self.document(folder)]
        return report.of_grade(rows)


class _Begun(Exception):  # noqa: N818  it is no error
    """Raised where a job would begin to measure."""


def _begins(*_: object, **__: object) -> NoReturn:
    raise _Begun


def slug(name: str) -> str:
    """Return a name as it can stand in that of a file."""
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", name)
