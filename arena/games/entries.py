"""A class's folder, or a roster: many agents at once, each with its name and what it needs.

A roster is the user's own TOML file, named by its path:

    [[agent]]
    name = "fairy"
    command = "./fairy-stockfish;VariantPath=variants.ini"
    protocol = "uci"
    folder = "engines"
    environment = {LANG = "C"}
    pass_environment = ["API_KEY"]
    nodes = 10000

`spec` may stand in place of `command` and `protocol`. In a folder every Python file that defines an agent and every
executable (it speaks the line protocol) is one, named after its file; other files help. A folder in it is one as well,
named after the folder, as Moodle and Canvas export hand-ins: its `main.py`, `agent.py` or `bot.py`, or the only agent
in it. A folder is other people's, so that a TOML file in it is no roster until it is named itself.
`FOLDER/:NAME` and `roster.toml:NAME` are one agent.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Self

from agents.errors import InputError, no_file, unknown
from agents.failure import escaped
from agents.specs.outline import LARGEST, defined, inspect_source, refuse_misfit, with_imports
from agents.specs.parameters import Nodes, Seconds, parameter
from agents.specs.registry import expand, parse
from agents.specs.sources import PREFIXES, is_whole


@dataclass(frozen=True, slots=True)
class Entry:
    """One agent of a folder or a roster."""

    name: str
    spec: str
    folder: str
    """Where it runs, an absolute path."""
    environment: tuple[tuple[str, str | None], ...] = ()
    """Its own variables; None for a value that was not stored with a run."""
    nodes: int | None = None
    """For a move, as are the seconds; the run's own limits hold as well."""
    seconds: float | None = None
    author: str = ""
    files: tuple[str, ...] = ()
    """All that it may read of its folder in a sandbox; nothing named is the whole folder."""

    pass_environment: tuple[str, ...] = ()
    """Variables with values from the caller's environment."""
    roster: str = ""
    """The absolute path of the TOML file that lists it, if one does."""
    own: bool = False
    """Whether it is a spec of the user's own under a name: it plays as the spec does, relative to the folder."""

    def document(self) -> dict[str, Any]:
        """Return the entry as plain data, which `from_document` reads; of variables only the names."""
        return asdict(self) | {"environment": [name for name, _ in self.environment]}

    @classmethod
    def from_document(cls, data: Mapping[str, Any]) -> Entry:
        """Return the entry that `document` wrote; earlier versions wrote values, too."""
        pairs = tuple(
            (variable, None) if isinstance(variable, str) else (variable[0], variable[1])
            for variable in data["environment"]
        )
        passed = tuple(data.get("pass_environment", ()))
        return cls(**{**data, "environment": pairs, "files": tuple(data["files"]), "pass_environment": passed})

    def variables(self) -> tuple[tuple[str, str], ...]:
        """Return its variables with their values; one that was not stored is in the roster, or in this environment.

        Raises InputError that names a variable which nobody knows.
        """
        values = dict(os.environ)
        if any(value is None for _, value in self.environment) and Path(self.roster).is_file():
            listed = [entry for entry in read_entries(self.roster).agents if entry.name == self.name]
            values |= {name: value for entry in listed for name, value in entry.environment if value is not None}
        variables = {name: values.get(name) if value is None else value for name, value in self.environment}
        variables |= {name: os.environ.get(name) for name in self.pass_environment}
        for name in (*self.pass_environment, *variables):
            if variables[name] is None:
                where = "" if name in self.pass_environment else f"in {self.roster or 'a roster'} nor "
                raise InputError(
                    f"agent {self.name!r}: there is no {name} {where}in the environment: export {name}=VALUE"
                )
        return tuple((name, str(value)) for name, value in variables.items())


class Unfit(str):
    """A line for an entry that cannot play, with its file and what is wrong."""

    __slots__ = ("name", "path")
    name: str
    """That it would have."""
    path: Path

    def __new__(cls, line: str, name: str, path: Path) -> Self:
        """Return the line."""
        unfit = super().__new__(cls, line)
        unfit.name, unfit.path = name, path
        return unfit


@dataclass(frozen=True, slots=True)
class Entries:
    """What a folder or a roster holds."""

    agents: tuple[Entry, ...]
    broken: tuple[Unfit, ...]
    remarks: tuple[str, ...] = ()
    """A line for each entry that plays under another name than it asks for, and one for what is no agent."""


@dataclass(slots=True)
class _Listed:
    """An entry that is not checked yet: its file, its name, and its table where a roster lists it."""

    path: Path
    name: str
    row: Mapping[str, Any] | None = None
    alone: bool = False
    """Whether it has a folder of its own, after which it is named."""


def holds_entries(text: str) -> bool:
    """Tell whether a word on the command line names a folder or a roster, or one agent of it."""
    path, _ = _parted(text)
    if is_whole(text) and not os.path.exists(path):  # noqa: PTH110  a Path cannot be made of every text
        return False
    return path.endswith(".toml") or (bool(path.strip()) and Path(path).is_dir())


def read_entries(text: str) -> Entries:
    """Return the agents of a folder or a roster, or the one agent that is named. Raises InputError where none is."""
    place, name = _parted(text)
    path = Path(place)
    if not path.exists():
        raise no_file(path)
    entries = _folder(path) if path.is_dir() else _roster(path)
    if not entries.agents and not entries.broken:
        raise InputError(f"{place} holds no agent: no Python file that defines one, no executable")
    if not name:
        return entries
    chosen = tuple(entry for entry in entries.agents if entry.name == name)
    if not chosen:
        for line in entries.broken:
            if name in (line.name, line.path.stem):
                raise InputError(line)
        raise unknown(f"agent in {place}", name, [entry.name for entry in entries.agents])
    return Entries(chosen, ())


def of_file(path: Path) -> Entry:
    """Return the agent of one Python file, named after it. Raises InputError."""
    if not path.exists():
        raise no_file(path)
    if path.suffix != ".py":
        raise InputError(f"{path} is no Python file, folder or roster: hand-ins are these")
    file = path.absolute()
    spec = f"{file}:{player(file)}"
    return Entry(
        _clean(path.stem), spec, str(file.parent), author=escaped(inspect_source(file).author), files=visible(file, ())
    )


def player(path: Path) -> str:
    """Return the agent that plays of those that a file defines: the only one, or the first of the names PLAYERS.

    A name counts where it is one of these in any spelling, and else where it has it within. Raises InputError where
    there is none, or several are as good.
    """
    agents = inspect_source(path).agents
    names = {name: re.sub("[^a-z]", "", name.lower()) for name in agents}
    for player in PLAYERS:
        if chosen := [name for name, plain in names.items() if plain == player]:
            return chosen[0]
    for player in PLAYERS:
        if len(chosen := [name for name, plain in names.items() if player in plain]) == 1:
            return chosen[0]
    if len(agents) > 1:
        raise InputError(f"{path} defines {', '.join(agents)}: which plays? {RULE}")
    return defined(path)


def named_in_full(text: str) -> str:
    """Return the spec `FILE.py` or `FILE.py:key=value` of a file with several agents with the one that plays.

    Other texts stay as they are. Raises InputError where none of the agents has a name of PLAYERS.
    """
    match = re.fullmatch(r"(.+\.py)(:[^:=]+=.*)?", text)
    if match is None or not Path(match[1]).is_file() or len(inspect_source(Path(match[1])).agents) < 2:
        return text
    try:
        return f"{match[1]}:{player(Path(match[1]))}{match[2] or ''}"
    except InputError as error:
        raise InputError(f"{error}; or write {match[1]}:{inspect_source(Path(match[1])).agents[0]}") from None


def address(place: str, name: str) -> str:
    """Return how one agent of a folder or a roster is named."""
    return f"{place if place.endswith(('.toml', '/')) else f'{place}/'}:{name}"


def _parted(text: str) -> tuple[str, str]:
    """Return the folder or roster and, behind a colon, the name of one agent in it."""
    match = None if os.path.exists(text) else re.fullmatch(r"(.*(?:\.toml|/)):(.+)", text)  # noqa: PTH110  likewise
    return (match[1], match[2]) if match else (text, "")


def _folder(folder: Path) -> Entries:
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror}") from error
    if (folder / NUMBA).exists():
        raise InputError(f"{folder / NUMBA} would set up the compiler of whoever works in {folder}: remove it")
    hidden = [path for path in paths if path.name.startswith("_")]
    paths = [path for path in paths if path not in hidden]
    hidden = [path for path in hidden if path.name != "__MACOSX"]  # what macOS adds to its archives
    files = [path for path in paths if path.is_file()]
    flat = _flat(files)
    helping = {file for entry in flat.agents for file in entry.files}
    listed: list[_Listed] = []
    skipped: list[str] = []
    broken: list[Unfit] = []
    empty: list[Unfit] = []
    for path in paths:
        if str(path.absolute()) in helping or path in {line.path for line in flat.broken}:
            continue
        if path.is_file():
            skipped += [] if ".sqlite" in path.name else [path.name + _hint(path)]
            continue
        try:
            agents, files = _agents(path)
        except InputError as error:
            broken.append(Unfit(str(error), _owner(path), path))
            continue
        if len(agents) == 1:
            listed.append(_Listed(agents[0], _owner(path), alone=True))
            continue
        inside = agents or files or sorted(path.glob("_*.py"))
        held = ", ".join(_clean(file.name + _hint(file)) for file in inside[:SHOWN])
        what = (
            f"several agents: {held}; call the one that plays main.py" if agents else f"no agent: {held or 'no file'}"
        )
        empty.append(Unfit(f"{path} holds {what}", _owner(path), path))
    if listed and not flat.agents:  # then each folder is somebody's
        broken += empty
    else:
        skipped += [f"{unfit.path.name}/ (folder)" for unfit in empty]
    more = f" and {len(skipped) - SHOWN} more" if len(skipped) > SHOWN else ""
    said = [f"{folder}: not agents: {', '.join(map(_clean, sorted(skipped)[:SHOWN]))}{more}"] if skipped else []
    if names := [_clean(path.name) for path in hidden if str(path.absolute()) not in helping and _plays(path)]:
        said.append(f"{folder}: left out: {', '.join(names)}{UNDERSCORE}")
    inner = _checked(listed, others={entry.name: Path(entry.folder) for entry in flat.agents})
    return Entries(
        (*flat.agents, *inner.agents),
        (*flat.broken, *broken, *inner.broken),
        (*flat.remarks, *inner.remarks, *said),
    )


def _plays(path: Path) -> bool:
    """Tell whether a file or a folder whose name begins with _ would play under another name."""
    if path.is_file():
        return not _helps(path)
    try:
        return len(_agents(path)[0]) == 1
    except InputError:
        return False


def _owner(folder: Path) -> str:
    """Return the name of the agent that a folder holds; what Moodle writes behind a student's name is left out."""
    return _clean(re.sub(r"_\d+_assignsubmission_\w*$", "", folder.name))


def _agents(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the agents of a folder, one where it has a main file, and all its files. Raises InputError."""
    if folder.is_symlink():
        raise InputError(f"{folder} is a link; the agents of a folder are files in it")
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith((".", "_")))
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror}") from error
    named = [folder / name for name in MAINS if folder / name in files]
    return named[:1] or [path for path in files if not _helps(path)], files


def _hint(path: Path) -> str:
    """Return how a roster, or a program that cannot be executed, could be named; empty where nobody knows."""
    if path.suffix == ".toml":
        return " (a roster plays where it is named itself)"
    if path.suffix != ".py" and path.suffix.lower() == ".py":
        return " (the name of a Python file ends in .py)"
    if path.name.startswith("_"):
        return UNDERSCORE
    program = PROGRAMS.get(path.suffix)
    return f" (not executable: cmd:{program} {path.name})" if program else ""


def _roster(path: Path) -> Entries:
    """Return the agents that a TOML file lists."""
    try:
        rows = _rows(path)
    except InputError as error:
        return Entries((), (Unfit(str(error), _clean(path.stem), path),))
    return _checked([_Listed(path, _name(row, path, len(rows)), row) for row in rows])


def _flat(paths: Sequence[Path]) -> Entries:
    """Return the agents that are files of a folder."""
    broken: list[Unfit] = []
    listed: list[_Listed] = []
    for path in paths:
        try:
            listed += _listed(path)
        except InputError as error:
            broken.append(Unfit(str(error), _clean(path.stem), path))
    entries = _checked(listed, [path for path in paths if not _helps(path)])
    return replace(entries, broken=(*broken, *entries.broken))


def _checked(listed: Sequence[_Listed], rivals: Collection[Path] = (), others: Mapping[str, Path] = {}) -> Entries:
    """Return the agents that are listed, each under a name of its own, and what is wrong with the others.

    rivals: the agents of a folder whose files another may not read. others: the names that are taken already.
    """
    broken: list[Unfit] = []
    agents: list[Entry] = []
    names: dict[str, Path] = {**others}
    remarks = []
    for agent in listed:
        try:
            entry = _entry(agent, rivals) if agent.row is None else _row(agent)
            entry.variables()
        except InputError as error:
            said = str(error)
            line = said if said.startswith(str(agent.path)) else f"{agent.path}: {_called(agent.name, said)}{said}"
            broken.append(Unfit(line, agent.name, agent.path))
            continue
        name, number = entry.name, 1
        while name in names:
            number += 1
            name = f"{entry.name}#{number}"
        if number > 1:
            remarks.append(f"{agent.path}: {entry.name!r} is the agent of {names[entry.name]}; this one is {name!r}")
        names[name] = agent.path
        agents.append(replace(entry, name=name))
    return Entries(tuple(agents), tuple(broken), tuple(remarks))


def _called(name: str, said: str) -> str:
    return "" if said.startswith(f"agent {name!r}") else f"agent {name!r}: "


def _helps(path: Path) -> bool:
    """Tell whether a file is no agent's, but one that others may import or read."""
    if path.suffix != ".py":
        return path.suffix == ".toml" or not os.access(path, os.X_OK)
    try:
        return not inspect_source(path).agents
    except InputError:
        return False


def _listed(path: Path) -> list[_Listed]:
    """Return the agent of a file of a folder, unchecked; none where it only helps others. Raises InputError."""
    if path.is_symlink():
        raise InputError(f"{path} is a link; the agents of a folder are files in it")
    return [] if _helps(path) else [_Listed(path, _clean(path.stem))]


def _entry(listed: _Listed, rivals: Collection[Path]) -> Entry:
    """Return an agent of a folder, which may read only what is its own. Raises InputError."""
    path, place = listed.path.absolute(), str(listed.path.parent.absolute())
    files = () if listed.alone else visible(path, [rival.absolute() for rival in rivals])
    if path.suffix != ".py":
        return Entry(listed.name, f"cmd:{shlex.quote(str(path))}", place, files=files)
    name = player(listed.path)
    refuse_misfit(listed.path, name, (), str(listed.path))
    author = escaped(inspect_source(listed.path).author)
    return Entry(listed.name, f"{path}:{name}", place, author=author, files=files)


def visible(path: Path, rivals: Collection[Path]) -> tuple[str, ...]:
    """Return what an agent may read of a folder that others share: the paths of files and folders.

    That is its own file, what is named after it (of `bot.py` also `bot.json`, `bot_weights.npy` and `bot/`), and what
    that file imports; but not the `rivals`, the other agents' files, nor what is named after them. A module that stands
    in for an installed one counts only where it is named after the agent. Links are left out.
    """
    rivals = {rival for rival in rivals if rival != path}
    stems = {rival.stem for rival in rivals} | {path.stem}
    paths = {path}
    for file in path.parent.iterdir():
        if file not in rivals and _named_after(file.name, stems) == path.stem:
            paths.add(file)
    for file in with_imports(path) if path.suffix == ".py" else ():
        top = path.parent / file.relative_to(path.parent).parts[0]
        if top not in rivals and _named_after(top.name, stems) in ("", path.stem) and not _is_installed(top.stem):
            paths.add(top)
    return tuple(sorted(str(file) for file in paths if not file.is_symlink()))


def _named_after(name: str, stems: Collection[str]) -> str:
    """Return the longest of the stems that a file's name begins with, as a whole; "" for none."""
    begun = [stem for stem in stems if name.startswith(stem) and name[len(stem) :][:1] in {"", ".", "_", "-"}]
    return max(begun, key=len, default="")


def _is_installed(name: str) -> bool:
    places = [place for place in sys.path if place.endswith(("site-packages", "dist-packages"))]
    return PathFinder.find_spec(name, places) is not None


def _rows(path: Path) -> list[Mapping[str, Any]]:
    """Return the tables of a TOML file, one for each agent. Raises InputError."""
    try:
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path} is larger than {LARGEST >> 10} kB")  # noqa: TRY301  raised where it is known
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except InputError:
        raise
    except RecursionError:
        raise InputError(f"{path}: its brackets are nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    rows = document.get("agent", [document])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path}: agents stand in tables, [[agent]] each")
    return rows


def _name(row: Mapping[str, Any], path: Path, rows: int) -> str:
    """Return what messages call an agent; one that stands alone in its file is named after it."""
    name = row.get("name")
    return _clean(name) if isinstance(name, str) and _clean(name) else _clean(path.stem) if rows == 1 else "?"


def _clean(text: str) -> str:
    """Return a name as one line that a terminal shows."""
    return " ".join(escaped(text).split())


def _row(listed: _Listed) -> Entry:
    """Return the agent of a table. Raises InputError that names the file and the agent."""
    assert listed.row is not None
    row, path, name = listed.row, listed.path, listed.name
    where = f"{path}: agent {name!r}"
    for key, value in row.items():
        if key not in KEYS:
            raise InputError(f"{where}: {unknown('key', key, KEYS)}")
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise InputError(f"{where}: {key} cannot be {value!r:.80}")
    if name == "?" or ("spec" in row) == ("command" in row):
        raise InputError(f"{where}: an agent has a name, and either a spec or a command")
    protocol = row.get("protocol", "cmd")
    if protocol not in PREFIXES:
        raise InputError(f"{where}: {unknown('protocol', protocol, PREFIXES)}")
    folder = (path.parent / row.get("folder", "")).absolute()
    if not folder.is_dir():
        raise InputError(f"{where}: there is no folder {folder}")
    spec = row.get("spec") or f"{protocol}:{row['command']}"
    try:
        key = "spec"
        parse(spec, str(folder))
        for key in row.keys() & LIMITS.keys():
            LIMITS[key].read(str(row[key]))
    except InputError as error:
        raise InputError(f"{where}: {error}" if key == "spec" else f"{where}: {key} {error}") from None
    return Entry(
        name, spec, str(folder), _variables(row, where), row.get("nodes"), row.get("seconds"),
        escaped(row.get("author", "")), pass_environment=tuple(row.get("pass_environment", ())),
        roster=str(path.absolute()),
    )  # fmt: skip


def _variables(row: Mapping[str, Any], where: str) -> tuple[tuple[str, str], ...]:
    """Return the variables that a table gives, with their values. Raises InputError for what is none."""
    variables = row.get("environment", {})
    for name, value in (*variables.items(), *((key, "") for key in row.get("pass_environment", ()))):
        if not (isinstance(name, str) and re.fullmatch(r"[^=\0]+", name)):
            raise InputError(f"{where}: {name!r:.80} is no name of a variable")
        if not isinstance(value, str | int | float) or "\0" in str(value):
            raise InputError(f"{where}: the variable {name} is a text or a number")
    return tuple((name, str(value)) for name, value in variables.items())


def numbered(texts: Iterable[str]) -> list[str]:
    """Return a name for each text: the text, numbered from its second time on."""
    names: dict[str, None] = {}
    for text in texts:
        name, number = text, 1
        while name in names:
            number += 1
            name = f"{text}#{number}"
        names[name] = None
    return [*names]


Invited = tuple[tuple[str, ...], tuple[Entry | None, ...], tuple[Unfit, ...], tuple[str, ...]]


def invited(texts: Iterable[str]) -> Invited:
    """Return all agents that the texts name, folders and rosters read, with their entries.

    Then come a line for each entry that cannot play, and one for each that plays under another name than its own. An
    agent of a folder or a roster is named by its entry. Raises InputError.
    """
    agents: list[tuple[str, Entry | None]] = []
    broken: list[Unfit] = []
    remarks: list[str] = []
    for text in texts:
        if holds_entries(text):
            entries = read_entries(text)
            agents += [(entry.name, entry) for entry in entries.agents]
            broken += entries.broken
            remarks += entries.remarks
        else:
            agents += [(spec.text, None) for spec in expand(text)]
    return tuple(name for name, _ in agents), tuple(entry for _, entry in agents), tuple(broken), tuple(remarks)


MAINS = ("main.py", "agent.py", "bot.py")
"""The file of the agent that has a folder of its own."""
UNDERSCORE = ": no agent is looked for where a name begins with _"
SHOWN = 12
"""Files that are no agents, named at most."""
PROGRAMS = {".js": "node", ".rb": "ruby", ".pl": "perl", ".php": "php", ".lua": "lua", ".sh": "sh", ".jar": "java -jar"}
"""What runs a file that is no program by itself, by its suffix."""
PLAYERS = ("agent", "bot", "player", "alphabeta")
"""What a file that defines several agents calls the one that plays, in small letters."""
RULE = "the one called Agent, Bot, Player or AlphaBeta, or the only one with such a word in its name"
"""Which that is."""
NUMBA = ".numba_config.yaml"
"""What numba reads its settings from in the folder where a program runs."""
LIMITS = {"nodes": parameter(Nodes), "seconds": parameter(Seconds)}
KEYS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "spec": str,
    "command": str,
    "protocol": str,
    "folder": str,
    "environment": dict,
    "pass_environment": list,
    "nodes": int,
    "seconds": (int, float),
    "author": str,
}
"""What a table of a roster may say, and the type of each value in TOML."""
