"""The versions, the machine and the load that a run is played with."""

from __future__ import annotations

import functools
import json
import os
import platform
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agents.errors import InputError
from agents.specs.plugins import installed
from arena.store.connection import Database
from arena.store.digests import seal
from arena.store.schema import LOAD

BUSY = 0.25
"""Above this share of the machine's cores, the load of other programs disturbs measured times."""
SHORTEST = 0.1
"""Seconds below which the kernel's counts of processor time, in hundredths of seconds, are too coarse."""
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Load:
    """The load of the machine by other programs during a measurement; the field `load` of JSON documents."""

    others: float
    """[cores] The average use by all programs but this one and its child processes."""
    cores: int
    """The machine's cores."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Load:
        """Return the load in a document."""
        return cls(document["other_seconds_per_second"], document["cores"])

    @property
    def busy(self) -> bool:
        """Whether the load makes measured times too long."""
        return self.others > BUSY * self.cores

    @property
    def note(self) -> str:
        """The note for a table of times if the machine was busy; otherwise empty."""
        return str(self) if self.busy else ""

    def document(self) -> dict[str, float]:
        """Return the load as a document; `others` is in processor seconds per second."""
        return {"other_seconds_per_second": self.others, "cores": self.cores}

    def __str__(self) -> str:
        """Return the load in words."""
        return f"rough: other programs used {self.others:.1f} of {self.cores} cores"


def load() -> Callable[[], Load]:
    """Begin to measure the machine's load, and return a function that returns the load since then.

    It uses the load average if the system does not count processor time by program, or if the time was too short.
    """
    cores = os.cpu_count() or 1
    average = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    began, before = time.monotonic(), _others()

    def ended() -> Load:
        seconds, after = time.monotonic() - began, _others()
        no_counts = before is None or after is None or seconds < SHORTEST
        return Load(round(min(max(average if no_counts else (after - before) / seconds, 0.0), cores), 2), cores)  # type: ignore[operator]

    return ended


def _others() -> float | None:
    """Return the processor seconds of all but this process and its descendants; None if the system has no counts."""
    try:
        total = [int(ticks) for ticks in (PROC / "stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]]
        parents: dict[int, int] = {}
        ticks: dict[int, int] = {}
        for process in os.listdir(PROC):  # noqa: PTH208  half the time of Path.glob
            if process.isdigit():
                with suppress(OSError), open(f"{PROC}/{process}/stat", "rb") as line:  # noqa: PTH123  likewise
                    fields = line.read().rpartition(b")")[2].split()
                    parents[int(process)] = int(fields[1])
                    ticks[int(process)] = sum(map(int, fields[11:15]))  # its own, and its ended children's
    except (OSError, ValueError, IndexError):
        return None
    family = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in family} - family:
        family |= more
    used = sum(total) - total[3] - total[4]  # without idle time, and idle time that waits for a disk
    return (used - sum(ticks.get(process, 0) for process in family)) / os.sysconf("SC_CLK_TCK")


def versions() -> dict[str, str]:
    """Return the versions of all software that a run depends on, including packages with agents or their parts."""
    packages = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    packages |= {package: _version(package) for package in ("connect4-arena", "numba", "numpy")}
    offered = (point.dist for group in ("agents", "heuristics", "orderings") for point in installed(group).values())
    return packages | {package.name: package.version for package in offered if package is not None}


@functools.cache
def _version(package: str) -> str:
    """Return the version of a package; while this process runs, it uses the one that it has found first."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def meta(seed: int | None, command: str | None, load: Load | None) -> dict[str, Any]:
    """Return the data needed to repeat a measurement or a draw, the `meta` of documents and DataFrames.

    seed: None if nothing was drawn. command: the command line, None from Python. load: the load while measuring.
    """
    software = versions()
    return {
        "version": software["connect4-arena"],
        "versions": software,
        "machine": machine(),
        "seed": seed,
        "command": command or None,
        "load": load and load.document(),
    }


def machine() -> dict[str, Any]:
    """Return the properties of the machine that times depend on, without names of the machine or its user."""
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": _processor(),
        "processors": os.cpu_count(),
    }


def made(run: Database) -> dict[str, Any]:
    """Return how a stored run was made: created, seed, versions, machine, the command, its `sessions` and its `loads`.

    The command is None if it is unknown, and files of earlier versions have no sessions. Each load has `begun`, `what`
    was timed (`games` or `times`), and the fields of a load in `meta`. Raises InputError.
    """
    columns, rows = run.select("SELECT * FROM run")
    try:
        row = dict(zip(columns, rows[0], strict=True))
        parsed: dict[str, Any] = {name: dict(json.loads(row[name])) for name in ("versions", "machine")}
        parsed["command"] = row.get("command") or None
        return {"created": row["created"], "seed": row["seed"], **parsed, **_sessions(run)}
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{run.path} is damaged: it does not say how it was made: {error}") from error


def _sessions(run: Database) -> dict[str, list[dict[str, Any]]]:
    def rows(table: str, columns: str) -> list[tuple[Any, ...]]:
        return run.rows(f"SELECT {columns} FROM {table} ORDER BY begun, rowid") if run.has(table) else []

    return {
        "sessions": [
            {"begun": begun, "command": command or None, "versions": json.loads(versions), "machine": json.loads(on)}
            for begun, command, versions, on in rows("session", "begun, command, versions, machine")
        ],
        "loads": [
            {"begun": begun, "what": what, **Load(others, cores).document()}
            for begun, what, others, cores in rows("load", "begun, what, others, cores")
        ],
    }


def begin_session(run: Database, command: str) -> None:
    """Store the start of a session: the time, the command line, the versions and the machine."""
    session = now(), command, json.dumps(versions()), json.dumps(machine())
    with run.transaction() as connection:
        connection.execute("INSERT INTO session (begun, command, versions, machine) VALUES (?, ?, ?, ?)", session)
        seal(connection, "session")


@contextmanager
def watched(run: Database, what: str) -> Iterator[None]:
    """Store the load of the machine during the block, even if it raises, provided that the block changed the run.

    what: `games` or `times`, see `arena.store.schema.LOAD`.
    """
    begun, before, ended = now(), run.connection.total_changes, load()
    try:
        yield
    finally:
        if run.connection.total_changes > before:
            add_loads(run, [(begun, what, ended())])


def add_loads(run: Database, loads: Iterable[tuple[str, str, Load]]) -> None:
    """Store loads: the start of each, `games` or `times`, and the load. Raises InputError."""
    with run.transaction() as connection:
        connection.execute(LOAD)
        connection.executemany(
            "INSERT INTO load VALUES (?, ?, ?, ?)",
            [(begun, what, load.others, load.cores) for begun, what, load in loads],
        )
        seal(connection, "load")


def now() -> str:
    """Return the current time in UTC, in ISO 8601."""
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")


def changes(run: Database) -> dict[str, tuple[object, object]]:
    """Return the differences between the run's last session and this machine: by name, the value then and now."""
    record = made(run)
    last = record["sessions"][-1] if record["sessions"] else record
    then, now = (
        {**session["versions"], **session["machine"]}
        for session in (last, {"versions": versions(), "machine": machine()})
    )
    return {name: (then[name], now[name]) for name in now if name in then and then[name] != now[name]}


def _processor() -> str:
    """Return the model of the processor, as far as the system reports it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor()
