"""Studies: an experiment that one file declares, played into a folder, and played again to verify it.

`arena.study` has these functions for Python users.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.api import measures, tournaments, truth
from arena.api.progress import Measured, Progress, Warn, warn_caller
from arena.api.settings import Apart, refuse_unknown, whole
from arena.rows import plain
from arena.store.writing import write

if TYPE_CHECKING:
    from arena.analysis.frames import Frames
    from arena.measure.study.claims import Verdict
    from arena.measure.study.file import Planned, Study
    from arena.measure.study.verify import Timing
    from arena.play.entries import Entry
    from arena.play.run import Run

STATE, SIGNED = "study.json", "study.toml"
"""The files of a folder that say how far a study is, and what was declared."""
CODE = "the code of built-in agents is another than that which played"


def new(path: str | Path = "study.toml") -> Path:
    """Write a commented study to a new file, and return its path; `arena study new`. Raises InputError."""
    file = Path(path)
    if file.exists():
        raise InputError(f"{file} exists; name another file")
    write(file, files("arena.measure.study").joinpath("template.toml").read_text("utf-8"))
    return file


# What would go wrong.


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
    from arena.api.settings import specs
    from arena.measure.study.file import read, source_of

    study = read(Path(file))
    problems: list[str] = []
    runs = []
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        for planned in study.runs:
            games: int | None = None
            try:
                run = _begin(study, planned, Path(folder) / f"{planned.name}.sqlite", 1, "", problems.append)
                games = run.store.planned()
                run.workers.close()
                run.store.discard()
            except InputError as error:
                problems.append(str(error))
            runs.append({"name": planned.name, "agents": list(planned.agents), "games": games})
        for kind in ("depths", "grade"):
            try:
                for spec in specs([study.agents[name] for name in (getattr(study, kind) or {"agents": ()})["agents"]]):
                    spec.build()
            except InputError as error:
                problems.append(f"[{kind}]: {error}")
    if not study.claims:
        problems.append("there are no [[claims]]: nothing will be said to stand or to fall")
    claims = []
    for claim in study.claims:
        found = [source_of(study, quantity) for quantity in claim.quantities]
        taken = [each if isinstance(each, str) else each.name for each in found]
        claims.append({"text": claim.text, "check": claim.check, "of": list(dict.fromkeys(taken))})
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
    amend: bool = False,
    width: float | None = None,
    workers: int | None = None,
    command: str = "",
    progress: Progress = False,
    say: Warn = lambda _: None,
    warn: Warn = warn_caller,
) -> Played:
    """Play what is missing of a study into a folder, and say what its claims come to; `arena study play`.

    out: the folder, by default one beside the file and named after it. budget: seconds, after which it stops; the same
    call goes on. amend: go on with a file that was changed since it was first played; both are kept. width: of figures,
    in inches. workers: processes, by default one a core. The rows are those of `arena.measure.study.claims.Verdict`.
    Raises InputError.
    """
    from arena.measure.study.claims import Verdict as Row
    from arena.measure.study.file import read
    from arena.report.study import write as publish
    from arena.store.connection import Lock

    study = read(Path(file))
    folder = Path(out) if out is not None else Path(file).with_suffix("")
    ends = None if budget is None else time.monotonic() + budget
    with Lock(folder / "study"):
        session = _Session(study, folder, workers, command, ends, progress, say, warn)
        session.sign(amend=amend)
        if not session.play():
            return Played([], Row, folder=folder, complete=False)
        rows = _judged(study, folder)
        _write(folder / "environment.json", _environment(session.state))
        _write(folder / "digests.json", _digests(study))
        publish(study, folder, session.state, rows, width)
        return Played(rows, Row, folder=folder)


def _judged(study: Study, folder: Path) -> list[Verdict]:
    """Write what the claims of a study come to, and return it."""
    from arena.measure.study.claims import verdicts
    from arena.measure.study.measured import known

    rows = verdicts(study.claims, known(study, folder))
    _write(folder / "verdicts.json", plain(rows))
    return rows


@dataclass(frozen=True, slots=True)
class _Part:
    """A run, or a measurement, with the file that it makes."""

    name: str
    path: Path
    settings: str
    """A digest of all that decides its numbers; a part whose settings were amended is made again."""
    make: Callable[[Path], bool]
    """Makes the file or continues it, and returns whether it is whole."""


@dataclass(slots=True)
class _Session:
    """One call that plays a study into its folder."""

    study: Study
    folder: Path
    workers: int | None
    command: str
    ends: float | None
    """When the budget is spent, by the monotonic clock."""
    progress: Progress
    say: Warn
    warn: Warn
    state: dict[str, Any] = field(default_factory=dict)

    def sign(self, *, amend: bool) -> None:
        """Store what is declared or, of a folder that was begun, compare. Raises InputError where it was changed."""
        from arena.store.machine import machine, now, versions

        file, study = self.folder / STATE, self.study
        if file.exists():
            self.state = state_of(self.folder)
            if self.state["digest"] != study.digest:
                self._amend(amend=amend)
        else:
            held = sorted(each.name for each in self.folder.iterdir())
            if strange := [name for name in held if name not in (SIGNED, "study-lock")]:
                raise InputError(f"{self.folder} holds {strange[0]} and no study; name another folder with --out")
            write(self.folder / SIGNED, study.text)
            begun = {"title": study.title, "begun": now(), "digest": study.digest}
            self.state = {**begun, "amendments": [], "parts": {}, "done": [], "sessions": []}
        self.state["file"] = Path(os.path.relpath(study.path.absolute(), self.folder.absolute())).as_posix()
        if set(self.state["done"]) != {part.name for part in self.parts()}:
            session = {"begun": now(), "command": self.command or None, "versions": versions(), "machine": machine()}
            self.state["sessions"].append(session)
        _write(file, self.state)

    def _amend(self, *, amend: bool) -> None:
        """Go on with a changed file: keep the former one, and the parts that it decided otherwise."""
        from arena.store.machine import now

        signed, state = self.folder / SIGNED, self.state
        if not amend:
            raise InputError(
                f"{self.study.path} was changed since it was first played, {state['begun'][:10]}: --amend goes on "
                f"with it, keeps both and says so in the report; {signed} is what was played"
            )
        kept = self.folder / "amended" / str(len(state["amendments"]) + 1)
        kept.mkdir(parents=True, exist_ok=True)
        if not (kept / SIGNED).exists():
            signed.rename(kept / SIGNED)
        settings = {part.name: part.settings for part in self.parts()}
        again = [name for name, digest in state["parts"].items() if settings.get(name) != digest]
        for path in (path for name in again for path in self.folder.glob(f"[rm]*/{name}.*")):
            path.rename(kept / path.name)
        write(signed, self.study.text)
        state["amendments"].append({"when": now(), "digest": state["digest"], "again": again})
        state["digest"] = self.study.digest
        state["parts"] = {name: digest for name, digest in state["parts"].items() if name not in again}
        state["done"] = [name for name in state["done"] if name not in again]

    def parts(self) -> list[_Part]:
        """Return all that the study is made of."""
        from arena.analysis.comparison import without_depth
        from arena.measure.study.file import slug

        study, found = self.study, list[_Part]()
        for planned in study.runs:
            specs = {name: study.agents[name].spec for name in planned.agents if name in study.agents}
            settings = _digest([planned.plan, specs, planned.times, planned.why, planned.audit, study.isolation])
            make = functools.partial(self._run, planned)
            found.append(_Part(planned.name, self.folder / "runs" / f"{planned.name}.sqlite", settings, make))
        for kind, job in (("depths", measures.depths), ("grade", truth.grade)):
            table = dict(getattr(study, kind) or {"agents": []})
            agents = table.pop("agents")
            for names in [agents] * bool(agents) if kind == "grade" else [[name] for name in agents]:
                entries = [study.agents[name] for name in names]
                name = kind
                if kind == "depths":  # a table for each agent, which sets its depth
                    entries = [replace(each, name=without_depth(each.name), spec=without_depth(each.spec))
                               for each in entries]  # fmt: skip
                    name = f"depths-{slug(entries[0].name)}"
                settings = _digest([table, [entry.spec for entry in entries], study.isolation])
                make = functools.partial(self._measure, job, entries, table)
                found.append(_Part(name, self.folder / "measured" / f"{name}.json", settings, make))
        return found

    def play(self) -> bool:
        """Make what is missing, and return whether nothing is left."""
        parts = self.parts()
        for number, part in enumerate(parts, start=1):
            if part.name in self.state["done"] and part.path.exists():
                continue
            self.say(f"{number} of {len(parts)}: {part.name}")
            part.path.parent.mkdir(exist_ok=True)
            self.state["parts"][part.name] = part.settings
            _write(self.folder / STATE, self.state)
            if (self.ends is not None and time.monotonic() >= self.ends) or not part.make(part.path):
                return False
            self.state["done"].append(part.name)
            _write(self.folder / STATE, self.state)
        return True

    def _run(self, planned: Planned, path: Path) -> bool:
        if path.exists():
            run = tournaments.resumed(path, workers=self.workers, command=self.command, warn=self.warn, say=self.say)
        else:
            run = _begin(self.study, planned, path, self.workers, self.command, self.warn)
        seconds = None if self.ends is None else max(0.01, self.ends - time.monotonic())
        done = tournaments.play(
            run, self.workers, times=planned.times, why=planned.why, seconds=seconds, progress=self.progress,
            warn=self.warn,
        )  # fmt: skip
        if done and planned.audit:
            truth.audit(path, workers=self.workers, progress=self.progress)
        return done

    def _measure(
        self, job: Callable[..., Measured[Any]], entries: Sequence[Entry], keywords: Mapping[str, Any], path: Path
    ) -> bool:
        found = job(entries, **keywords, isolation=self.study.isolation, progress=self.progress, warn=self.warn)
        if found.interrupted:
            raise KeyboardInterrupt
        _write(path, {"rows": plain(found.rows), "meta": found.meta})
        return True


# Verify.


@dataclass(frozen=True, slots=True)
class Verified(Measured[Any]):
    """The differences as `rows`, none where the folder holds what comes out again."""

    times: tuple[Timing, ...] = ()
    games: int = 0
    """That were played again."""
    remarks: tuple[str, ...] = ()
    """Lines on what could not be held against the folder, and on what differs without being a result."""


def verify(
    folder: str | Path,
    *,
    sample: int | None = None,
    seed: int = 1,
    workers: int | None = None,
    command: str = "",
    progress: Progress = False,
    say: Warn = lambda _: None,
    warn: Warn = warn_caller,
) -> Verified:
    """Play a study's folder again on this machine, and return what differs; `arena study verify`.

    sample: only so many games, drawn by the seed; depth tables and grades are then taken as stored. Every game, move,
    node count, table and verdict must be the same; times are compared apart. Of games by the clock, which no machine
    plays twice alike, each is held against the rules, and searches of one depth in one position against each other. The
    rows are those of `arena.measure.study.verify.Difference`, the times those of `Timing`. Raises InputError.
    """
    from arena.analysis.frames import Frames
    from arena.measure.study import verify as compare
    from arena.measure.study.file import read
    from arena.report.study import tables
    from arena.store.run_file import Store, refuse_impossible

    place = Path(folder)
    state = state_of(place)
    whole("sample", sample or 1, 1)
    base = (place / state["file"]).parent
    study = read(place / SIGNED, base if base.is_dir() else place)
    if missing := [run.name for run in study.runs if run.name not in state["done"]]:
        raise InputError(f"{place} is not played to its end: {missing[0]} is missing; arena study play goes on")
    old, new = json.loads((place / "digests.json").read_text(encoding="utf-8")), _digests(study)
    rows = compare.code_differences({**old, "study": state["digest"]}, new)
    remarks = [CODE] if old["built-in"] != new["built-in"] else []
    games, clocked = 0, set[str]()
    times: list[Timing] = []
    files = {run.name: place / "runs" / f"{run.name}.sqlite" for run in study.runs}
    stored = {name: Frames.read(path, whole=True) for name, path in files.items()}
    drawn = {} if sample is None else _drawn(stored, sample, seed)
    with tempfile.TemporaryDirectory(prefix="arena-") as temporary:
        again = Path(temporary) / "study"
        again.mkdir()
        if sample is not None:
            for name in ("runs", "measured"):
                (again / name).symlink_to((place / name).absolute())
        else:
            session = _Session(study, again, workers, command, None, progress, say, warn)
            session.sign(amend=False)
            session.play()
        list(tables(study, again, _judged(study, again)))
        for planned in study.runs:
            name, keys = planned.name, drawn.get(planned.name)
            with Store.read(files[name]) as store:
                refuse_impossible(store)
            path = again / "runs" / files[name].name
            if keys is not None:
                path = Path(temporary) / path.name
                _replay(study, planned, path, keys, workers, warn)
            found = Frames.read(path, whole=True)
            rows += compare.run_differences(name, stored[name], found, keys)
            times += compare.timings(name, stored[name], found)
            games += len(found.games)
            if by_clock := compare.clocked_agents(stored[name]):
                clocked.add(name)
                remarks.append(compare.clocked_remark(name, stored[name], found, by_clock))
        apart = {claim.number for claim in study.claims if compare.is_timed(study, claim, clocked)}
        rows += compare.file_differences(place, again, list(files), clocked, apart)
    if apart:
        remarks.append(f"claims {', '.join(map(str, sorted(apart)))} rest on times: their verdicts were not compared")
    return Verified(rows, compare.Difference, times=tuple(times), games=games, remarks=tuple(remarks))


def _drawn(stored: Mapping[str, Frames], sample: int, seed: int) -> dict[str, list[str]]:
    """Return the keys of a sample of all games, by run; each run has one at least."""
    games = [(name, key) for name, frames in stored.items() for key in sorted(frames.games["key"])]
    chosen = random.Random(seed).sample(games, min(sample, len(games)))  # noqa: S311  a sample, not a secret
    firsts = {name: next(key for run, key in games if run == name) for name in stored}
    return {name: [key for run, key in chosen if run == name] or [firsts[name]] for name in stored}


def _replay(study: Study, planned: Planned, path: Path, keys: Sequence[str], workers: int | None, warn: Warn) -> None:
    """Play some games of a run into a file of their own."""
    from arena.records import Job

    run = _begin(study, planned, path, workers, "", warn)
    jobs = [job for job in map(Job.parse, keys) if job is not None]
    executor = run.executor(run.processes(workers))
    try:
        run.store.reserve(jobs)
        with run.store, executor.open(run.setting):
            for record in executor.play(jobs):
                run.store.add(record)
    finally:
        run.workers.close()


def state_of(folder: Path) -> dict[str, Any]:
    """Return what a folder says of its study. Raises InputError where it holds none."""
    try:
        found: dict[str, Any] = json.loads((folder / STATE).read_text(encoding="utf-8"))
        return found | {"digest": found["digest"]}
    except (OSError, ValueError, TypeError, KeyError):
        raise InputError(f"{folder} is no folder of a study: it has no {STATE} of arena study play") from None


def _begin(study: Study, planned: Planned, path: Path, workers: int | None, command: str, warn: Warn) -> Run:
    """Begin a run of a study. Raises InputError that names the games."""
    refuse_unknown("run(isolation=…)", study.isolation, Apart.__annotations__)
    shared: dict[str, Any] = {"out": path, "isolation": study.isolation, "workers": workers, "command": command}
    plan = dict(planned.plan)
    try:
        if "heuristics" in plan:
            return tournaments.begin_comparison(plan.pop("heuristics"), **plan, **shared)
        return tournaments.begin([study.agents[name] for name in planned.agents], plan, warn=warn, **shared)
    except InputError as error:
        raise InputError(f"[games] {planned.part}: {str(error).replace('--', '')}") from error


def _environment(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return on what and with what a study was played: of the last session, and a row for each."""
    from importlib.metadata import distributions

    last = {key: state["sessions"][-1][key] for key in ("versions", "machine")}
    packages = dict(sorted((each.name, each.version) for each in distributions()))
    return {**last, "packages": packages, "sessions": state["sessions"]}


def _digests(study: Study) -> dict[str, Any]:
    """Return the digests of the study, of the code of built-in agents, and of every agent with its files."""
    import agents
    from agents.specs.registry import parse
    from arena.play.isolation import anchored
    from arena.store.sources import digest, files_of_spec

    found = {}
    for name, entry in study.agents.items():
        spec = anchored(parse(entry.spec, entry.folder), entry.folder)
        paths = {
            Path(os.path.relpath(path, entry.folder if entry.own else study.path.parent)).as_posix(): path
            for path in files_of_spec(spec, entry.folder)
        }
        hashes = {path: hashlib.sha256(paths[path].read_bytes()).hexdigest() for path in sorted(paths)}
        found[name] = {"spec": entry.spec, "digest": digest(spec), "files": hashes}
    own = Path(str(agents.__path__[0]))
    code = hashlib.sha256()
    for path in sorted(own.rglob("*.py")):
        code.update(f"{path.relative_to(own).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return {"study": study.digest, "built-in": code.hexdigest(), "agents": found}


def _digest(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _write(path: Path, document: object) -> None:
    """Write a document, whole or not at all."""
    write(path, f"{json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)}\n")
