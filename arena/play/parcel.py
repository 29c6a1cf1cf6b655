"""The files of a run's agents, packed to travel to a worker elsewhere and told apart by a digest."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents.errors import InputError
from agents.registry import Spec
from agents.remote.spec import PREFIXES
from agents.remote.terms import Source
from arena.play.field import Setting
from arena.store.records import Job
from arena.store.sources import files_of


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a worker needs to play the games of a run."""

    setting: Setting
    files: tuple[tuple[str, bytes], ...]
    """Absolute paths here, and what is in each file."""
    programs: tuple[str, ...]
    """Commands of agents, which must be there already."""

    @property
    def digest(self) -> str:
        """Of the files."""
        found = hashlib.sha256()
        for path, content in self.files:
            found.update(f"{path} {hashlib.sha256(content).hexdigest()}\n".encode())
        return found.hexdigest()[:16]

    def unpacked(self, folder: Path) -> Setting:
        """Write the files below a folder that is named after the digest, unless they are there, and return the setting.

        Its agents are read from there. Of workers that share the folder one writes it.
        """
        home = folder / f"arena-{self.digest}"
        if self.files and not home.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            beside = Path(tempfile.mkdtemp(dir=folder))
            for path, content in self.files:
                place = Path(f"{beside}{path}")
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            try:
                beside.rename(home)
            except OSError:
                shutil.rmtree(beside)
                if not home.is_dir():
                    raise
        mine = {path for path, _ in self.files}
        return _moved(self.setting, lambda path: f"{home}{path}" if path in mine else path, str(home))

    def name(self, jobs: Sequence[Job]) -> str:
        """Return how messages name games: by the first of them and all of their agents."""
        places = sorted({place for job in jobs for place in (job.first, job.second)})
        agents = ", ".join(self.setting.specs[place].text for place in places)
        more = f" and {len(jobs) - 1} more" if len(jobs) > 1 else ""
        return f"game {jobs[0].key}{more} between {agents}"

    def missing(self) -> list[str]:
        """Return the commands that are not here."""
        return [program for program in self.programs if not os.access(program, os.X_OK)]


def packed(setting: Setting) -> Parcel:
    """Pack the Python files that agents are read from, with those beside them that they import or name.

    Raises InputError for a file that cannot be read.
    """
    paths = {path for main in _named(setting) for path in files_of(main)}
    sources = [source for source in setting.sources if source is not None]
    paths |= {path for source in sources for named in source.files for path in _below(Path(named))}
    try:
        files = tuple((str(path), path.read_bytes()) for path in sorted(paths))
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}") from error
    programs = {source.words[0] for source in sources if source.protocol in PREFIXES}
    return Parcel(setting, files, tuple(sorted(programs - {path for path, _ in files})))


def _named(setting: Setting) -> set[Path]:
    """Return the Python files that specs and sources name."""
    texts = [value for spec in setting.specs for value in (spec.kind, *spec.parameters.values())]
    found = {_file(text) for text in texts if isinstance(text, str) and ".py:" in text}
    words = {word for source in setting.sources if source is not None for word in source.words}
    found |= {Path(word) for word in words if word.endswith(".py") and Path(word).is_absolute()}
    return {path for path in found if path.is_file()}


def _below(path: Path) -> Iterable[Path]:
    return (each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]


def _file(text: str) -> Path:
    """Return the file of `file.py:name`."""
    return Path(text.partition(".py:")[0] + ".py").absolute()


def _moved(setting: Setting, place: Callable[[str], str], home: str) -> Setting:
    """Return the setting with the paths of files as they are elsewhere."""

    def named(value: object) -> object:
        if not isinstance(value, str) or ".py:" not in value:
            return value
        return place(str(_file(value))) + value[value.index(".py:") + 3 :]

    def spec(each: Spec) -> Spec:
        parameters = {key: named(value) for key, value in each.parameters.items()}
        return replace(each, kind=str(named(each.kind)), parameters=parameters)

    def source(each: Source | None) -> Source | None:
        if each is None:
            return None
        words = tuple(place(word) for word in each.words)
        folder = f"{home}{each.folder}"
        return replace(each, words=words, folder=folder if Path(folder).is_dir() else each.folder,
            files=tuple(place(path) for path in each.files))  # fmt: skip

    specs = tuple(map(spec, setting.specs))
    return replace(setting, specs=specs, sources=tuple(map(source, setting.sources)))
