"""Assignments: a hand-in or a class's folder is checked, graded, played, audited, marked, and written as pages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent import Limits
from agents.board import Rules
from agents.errors import InputError
from arena.api.progress import Measured, Progress, Warn, Watch, bar, cores, warn_caller
from arena.api.settings import Apart, whole

if TYPE_CHECKING:
    from arena.measure.grading import Grading
    from arena.measure.hand_in import Finding
    from arena.play.entrants import RemoteSpec
    from arena.play.entries import Entry

OPPONENTS = ("greedy", *(f"alphabeta:depth={depth},order=centre" for depth in (1, 2, 4)))
"""What a hand-in plays that is alone."""
EXERCISES = 200
"""Positions of perfect play that each hand-in moves in."""
PATIENCE = 10.0
"""Seconds to start, and for a move without a limit: one that never answers costs under a minute."""
SILENT = "It was not compared: the agent answered nothing in time, and was asked no more."
GAMES, MOST_ROUNDS = 2070, 20
"""About the games of a class, which give the openings of a pairing, and these at most."""


@dataclass(frozen=True, slots=True)
class Assigned(Measured[Any]):
    """The rows of the hand-ins, the best first, and where the pages are."""

    site: Path = Path()
    written: tuple[Path, ...] = ()
    """The first page, and the tables of a class."""


def assignment(
    hand_ins: str | Path,
    *,
    out: str | Path | None = None,
    marks: str | Path | None = None,
    depth: int = 4,
    rounds: int | None = None,
    seconds: float | None = None,
    margin: float = 0.1,
    seed: int = 1,
    public: bool = False,
    isolation: Apart | None = None,
    workers: int | None = None,
    command: str = "",
    progress: Progress = False,
    say: Warn = lambda _: None,
    warn: Warn = warn_caller,
) -> Assigned:
    """Check, grade, play, audit and mark hand-ins, and write a page for each; `arena assignment` from Python.

    hand_ins: a Python file, which plays built-in agents, or a folder or roster, whose agents play each other. out: the
    folder of the pages; the games, and what was measured, are kept beside it in out.sqlite and out.json, so that the
    same call goes on after Ctrl-C and takes late and changed hand-ins in. marks: a TOML file, as
    `arena.measure.marks` reads it. depth: plies to which searches are compared. rounds: openings a pairing. seconds,
    margin: for a move. public: no marks and look-alikes on the pages. isolation, workers, progress: as `arena.run`
    takes them, but the patience is 10 seconds. say: takes where it stands. Raises InputError, and KeyboardInterrupt,
    which loses nothing.
    """
    from arena.measure.alike import alike
    from arena.measure.marks import HandIn, Rule, read
    from arena.report.site import Course, Site

    whole("depth", depth, 1, 12)
    whole("seed", seed, 0)
    rule, rules, watch = Rule() if marks is None else read(Path(marks)), Rules(), Watch(seed)
    entries, broken = _entries(Path(hand_ins), warn)
    apart = {"patience": PATIENCE, **(isolation or {})}
    specs = _specs(entries, apart)
    site = Site.of(Path(out) if out is not None else Path(f"{Path(hand_ins).stem}-site"))
    asked = {"depth": depth, "seconds": seconds, "margin": margin, "seed": seed, "exercises": EXERCISES}
    limits = Limits(seconds=seconds)
    findings = _findings(site.state, entries, specs, asked, limits, margin, rules, workers, progress)
    able = [entry for entry in entries if findings[entry.name].checked["positions"]]
    several = len(entries) > 1
    run = None
    if len(able) > several:
        run = _games(
            site.run, able, {spec.text: spec for spec in specs},
            _plan(able, rounds, seconds, margin, seed, apart, alone=not several), rounds, workers, command,
            progress=progress, say=say, warn=warn,
        )  # fmt: skip
    codes = {name: found.code or found.digest for name, found in findings.items()}
    like = alike(codes, {name: found.answers for name, found in findings.items()}, rules)
    course = Course(str(hand_ins), findings, like, rule, run, broken, public)
    written = site.write(course)
    return Assigned(course.rows(), HandIn, watch.end()[0], site=site.folder, written=written)


def _entries(path: Path, warn: Warn) -> tuple[list[Entry], list[str]]:
    """Return the hand-ins of a folder, a roster or a file, and a line for each that cannot play. Raises InputError."""
    from arena.play.entries import holds_entries, invited, of_file

    if not holds_entries(str(path)):
        return [of_file(path)], []
    _, entries, broken, remarks = invited([str(path)])
    for line in remarks:
        warn(line)
    if not entries:
        raise InputError(broken[0])
    return [entry for entry in entries if entry is not None], list(broken)


def _specs(entries: Sequence[Entry], isolation: Mapping[str, Any]) -> list[RemoteSpec]:
    """Return what builds each hand-in in a process of its own. Raises InputError without a sandbox."""
    from agents.remote.sandbox import bubblewrap
    from arena.play.entrants import RemoteSpec
    from arena.play.isolation import Isolation

    if isolation.get("sandbox"):
        bubblewrap()
    lives = Isolation(everyone=True, folder=str(Path.cwd()), entries=tuple(entries), **isolation)
    found = []
    for place, entry in enumerate(entries):
        spec = lives.spec(place, entry.name)
        source = lives.source(place, spec)
        assert source is not None
        found.append(RemoteSpec(entry.name, spec.kind, spec.parameters, source, lives.process_limits(0.1)))
    return found


def _findings(
    state: Path, entries: Sequence[Entry], specs: Sequence[RemoteSpec], asked: Mapping[str, Any], limits: Limits,
    margin: float, rules: Rules, workers: int | None, progress: Progress,
) -> dict[str, Finding]:  # fmt: skip
    """Measure the hand-ins that have changed since the file `state` was written, and write what is known after each."""
    from arena.measure.check import POSITIONS
    from arena.measure.hand_in import Finding, find, identity
    from arena.store.writing import replacing

    known: dict[str, Finding] = {}
    if state.is_file():
        try:
            document = json.loads(state.read_text(encoding="utf-8"))
            before, known = document["asked"], {each["name"]: Finding(**each) for each in document["findings"]}
        except (ValueError, TypeError, KeyError):
            raise InputError(f"{state} is no file of arena assignment: move it away, or name another --out") from None
        for name in (name for name in asked if before.get(name) != asked[name]):
            was = f"{name} {before.get(name)}, not {asked[name]}"
            raise InputError(f"{state} was measured with {was}: name another --out")
    found: dict[str, Finding] = {}
    grading: Grading | None = None
    with bar(progress, "position", len(specs) * (POSITIONS + EXERCISES)) as shown:
        for number, (entry, spec) in enumerate(zip(entries, specs, strict=True), start=1):
            shown.set_postfix_str(spec.text)
            own = known.get(spec.text)
            if own is None or own.digest != identity(spec):
                shown.set_postfix_str(spec.text if grading else "solving exercises")
                grading = grading or _grading(asked["seed"], rules, workers)
                own = find(spec, entry.author, limits, margin, grading, rules, asked["depth"], shown.update)
                own.heuristic = SILENT if own.silent else _compared(spec, asked["seed"], workers)
                known[spec.text] = own
                with replacing(state) as beside:
                    rows = [asdict(each) for each in known.values()]
                    beside.write_text(json.dumps({"asked": dict(asked), "findings": rows}), encoding="utf-8")
            found[spec.text] = own
            shown.update(number * (POSITIONS + EXERCISES) - shown.n)
    return found


def _grading(seed: int, rules: Rules, workers: int | None) -> Grading:
    """Return the exercises, solved, and the ladder of alphabeta."""
    from arena.measure.exercises import questions
    from arena.measure.grading import Grading as Exercises
    from arena.measure.marks import DEEPEST

    boards, known = questions(EXERCISES, seed, None, rules)
    return Exercises.of(boards, known, seed, cores(workers), rungs=range(1, DEEPEST + 1))


def _compared(spec: RemoteSpec, seed: int, workers: int | None) -> str | None:
    """Return in a sentence how a file's heuristic compares with the given ones; None where it has none."""
    import tempfile

    from arena.analysis.comparison import comparison
    from arena.analysis.frames import Frames
    from arena.api import tournaments
    from arena.measure.hand_in import comparison_plan
    from arena.play.run import Run

    try:
        plan = comparison_plan(spec, seed)
        if plan is None:
            return None
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            run = Run.begin(plan, Path(folder) / "compared.sqlite", jobs=workers)
            tournaments.play(run, workers, warn=lambda _: None)
            frames = Frames.read(run.store.path)
        said = comparison(frames).answer
    except InputError as error:
        said = str(error)
    return said.replace(f"{spec.origin.folder}/", "")


def _plan(
    able: Sequence[Entry],
    rounds: int | None,
    seconds: float | None,
    margin: float,
    seed: int,
    isolation: Mapping[str, Any],
    *,
    alone: bool,
) -> Any:  # noqa: ANN401  a Plan
    """Return the tournament: all against all, or one against built-in agents."""
    from arena.play.isolation import Isolation
    from arena.play.plan import Plan

    pairings = len(able) * (len(able) - 1) // 2
    names = tuple(entry.name for entry in able)
    several = 10 if alone else min(MOST_ROUNDS, max(1, GAMES // 2 // pairings))
    others = OPPONENTS if alone else ()
    lives = Isolation(folder=str(Path.cwd()), entries=(*able, *(None for _ in others)), **isolation)
    return Plan(
        (*names, *others), rounds=rounds or several, seed=seed, format="gauntlet" if alone else "round-robin",
        seconds=seconds, margin=margin, isolation=lives,
    )  # fmt: skip


def _games(
    path: Path, able: Sequence[Entry], specs: Mapping[str, RemoteSpec], plan: Any,  # noqa: ANN401
    rounds: int | None, workers: int | None, command: str, *, progress: Progress, say: Warn, warn: Warn,
) -> Path:  # fmt: skip
    """Play what is missing of the games, with late and changed hand-ins, audit them, and return their file."""
    from arena.api import tournaments, truth
    from arena.measure.hand_in import identity
    from arena.play.extend import Growth
    from arena.play.run import Run
    from arena.store import queries
    from arena.store.run_file import Store

    if path.exists():
        with Store.read(path) as store:
            digests = dict(zip(store.names(), (each for _, _, each in queries.described(store)), strict=True))
            dropped = set(store.plan().get("dropped", ()))
        late = [entry for entry in able if entry.name not in digests]
        changed = [name for name, spec in specs.items() if digests.get(name) not in {None, identity(spec)}]
        back = [name for name in specs if name in dropped and name not in changed]
        gone = [name for name in digests if name not in {*specs, *dropped, *plan.agents}]
        joining = tuple(entry.name for entry in late)
        growth = Growth(joining, tuple(late), rounds, (*changed, *back), tuple(gone), command=command)
        run = Run.resume(path, growth)
        for word, names in (("joined", joining), ("plays again, changed", changed), ("left, no longer there", gone)):
            if names:
                say(f"{word}: {', '.join(names)}")
    else:
        run = Run.begin(plan, path, command, jobs=workers)
    tournaments.play(run, workers, audit=True, progress=progress, say=say, warn=warn)
    truth.audit(path, workers=workers, progress=progress)
    return path
