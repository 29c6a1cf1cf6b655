"""A class's folder, or a roster: many agents at once, each with its name and what it needs.

In a folder every Python file that defines an agent, every executable (it speaks the line protocol) and every `*.toml`
is one; its name is the file's stem. Other Python files help those beside them. A roster is a TOML file:

    [[agent]]
    name = "fairy"
    command = "./fairy-stockfish;VariantPath=variants.ini"
    protocol = "uci"
    folder = "engines"
    environment = {LANG = "C"}
    nodes = 10000

`spec` may stand in place of `command` and `protocol`. In a folder a `*.toml` may hold the same keys without a name.
"""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from agents.errors import InputError, no_file, unknown
from agents.remote.discover import agents_in, author_of, defined, refuse_misfit
from agents.remote.failure import legible
from agents.remote.spec import PREFIXES


@dataclass(frozen=True, slots=True)
class Entry:
    """One agent of a folder or a roster."""

    name: str
    spec: str
    folder: str
    """Where it runs, an absolute path."""
    environment: tuple[tuple[str, str], ...] = ()
    nodes: int | None = None
    """For a move, as are the seconds; the run's own limits hold as well."""
    seconds: float | None = None
    author: str = ""
    files: tuple[str, ...] = ()
    """All that it may read of its folder in a sandbox; nothing named is the whole folder."""

    def document(self) -> dict[str, Any]:
        """Return the entry as plain data, which `from_document` reads."""
        return asdict(self)

    @classmethod
    def from_document(cls, data: Mapping[str, Any]) -> Entry:
        """Return the entry that `document` wrote."""
        pairs = tuple((name, value) for name, value in data["environment"])
        return cls(**{**data, "environment": pairs, "files": tuple(data["files"])})


@dataclass(frozen=True, slots=True)
class Entries:
    """What a folder or a roster holds."""

    agents: tuple[Entry, ...]
    broken: tuple[str, ...]
    """A line for each entry that cannot play, with its file and what is wrong."""


def holds_entries(text: str) -> bool:
    """Tell whether a word on the command line names a folder or a roster."""
    return text.endswith(".toml") or (bool(text.strip()) and Path(text).is_dir())


def read(text: str) -> Entries:
    """Return the agents of a folder or a roster. Raises InputError where there is none."""
    path = Path(text)
    if not path.exists():
        raise no_file(path)
    found = _folder(path) if path.is_dir() else _all([path])
    if not found.agents and not found.broken:
        raise InputError(f"{text} holds no agent: no Python file that defines one, no executable, no *.toml")
    return found


def _folder(folder: Path) -> Entries:
    try:
        paths = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith((".", "_")))
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror}") from error
    return _all(paths)


def _all(paths: Iterable[Path]) -> Entries:
    """Return the agents in these files, those that share a name left out, and what is wrong with the others."""
    paths = list(paths)
    found: dict[str, Entry] = {}
    broken: list[str] = []
    helpers: list[str] = []
    for path in paths:
        try:
            entries = _entries(path)
        except InputError as error:
            broken.append(str(error))
            continue
        if not entries:
            helpers.append(str(path.absolute()))
        for entry in entries:
            if entry.name in found:
                broken.append(f"{path}: there is another agent named {entry.name!r}")
            else:
                found[entry.name] = entry
    shared = (*helpers, *(str(each.absolute()) for each in _folders(paths)))
    return Entries(tuple(_with_helpers(entry, shared) for entry in found.values()), tuple(broken))


def _folders(paths: Iterable[Path]) -> list[Path]:
    """Return the folders beside the files, which may be packages that help."""
    return sorted({each for parent in {path.parent for path in paths} for each in parent.iterdir() if each.is_dir()})


def _with_helpers(entry: Entry, helpers: tuple[str, ...]) -> Entry:
    if not entry.files:
        return entry
    return replace(entry, files=(*entry.files, *helpers))


def _entries(path: Path) -> list[Entry]:
    """Return the agents of one file; none where it only helps others. Raises InputError."""
    place, own = str(path.parent.absolute()), (str(path.absolute()),)
    if path.suffix == ".toml":
        return _roster(path)
    if path.suffix == ".py":
        if not agents_in(path):
            return []
        name = defined(path)
        refuse_misfit(path, name, (), str(path))
        return [
            Entry(legible(path.stem), f"{path.absolute()}:{name}", place, author=legible(author_of(path)), files=own)
        ]
    if os.access(path, os.X_OK):
        return [Entry(legible(path.stem), f"cmd:{shlex.quote(str(path.absolute()))}", place, files=own)]
    return []


def _roster(path: Path) -> list[Entry]:
    try:
        with path.open("rb") as file:
            data = tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    rows = data.get("agent", [data])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: agents stand in tables, [[agent]] each")
    return [_entry({"name": path.stem} | row if len(rows) == 1 else row, path) for row in rows]


def _entry(row: Mapping[str, Any], path: Path) -> Entry:
    """Return an agent from its table. Raises InputError that names the file."""
    for key, value in row.items():
        if key not in KEYS:
            raise InputError(f"{path}: {unknown('key', key, KEYS)}")
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise InputError(f"{path}: {key} cannot be {value!r}")
    if "name" not in row or ("spec" in row) == ("command" in row):
        raise InputError(f"{path}: an agent has a name, and either a spec or a command")
    protocol = row.get("protocol", "cmd")
    if protocol not in PREFIXES:
        raise InputError(f"{path}: {unknown('protocol', protocol, PREFIXES)}")
    folder = (path.parent / row.get("folder", "")).absolute()
    if not folder.is_dir():
        raise InputError(f"{path}: there is no folder {folder}")
    environment = tuple((name, str(value)) for name, value in row.get("environment", {}).items())
    spec = row.get("spec") or f"{protocol}:{row['command']}"
    return Entry(
        row["name"], spec, str(folder), environment, row.get("nodes"), row.get("seconds"), row.get("author", "")
    )


KEYS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "spec": str,
    "command": str,
    "protocol": str,
    "folder": str,
    "environment": dict,
    "nodes": int,
    "seconds": (int, float),
    "author": str,
}
"""What a table of a roster may say, and the type of each value in TOML."""
