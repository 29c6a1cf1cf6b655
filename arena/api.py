"""What the commands do, from Python: tournaments, stored runs and depth tables as DataFrames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arena.analysis.counts import Counts
    from arena.analysis.frames import Frames


class Result:
    """A stored run. Every table is a DataFrame; the rows of `arena.analysis` say what the columns mean."""

    def __init__(self, path: Path) -> None:
        from arena.analysis.frames import Frames

        self.path = path
        self.frames: Frames = Frames.read(path)

    @cached_property
    def standings(self) -> pd.DataFrame:
        """A row for each agent, best first."""
        from arena.analysis.rows import frame
        from arena.analysis.standings import Standing, standings

        return frame(standings(self.frames), Standing)

    @cached_property
    def crosstable(self) -> pd.DataFrame:
        """A row for each agent and opponent."""
        from arena.analysis.crosstable import Crossing, crosstable
        from arena.analysis.rows import frame

        return frame(crosstable(self.frames), Crossing)

    @cached_property
    def effort(self) -> pd.DataFrame:
        """A row for each agent and depth."""
        from arena.analysis.effort import Effort, effort
        from arena.analysis.rows import frame

        return frame(effort(self.frames), Effort)

    @cached_property
    def counts(self) -> Counts:
        """How many games were played, distinct and planned."""
        from arena.analysis.counts import counts

        return counts(self.frames)

    def audit(self, *, strong: bool = False, workers: int = 1) -> pd.DataFrame:
        """Hold every move against perfect play, store what was found, and return a row for each agent.

        strong: also by distance. What the run's file already knows is not solved again. workers: threads. Raises
        InputError.
        """
        from arena.analysis.audit import agents
        from arena.analysis.audited import AgentAudit
        from arena.analysis.frames import Frames
        from arena.analysis.rows import frame
        from arena.measure.audit import audit, missing
        from arena.measure.solving import Question
        from arena.play import tournament
        from arena.store.store import Store

        threads = tournament.workers(workers)
        with Store.read(self.path) as store:
            openings = missing(store, strong=strong)
            question = Question(store.rules(), strong)
        if openings:
            with Store.resume(self.path) as store:
                audit(store, openings, question, threads)
            self.frames = Frames.read(self.path)
        rows = agents(self.frames)
        return frame(rows, type(rows[0]) if rows else AgentAudit)

    @property
    def games(self) -> pd.DataFrame:
        """A row for each game."""
        return self.frames.games

    @property
    def moves(self) -> pd.DataFrame:
        """A row for each decision."""
        return self.frames.moves

    @property
    def searches(self) -> pd.DataFrame:
        """A row for each completed depth of each decision."""
        return self.frames.searches

    def report(self, path: str | Path, title: str | None = None) -> Path:
        """Write the run as one HTML page and return its path; `arena report` from Python. Raises InputError."""
        from arena.report.page.build import write

        return write([self.path], Path(path), title)

    def __repr__(self) -> str:
        counts = self.counts
        return f"<run {self.path}: games {counts.played}, distinct {counts.distinct}, planned {counts.planned}>"


def run(
    agents: Sequence[str] = (),
    *,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    workers: int = 1,
    isolation: Mapping[str, Any] | None = None,
    **plan: Any,  # noqa: ANN401  the fields of a Plan, which checks them
) -> Result:
    """Play a tournament, store it, and return its tables; `arena run` from Python. Raises InputError.

    agents: specs, by default the default field. out: the file, by default a new one in `results/`. resume: a file whose
    missing games are played instead. workers: processes; more than one need `if __name__ == "__main__":` in a script.
    isolation: patience, memory, sandbox, everyone, nobody; see `arena.play.isolation.Isolation`.
    plan: rounds, openings, seed, format, pairs, include_self, rules, nodes, seconds, margin, sprt; see
    `arena.play.plan.Plan`.
    """
    from arena.play import tournament
    from arena.play.isolation import Isolation
    from arena.play.plan import DEFAULT_FIELD, Plan, invited
    from arena.play.tournament import Run
    from arena.play.workers import executor

    processes = tournament.workers(workers)
    if resume is not None:
        playing = Run.resume(Path(resume))
    else:
        names, entries, broken = invited(agents or DEFAULT_FIELD)
        if broken:
            raise InputError(broken[0])
        apart = Isolation(folder=str(Path.cwd()), entries=entries, **(isolation or {}))
        playing = Run.begin(Plan(names, isolation=apart, **plan), None if out is None else Path(out))
    with playing.store:
        playing.play(executor(processes))
    return load(playing.store.path)


def load(path: str | Path) -> Result:
    """Return the tables of a stored run; `arena show` from Python. Raises InputError."""
    return Result(Path(path))


def plot(run: Result | str | Path | pd.DataFrame, figure: str | None = None) -> Axes:
    """Draw a figure and return its Axes, for further work; what `--plot` writes, from Python.

    run: a run or its file, or a table of `depths`. figure: standings, crosstable, cost, states, speed, sprt or kept, by
    default the first that there is. `axes.figure.savefig` writes it. Raises InputError.
    """
    from arena.report.figures import run as runs
    from arena.report.figures import tables
    from arena.report.figures.picture import choose

    if isinstance(run, (str, Path)):
        run = load(run)
    pictures = runs.pictures(run.frames) if isinstance(run, Result) else tables.of_frame(run)
    return choose(pictures, figure).axes()


def depths(
    agents: Sequence[str],
    depth: Sequence[int] = range(1, 9),
    *,
    positions: Sequence[str] = ("",),
    rules: Rules = STANDARD,
    budget: float = 10.0,
) -> pd.DataFrame:
    """Return what each depth costs, a row for each agent, position and depth; `arena depths` from Python.

    positions: moves as text, the empty board by default. budget: seconds that a search may be expected to take; dearer
    rows are there without numbers. Raises InputError.
    """
    from agents.registry import expand
    from arena.analysis.rows import frame
    from arena.measure.costs import Cost
    from arena.measure.depths import depth_table

    specs = [spec for text in agents for spec in expand(text)]
    boards = [Board.from_moves(position, rules) for position in positions]
    return frame(depth_table(specs, list(depth), boards, budget), Cost).convert_dtypes()
