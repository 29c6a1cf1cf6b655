"""Compiled code on disk: what is damaged there is thrown away, and where nothing can be kept it is compiled again."""

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

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
)
from numba.core.environment import _rebuild_env
from numba.core.runtime.nrt import rtsys

from agents.cache import AHEAD, cache_root
from agents.jit.lean import load_compiler

# Processes that want the same kernel take turns: one compiles it, the others find it on disk.

PATIENCE = 120.0
"""Seconds after which a process compiles what another, which may have been stopped, still has not."""
_PAUSE = 0.01
_HELD: list[Path] = []


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Hold a file's lock, which ends with its process; where there is none to be had, go on without.

    In one process only who has numba's own lock for compiling may ask, so that no two threads wait for each other. Who
    holds one gets no other, as for a kernel that is compiled because another calls it: whoever waits holds nothing.
    """
    if _HELD:
        yield
        return
    try:
        import fcntl

        file = path.open("ab")
    except (ImportError, OSError):  # Windows, or nothing can be kept
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


_WITHOUT_KERNELS = ("data", "players", "remote")
"""Folders that no kernel imports from; a constant of any other file may be a part of compiled code."""
_DIGEST = hashlib.sha256().digest_size
_said: set[str] = set()


def cache_directory() -> Path:
    """Return the directory for compiled kernels, below `NUMBA_CACHE_DIR` or the user's cache.

    Where it cannot be written, that is said, and it is a temporary one, which this process removes and its children
    share.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for source in kernel_sources(Path(__file__).parents[1]):
        digest.update(source.read_bytes())
    root = cache_root()
    try:
        directory = Path(root).expanduser() / "connect4-arena" / digest.hexdigest()[:16]
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory
    except (OSError, RuntimeError) as error:  # nobody may know where the user's home is
        say(f"compiled code cannot be kept in {root}: {getattr(error, 'strerror', None) or error}")
    os.environ["NUMBA_CACHE_DIR"] = root = tempfile.mkdtemp(prefix="connect4-arena-")
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return Path(root)


def kernel_sources(package: Path) -> list[Path]:
    """Return the files of the package that compiled code may depend on, in an order that is always the same."""
    own = [path for path in package.glob("*.py") if path.is_file()]
    folders = [path for path in package.iterdir() if path.is_dir() and path.name not in _WITHOUT_KERNELS]
    return sorted([*own, *(path for folder in folders for path in folder.rglob("*.py") if path.is_file())])


class Nowhere(NullCache):  # type: ignore[misc]  # numba is typed in part
    """Keeps nothing, so that nobody waits for it."""

    turn = nullcontext


def cache_of(function: Any, kind: type[DiskCache] | None = None) -> DiskCache | Nowhere:  # noqa: ANN401  a function
    """Return where a function's compiled code is kept: below numba's own directory, or nowhere."""
    try:
        return (kind or DiskCache)(function)
    except RuntimeError:  # the directory cannot be written, or the function is in no file
        if Path(function.__code__.co_filename).exists():
            say("compiled code cannot be kept: its directory cannot be written")
        return Nowhere()


def say(message: str) -> None:
    """Log a warning once, as one line on stderr where nobody listens; a worker's parent has said it before."""
    if message not in _said and multiprocessing.parent_process() is None:
        _said.add(message)
        logging.getLogger("arena").warning("arena: %s", message)


class Place(CompileResultCacheImpl):  # type: ignore[misc]  # likewise
    """Beside the source nothing is kept: numba does not see there that a helper in another file was edited."""

    _locator_classes = (UserProvidedCacheLocator,)


class _Files(IndexDataCacheFile):  # type: ignore[misc]  # likewise
    """Numba's files, with a digest before the code: LLVM ends the process where it is given damaged code."""

    def _save_data(self, name: str, data: Any) -> None:  # noqa: ANN401  numba's
        super()._save_data(name, hashlib.sha256(code := self._dump(data)).digest() + code)

    def _load_data(self, name: str) -> Any:  # noqa: ANN401  likewise
        code = super()._load_data(name)
        if hashlib.sha256(code[_DIGEST:]).digest() != code[:_DIGEST]:
            raise ValueError
        return _Unpickler(io.BytesIO(code[_DIGEST:])).load()


class _Unpickler(pickle.Unpickler):
    """Reads code without importing the modules of numba that functions inlined in it come from, which took longest."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401  whatever was kept
        """Return what a name stands for."""
        return _environment if name == _rebuild_env.__name__ else super().find_class(module, name)


def _environment(module: str, constants: Any, name: str) -> Any:  # noqa: ANN401  numba's
    """Return a function's environment; only code of Python objects would look into the names of its module."""
    needed = module in sys.modules or not module.startswith("numba.")
    return _rebuild_env(module if needed else "builtins", constants, name)


class DiskCache(FunctionCache):  # type: ignore[misc]  # likewise
    """Numba's own, but no file in it, and no disk, can end the program: the function is compiled again."""

    _impl_class = Place

    def __init__(self, function: Any) -> None:  # noqa: ANN401  likewise
        super().__init__(function)
        self._turn: ExitStack | None = None
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Have other processes wait with this kernel from when it is not found until it is compiled and kept."""
        with ExitStack() as self._turn:
            self._turn.callback(setattr, self, "_turn", None)
            yield

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401  likewise
        """Return the compiled function, or None where it must be compiled.

        Numba's own fills its tables of all that can be compiled first, which takes a fifth of a second and which code
        on disk does not need; a compilation does so, too. What such code calls is numba's runtime.
        """
        rtsys.initialize(target_context)
        loaded = self._found(sig, target_context)
        if loaded is None and self._turn is not None:
            self._turn.enter_context(one_at_a_time(Path(f"{self._cache_file._index_path}.lock")))  # noqa: SLF001
            loaded = self._found(sig, target_context)  # another process may have kept it meanwhile
        if loaded is None:
            load_compiler()
        return loaded

    def _found(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401  likewise
        try:
            return self._load_overload(sig, target_context)
        except OSError:
            pass  # where it cannot be written either, that is said
        except Exception:
            if AHEAD.get():
                raise
            say("compiled code on disk is damaged: it is thrown away and compiled again")
            with suppress(OSError):
                self.flush()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401  likewise
        """Keep the compiled function, where that can be done."""
        try:
            super().save_overload(sig, data)
        except Exception as error:  # noqa: BLE001  a full disk, or rubbish that could not be thrown away
            say(f"compiled code cannot be kept: {getattr(error, 'strerror', None) or error}")
