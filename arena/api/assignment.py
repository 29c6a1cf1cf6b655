"""Assignments: a hand-in or a class's folder is checked, graded, played, audited, marked, and written as pages."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.analysis.comparison import comparison
from arena.analysis.frames import Frames
from arena.api import tournaments, truth
from arena.api.progress import Measured, Progress, Warn, Watch, bar, cores, warn_caller
from arena.api.settings import Apart, whole
from arena.measure import hand_in
from arena.measure.check import POSITIONS
from arena.measure.exercises import questions
from arena.measure.grading import Grading
from arena.measure.hand_in import Finding, identity
from arena.measure.marks import DEEPEST, HandIn, Rule, read_rule
from arena.play.entrants import RemoteSpec, specs_of
from arena.play.entries import Entry, Unfit, holds_entries, invited, of_file
from arena.play.extend import Growth
from arena.play.isolation import Isolation
from arena.play.plan import Plan
from arena.play.run import Run
from arena.report.site import Course, Site
from arena.store import queries
from arena.store.run_file import Store
from arena.store.writing import write

OPPONENTS = ("greedy", *(f"alphabeta:depth={depth},order=centre" for depth in (1, 2, 4)))
"""What a hand-in plays that is alone."""
EXERCISES = 200
"""Positions of perfect play that each hand-in moves in."""
PATIENCE = 10.0
"""Seconds to start, and for a move without a limit: one that never answers costs under a minute."""
GAMES, MOST_ROUNDS = 2070, 20
"""About the games of a class, which give the openings of a pairing, and these at most."""


@dataclass(frozen=True, slots=True)
class Assigned(Measured[Any]):
    """The rows of the hand-ins, the best first, and where the pages are."""

    site: Path = Path()
    written: tuple[Path, ...] = ()
    """The first page, and the table of a class."""


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

    hand_ins: a Python file, which plays built-in agents, or a folder or roster of agents that play each other. out: the
    folder of the pages; the games, and what was measured, are kept beside it in out.sqlite and out.json, so that the
    same call goes on after Ctrl-C and takes late and changed hand-ins in. marks: a TOML file, as `arena.measure.marks`
    reads it. depth: plies to which searches are compared. rounds: openings a pairing. seconds, margin: for a move.
    seed: of exercises and games. command: the command line, to be stored. public: no marks on the pages. isolation,
    workers, progress: as `arena.run` takes them, but the patience is 10 seconds. say: takes where it stands. Raises
    InputError, and KeyboardInterrupt, which loses nothing.
    """
    whole("depth", depth, 1, 12)
    whole("seed", seed, 0)
    rule, watch = Rule() if marks is None else read_rule(Path(marks)), Watch(seed)
    entries, broken = _entries(Path(hand_ins), warn)
    apart = {"patience": PATIENCE, **(isolation or {})}
    made = specs_of([(entry.name, entry, None) for entry in entries], {"everyone": True, **apart})
    specs = [each for each in made if isinstance(each, RemoteSpec)]
    site = Site.of(Path(out) if out is not None else Path(f"{Path(hand_ins).stem}-site"))
    asked = {"depth": depth, "seconds": seconds, "margin": margin, "seed": seed, "exercises": EXERCISES}
    findings = _findings(site.state, entries, specs, asked, workers, progress)
    able, several, run = [each for each in entries if findings[each.name].checked["positions"]], len(entries) > 1, None
    if len(able) > several:
        plan = _plan(able, () if several else OPPONENTS, rounds, asked, apart)
        run = _resumed(site.run, able, specs, plan, rounds, command, say) if site.run.exists() else (
            Run.begin(plan, site.run, command, jobs=workers)
        )  # fmt: skip
        tournaments.play(run, workers, audit=True, progress=progress, say=say, warn=warn)
        truth.audit(site.run, workers=workers, progress=progress)
    course = Course(str(hand_ins), findings, rule, None if run is None else site.run, broken, public)
    written = site.write(course)
    return Assigned(course.rows(), HandIn, watch.end()[0], site=site.folder, written=written)


def _entries(path: Path, warn: Warn) -> tuple[list[Entry], list[Unfit]]:
    """Return the hand-ins of a folder, a roster or a file, and a line for each that cannot play. Raises InputError."""
    if not holds_entries(str(path)):
        return [of_file(path)], []
    _, entries, broken, remarks = invited([str(path)])
    for line in remarks:
        warn(line)
    if not entries:
        raise InputError(broken[0])
    return [entry for entry in entries if entry is not None], list(broken)


def _findings(
    state: Path, entries: Sequence[Entry], specs: Sequence[RemoteSpec], asked: dict[str, Any], workers: int | None,
    progress: Progress,
) -> dict[str, Finding]:  # fmt: skip
    """Measure the hand-ins that have changed since the file `state` was written, and write what is known after each."""
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
                if grading is None:
                    shown.set_postfix_str("solving exercises")
                    boards, solved = questions(EXERCISES, asked["seed"])
                    rungs = range(1, DEEPEST + 1)
                    grading = Grading.of(boards, solved, asked["seed"], cores(workers), rungs=rungs)
                own = hand_in.find(spec, entry.author, asked, grading, shown.update)
                own.heuristic = None if own.silent else _compared(spec, asked["seed"], workers)
                known[spec.text] = own
                rows = [asdict(each) for each in known.values()]
                write(state, json.dumps({"asked": asked, "findings": rows}))
            found[spec.text] = own
            shown.update(number * (POSITIONS + EXERCISES) - shown.n)
    return found


def _compared(spec: RemoteSpec, seed: int, workers: int | None) -> str | None:
    """Return in a sentence how a file's heuristic compares with the given ones; None where it has none."""
    try:
        plan = hand_in.comparison_plan(spec, seed)
        if plan is None:
            return None
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            run = Run.begin(plan, Path(folder) / "compared.sqlite", jobs=workers)
            with run.store:
                run.play(run.executor(run.processes(workers)))
            frames = Frames.read(run.store.path)
        said = comparison(frames).answer
    except InputError as error:
        said = str(error)
    return said.replace(f"{spec.origin.folder}/", "")


def _plan(
    able: Sequence[Entry], others: Sequence[str], rounds: int | None, asked: Mapping[str, Any],
    isolation: Mapping[str, Any],
) -> Plan:  # fmt: skip
    """Return the tournament: all against all, or one against the others."""
    several = 10 if others else min(MOST_ROUNDS, max(1, GAMES // (len(able) * (len(able) - 1))))
    lives = Isolation(folder=str(Path.cwd()), entries=(*able, *(None for _ in others)), **isolation)
    return Plan(
        (*(entry.name for entry in able), *others), rounds=rounds or several, seed=asked["seed"],
        format="gauntlet" if others else "round-robin", seconds=asked["seconds"], margin=asked["margin"],
        isolation=lives,
    )  # fmt: skip


def _resumed(
    path: Path, able: Sequence[Entry], specs: Sequence[RemoteSpec], plan: Plan, rounds: int | None, command: str,
    say: Warn,
) -> Run:  # fmt: skip
    """Return the stored run with late and changed hand-ins. Raises InputError if a hand-in is gone."""
    with Store.read(path) as store:
        digests = dict(zip(store.names(), (each for _, _, each in queries.described(store)), strict=True))
        dropped = store.plan().get("dropped", ())  # by version 0.2.0
    known = {*(spec.text for spec in specs), *plan.agents}.difference(dropped)
    if gone := [name for name in digests if name not in known]:
        raise InputError(
            f"{path} has games of {', '.join(gone)}, gone since: put a hand-in back, or remove {path} to play all again"
        )
    late = tuple(entry for entry in able if entry.name not in digests)
    joining = tuple(entry.name for entry in late)
    changed = [spec.text for spec in specs if digests.get(spec.text) not in {None, identity(spec)}]
    run = Run.resume(path, Growth(joining, late, rounds, tuple(changed), command=command))
    for word, said in (("joined", joining), ("plays again, changed", changed)):
        if said:
            say(f"{word}: {', '.join(said)}")
    return run
