"""Numba's cache on disk, in one directory for each state of our sources.

Several processes may use it at once: numba replaces whole files, and two that compile the same kernel store the same.
Where the directory cannot be written, stored code is still loaded, and each process compiles what is missing.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import sys
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator
from numba.core.environment import _rebuild_env
from numba.core.runtime.nrt import rtsys

from agents.cache import kernel_directory
from agents.jit import load_compiler

try:
    CACHE_DIRECTORY = kernel_directory()
except RuntimeError:  # the user has no home directory: nothing can be stored
    CACHE_DIRECTORY = Path(os.devnull)
_said: set[str] = set()


class _Locator(UserProvidedCacheLocator):  # type: ignore[misc]  # numba is typed in part
    """Names directories after source files alone: the same code at another place is compiled already."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the name of the directory for a source file."""
        return Path(py_file).name

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        """Return the locator of a function; unlike numba's method, write nothing yet."""
        return cls(py_func, py_file)


class _Place(CompileResultCacheImpl):  # type: ignore[misc]  # likewise
    """Numba's class without its directories beside the source, whose code would miss edits in other files."""

    _locator_classes = (_Locator,)


class _Files(IndexDataCacheFile):  # type: ignore[misc]  # likewise
    """The files of a function."""

    def _data_name(self, number: int) -> str:
        """Return a name for new code: numba's numbers let two processes store different code in the same file."""
        return f"{uuid.uuid4().hex}.{super()._data_name(number)}"

    def _load_data(self, name: str) -> Any:
        with Path(self._data_path(name)).open("rb") as file:
            return _Unpickler(file).load()


class _Unpickler(pickle.Unpickler):
    """Reads code whose functions come from modules that are not imported, such as a user's file."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the object for a name in a pickle."""
        return _environment if name == _rebuild_env.__name__ else super().find_class(module, name)


def _environment(module: str, constants: Any, name: str) -> Any:
    """Return a function's environment; only object-mode code would need its module's names, and there is none."""
    return _rebuild_env(module if module in sys.modules else "builtins", constants, name)


class DiskCache(FunctionCache):  # type: ignore[misc]  # likewise
    """Numba's cache, which compiles a function again instead of failing on a damaged file or a full disk."""

    _impl_class = _Place

    def __init__(self, function: Any, directory: Path) -> None:
        self._directory = directory
        before, config.CACHE_DIR = config.CACHE_DIR, str(directory)
        try:
            super().__init__(function)
        finally:
            config.CACHE_DIR = before
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function, or None if it must be compiled.

        Numba's own method first fills its tables for compiling, which takes 0.2 s. Stored code needs only numba's
        runtime; a compilation fills the tables later.
        """
        rtsys.initialize(target_context)
        loaded = None
        try:
            loaded = self._load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  whatever is wrong with a file, its code can be compiled
            with suppress(OSError):
                self.flush()
        if loaded is None:
            load_compiler()
        return loaded

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the compiled function, or log the reason if that fails."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            say(f"compiled code cannot be kept in {self._directory.parent}: {error.strerror}")


def say(message: str) -> None:
    """Log a warning once, on stderr if there is no handler; not in child processes, because the parent logs it."""
    if message not in _said and multiprocessing.parent_process() is None:
        _said.add(message)
        logging.getLogger("arena").warning("arena: %s", message)
