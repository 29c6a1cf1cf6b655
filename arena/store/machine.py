"""With what and on what a run is played."""

from __future__ import annotations

import os
import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from typing import Any


def versions() -> dict[str, str]:
    """Return the versions of what a run's numbers depend on."""
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in ("connect4-arena", "numba", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def machine() -> dict[str, Any]:
    """Return what the run's times depend on; nothing that names the machine or its user."""
    return {"system": platform.system(), "machine": platform.machine(), "processors": os.cpu_count()}
