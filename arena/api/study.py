"""Studies: an experiment that one file declares, played into a folder, and played again to verify it.

`arena.study` has these functions for Python users.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
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
from arena.api.settings import Apart, refuse_unknown
from arena.rows import plain

if TYPE_CHECKING:
    from arena.measure.study.file import Planned, Study
    from arena.play.entries import Entry
    from arena.play.run import Run

STATE, SIGNED = "study.json", "study.toml"
"""The files of a folder that say how far a study is, and what was declared."""


def new(path: str | Path = "study.toml") -> Path:
    """Write a commented study to a new file, and return its path; `arena study new`. Raises InputError."""
    file = Path(path)
    if file.exists():
        raise InputError(f"{file} exists; name another file")
    from arena.store.writing import replacing

    with replacing(file) as beside:
        beside.write_text(files("arena.measure.study").joinpath("template.toml").read_text("utf-8"), encoding="utf-8")
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
    workers: int | None = None,
    command: str = "",
    progress: Progress = False,
    say: Warn = lambda _: None,
    warn: Warn = warn_caller,
) -> Played:
    """Play what is missing of a study into a folder, and say what its claims come to; `arena study play`.

    out: the folder, by default one beside the file and named after it. budget: seconds, after which it stops; the same
    call goes on. amend: go on with a file that was changed since it was first played; both are kept. workers:
    processes, by default one a core. The rows are those of `arena.measure.study.claims.Verdict`. Raises InputError.
    """
    from arena.measure.study.claims import Verdict, verdicts
    from arena.measure.study.file import read
    from arena.measure.study.measured import known
    from arena.store.connection import Lock

    study = read(Path(file))
    folder = Path(out) if out is not None else Path(file).with_suffix("")
    ends = None if budget is None else time.monotonic() + budget
    with Lock(folder / "study"):
        session = _Session(study, folder, workers, command, ends, progress, say, warn)
        session.sign(amend=amend)
        if not session.play():
            return Played([], Verdict, folder=folder, complete=False)
        rows = verdicts(study.claims, known(study, folder))
        _write(folder / "verdicts.json", plain(rows))
        return Played(rows, Verdict, folder=folder)


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
            if strange := sorted(
                each.name for each in self.folder.iterdir() if each.name not in (SIGNED, "study-lock")
            ):
                raise InputError(f"{self.folder} holds {strange[0]} and no study; name another folder with --out")
            (self.folder / SIGNED).write_text(study.text, encoding="utf-8")
            begun = {"title": study.title, "begun": now(), "digest": study.digest}
            self.state = {**begun, "amendments": [], "parts": {}, "done": [], "sessions": []}
        self.state["file"] = Path(os.path.relpath(study.path.absolute(), self.folder.absolute())).as_posix()
        if set(self.state["done"]) != {part.name for part in self.parts()}:
            session = {"begun": now(), "command": self.command or None, "versions": versions(), "machine": machine()}
            self.state["sessions"].append(session)
        self.save()

    def _amend(self, *, amend: bool) -> None:
        """Go on with a changed file: keep the former one, and the parts that it decided otherwise."""
        from arena.store.machine import now

        if not amend:
            raise InputError(
                f"{self.study.path} was changed since it was first played, {self.state['begun'][:10]}: --amend goes on "
                f"with it, keeps both and says so in the report; {self.folder / SIGNED} is what was played"
            )
        kept = self.folder / "amended" / str(len(self.state["amendments"]) + 1)
        kept.mkdir(parents=True, exist_ok=True)
        if not (kept / SIGNED).exists():
            (self.folder / SIGNED).rename(kept / SIGNED)
        settings = {part.name: part.settings for part in self.parts()}
        again = [name for name, digest in self.state["parts"].items() if settings.get(name) != digest]
        for name in again:
            for path in self.folder.glob(f"[rm]*/{name}.*"):
                path.rename(kept / path.name)
        (self.folder / SIGNED).write_text(self.study.text, encoding="utf-8")
        self.state["amendments"].append({"when": now(), "digest": self.state["digest"], "again": again})
        self.state["digest"] = self.study.digest
        for name in again:
            del self.state["parts"][name]
        self.state["done"] = [name for name in self.state["done"] if name not in again]

    def save(self) -> None:
        """Store how far the study is."""
        _write(self.folder / STATE, self.state)

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
            for names in ([name] for name in agents) if kind == "depths" else [agents] * bool(agents):
                entries = [_deepless(study.agents[name]) if kind == "depths" else study.agents[name] for name in names]
                name = kind if kind == "grade" else f"depths-{slug(without_depth(names[0]))}"
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
            self.save()
            if (self.ends is not None and time.monotonic() >= self.ends) or not part.make(part.path):
                return False
            self.state["done"].append(part.name)
            self.save()
        return True

    def _run(self, planned: Planned, path: Path) -> bool:
        if path.exists():
            run = tournaments.resumed(path, workers=self.workers, command=self.command, warn=self.warn, say=self.say)
        else:
            run = _begin(self.study, planned, path, self.workers, self.command, self.warn)
        seconds = None if self.ends is None else max(0.01, self.ends - time.monotonic())
        whole = tournaments.play(
            run, self.workers, times=planned.times, why=planned.why, seconds=seconds, progress=self.progress,
            warn=self.warn,
        )  # fmt: skip
        if whole and planned.audit:
            truth.audit(path, workers=self.workers, progress=self.progress)
        return whole

    def _measure(
        self, job: Callable[..., Measured[Any]], entries: Sequence[Entry], keywords: Mapping[str, Any], path: Path
    ) -> bool:
        found = job(entries, **keywords, isolation=self.study.isolation, progress=self.progress, warn=self.warn)
        if found.interrupted:
            raise KeyboardInterrupt
        _write(path, {"rows": plain(found.rows), "meta": found.meta})
        return True


def state_of(folder: Path) -> dict[str, Any]:
    """Return what a folder says of its study. Raises InputError where it holds none."""
    try:
        found = json.loads((folder / STATE).read_text(encoding="utf-8"))
        return {**found, "digest": found["digest"]}
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


def _deepless(entry: Entry) -> Entry:
    """Return an agent without its depth, which a depth table sets."""
    from arena.analysis.comparison import without_depth

    return replace(entry, name=without_depth(entry.name), spec=without_depth(entry.spec))


def _digest(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def _write(path: Path, document: object) -> None:
    """Write a document, whole or not at all."""
    from arena.store.writing import replacing

    with replacing(path) as beside:
        beside.write_text(f"{json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)}\n", encoding="utf-8")
