"""Figures of runs and of tables, as Axes."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import InputError
from arena.api.given import checked
from arena.api.result import Result, load

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@checked
def plot(run: Result | str | Path | pd.DataFrame, figure: str | None = None) -> Axes:
    """Draw a figure and return its Axes, for further work; what `--plot` writes, from Python.

    run: a run or its file, or a table of `depths`. figure: ratings, standings, crosstable, cost, states, speed, sprt or
    kept, by default the first that there is. Where agents form several pools the figure has a panel for each, and the
    first is returned. A notebook shows it; `axes.figure.savefig` writes it. Raises InputError.
    """
    from arena.report.figures import run as runs
    from arena.report.figures import tables
    from arena.report.figures.picture import choose

    if isinstance(run, (str, Path)):
        run = load(run)
    elif not isinstance(run, Result) and not hasattr(run, "columns"):
        raise InputError(f"plot draws a run, its file or a table of arena.depths, not {run!r:.80}")
    pictures = runs.pictures(run.frames) if isinstance(run, Result) else tables.of_frame(run)
    axes = choose(pictures, figure).axes()
    axes._repr_svg_ = partial(_svg, axes)  # type: ignore[attr-defined]  # what a notebook asks the value of a cell for
    return axes


def _svg(axes: Axes) -> str:
    """Return the figure of some Axes as it is now, for a notebook."""
    from matplotlib.figure import Figure

    text = io.StringIO()
    assert isinstance(axes.figure, Figure)
    axes.figure.savefig(text, format="svg", bbox_inches="tight")
    return text.getvalue()
