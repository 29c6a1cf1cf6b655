"""Sets up numba once, and compiles users' functions.

Numba imports coverage when it starts (0.1 s) and scipy before it compiles (0.2 s). Kernels need neither, so coverage is
hidden unless it runs, and so is scipy's linear algebra. A matrix product in a user's function still loads scipy.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

_BLAS = "scipy.linalg.cython_blas"


def load_compiler() -> None:
    """Load the part of numba that imports scipy, with an empty module in place of scipy's."""
    with _in_place_of(_BLAS, ModuleType(_BLAS)):
        importlib.import_module("numba.np.arraymath")


@contextmanager
def _in_place_of(name: str, module: ModuleType | None) -> Iterator[None]:
    """Replace a module, unless it is loaded; with None its import fails."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = module  # type: ignore[assignment]  # importlib knows None: there is no such module
    try:
        yield
    finally:
        del sys.modules[name]


with _in_place_of("coverage", None):
    importlib.import_module("numba")
