"""Functions of scipy from the compiled module that holds them, without the package around it.

`scipy.special` and `scipy.optimize` take a third of a second to import, of which the few functions here need nothing.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

_RTOL = 4.0 * sys.float_info.epsilon


@functools.cache
def special() -> Any:  # noqa: ANN401  a module
    """Return what has scipy's special functions, such as `stdtrit`."""
    return _alone("scipy.special", "_ufuncs")


def brentq(function: Callable[[float], float], low: float, high: float, xtol: float = 2e-12) -> float:
    """Return a root of `function`, never nan, between `low` and `high`, where its signs differ; `xtol` is its error."""
    module = _optimize()
    with contextlib.suppress(AttributeError, TypeError):  # a scipy that has another, or the whole package
        return float(module._brentq(function, low, high, xtol, _RTOL, 100, (), False, True))  # noqa: SLF001  see above
    from scipy.optimize import brentq as whole

    return float(whole(function, low, high, xtol=xtol))


@functools.cache
def _optimize() -> Any:  # noqa: ANN401  a module
    return _alone("scipy.optimize", "_zeros")


def _alone(package: str, name: str) -> Any:  # noqa: ANN401  a module
    """Return a compiled module of a package, or the package itself where it is there already or keeps no such module.

    Its package is an empty one while it loads. Another thread could see that, so only the main one does this.
    """
    import scipy

    if package not in sys.modules and threading.current_thread() is threading.main_thread():
        empty = ModuleType(package)
        empty.__path__ = [str(Path(scipy.__file__).parent / package.rpartition(".")[2])]
        sys.modules[package] = empty
        try:
            return importlib.import_module(f"{package}.{name}")
        except ImportError:
            pass
        finally:
            del sys.modules[package]
    return importlib.import_module(package)
