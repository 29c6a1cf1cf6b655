"""What a study is made of: runs of games, depth tables and grades.

Each part knows which quantities it measures; it can be tried, played, shown, and compared with itself played again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from agents.board import Rules
from agents.errors import InputError
from arena.depth import depths as measures
from arena.depth import figures as depth_figures
from arena.depth.cost import Cost, means
from arena.depth.tables import depths as costs_table
from arena.games.entries import Entry
from arena.games.run import Run
from arena.games.settings import Apart, as_keywords, specs
from arena.page.page import Section
from arena.perfect import figures as perfect_figures
from arena.perfect import grade as truth
from arena.perfect import tables as quality
from arena.perfect.grading import Grade
from arena.plugins.study import differences, quantities
from arena.plugins.study import tables as report
from arena.plugins.study.claims import Estimate, Quantity
from arena.plugins.study.differences import Difference
from arena.store.writing import read_json, write_json
from arena.table.measured import Measured, Progress, Warn
from arena.table.rows import plain, restored
from arena.tournament import pairing_tables as strength
from arena.tournament import tables, tournaments
from arena.tournament.figures import pictures
from arena.tournament.frames import Frames
from arena.tournament.pairings import duels


@dataclass(frozen=True, slots=True)
class Session:
    """How parts are played."""

    workers: int | None
    command: str
    progress: Progress
    say: Warn
    warn: Warn


@dataclass(frozen=True, eq=False)
class Games:
    """A run: a tournament, or a sequential test of two."""

    name: str
    """Of its file, and of its part of the page; claims may name it."""
    agents: Mapping[str, Entry]
    """By the names that claims have."""
    settings: Mapping[str, Any]
    """Of the run, as keywords."""
    isolation: Apart
    kind = "games"
    """The table of the study's file."""

    def file(self, folder: Path) -> Path:
        """Return the file of the run."""
        return folder / "runs" / f"{self.name}.sqlite"

    def refusal(self, quantity: Quantity, agents: Sequence[str]) -> str:
        """Return why a quantity of its agents cannot be taken from it; empty where it can."""
        pairs = self.settings.get("pairs") or itertools.combinations(self.agents, 2)
        if set(agents) <= self.agents.keys() and (len(quantity.agents) < 2 or set(agents) in map(set, pairs)):
            return ""
        return f"{' and '.join(agents)} do not meet in {quantity.games or 'one run'}"

    def begin(self, path: Path, session: Session) -> Run:
        """Begin the run in a new file. Raises InputError that names the games."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with within(f"[games] {self.name}"):
            return tournaments.begin(
                list(self.agents.values()), self.settings, out=path, isolation=self.isolation,
                workers=session.workers, command=session.command, warn=session.warn,
            )  # fmt: skip

    def planned(self, folder: Path, session: Session) -> int:
        """Make every agent, and return how many games it would play. Raises InputError."""
        run = self.begin(folder / f"{self.name}.sqlite", session)
        games = run.store.planned()
        run.workers.close()
        run.store.discard()
        return games

    def play(self, folder: Path, session: Session) -> None:
        """Play what is missing. Raises InputError."""
        path = self.file(folder)
        if path.exists():
            run = tournaments.resumed(
                path, command=session.command, workers=session.workers, say=session.say, warn=session.warn
            )
        else:
            run = self.begin(path, session)
        tournaments.play(run, session.workers, progress=session.progress, warn=session.warn)

    def estimates(self, folder: Path, asked: Mapping[Quantity, Sequence[str]]) -> dict[Quantity, Estimate | None]:
        """Return quantities, each of the agents that it asks for."""
        frames = self.frames(folder)
        return {quantity: quantities.of_run(frames, quantity, agents) for quantity, agents in asked.items()}

    def frames(self, folder: Path) -> Frames:
        """Return the whole run."""
        return Frames.read(self.file(folder), most=None)

    def section(self, folder: Path) -> Section:
        """Return its section of the page."""
        frames = Frames.read(self.file(folder))
        parts = [*tables.whole(frames), *strength.pairings_parts(duels(frames))]
        return report.section(self.name, parts, pictures(frames))

    def clocked(self, folder: Path) -> list[str]:
        """Return the agents whose games no machine plays twice alike."""
        return differences.clocked(self.frames(folder))

    def differences(self, old: Path, new: Path) -> tuple[list[Difference], int]:
        """Return what differs between two folders, and the number of games in the new one."""
        one, other = self.frames(old), self.frames(new)
        return differences.of_run(self.name, one, other), len(other.games)


@dataclass(frozen=True, eq=False)
class Measurement:
    """A depth table of agents, of which it sets the depth, or their grades on the same positions."""

    kind: str
    """The table of the study's file: depths or grade."""
    agents: Mapping[str, Entry]
    """By the names that claims have."""
    settings: Mapping[str, Any]
    """Of the function that measures, as keywords."""
    isolation: Apart

    @property
    def name(self) -> str:
        """Return the name of its file and its part of the page."""
        return self.kind

    def file(self, folder: Path) -> Path:
        """Return the file of the rows."""
        return folder / "measured" / f"{self.kind}.json"

    def refusal(self, quantity: Quantity, agents: Sequence[str]) -> str:
        """Return why a quantity of its agents cannot be taken from it; empty where it can."""
        if not set(agents) <= self.agents.keys():
            return f"[{self.kind}] has no {' and '.join(agents)}"
        measured = self.kind == "grade" or quantity.depth in self.settings.get("depth", range(1, 9))
        return "" if measured else f"[depths] has no depth {quantity.depth}"

    def planned(self, folder: Path, session: Session) -> None:  # noqa: ARG002  as of games
        """Make every agent, and let the job check its settings until it would begin. Raises InputError."""
        with within(f"[{self.kind}]"):
            for spec in specs([*self.agents.values()], self.isolation, session.warn):
                spec.build()
            with suppress(_Begun):
                self._measured(replace(session, progress=_begins))

    def _measured(self, session: Session) -> Measured[Any]:
        job: Callable[..., Measured[Any]] = measures.depths if self.kind == "depths" else truth.grade
        shared: dict[str, Any] = {"isolation": self.isolation, "progress": session.progress, "warn": session.warn}
        return job([*self.agents.values()], **self.settings, **shared)

    def play(self, folder: Path, session: Session) -> None:
        """Measure what is missing. Raises InputError."""
        path = self.file(folder)
        if path.exists():
            return
        measured = self._measured(session)
        if measured.interrupted:
            raise KeyboardInterrupt
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"rows": plain(measured.rows), "meta": measured.meta})

    def rows(self, folder: Path) -> list[dict[str, Any]]:
        """Return the rows as plain data. Raises InputError for a damaged file."""
        remedy = "delete it, and arena study play measures it again"
        rows: list[dict[str, Any]] = read_json(self.file(folder), {"rows": [{}]}, remedy)["rows"]
        return rows

    def estimates(self, folder: Path, asked: Mapping[Quantity, Sequence[str]]) -> dict[Quantity, Estimate | None]:
        """Return the nodes of searches, or shares of good moves."""
        rows, drawn = self.rows(folder), "openings" in self.settings
        if self.kind == "depths":
            return {quantity: quantities.of_depths(rows, quantity, drawn=drawn) for quantity in asked}
        return {quantity: quantities.of_grade(rows, quantity) for quantity in asked}

    def section(self, folder: Path) -> Section:
        """Return its section of the page."""
        rows = self.rows(folder)
        if self.kind == "grade":
            grades = [restored(Grade, row) for row in rows]
            return report.section(self.name, quality.grade_parts(grades, None), perfect_figures.grades(grades))
        costs = [restored(Cost, row) for row in rows]
        costs = means(costs) if len({row.position for row in costs}) > 1 else costs
        columns = Rules.parse(self.settings.get("rules", "7x6x4")).columns
        return report.section(self.name, [costs_table(costs)], depth_figures.depths(costs, columns))

    def clocked(self, folder: Path) -> list[str]:  # noqa: ARG002  as of games
        """Return nobody: a measurement compares no times."""
        return []

    def differences(self, old: Path, new: Path) -> tuple[list[Difference], int]:
        """Return what differs between two folders; there are no games."""
        return differences.row_differences(f"measured/{self.kind}", self.rows(old), self.rows(new)), 0


class _Begun(Exception):  # noqa: N818  it is no error
    """Raised where a job would begin to measure."""


def _begins(*_: object, **__: object) -> NoReturn:
    raise _Begun


@contextmanager
def within(place: str) -> Iterator[None]:
    """Name the place in the study's file in errors, where options have the names of its keys."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {as_keywords(str(error))}") from error
