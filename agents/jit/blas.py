"""Load numba without scipy, which takes a fifth of a second and serves no kernel of ours.

Numba asks at its start whether the linear algebra of scipy is there. Here it is told so; a product of matrices in a
user's function asks again, and loads it then.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

_BLAS = "scipy.linalg.cython_blas"


def load_numba() -> None:
    """Load the part of numba that asks for scipy, while an empty module stands where it looks."""
    if _BLAS in sys.modules:
        return
    sys.modules[_BLAS] = ModuleType(_BLAS)
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules[_BLAS]
