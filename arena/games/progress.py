"""Shared parts of all jobs: the load of the machine meanwhile, progress bars, and the number of workers.

`progress` is True for a progress bar, False for none, or a function that makes a bar, given a unit and a total. `warn`
is called with lines for the user. `workers` is a number of threads or processes, None for one a core, or a cluster.
"""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.plugins import offers
from arena.table.measured import Progress, Warn

if TYPE_CHECKING:
    from tqdm import tqdm

    from arena.games.executor import Cluster

    Workers = int | Cluster | None


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
        meter: tqdm[Any] = progress(unit, total, **more)
        return meter
    if not progress:
        from tqdm import tqdm

        return tqdm(disable=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets has a plain bar
        from tqdm.auto import tqdm as notebook
    return notebook(total=total, unit=f" {unit}", dynamic_ncols=True, **more)


def cores(jobs: int | None) -> int:
    """Return a number of threads or processes: `jobs`, by default one for each processor. Raises InputError."""
    if jobs is not None:
        if not isinstance(jobs, int) or jobs < 1:
            raise InputError(f"{jobs!r} is no number of processes: it is a whole number from 1")
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workers_of(workers: Workers) -> int | Cluster:
    """Return the cluster, or a number of threads. Raises InputError."""
    return cores(workers) if workers is None or isinstance(workers, int | str) else workers


def cluster_at(address: str | None, say: Warn = lambda _: None) -> Cluster | None:
    """Return the cluster at HOST:PORT, or local:N for N workers here, None without an address. Raises InputError.

    say: called with lines for the user.
    """
    if address is None:
        return None
    for offer in offers("CLUSTERS"):
        cluster: Cluster = offer.load(0)(address, say)
        return cluster
    raise InputError("--cluster is not installed: no plugin offers other machines")
