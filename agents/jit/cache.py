"""Compiled code on disk: damaged code is removed, and code that cannot be stored is compiled in each process."""

from __future__ import annotations

import atexit
import hashlib
import io
import logging
import multiprocessing
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
)
from numba.core.environment import _rebuild_env
from numba.core.runtime.nrt import rtsys

from agents.cache import AHEAD, cache_root, kernel_directory
from agents.jit import load_compiler

PATIENCE = 120.0
"""[seconds] How long a process waits for another to compile a kernel; the other one may have stopped."""
_PAUSE = 0.01
_HELD: list[Path] = []


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Hold a file's lock, so that one of several processes compiles a kernel and the others load it from disk.

    Go on without a lock where none is available. A process takes only one lock at a time, also for kernels that the
    first one calls, so that no two processes wait for each other. Numba's own lock keeps threads apart.
    """
    if _HELD:
        yield
        return
    try:
        import fcntl

        file = path.open("ab")
    except (ImportError, OSError):  # Windows, or a directory without write permission
        yield
        return
    with file:
        end = time.monotonic() + PATIENCE
        with suppress(OSError):  # a file system without locks
            while time.monotonic() < end:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    time.sleep(_PAUSE)
        _HELD.append(path)
        try:
            yield
        finally:
            _HELD.remove(path)


_DIGEST = hashlib.sha256().digest_size
_said: set[str] = set()


def cache_directory() -> Path:
    """Return the directory for compiled kernels, below `NUMBA_CACHE_DIR` or the user's cache.

    If it cannot be written, log a warning and make a temporary directory, with links to the kernels that can be read,
    as in a sandbox. Child processes share it, and this process removes it when it ends.
    """
    root, found = cache_root(), Path(os.devnull)
    try:
        found = kernel_directory()
        found.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=found):
            return found
    except (OSError, RuntimeError) as error:  # RuntimeError: the user has no home directory
        say(f"compiled code cannot be kept in {root}: {getattr(error, 'strerror', None) or error}")
    os.environ["NUMBA_CACHE_DIR"] = root = tempfile.mkdtemp(prefix="connect4-arena-")
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    directory = kernel_directory()  # where child processes look, too
    directory.mkdir(parents=True)
    with suppress(OSError):  # a system without links
        for kernel in found.glob("*/*.nb[ci]"):
            link = directory / kernel.relative_to(found)
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(kernel)  # numba writes by replacing the link
    return directory


class Nowhere(NullCache):  # type: ignore[misc]  # numba is typed in part
    """A cache that stores nothing and has no lock."""

    turn = nullcontext


def cache_of(function: Any, kind: type[DiskCache] | None = None) -> DiskCache | Nowhere:
    """Return the cache of a function's compiled code."""
    try:
        return (kind or DiskCache)(function)
    except RuntimeError:  # the directory cannot be written, or the function has no file
        if Path(function.__code__.co_filename).exists():
            say("compiled code cannot be kept: its directory cannot be written")
        return Nowhere()


def say(message: str) -> None:
    """Log a warning once, on stderr if there is no handler; not in child processes, because the parent logs it."""
    if message not in _said and multiprocessing.parent_process() is None:
        _said.add(message)
        logging.getLogger("arena").warning("arena: %s", message)


class _Anywhere(UserProvidedCacheLocator):  # type: ignore[misc]  # likewise
    """Numba's directories, named after files only: the same code at another place is compiled already."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the name of the directory for a source file."""
        return Path(py_file).name


class CachePlace(CompileResultCacheImpl):  # type: ignore[misc]  # likewise
    """Numba's class without the cache beside the source, which would miss edits in other files."""

    _locator_classes = (_Anywhere,)


class _Files(IndexDataCacheFile):  # type: ignore[misc]  # likewise
    """Numba's files with a digest before the code, because LLVM ends the process on damaged code."""

    def _save_data(self, name: str, data: Any) -> None:
        super()._save_data(name, hashlib.sha256(code := self._dump(data)).digest() + code)

    def _load_data(self, name: str) -> Any:
        code = super()._load_data(name)
        if hashlib.sha256(code[_DIGEST:]).digest() != code[:_DIGEST]:
            raise ValueError
        return _Unpickler(io.BytesIO(code[_DIGEST:])).load()


class _Unpickler(pickle.Unpickler):
    """Reads code without importing numba's modules for inlined functions, which is slow."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the object for a name in a pickle."""
        return _environment if name == _rebuild_env.__name__ else super().find_class(module, name)


def _environment(module: str, constants: Any, name: str) -> Any:
    """Return a function's environment; only object-mode code would need its module's names, and there is none."""
    return _rebuild_env(module if module in sys.modules else "builtins", constants, name)


class DiskCache(FunctionCache):  # type: ignore[misc]  # likewise
    """Numba's cache, which compiles a function again instead of failing on a damaged file or a full disk."""

    _impl_class = CachePlace

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._turn: ExitStack | None = None
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Make other processes wait for this kernel from a failed look-up until it is stored."""
        with ExitStack() as self._turn:
            self._turn.callback(setattr, self, "_turn", None)
            yield

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function, or None if it must be compiled.

        Numba's own method first fills its tables for compiling, which takes 0.2 s. Stored code needs only numba's
        runtime; a compilation fills the tables later.
        """
        rtsys.initialize(target_context)
        loaded = self._found(sig, target_context)
        if loaded is None and self._turn is not None:
            self._turn.enter_context(one_at_a_time(Path(f"{self._cache_file._index_path}.lock")))
            loaded = self._found(sig, target_context)  # another process may have stored it meanwhile
        if loaded is None:
            load_compiler()
        return loaded

    def _found(self, sig: Any, target_context: Any) -> Any:
        try:
            return self._load_overload(sig, target_context)
        except OSError:
            pass  # `save_overload` warns if writing fails, too
        except Exception:
            if AHEAD.get():
                raise
            say("compiled code on disk is damaged: it is thrown away and compiled again")
            with suppress(OSError):
                self.flush()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the compiled function, or log the reason if that fails."""
        try:
            super().save_overload(sig, data)
        except Exception as error:  # noqa: BLE001  a full disk, or a damaged file that cannot be removed
            say(f"compiled code cannot be kept: {getattr(error, 'strerror', None) or error}")
