"""With what and on what a run is played."""

from __future__ import annotations

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
from arena.store.schema import LOAD

BUSY = 0.25
"""The share of the machine's cores from which on what other programs use of them disturbs times."""
SHORTEST = 0.1
"""Seconds over which the kernel's counts of processor time, which are hundredths, tell anything."""


@dataclass(frozen=True, slots=True)
class Load:
    """What other programs used of the machine while something was measured. JSON has it as `load`."""

    others: float
    """[cores] On average, by programs other than this one and those that it started."""
    cores: int
    """Of the machine."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Load:
        """Return the load that a document has."""
        return cls(document["other_seconds_per_second"], document["cores"])

    @property
    def busy(self) -> bool:
        """Whether that is so much that measured times are too long."""
        return self.others > BUSY * self.cores

    @property
    def note(self) -> str:
        """The note that a table of times carries where the machine was busy; empty where it was not."""
        return str(self) if self.busy else ""

    def document(self) -> dict[str, float]:
        """Return it as documents have it: cores that other programs used are processor seconds in each second."""
        return {"other_seconds_per_second": self.others, "cores": self.cores}

    def __str__(self) -> str:
        """Return it in words."""
        return f"measured while other programs used {self.others:.1f} of {self.cores} cores"


def load() -> Callable[[], Load]:
    """Begin to watch the machine. Call what is returned after measuring: it returns the load since then.

    The load average stands in where the system does not count processor time by program, or the time was too short.
    """
    cores = os.cpu_count() or 1
    average = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    began, before = time.monotonic(), _others()

    def ended() -> Load:
        seconds, after = time.monotonic() - began, _others()
        told = before is None or after is None or seconds < SHORTEST
        return Load(round(min(max(average if told else (after - before) / seconds, 0.0), cores), 2), cores)  # type: ignore[operator]

    return ended


def _others() -> float | None:
    """Return the processor seconds that all but this process and its descendants used; None where nothing tells."""
    try:
        total = [int(ticks) for ticks in Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]]
        parents: dict[int, int] = {}
        ticks: dict[int, int] = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has ended meanwhile
                fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
                parents[int(path.parent.name)] = int(fields[1])
                ticks[int(path.parent.name)] = sum(map(int, fields[11:15]))  # its own, and its ended children's
    except (OSError, ValueError, IndexError):
        return None
    own = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in own} - own:
        own |= more
    used = sum(total) - total[3] - total[4]  # all but idle, and idle that waits for a disk
    return (used - sum(ticks.get(process, 0) for process in own)) / os.sysconf("SC_CLK_TCK")


def versions() -> dict[str, str]:
    """Return the versions of what a run's numbers depend on, packages with agents or their parts included."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in ("connect4-arena", "numba", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    offered = (point.dist for group in ("agents", "heuristics", "orderings") for point in installed(group).values())
    return found | {package.name: package.version for package in offered if package is not None}


def meta(seed: int | None, command: str | None, load: Load | None) -> dict[str, Any]:
    """Return what is needed to repeat a measurement or a draw, which documents and DataFrames carry as `meta`.

    seed: None where nothing was drawn. command: what was typed, None from Python. load: that of the measurement.
    """
    found = versions()
    return {
        "version": found["connect4-arena"],
        "versions": found,
        "machine": machine(),
        "seed": seed,
        "command": command or None,
        "load": load and load.document(),
    }


def machine() -> dict[str, Any]:
    """Return what the run's times depend on; nothing that names the machine or its user."""
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": _processor(),
        "processors": os.cpu_count(),
    }


def made(run: Database) -> dict[str, Any]:
    """Return how a stored run was made: created, seed, versions, machine, the command, its `sessions` and its `loads`.

    The command is None where it is not known, and there are no sessions in a file of an earlier version. Each load has
    `begun`, `what` was timed, `games` or `times`, and what `meta` says of a load. Raises InputError.
    """
    columns, rows = run.select("SELECT * FROM run")
    try:
        found = dict(zip(columns, rows[0], strict=True))
        told: dict[str, Any] = {name: dict(json.loads(found[name])) for name in ("versions", "machine")}
        told["command"] = found.get("command") or None
        return {"created": found["created"], "seed": found["seed"], **told, **_sessions(run)}
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
    """Store that games are played from now on, here; `command` is what was typed."""
    run.update(
        "INSERT INTO session (begun, command, versions, machine) VALUES (?, ?, ?, ?)",
        now(), command, json.dumps(versions()), json.dumps(machine()),
    )  # fmt: skip


@contextmanager
def watched(run: Database, what: str) -> Iterator[None]:
    """Store the load of the machine during the block, however it ends, where the block stored anything in the run.

    what: `games` or `times`, as the table `load` has it.
    """
    begun, before, ended = now(), run.connection.total_changes, load()
    try:
        yield
    finally:
        if run.connection.total_changes > before:
            add_loads(run, [(begun, what, ended())])


def add_loads(run: Database, loads: Iterable[tuple[str, str, Load]]) -> None:
    """Store loads: when each began, of what it is, and the load. Raises InputError."""
    with run.transaction() as connection:
        connection.execute(LOAD)
        connection.executemany(
            "INSERT INTO load VALUES (?, ?, ?, ?)",
            [(begun, what, each.others, each.cores) for begun, what, each in loads],
        )


def now() -> str:
    """Return the moment in UTC, as ISO 8601 has it."""
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")


def changes(run: Database) -> dict[str, tuple[object, object]]:
    """Return in what this machine and its versions differ from those of the run's last session: then, and now."""
    known = made(run)
    last = known["sessions"][-1] if known["sessions"] else known
    then, now = (
        {**each["versions"], **each["machine"]} for each in (last, {"versions": versions(), "machine": machine()})
    )
    return {name: (then[name], now[name]) for name in now if name in then and then[name] != now[name]}


def _processor() -> str:
    """Return the model of the processor, as far as the system tells it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor()
