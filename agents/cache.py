"""Where compiled code is kept, known without numba."""

from __future__ import annotations

import os
from contextvars import ContextVar
from pathlib import Path

AHEAD: ContextVar[bool] = ContextVar("AHEAD", default=False)
"""Set by a process that compiles for another: it raises what says that code is damaged, and leaves it to that one."""


def cache_root() -> str:
    """Return below which directory compiled code is kept, as it is written: `NUMBA_CACHE_DIR`, or the user's cache."""
    return os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"


def writable() -> bool:
    """Return whether code can be kept there, as far as rights tell."""
    try:
        root = Path(cache_root()).expanduser().absolute()
        there = next(path for path in (root / "connect4-arena", root, *root.parents) if path.exists())
    except (OSError, RuntimeError):  # nobody may know where the user's home is
        return False
    return there.is_dir() and os.access(there, os.W_OK)
