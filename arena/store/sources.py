"""The files of an agent, its data included, and their digest."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from agents.errors import InputError
from agents.specs.kinds import ADAPTERS
from agents.specs.outline import LONGEST_TEXT, inspect_source, with_imports
from agents.specs.registry import Spec
from agents.specs.sources import is_command, words_of

OBJECT = "object:"
"""The prefix of the kind of an agent that is an object of a program; its module and class follow."""


def digest(spec: Spec) -> str | None:
    """Return the SHA-256 of all files of an agent; None if all of them belong to this package.

    The files are the Python files in its spec (agent, heuristic, ordering), the files beside them that they import,
    directly or indirectly, and the data files that these name. File names relative to the folder count; the
    folder's own name does not. Raises InputError for a file that cannot be read.
    """
    named = [path for path in named_files(spec) if path.is_file()]
    if not named:
        return None
    checksum = hashlib.sha256()
    for main in named:
        values = [value for value in spec.parameters.values() if isinstance(value, str)]
        for path in sorted(files_of(main, values)):
            content = hashlib.sha256(_read(path)).hexdigest()
            checksum.update(f"{Path(os.path.relpath(path, main.parent)).as_posix()} {content}\n".encode())
    return checksum.hexdigest()


def files_of_spec(spec: Spec, folder: str) -> set[Path]:
    """Return all files of an agent, its data included; for a command, also the words that are files."""
    values = [value for value in spec.parameters.values() if isinstance(value, str)]
    files = {path for main in named_files(spec) if main.is_file() for path in files_of(main, values)}
    if is_command(spec.text):
        words = words_of(spec.text, folder)
        files |= {path for path in (Path(folder) / word for word in words) if path.is_file()}
    return files


def named_files(spec: Spec) -> list[Path]:
    """Return the Python files and networks that a spec names, as absolute paths."""
    alone = [str(spec.parameters.get("from"))] if spec.kind in ADAPTERS else []
    named = [text.rpartition(".py:")[0] + ".py" for text in _words(spec) if ".py:" in text]
    return [Path(text).absolute() for text in [*named, *(word for word in alone if word.endswith((".py", ".onnx")))]]


def _words(spec: Spec) -> list[str]:
    if spec.kind.startswith(OBJECT):
        return []
    return [spec.kind, *(value for value in spec.parameters.values() if isinstance(value, str))]


def files_of(main: Path, words: Iterable[str] = ()) -> set[Path]:
    """Return the file, the files of its folder that it imports, and the data files that any of them names in a string.

    `words` may name data files as well.
    """
    code = with_imports(main)
    named = {(main.parent, word) for word in words}
    for path in code:
        with suppress(InputError):
            named |= {(path.parent, word) for word in inspect_source(path).texts}
    return code | {file for here, word in named for file in _data(word, here, main.parent)}


def _data(word: str, here: Path, folder: Path) -> Iterator[Path]:
    """Yield the files inside an agent's folder that a word names, relative to `here` or to the folder."""
    if not word or not word.isprintable() or len(word) >= LONGEST_TEXT:
        return
    for place in {Path(os.path.normpath(start / word)) for start in (here, folder)}:
        if folder.resolve() in place.resolve().parents and place.exists():
            below = place.rglob("*") if place.is_dir() else [place]
            yield from (path for path in below if path.is_file() and "__pycache__" not in path.parts)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
