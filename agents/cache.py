"""Where compiled code is kept, known without numba."""

from __future__ import annotations

import os
from contextvars import ContextVar
from pathlib import Path

AHEAD: ContextVar[bool] = ContextVar("AHEAD", default=False)
"""True in a process that compiles ahead for another one: damaged code raises here, and the other one replaces it."""


def cache_root() -> str:
    """Return the directory below which compiled code is stored: `NUMBA_CACHE_DIR`, or the user's cache."""
    return os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"


def writable() -> bool:
    """Return whether permissions let compiled code be stored."""
    try:
        root = Path(cache_root()).expanduser().absolute()
        there = next(path for path in (root / "connect4-arena", root, *root.parents) if path.exists())
    except (OSError, RuntimeError):  # the user may have no home
        return False
    return there.is_dir() and os.access(there, os.W_OK)
