"""Assignments: a hand-in or a class's folder is checked, graded, played, audited, marked, and written as pages."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import InputError
from agents.specs.outline import inspect_source
from arena.games.check import POSITIONS
from arena.games.entrants import ProcessSpec, specs_of
from arena.games.entries import RULE, Entry, Unfit, holds_entries, invited, of_file, player
from arena.games.isolation import Isolation
from arena.games.plan import Plan
from arena.games.progress import Watch, bar, cores
from arena.games.run import Run
from arena.games.settings import Apart, whole
from arena.perfect import audit as truth
from arena.perfect.exercises import questions
from arena.perfect.grading import Grading
from arena.plugins.assignment import hand_in
from arena.plugins.assignment.hand_in import Finding
from arena.plugins.assignment.marks import DEEPEST, HandIn, Rule, read_rule
from arena.plugins.assignment.site import Course, Site
from arena.table.measured import Measured, Progress, Warn, warn_caller
from arena.tournament import tournaments

OPPONENTS = ("greedy", *(f"alphabeta:depth={depth},order=centre" for depth in (1, 2, 4)))
"""What each hand-in plays, beside the others of its class."""
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
    folder of the pages; the games are kept beside it in out.sqlite. The same call begins again, and replaces what the
    one before wrote. marks: a TOML file, as `arena.plugins.assignment.marks` reads it. depth: plies to which searches
    are
    compared. rounds: openings a pairing. seconds, margin: for a move. seed: of exercises and games. command: the
    command line, to be stored. public: no marks on the pages. isolation, workers, progress: as `arena.run` takes them,
    but the patience is 10 seconds. say: takes how agents are limited. Raises InputError.
    """
    whole("depth", depth, 1, 12)
    whole("seed", seed, 0)
    rule, watch = Rule() if marks is None else read_rule(Path(marks)), Watch(seed)
    entries, broken = _entries(Path(hand_ins), say, warn)
    apart = {"patience": PATIENCE, **(isolation or {})}
    parsed = specs_of([(entry.name, entry, None) for entry in entries], {"everyone": True, **apart})
    specs = [spec for spec in parsed if isinstance(spec, ProcessSpec)]
    site = Site.of(Path(out) if out is not None else Path(f"{Path(hand_ins).stem}-site"))
    asked = {"depth": depth, "seconds": seconds, "margin": margin, "seed": seed}
    findings = _findings(entries, specs, asked, workers, progress)
    able = [entry for entry in entries if findings[entry.name].checked.positions]
    played = None
    with tempfile.TemporaryDirectory(prefix=".arena-", dir=site.folder.parent) as temporary:
        if able:
            played = Path(temporary) / site.run.name
            plan = _plan(able, rounds, asked, apart, alone=len(entries) == 1)
            run = Run.begin(plan, played, command, jobs=workers)
            try:
                tournaments.play(run, workers, progress=progress, say=say, warn=warn)
            except InputError as error:  # these games are not kept
                raise InputError(str(error).partition("; what was played is kept")[0]) from error
            truth.audit(played, workers=workers, progress=progress)
            played = played.replace(site.run)
    course = Course(str(hand_ins), findings, rule, played, broken, public)
    written = site.write(course)
    return Assigned(course.rows(), HandIn, watch.end()[0], site=site.folder, written=written)


def _entries(path: Path, say: Warn, warn: Warn) -> tuple[list[Entry], list[Unfit]]:
    """Return the hand-ins of a folder, a roster or a file, and a line for each that cannot play. Raises InputError."""
    if not holds_entries(str(path)):
        entry, agents = of_file(path), inspect_source(path).agents
        if len(agents) > 1:
            say(f"of {', '.join(agents)} in {path.name} {player(path)} plays: {RULE}")
        return [entry], []
    _, entries, broken, remarks = invited([str(path)])
    for line in remarks:
        warn(line)
    if not entries:
        raise InputError(broken[0])
    return [entry for entry in entries if entry is not None], list(broken)


def _findings(
    entries: Sequence[Entry], specs: Sequence[ProcessSpec], asked: Mapping[str, Any], workers: int | None,
    progress: Progress,
) -> dict[str, Finding]:  # fmt: skip
    """Measure the hand-ins one after the other."""
    findings: dict[str, Finding] = {}
    with bar(progress, "position", len(specs) * (POSITIONS + EXERCISES)) as shown:
        shown.set_postfix_str("solving exercises")
        boards, solved = questions(EXERCISES, asked["seed"])
        rungs = range(1, DEEPEST + 1)
        grading = Grading.of(boards, solved, asked["seed"], cores(workers), rungs=rungs)
        for number, (entry, spec) in enumerate(zip(entries, specs, strict=True), start=1):
            shown.set_postfix_str(spec.text)
            findings[spec.text] = hand_in.find(spec, entry.author, asked, grading, shown.update)
            shown.update(number * (POSITIONS + EXERCISES) - shown.n)
    return findings


def _plan(
    able: Sequence[Entry], rounds: int | None, asked: Mapping[str, Any], isolation: Mapping[str, Any], *, alone: bool
) -> Plan:
    """Return the tournament: all against all and against ours, or the one that is alone against ours."""
    names = (*(entry.name for entry in able), *OPPONENTS)
    several = 10 if alone else min(MOST_ROUNDS, max(1, GAMES // (len(names) * (len(names) - 1))))
    lives = Isolation(folder=str(Path.cwd()), entries=(*able, *(None for _ in OPPONENTS)), **isolation)
    return Plan(
        names, rounds=rounds or several, seed=asked["seed"], format="gauntlet" if alone else "round-robin",
        seconds=asked["seconds"], margin=asked["margin"], isolation=lives,
    )  # fmt: skip
