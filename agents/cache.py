"""The directory of compiled code; this file does not import numba."""

from __future__ import annotations

import os
from contextvars import ContextVar
from pathlib import Path

AHEAD: ContextVar[bool] = ContextVar("AHEAD", default=False)
"""True in a process that compiles ahead for another: damaged code raises here, and the other process replaces it."""


def cache_root() -> str:
    """Return the directory below which compiled code is stored: `NUMBA_CACHE_DIR`, or the user's cache."""
    return os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"


def writable() -> bool:
    """Return whether permissions allow storing compiled code."""
    try:
        root = Path(cache_root()).expanduser().absolute()
        there = next(path for path in (root / "connect4-arena", root, *root.parents) if path.exists())
    except (OSError, RuntimeError):  # RuntimeError: the user has no home directory
        return False
    return there.is_dir() and os.access(there, os.W_OK)
