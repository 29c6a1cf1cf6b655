"""A worker of a cluster, seen from within: these functions run there, and keep what a run has there."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.play.field import Field, Setting
from arena.play.interrupt import stop
from arena.play.parcel import Parcel
from arena.store.machine import versions
from arena.store.records import GameRecord, Job

MATTER = ("connect4-arena", "numba")
"""Packages whose versions must be the same everywhere."""


class Stay:
    """A run on a worker: the agents of each of its threads."""

    def __init__(self, setting: Setting | None) -> None:
        self.setting = setting
        self.over = threading.Event()
        self.fields: dict[int, Field] = {}
        """By thread."""

    def play(self, jobs: Sequence[Job]) -> list[GameRecord | Exception]:
        """Play games in this thread."""
        assert self.setting is not None
        agents = self.fields.setdefault(threading.get_ident(), Field(self.setting))
        found: list[GameRecord | Exception] = []
        for job in jobs:
            if self.over.is_set():
                break
            try:
                found.append(agents.play(job))
            except InputError as error:
                found.append(error)
            except Exception:  # noqa: BLE001  the run's process raises it
                found.append(RuntimeError(traceback.format_exc()))
        return found

    def end(self) -> None:
        """End whatever is being played."""
        self.over.set()
        for field in self.fields.values():
            for agent in list(field.made.values()):
                stop(agent)
            field.close()


STAYS: dict[str, Stay] = {}
"""The runs of this worker, by their names."""


def known() -> dict[str, str]:
    """Return the versions here."""
    found = versions()
    return {name: found[name] for name in MATTER}


def difference(found: object, here: dict[str, str]) -> str:
    """Return in what a worker differs, and what to do about it."""
    if not isinstance(found, dict):
        return f"it has no connect4-arena as this one is: pip install 'connect4-arena=={here['connect4-arena']}' there"
    name = next(name for name in here if found.get(name) != here[name])
    return f"it has {name} {found.get(name)}, and here is {here[name]}: pip install '{name}=={here[name]}' there"


async def settle(run: str, parcel: Parcel | None, dask_worker: Any) -> str:  # noqa: ANN401  distributed's
    """Let a run stay here, and say what it is to be known by; return what is missing, empty if nothing is."""
    missing = parcel.missing() if parcel else []
    if missing:
        return f"there is no program {missing[0]!r}"
    if run not in STAYS:
        STAYS[run] = Stay(parcel.unpacked(Path(dask_worker.local_directory)) if parcel else None)
    await dask_worker.set_resources(**{run: dask_worker.state.nthreads})
    return ""


def rousing() -> Callable[..., None]:
    """Return what tells a scheduler that a worker has settled: batches that waited for one are given to it.

    A scheduler looks at those when a worker joins, and not when it gets a resource. It is a function within another,
    and so travels whole: the scheduler need not know this package.
    """

    def rouse(address: str, dask_scheduler: Any = None) -> None:  # noqa: ANN401  distributed's
        state = dask_scheduler.workers.get(address)
        if state is not None:
            waiting = dask_scheduler.bulk_schedule_unrunnable_after_adding_worker(state)
            dask_scheduler.transitions(waiting, "arena")

    return rouse


async def leave(run: str, dask_worker: Any) -> None:  # noqa: ANN401  likewise
    """End a run's stay here."""
    stay = STAYS.pop(run, None)
    if stay is not None:
        stay.end()
    await dask_worker.set_resources(**{run: 0})


def play(run: str, jobs: Sequence[Job]) -> list[GameRecord | Exception]:
    """Play a batch of games."""
    return STAYS[run].play(jobs)
