"""Studies: an experiment that one file declares, played into a folder, and played again to verify it.

`arena.study` has these functions for Python users.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.api.progress import Measured, Progress, Warn, warn_caller
from arena.rows import plain
from arena.store.writing import read_json, write, write_json

if TYPE_CHECKING:
    from arena.api.study.file import Part, Study
    from arena.measure.study.claims import Estimate, Quantity, Verdict

STATE, SIGNED = "study.json", "study.toml"
"""The files of a folder that say how far a study is, and what was declared."""
FORM = {"digest": "", "built-in": "", "agents": {}, "file": "", "begun": "", "done": [""], "sessions": [{}]}
"""An example of what the state of a folder has at least."""


def new(path: str | Path = "study.toml") -> Path:
    """Write a commented study to a new file, and return its path; `arena study new`. Raises InputError."""
    file = Path(path)
    if file.exists():
        raise InputError(f"{file} exists; name another file")
    write(file, files("arena.api.study").joinpath("template.toml").read_text("utf-8"))
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
    from arena.api.study.file import read_study
    from arena.api.study.parts import Session

    study, runs, problems = read_study(Path(file)), [], list[str]()
    session = Session(1, "", None, progress=False, say=problems.append, warn=problems.append)
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


# Play.


@dataclass(frozen=True, slots=True)
class Played(Measured[Any]):
    """The verdicts of a study as `rows`, and the folder that holds all of it."""

    folder: Path = Path()
    complete: bool = True
    """Whether nothing is left to play."""


def play(
    file: str | Path,
    out: str | Path | None = None,
    *,
    budget: float | None = None,
    workers: int | None = None,
    command: str = "",
    progress: Progress = False,
    say: Warn = lambda _: None,
    warn: Warn = warn_caller,
) -> Played:
    """Play what is missing of a study into a folder, and say what its claims come to; `arena study play`.

    out: the folder, by default one beside the file and named after it. budget: seconds, after which it stops; the same
    call goes on. workers: processes, by default one a core. command: the command line, to be stored. say: takes where
    it stands. The rows are those of `arena.measure.study.claims.Verdict`. Raises InputError.
    """
    from arena.api.study.file import read_study
    from arena.api.study.parts import Session
    from arena.measure.study.claims import Verdict as Row
    from arena.report import study as report
    from arena.store.connection import Lock

    study = read_study(Path(file))
    given = Path(out) if out is not None else Path(file).with_suffix("")
    if given.is_file():
        raise InputError(f"{given} is a file: name a folder with --out")
    folder, path = given.absolute(), Path(file).absolute()
    ends = None if budget is None else time.monotonic() + budget
    with Lock(folder / STATE), chdir(study.folder):
        state = _signed(study, path, folder, command)
        for number, part in enumerate(study.parts, start=1):
            if _is_whole(part, folder, state):
                continue
            say(f"{number} of {len(study.parts)}: {part.name}")
            session = Session(workers, command, ends, progress, say, warn)
            if session.seconds == 0.0 or not part.play(folder, session):
                return Played([], Row, folder=given, complete=False)
            state["done"] = list(dict.fromkeys([*state["done"], part.name]))
            write_json(folder / STATE, state)
        rows = _judged(study, folder)
        write_json(folder / "verdicts.json", plain(rows))
        page = report.page(study, state, rows, [part.shown(folder) for part in study.parts])
        write(folder / "report.html", page)
        return Played(rows, Row, folder=given)


def _signed(study: Study, file: Path, folder: Path, command: str) -> dict[str, Any]:
    """Store what is declared and the session that begins, and return the state of the folder.

    Raises InputError where the folder holds another study or a former state of this one.
    """
    from arena.measure.study.verify import of_digests
    from arena.store.machine import machine, now, versions

    code = _digests(study)
    if (folder / STATE).exists():
        state: dict[str, Any] = _stored(folder / STATE, FORM)
        if changed := of_digests({**state, "study": state["digest"]}, {**code, "study": study.digest}):
            names = dict.fromkeys(str(file) if row.part == SIGNED else row.part for row in changed)
            raise InputError(
                f"{' and '.join(names)} changed since {folder} was first played, on {state['begun'][:10]}: undo the "
                "change to go on, or play what is changed into another folder, --out"
            )
    else:
        if strange := sorted({each.name for each in folder.iterdir()} - {SIGNED, f"{STATE}-lock"}):
            raise InputError(f"{folder} holds {strange[0]} and no study; name another folder with --out")
        write(folder / SIGNED, study.text)
        state = {"begun": now(), "digest": study.digest, **code, "done": [], "sessions": []}
    state["file"] = Path(os.path.relpath(file, folder)).as_posix()
    if not all(_is_whole(part, folder, state) for part in study.parts):
        session = {"begun": now(), "command": command or None, "versions": versions(), "machine": machine()}
        state["sessions"].append(session)
    write_json(folder / STATE, state)
    return state


def _is_whole(part: Part, folder: Path, state: Mapping[str, Any]) -> bool:
    """Return whether nothing of a part is left; of games the state says so, as other files are written whole."""
    return all(path.exists() for path in part.files(folder)) and (part.kind != "games" or part.name in state["done"])


def _judged(study: Study, folder: Path) -> list[Verdict]:
    """Return what the claims of a study come to by what its folder holds."""
    from arena.measure.study.claims import verdicts

    sources = {quantity: study.source(quantity) for claim in study.claims for quantity in claim.quantities}
    known: dict[Quantity, Estimate | None] = {}
    for part in study.parts:
        asked = {quantity: agents for quantity, (source, agents) in sources.items() if source is part}
        known |= part.estimates(folder, asked) if asked else {}
    return verdicts(study.claims, known)


def _stored(path: Path, form: object) -> Any:  # noqa: ANN401  of that form
    """Return a document of a study's folder. Raises InputError where there is none of that form."""
    return read_json(path, form, f"{path.parent} is not the whole folder of a played study")


# Verify.


@dataclass(frozen=True, slots=True)
class Verified(Measured[Any]):
    """The differences as `rows`, none where the folder holds what comes out again."""

    games: int = 0
    """That were played again."""
    remarks: tuple[str, ...] = ()
    """Lines on what could not be compared with the folder, and on what differs without being a result."""


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

    Every game, move, node count, measured number and verdict must be the same, but for times. Games by the clock differ
    each time: their moves must be legal. workers, command, say: as in `play`. The rows are those of
    `arena.measure.study.verify.Difference`. Raises InputError.
    """
    from arena.api.study.file import read_study
    from arena.api.study.parts import Session
    from arena.measure.study.verify import Difference, of_digests, row_differences

    place, state = Path(folder).absolute(), _stored(Path(folder) / STATE, FORM)
    base = Path(os.path.normpath(place / state["file"])).parent
    study = read_study(place / SIGNED, base if base.is_dir() else place)
    if missing := [part.name for part in study.parts if not _is_whole(part, place, state)]:
        raise InputError(f"{place} is not played to its end: {missing[0]} is missing; arena study play continues it")
    code = _digests(study)
    rows = of_digests({**state, "study": state["digest"]}, {**code, "study": study.digest})
    remarks = [CODE] if state["built-in"] != code["built-in"] else []
    session = Session(workers, command, None, progress, say, warn)
    games, by_clock = 0, set[str]()
    with tempfile.TemporaryDirectory(prefix="arena-") as temporary, chdir(study.folder):
        for part in study.parts:
            say(f"again: {part.name}")
            part.play(Path(temporary), session)
            again = part.same(place, Path(temporary))
            rows += again.rows
            games += again.games
            if again.remark:
                by_clock.add(part.name)
                remarks.append(again.remark)
        judged = plain(_judged(study, Path(temporary)))
    timed = {
        claim.number for claim in study.claims for quantity in claim.quantities
        if quantity.name == "ms" or study.source(quantity)[0].name in by_clock
    }  # fmt: skip
    stored = _stored(place / "verdicts.json", [{"claim": 0}])
    rows += row_differences(
        "verdicts.json", *([row for row in of if row["claim"] not in timed] for of in (stored, judged))
    )
    if timed:
        rest = ", ".join(f"claim {number}" for number in sorted(timed))
        remarks.append(f"verdicts that rest on times were not compared: {rest}")
    return Verified(rows, Difference, games=games, remarks=tuple(remarks))


def _digests(study: Study) -> dict[str, Any]:
    """Return the digests of the code of built-in agents, and of every agent with its files."""
    import agents
    from agents.specs.registry import parse
    from arena.play.isolation import anchored
    from arena.store.sources import digest, files_of_spec

    found, base, named = {}, str(study.folder), study.agents
    for part in study.parts:
        named |= part.agents if part.kind == "games" else {}
    for name, entry in named.items():
        spec = anchored(parse(entry.spec, entry.folder), entry.folder)
        paths = sorted((os.path.relpath(path, base), path) for path in files_of_spec(spec, entry.folder))
        hashes = {Path(path).as_posix(): _sha256(file.read_bytes()) for path, file in paths}
        found[name] = {"spec": entry.spec.replace(f"{base}/", ""), "digest": digest(spec), "files": hashes}
    own = Path(str(agents.__path__[0]))
    lines = (f"{path.relative_to(own).as_posix()} {_sha256(path.read_bytes())}\n" for path in sorted(own.rglob("*.py")))
    return {"built-in": _sha256("".join(lines).encode()), "agents": found}


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


CODE = "the code of the built-in agents has changed since the study was played"
