"""The directory of compiled code; this file does not import numba."""

from __future__ import annotations

import hashlib
import os
from contextvars import ContextVar
from pathlib import Path

AHEAD: ContextVar[bool] = ContextVar("AHEAD", default=False)
"""True in a process that compiles ahead for another: damaged code raises here, and the other process replaces it."""


def cache_root() -> str:
    """Return the directory below which compiled code is stored: `NUMBA_CACHE_DIR`, or the user's cache."""
    return os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"


_WITHOUT_KERNELS = ("data", "players", "processes")
"""Folders that kernels never import; compiled code may contain constants of all other files."""


def kernel_sources(package: Path) -> list[Path]:
    """Return, sorted, the files of the package that compiled code may depend on."""
    own = [path for path in package.glob("*.py") if path.is_file()]
    folders = [path for path in package.iterdir() if path.is_dir() and path.name not in _WITHOUT_KERNELS]
    return sorted([*own, *(path for folder in folders for path in folder.rglob("*.py") if path.is_file())])


def kernel_directory() -> Path:
    """Return the directory for compiled kernels, which may not exist. Raises RuntimeError if the user has no home."""
    from importlib.metadata import version

    digest = hashlib.sha256(version("numba").encode())
    for source in kernel_sources(Path(__file__).parent):
        digest.update(source.read_bytes())
    return Path(cache_root()).expanduser().absolute() / "connect4-arena" / digest.hexdigest()[:16]


def writable() -> bool:
    """Return whether permissions allow storing compiled code."""
    try:
        root = Path(cache_root()).expanduser().absolute()
        there = next(path for path in (root / "connect4-arena", root, *root.parents) if path.exists())
    except (OSError, RuntimeError):  # RuntimeError: the user has no home directory
        return False
    return there.is_dir() and os.access(there, os.W_OK)
