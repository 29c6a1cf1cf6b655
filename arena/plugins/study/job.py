"""Studies: an experiment that one file declares, played into a folder, and played again to verify it.

`arena.study` has these functions for Python users.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import chdir
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.store.writing import read_json, write, write_json
from arena.table.cells import counted
from arena.table.measured import Measured, Progress, Warn, warn_caller
from arena.table.rows import plain

if TYPE_CHECKING:
    from arena.plugins.study.claims import Estimate, Quantity, Verdict
    from arena.plugins.study.file import Part, Study

STATE, SIGNED, VERDICTS = "study.json", "study.toml", "verdicts.json"
"""The files of a folder with how a study was first played, what was declared, and what its claims came to."""
FORM = {"begun": "", "file": "", "digest": "", "agents": {}, "versions": {}, "machine": {}}
"""An example of what STATE has at least."""


def new(path: str | Path = "study.toml") -> Path:
    """Write a commented study to a new file, and return its path; `arena study new`. Raises InputError."""
    file = Path(path)
    if file.exists():
        raise InputError(f"{file} exists; name another file")
    write(file, files("arena.plugins.study").joinpath("template.toml").read_text("utf-8"))
    return file


@dataclass(frozen=True, slots=True)
class Checked:
    """What a study would play."""

    title: str
    digest: str
    agents: list[str]
    runs: list[dict[str, Any]]
    """name, agents and games, at most; games are None of a run that cannot be played."""
    claims: list[dict[str, Any]]
    """text, check, and the run, `depths` or `grade` that each quantity is `of`."""
    problems: list[str]


def check(file: str | Path) -> Checked:
    """Read a study, make every agent and draw every opening; `arena study check`. Raises InputError for a bad file.

    What else would end it is among the `problems`.
    """
    from arena.plugins.study.file import read_study
    from arena.plugins.study.parts import Session

    study, runs, problems = read_study(Path(file)), [], list[str]()
    session = Session(1, "", progress=False, say=problems.append, warn=problems.append)
    with tempfile.TemporaryDirectory(prefix="arena-") as folder, chdir(study.folder):
        for part in study.parts:
            games = None
            try:
                games = part.planned(Path(folder), session)
            except InputError as error:
                problems.append(str(error))
            runs += [{"name": part.name, "agents": list(part.agents), "games": games}] * (part.kind == "games")
    if not study.claims:
        problems.append("there are no [[claims]]: nothing will be said to stand or to fall")
    claims = [
        {"text": claim.text, "check": claim.check,
         "of": list(dict.fromkeys(study.source(quantity)[0].name for quantity in claim.quantities))}
        for claim in study.claims
    ]  # fmt: skip
    return Checked(study.title, study.digest, list(study.agents), runs, claims, problems)


@dataclass(frozen=True, slots=True)
class Played(Measured[Any]):
    """The verdicts of a study as `rows`, and the folder that holds all of it."""

    folder: Path = Path()


def play(
    file: str | Path,
    out: str | Path | None = None,
    *,
    workers: int | None = None,
    command: str = "",
    progress: Progress = False,
    say: Warn = lambda _: None,
    warn: Warn = warn_caller,
) -> Played:
    """Play what is missing of a study into a folder, and say what its claims come to; `arena study play`.

    out: the folder, by default one beside the file and named after it. workers: processes, by default one a core.
    command: the command line, to be stored. say: takes where it stands. The rows are those of
    `arena.plugins.study.claims.Verdict`. Raises InputError.
    """
    from arena.plugins.study import tables as report
    from arena.plugins.study.claims import Verdict
    from arena.plugins.study.file import read_study
    from arena.plugins.study.parts import Session
    from arena.store.connection import Lock

    study, path = read_study(Path(file)), Path(file).absolute()
    place = Path(out) if out is not None else Path(file).with_suffix("")
    if place.is_file():
        raise InputError(f"{place} is a file: name a folder with --out")
    folder, session = place.absolute(), Session(workers, command, progress, say, warn)
    with Lock(folder / STATE), chdir(study.folder):
        state = _signed(study, path, folder, command)
        for number, part in enumerate(study.parts, start=1):
            say(f"{number} of {len(study.parts)}: {part.name}")
            part.play(folder, session)
        rows = _judged(study, lambda _: folder)
        write_json(folder / VERDICTS, plain(rows))
        by = f" by {', '.join(study.authors)}" if study.authors else ""
        subtitle = f"A study of {counted(len(study.agents), 'agent')} and {counted(len(study.claims), 'claim')}{by}"
        results = [part.section(folder) for part in study.parts]
        write(folder / "report.html", report.page(study.title, subtitle, study.hypotheses, rows, results, state))
    return Played(rows, Verdict, folder=place)


def _signed(study: Study, file: Path, folder: Path, command: str) -> dict[str, Any]:
    """Return how the study was first played, which a new folder stores before the first game.

    Raises InputError where the folder holds another study or a former state of this one.
    """
    from arena.store.machine import machine, now, versions

    digests = _digests(study)
    if (folder / STATE).exists():
        state: dict[str, Any] = _stored(folder / STATE, FORM)
        changed = [str(file)] * (state["digest"] != study.digest)
        changed += [f"agent {name}" for name in digests if state["agents"].get(name) != digests[name]]
        if changed:
            raise InputError(
                f"{' and '.join(changed)} changed since {folder} was first played, on {state['begun'][:10]}: undo the "
                "change to go on, or play what is changed into another folder, --out"
            )
        return state
    if strange := sorted({path.name for path in folder.iterdir()} - {SIGNED, f"{STATE}-lock"}):
        raise InputError(f"{folder} holds {strange[0]} and no study; name another folder with --out")
    write(folder / SIGNED, study.text)
    state = {
        "begun": now(), "file": Path(os.path.relpath(file, folder)).as_posix(), "digest": study.digest,
        "agents": digests, "command": command or None, "versions": versions(), "machine": machine(),
    }  # fmt: skip
    write_json(folder / STATE, state)
    return state


def _judged(study: Study, folder_of: Callable[[Part], Path]) -> list[Verdict]:
    """Return what the claims of a study come to by what the folder of each part holds."""
    from arena.plugins.study.claims import verdicts

    sources = {quantity: study.source(quantity) for claim in study.claims for quantity in claim.quantities}
    estimates: dict[Quantity, Estimate | None] = {}
    for part in study.parts:
        asked = {quantity: agents for quantity, (source, agents) in sources.items() if source is part}
        estimates |= part.estimates(folder_of(part), asked) if asked else {}
    return verdicts(study.claims, estimates)


def _stored(path: Path, form: object) -> Any:  # noqa: ANN401  of that form
    """Return a document of a study's folder. Raises InputError where there is none of that form."""
    return read_json(path, form, f"{path.parent} is not played to its end; arena study play continues it")


@dataclass(frozen=True, slots=True)
class Verified(Measured[Any]):
    """The differences as `rows`, none where the folder holds what comes out again."""

    games: int = 0
    """That were played again."""
    remarks: tuple[str, ...] = ()
    """Lines on runs that cannot come out again."""


def verify(
    folder: str | Path,
    *,
    workers: int | None = None,
    command: str = "",
    progress: Progress = False,
    say: Warn = lambda _: None,
    warn: Warn = warn_caller,
) -> Verified:
    """Play a study's folder again on this machine, and return what differs; `arena study verify`.

    Every game, move, node count, measured number and verdict must be the same, but for times. Runs of agents that move
    by the clock differ each time and are not played again. workers, command, say: as in `play`. The rows are those of
    `arena.plugins.study.differences.Difference`. Raises InputError.
    """
    from arena.plugins.study.differences import Difference, row_differences
    from arena.plugins.study.file import read_study
    from arena.plugins.study.parts import Session

    place = Path(folder).absolute()
    state, stored = _stored(place / STATE, FORM), _stored(place / VERDICTS, [{}])
    base = Path(os.path.normpath(place / state["file"])).parent
    study = read_study(place / SIGNED, base if base.is_dir() else place)
    digests = {SIGNED: study.digest, **_digests(study)}
    signed = {SIGNED: state["digest"], **state["agents"]}
    rows = [
        Difference(SIGNED if name == SIGNED else "agents", name, "SHA-256", str(signed.get(name)), str(digests[name]))
        for name in digests if signed.get(name) != digests[name]
    ]  # fmt: skip
    session, games, remarks = Session(workers, command, progress, say, warn), 0, list[str]()
    folders: dict[Part, Path] = {}
    with tempfile.TemporaryDirectory(prefix="arena-") as temporary, chdir(study.folder):
        for part in study.parts:
            if clocked := part.clocked(place):
                remarks.append(f"{part.name} is not played again: {', '.join(clocked)} move by the clock")
                folders[part] = place
                continue
            say(f"again: {part.name}")
            folders[part] = Path(temporary)
            part.play(folders[part], session)
            differences, played = part.differences(place, folders[part])
            rows += differences
            games += played
        rows += row_differences(VERDICTS, stored, plain(_judged(study, folders.__getitem__)))
    return Verified(rows, Difference, games=games, remarks=tuple(remarks))


def _digests(study: Study) -> dict[str, str]:
    """Return the spec of each agent with the SHA-256 of all its files, by the agent's name."""
    from agents.specs.registry import parse
    from arena.games.isolation import anchored
    from arena.store.sources import files_of_spec

    digests = {}
    for name, entry in study.agents.items():
        spec = anchored(parse(entry.spec, entry.folder), entry.folder)
        paths = {os.path.relpath(path, study.folder): path for path in files_of_spec(spec, entry.folder)}
        content = "\n".join(f"{path} {hashlib.sha256(paths[path].read_bytes()).hexdigest()}" for path in sorted(paths))
        digests[name] = entry.spec.replace(f"{study.folder}/", "")
        if content:
            digests[name] += f" SHA-256 {hashlib.sha256(content.encode()).hexdigest()}"
    return digests
