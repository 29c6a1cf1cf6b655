"""The few variables that a stranger's process gets, beside its own."""

from __future__ import annotations

import os

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
_SEARCHED = ("PATH", "LD_LIBRARY_PATH")
"""Lists of folders. One that is relative would be the agent's: programs and libraries there may be anybody's."""
_SET = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Sets are iterated in the same order always; a library that counts cores would take threads that are not its own."""


def environment() -> dict[str, str]:
    """Return the variables that every stranger gets, and all that the processes see which start it."""
    passed = {name: os.environ[name] for name in _PASSED if name in os.environ}
    for name in _SEARCHED:
        if name in passed:
            passed[name] = absolute(passed[name])
    return {name: value for name, value in passed.items() if value} | _SET


def absolute(folders: str) -> str:
    """Return a list of folders, as PATH is one, without those that count from the current folder."""
    return os.pathsep.join(each for each in folders.split(os.pathsep) if os.path.isabs(each))  # noqa: PTH117  a text
