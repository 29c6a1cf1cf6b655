"""The directory of compiled code; this file does not import numba."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

_WITHOUT_KERNELS = ("data", "players", "processes")
"""Folders that kernels never import; compiled code may contain constants of all other files."""


def kernel_sources(package: Path) -> list[Path]:
    """Return, sorted, the files of the package that compiled code may depend on."""
    files = [path for path in package.rglob("*.py") if path.is_file()]
    return sorted(path for path in files if path.relative_to(package).parts[0] not in _WITHOUT_KERNELS)


def kernel_directory() -> Path:
    """Return the directory for compiled kernels, which may not exist. Raises RuntimeError if the user has no home.

    It lies below `NUMBA_CACHE_DIR` or the user's cache. Its name is a digest of every file that kernels may depend on,
    because numba misses an edit of a helper in another file.
    """
    from importlib.metadata import version

    digest = hashlib.sha256(version("numba").encode())
    for source in kernel_sources(Path(__file__).parent):
        digest.update(source.read_bytes())
    root = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(root).expanduser().absolute() / "connect4-arena" / digest.hexdigest()[:16]
