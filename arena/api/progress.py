"""What all jobs share: rows with how they were measured, progress bars, warnings, and who does the work.

`progress` is True for a progress bar, False for none, or a function that makes the bar of a unit and a total; `warn`
takes a line for people; `workers` is a number of threads or processes, None for one a core, or a Dask cluster.
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
    """Rows, and how they were measured."""

    rows: Sequence[Row]
    kind: type[Row]
    """The dataclass of the rows, also where there is none."""
    meta: dict[str, Any] | None = None
    """What is needed to repeat it, as `arena.store.machine.meta` returns it; None where nothing was measured."""
    busy: str = ""
    """A note where other programs used so much of the machine that times are too long; else empty."""
    interrupted: bool = False
    """Whether Ctrl-C ended the job; the rows found before are here."""
    hidden: tuple[str, ...] = ()
    """Fields that were not asked for, which a table leaves out."""
    faults: tuple[InputError, ...] = ()
    """Of agents that failed in processes of their own; the rows are those of the others."""

    def frame(self) -> pd.DataFrame:
        """Return the rows as a table whose columns are the fields of `kind`. Raises KeyboardInterrupt if it was."""
        from arena.rows import frame

        if self.interrupted:
            raise KeyboardInterrupt
        for error in self.faults:
            warn_caller(f"left out: {error}")
        return frame(self.rows, self.kind, self.meta).drop(columns=list(self.hidden))


def remaining(faults: Sequence[InputError], rows: Sequence[object]) -> tuple[InputError, ...]:
    """Return the faults of agents that were left out. Raises the first where no row of another is left."""
    if faults and not rows:
        raise faults[0]
    return tuple(faults)


class Watch:
    """Watches the machine from now on, for the `meta` of what is measured."""

    def __init__(self, seed: int | None = None, command: str | None = None) -> None:
        from arena.store.machine import load

        self.seed = seed
        self.command = command
        self._used = load()

    def end(self) -> tuple[dict[str, Any], str]:
        """Return the `meta` of what was measured, and a note where the machine was busy."""
        from arena.store.machine import meta

        others = self._used()
        return meta(self.seed, self.command, others), others.note


def bar(progress: Progress, unit: str, total: int | None = None, **more: Any) -> tqdm[Any]:  # noqa: ANN401  tqdm's own
    """Return a progress bar of so many steps, on stderr or in a notebook; a disabled one where it is not wanted."""
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
    """Warn of the line of the caller's program from which a job was started."""
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
    """Return the cluster at HOST:PORT, or local:N for N workers here; `say` takes its reports. Raises InputError."""
    from arena.play.cluster import Cluster

    return Cluster(address, say)
