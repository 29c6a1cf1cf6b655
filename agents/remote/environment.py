"""The few variables that a stranger's process gets."""

from __future__ import annotations

import os
from collections.abc import Mapping

_PASSED = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "LD_LIBRARY_PATH",
    "NUMBA_CACHE_DIR",
    "NUMBA_DISABLE_JIT",
)
_SET = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Sets are iterated in the same order always; a library that counts cores would take threads that are not its own."""


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a stranger gets."""
    return {name: os.environ[name] for name in _PASSED if name in os.environ} | _SET | dict(extra)
