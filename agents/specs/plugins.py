"""Finds the Python object for a name: a row of a table, an installed entry point, or `file.py:name`."""

from __future__ import annotations

import functools
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from agents.errors import InputError, PlainError, no_file, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def is_file(text: str) -> bool:
    """Return whether the text names an object in a Python file, as `file.py:name` does."""
    return ".py:" in text


def installed(group: str) -> dict[str, EntryPoint]:
    """Return the entry points that installed packages offer as `connect4_arena.GROUP`, by name."""
    places = [Path(place or ".") for place in sys.path]
    changed = tuple((str(place), place.stat().st_mtime_ns) for place in places if place.exists())
    return {point.name: point for point in _offered(changed).get(f"connect4_arena.{group}", ())}


@functools.lru_cache(maxsize=4)
def _offered(_: tuple[tuple[str, int], ...]) -> dict[str, tuple[EntryPoint, ...]]:
    """Return our groups of entry points, read once for the folders and times of change that packages come from."""
    from importlib.metadata import entry_points  # imported here: it takes 10 ms, and built-in names do not need it

    every = entry_points()
    return {group: tuple(every.select(group=group)) for group in every.groups if group.startswith("connect4_arena.")}


def must_be_known(kind: str, text: str, built_in: Iterable[str]) -> str:
    """Return the text if it names a known, an installed or a file's `kind`; else raise InputError with similar names.

    `kind` is "agent", "heuristic" or "ordering". No module is imported.
    """
    built_in = set(built_in)
    if text in built_in:
        return text
    if not is_file(text):
        names = built_in | installed(f"{kind}s").keys()
        if text not in names and text.endswith(".py") and Path(text).is_file():
            raise InputError(f"{kind} {text!r} names no function: write {' or '.join(_functions(Path(text)))}")
        if text not in names and "/" in text:
            raise no_file(Path(text))
        if text not in names:
            file = Path(f"{text}.py")
            near = [str(file)] if kind == "agent" else _functions(file)
            raise unknown(kind, text, near if file.is_file() else names)
    elif not (path := Path(text.rpartition(":")[0])).is_file():
        raise InputError(f"{kind} {text!r}: {no_file(path)}")
    return text


def _functions(path: Path) -> list[str]:
    """Return the functions of a file as specs, without running it; a placeholder if it has none."""
    from agents.specs.outline import inspect_source

    names: list[str] = []
    with suppress(InputError):
        names = [name for name in inspect_source(path).functions if not name.startswith("_")]
    return [f"{path}:{name}" for name in names or ["FUNCTION"]]


def find(kind: str, text: str, table: dict[str, str]) -> Any:  # noqa: ANN401  whatever the user wrote
    """Return the object for a name; `table` maps built-in names to `module:name`. Raises InputError."""
    must_be_known(kind, text, table)
    if text in table:
        return load(table[text])
    if is_file(text):
        path, _, name = text.rpartition(":")
        function = getattr(_module(Path(path)), name, None)
        if not callable(function):
            raise InputError(f"{kind} {text!r}: {path} has no function or class {name!r}")
        return function
    try:
        return installed(f"{kind}s")[text].load()
    except Exception as error:
        raise InputError(f"{kind} {text!r} does not import: {type(error).__name__}: {error}") from error


def load(where: str) -> Any:  # noqa: ANN401  whatever stands there
    """Import and return the object `module:name`."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)


@contextmanager
def output_to_stderr() -> Iterator[None]:
    """Redirect the output of foreign code to stderr, because other programs read stdout."""
    with redirect_stdout(sys.stderr):
        yield


def _module(path: Path) -> ModuleType:
    """Import a file under a name that depends on its content and on that of the files beside it that it imports.

    Python's bytecode cache is not used: it misses the second of two edits within a second.
    """
    import hashlib  # imported here, as in agents.errors: it takes a twelfth of the start of an agent's process

    from agents.specs.outline import with_imports

    try:
        source = path.read_bytes()
        content = b"".join(file.read_bytes() for file in sorted(with_imports(path)))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    name = f"connect4_arena_file_{hashlib.sha256(str(path.resolve()).encode() + content).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    try:
        with output_to_stderr(), import_path(path.parent.absolute()):
            return run_file(path, source, name)
    except BaseException as error:
        sys.modules.pop(name, None)
        if isinstance(error, KeyboardInterrupt):
            raise
        raise InputError(f"{path} does not import: {format_error(error)}") from error


@contextmanager
def import_path(folder: Path) -> Iterator[None]:
    """Make the modules of a folder importable, behind installed ones, within a `with` block.

    At the end they leave `sys.modules`: another folder may have modules of the same names.
    """
    hook, modules = reader(folder, [Path(place) for place in sys.path]), {*sys.modules}
    sys.path_hooks.insert(0, hook)
    sys.path.append(str(folder))
    sys.path_importer_cache.pop(str(folder), None)
    try:
        yield
    finally:
        sys.path_hooks.remove(hook)
        del sys.path[len(sys.path) - 1 - sys.path[::-1].index(str(folder))]
        for place in [entry for entry in sys.path_importer_cache if f"{entry}{os.sep}".startswith(f"{folder}{os.sep}")]:
            del sys.path_importer_cache[place]
        for name in sys.modules.keys() - modules:
            if (file := getattr(sys.modules[name], "__file__", None)) and Path(file).is_relative_to(folder):
                del sys.modules[name]


def reader(folder: Path, places: Sequence[Path]) -> Callable[[str], FileFinder]:
    """Return an import hook for a folder and its subfolders, except the `places`.

    The hook ignores compiled code in `__pycache__`, which other users may have written.
    """

    def hook(place: str) -> FileFinder:
        path = Path(place)
        if not path.is_relative_to(folder) or any(
            path.is_relative_to(other) and other.is_relative_to(folder) for other in places
        ):
            raise ImportError(place)
        return FileFinder(place, (_Source, SOURCE_SUFFIXES), (ExtensionFileLoader, EXTENSION_SUFFIXES))

    return hook


class _Source(SourceFileLoader):
    """Loads a module from its source, never from cached bytecode."""

    def get_code(self, fullname: str) -> CodeType:
        """Compile the module and return its code."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def run_file(path: Path, source: bytes, name: str) -> ModuleType:
    """Run the source of a file as the module `name`, and return the module. Errors of the user's code pass through."""
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    with started_alone(path):
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)  # noqa: S102  the user asked for it
    return module


@contextmanager
def started_alone(path: Path) -> Iterator[None]:
    """Let foreign code see its file as the whole command line, and no input, within a `with` block.

    Otherwise an `argparse` of the file would read the arena's arguments, and an `input()` the arena's input.
    """
    words, stdin = sys.argv, sys.stdin
    with open(os.devnull, encoding="utf-8") as empty:  # noqa: PTH123  a device
        sys.argv, sys.stdin = [str(path)], empty
        try:
            yield
        finally:
            sys.argv, sys.stdin = words, stdin


def format_error(error: BaseException) -> str:
    """Return an error as one short line: its type (unless it is one of ours) and the first line of its message."""
    try:
        text = str(error).strip().splitlines()
    except Exception:  # noqa: BLE001  the `__str__` of a user's error may raise
        text = []
    if text and isinstance(error, InputError | PlainError):
        return text[0]
    if not text:
        return type(error).__name__
    return f"{type(error).__name__}: {text[0] if len(text[0]) <= 300 else text[0][:299] + '…'}{_shadowed(error)}"


def _shadowed(error: BaseException) -> str:
    """Return which of our packages hides a module beside the file that could not import it; empty where none does."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ImportError) else ""
    if name not in {"agents", "arena"}:
        return ""
    import traceback  # imported here, where an agent has failed: it takes a hundredth of a start

    ours = Path(__file__).parents[2] / name
    for frame in traceback.extract_tb(error.__traceback__):
        for hidden in (Path(frame.filename).parent / name, Path(frame.filename).parent / f"{name}.py"):
            if hidden.exists() and hidden.resolve() != ours:
                return f"; the arena's own package {name} hides {hidden.name} beside the file: give it another name"
    return ""
