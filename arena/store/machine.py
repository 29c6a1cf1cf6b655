"""With what and on what a run is played."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.store.sqlite import Database


def versions() -> dict[str, str]:
    """Return the versions of what a run's numbers depend on."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in ("connect4-arena", "numba", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def machine() -> dict[str, Any]:
    """Return what the run's times depend on; nothing that names the machine or its user."""
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": _processor(),
        "processors": os.cpu_count(),
    }


def made(run: Database) -> dict[str, Any]:
    """Return how a stored run was made: created, seed, versions, machine, and the command, None where it is not known.

    Raises InputError.
    """
    columns, rows = run.select("SELECT * FROM run")
    try:
        found = dict(zip(columns, rows[0], strict=True))
        told = {name: dict(json.loads(found[name])) for name in ("versions", "machine")}
        return {"created": found["created"], "seed": found["seed"], **told, "command": found.get("command") or None}
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{run.path} is damaged: it does not say how it was made: {error}") from error


def _processor() -> str:
    """Return the model of the processor, as far as the system tells it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor()
