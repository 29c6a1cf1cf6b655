"""A stored run with its tables as DataFrames."""

from __future__ import annotations

import io
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.games.settings import checked
from arena.plugins import ask, offers, run_of
from arena.table.rows import frame, typed
from arena.tournament.runs import run_file

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from arena.table.picture import Picture
    from arena.tournament.frames import Frames
    from arena.tournament.standings import GameCounts


class Result:
    """A stored run. Every table is a DataFrame; its columns are the fields of the dataclass named after it here.

    `standings`: `arena.tournament.standings.Standing`. `crosstable`: `arena.tournament.standings.Crossing`. `effort`:
    `arena.tournament.effort.Effort`. `phases`:
    `arena.tournament.effort.Phase`. `pairings`: `arena.tournament.pairings.Duel`. `games`, `moves` and `searches`: the
    rows of `arena.tournament.stored`. A table without rows has the same columns and types: int, float, str and bool are
    pandas' Int64, Float64, string and boolean, and missing values are pd.NA. A comparison has `ratings` and `pairings`,
    see `arena.comparison.ratings`, and the `answer` in a sentence.
    """

    @checked
    def __init__(self, path: str | Path) -> None:
        from arena.tournament.frames import Frames

        self.path = Path(path)
        self.frames: Frames = Frames.read(self.path)

    @cached_property
    def standings(self) -> pd.DataFrame:
        """A row for each agent, best first."""
        from arena.tournament.standings import Standing, standings

        return frame(standings(self.frames), Standing)

    @cached_property
    def crosstable(self) -> pd.DataFrame:
        """A row for each agent and opponent."""
        from arena.tournament.standings import Crossing, crosstable

        return frame(crosstable(self.frames), Crossing)

    @cached_property
    def effort(self) -> pd.DataFrame:
        """A row for each agent and depth."""
        from arena.tournament.effort import Effort, effort

        return frame(effort(self.frames), Effort)

    @cached_property
    def phases(self) -> pd.DataFrame:
        """A row for each agent, depth and phase of the game."""
        from arena.tournament.effort import Phase, phases

        return frame(phases(self.frames), Phase)

    @cached_property
    def pairings(self) -> pd.DataFrame:
        """A row for each two agents that met; in a comparison, for each two heuristics at each level."""
        from arena.tournament.pairings import Duel, duels

        if self._kind is not None:
            pairings: pd.DataFrame = self._kind.pairings(self.frames)
            return pairings
        return frame(duels(self.frames), Duel)

    @cached_property
    def ratings(self) -> pd.DataFrame:
        """For a comparison, a row for each heuristic at each level. Raises InputError for other runs."""
        ratings: pd.DataFrame = self._compared.ratings(self.frames)
        return ratings

    @property
    def verdicts(self) -> list[str]:
        """For a comparison, a sentence for each pairing. Raises InputError for other runs."""
        return [str(verdict) for verdict in self._compared.verdicts(self.frames)]

    @property
    def answer(self) -> str:
        """For a comparison, a sentence that sums up all pairings. Raises InputError for other runs."""
        return str(self._compared.answer(self.frames))

    @property
    def _kind(self) -> Any | None:  # noqa: ANN401  a module
        """What shows the run if it is no tournament."""
        return run_of(self.frames.plan)

    @property
    def _compared(self) -> Any:  # noqa: ANN401  a module
        if self._kind is None:
            raise InputError(f"{self.path} compares no heuristics; it has standings and pairings of agents")
        return self._kind

    @property
    def meta(self) -> dict[str, Any]:
        """The metadata of the run: version, versions, machine, seed, command, time, and the greatest load in games."""
        origin, load = self.frames.made, self.frames.load()
        return {"version": origin["versions"].get("connect4-arena"), **origin, "load": load and load.document()}

    @cached_property
    def counts(self) -> GameCounts:
        """The numbers of games played, distinct and planned."""
        from arena.tournament.standings import counts

        return counts(self.frames)

    @checked
    def audit(self, *, workers: int = 1, progress: bool = False) -> pd.DataFrame:
        """Compare every move with perfect play, store the results, and return a row for each agent.

        workers: threads. progress: show a bar. Stored results are not computed again.
        Raises InputError.
        """
        from arena.tournament.frames import Frames

        if ask("perfect", "audit:audit")(self.path, workers=workers, progress=progress):
            self.frames = Frames.read(self.path)
        table: pd.DataFrame = ask("perfect", "kept:agents_frame")(self.frames)
        return table

    @cached_property
    def _whole(self) -> Frames:
        """The frames of the complete run, even if it is large."""
        from arena.tournament.frames import Frames

        return Frames.read(self.path, most=None) if self.frames.sampled else self.frames

    @cached_property
    def games(self) -> pd.DataFrame:
        """A row for each game."""
        return self._stored("games")

    @cached_property
    def moves(self) -> pd.DataFrame:
        """A row for each move; nodes are missing if the agent reported none."""
        return self._stored("moves")

    @cached_property
    def searches(self) -> pd.DataFrame:
        """A row for each completed depth of each move; nodes are missing if the agent reported none."""
        return self._stored("searches")

    def _stored(self, name: str) -> pd.DataFrame:
        """Return a table of stored rows, by its name in STORED."""
        from arena.tournament.stored import STORED

        table: pd.DataFrame = getattr(self._whole, name)
        if "nodes" in table:
            table = table.assign(nodes=self._whole.reported(table))
        return typed(table, STORED[name])

    @checked
    def report(self, path: str | Path, title: str | None = None) -> Path:
        """Write the run as one HTML page and return its path; `arena report` from Python. Raises InputError."""
        written: Path = ask("page", "page:write")(self.path, Path(path), title)
        return written

    def __repr__(self) -> str:
        counts = self.counts
        return f"<run {self.path}: games {counts.played}, distinct {counts.distinct}, planned {counts.planned}>"


@checked
def load(path: str | Path) -> Result:
    """Return the tables of a stored run, `latest` the newest; `arena show` from Python. Raises InputError."""
    return Result(run_file(path))


def opened(run: object) -> Result:
    """Return a run, given itself or its file. Raises InputError."""
    return run if isinstance(run, Result) else Result(run_path(run))


def run_path(run: object) -> Path:
    """Return the file of a run, given the run or its file. Raises InputError."""
    if not isinstance(run, Result | str | Path):
        raise InputError(f"a run is what arena.run returns, or its file, not {run!r:.80}")
    return run.path if isinstance(run, Result) else run_file(run)


# Figures of runs and of tables, as Axes.


@checked
def plot(run: Result | str | Path | pd.DataFrame, figure: str | None = None) -> Axes:
    """Draw a figure and return its Axes, for further work; `--plot` from Python.

    run: a run or its file, or a table of `depths`. figure: ratings, standings, crosstable, cost, states, speed, sprt or
    kept, by default the first available one. If agents form several pools, the figure has a panel for each, and the
    result is the first panel. A notebook shows the figure; `axes.figure.savefig` writes it. Raises InputError.
    """
    from arena.table.picture import choose
    from arena.tournament import figures as runs

    if isinstance(run, (str, Path)):
        run = load(run)
    elif not isinstance(run, Result) and not hasattr(run, "columns"):
        raise InputError(f"plot draws a run, its file or a table of arena.depths, not {run!r:.80}")
    pictures = runs.pictures(run.frames) if isinstance(run, Result) else _of_frame(run)
    axes = choose(pictures, figure).axes()
    axes._repr_svg_ = partial(_svg, axes)  # type: ignore[attr-defined]  # notebooks call this for the value of a cell
    return axes


def _of_frame(table: pd.DataFrame) -> list[Picture]:
    """Return the figures of a table that `arena.depths`, `arena.grade` or `rate` returned. Raises InputError."""
    for offer in offers("FRAMES"):
        if set(offer.row[0].split()) <= set(table.columns):
            pictures: list[Picture] = offer.load()(table)
            return pictures
    raise InputError("this table has no figure; depth tables, grades, ratings and the tables of runs have figures")


def _svg(axes: Axes) -> str:
    """Return the current figure of some Axes as SVG, for a notebook."""
    from matplotlib.figure import Figure

    text = io.StringIO()
    assert isinstance(axes.figure, Figure)
    axes.figure.savefig(text, format="svg", bbox_inches="tight")
    return text.getvalue()
