"""Shared parts of all jobs: rows with metadata, progress bars, warnings, and the number of workers.

`progress` is True for a progress bar, False for none, or a function that makes a bar, given a unit and a total. `warn`
is called with lines for the user. `workers` is a number of threads or processes, None for one a core, or a cluster.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from agents.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from tqdm import tqdm

    from arena.play.cluster import Cluster

    Workers = int | Cluster | None

Row = TypeVar("Row")
Progress = bool | Callable[..., Any]
Warn = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Measured(Generic[Row]):
    """Rows, and the metadata of their measurement."""

    rows: Sequence[Row]
    kind: type[Row]
    """The dataclass of the rows, needed for tables without rows."""
    meta: dict[str, Any] | None = None
    """The data needed to repeat the measurement, see `arena.store.machine.meta`; None if nothing was measured."""
    busy: str = ""
    """A note if the load of other programs makes times too long, or empty."""
    interrupted: bool = False
    """Whether Ctrl-C ended the job; the rows are those found before."""
    hidden: tuple[str, ...] = ()
    """Fields to leave out of tables."""
    faults: tuple[InputError, ...] = ()
    """The errors of process agents that failed; the rows are those of the other agents."""

    def frame(self) -> pd.DataFrame:
        """Return the rows as a table with the fields of `kind` as columns. Raises KeyboardInterrupt if interrupted."""
        from arena.rows import frame

        if self.interrupted:
            raise KeyboardInterrupt
        for error in self.faults:
            warn_caller(f"left out: {error}")
        return frame(self.rows, self.kind, self.meta).drop(columns=list(self.hidden))


def remaining(faults: Sequence[InputError], rows: Sequence[object]) -> tuple[InputError, ...]:
    """Return the faults of agents that were left out. Raises the first fault if there are no rows of other agents."""
    if faults and not rows:
        raise faults[0]
    return tuple(faults)


class Watch:
    """Measures the machine's load during a measurement, for its `meta`."""

    def __init__(self, seed: int | None = None, command: str | None = None) -> None:
        from arena.store.machine import load

        self.seed = seed
        self.command = command
        self._used = load()

    def end(self) -> tuple[dict[str, Any], str]:
        """Return the `meta` of the measurement, and a note if the machine was busy, or an empty text."""
        from arena.store.machine import meta

        others = self._used()
        return meta(self.seed, self.command, others), others.note


def bar(progress: Progress, unit: str, total: int | None = None, **more: Any) -> tqdm[Any]:  # noqa: ANN401  tqdm's own
    """Return a progress bar with `total` steps, on stderr or in a notebook; a disabled one if `progress` is False."""
    if callable(progress):
        made: tqdm[Any] = progress(unit, total, **more)
        return made
    if not progress:
        from tqdm import tqdm

        return tqdm(disable=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets has a plain bar
        from tqdm.auto import tqdm as notebook
    return notebook(total=total, unit=f" {unit}", dynamic_ncols=True, **more | {"leave": True})


def warn_caller(line: str) -> None:
    """Issue a warning for the line of the caller's program that started the job."""
    level, frame = 1, sys._getframe()  # noqa: SLF001  the only way to it
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("arena."):
        level, frame = level + 1, frame.f_back
    warnings.warn(line.replace("--", ""), stacklevel=level)


def cores(workers: int | None) -> int:
    """Return a number of threads or processes, by default one a core. Raises InputError."""
    from arena.play.run import workers as checked

    return checked(workers)


def workers_of(workers: Workers) -> int | Cluster:
    """Return the cluster, or a number of threads. Raises InputError."""
    return cores(workers) if workers is None or isinstance(workers, int | str) else workers


def cluster_at(address: str, say: Warn = lambda _: None) -> Cluster:
    """Return the cluster at HOST:PORT, or local:N for N workers here; it reports to `say`. Raises InputError."""
    from arena.play.cluster import Cluster

    return Cluster(address, say)
