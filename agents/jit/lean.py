"""Load numba without what serves no kernel of ours: scipy takes a fifth of a second, coverage a tenth.

Numba asks at its start whether coverage is there and, before it compiles, for the linear algebra of scipy. Here it is
told that coverage is not, unless it runs, and that scipy's is; a product of matrices in a user's function asks again,
and loads it then.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

_BLAS = "scipy.linalg.cython_blas"


def load_numba() -> None:
    """Load numba, but not coverage."""
    with _in_place_of("coverage", None):
        importlib.import_module("numba")


def load_compiler() -> None:
    """Load the part of numba that asks for scipy, while an empty module stands where it looks."""
    with _in_place_of(_BLAS, ModuleType(_BLAS)):
        importlib.import_module("numba.np.arraymath")


@contextmanager
def _in_place_of(name: str, module: ModuleType | None) -> Iterator[None]:
    """Let this be the module of that name, or say that there is none, if it is not loaded already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = module  # type: ignore[assignment]  # importlib knows None: there is no such module
    try:
        yield
    finally:
        del sys.modules[name]
