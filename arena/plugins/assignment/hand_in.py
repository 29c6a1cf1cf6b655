"""What is measured of one hand-in beside its games: the check, its grade, and its searches beside minimax and ours."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from agents.agent import Agent, Limits, prepare
from agents.board import STANDARD, Board
from agents.errors import InputError
from agents.failure import Failure
from agents.process_agent import ProcessLimits, start
from agents.specs.outline import Outline, inspect_source, with_imports
from agents.specs.registry import parse
from agents.specs.sources import PYTHON
from arena.depth.agreement import Answers, answers, first_difference
from arena.depth.cost import Cost, depth_table
from arena.games.check import POSITIONS, Checked, check
from arena.games.endings import WrongEnding, endings, wrong_endings
from arena.games.entrants import ProcessSpec, attended
from arena.games.referee import Fault
from arena.games.searches import once, sample, takes_depth
from arena.perfect.grading import Candidate, Grade, Grading, chance
from arena.plugins.assignment import counted
from arena.plugins.assignment.borrowed import beyond_public, imports, twin
from arena.plugins.assignment.marks import REFERENCE, HandInNumbers, Pruning
from arena.records import MoveRecord, Termination

ALPHABETA = "class AlphaBeta with depth in its constructor that returns Analysis(column, score, depth=…, nodes=…)"
ALONE = "nothing was compared: it has no class Minimax and no function evaluate(own, opp)"
SILENT = "nothing was measured: it answered nothing in time, and was asked no more"
COMPARED = 20
"""Positions on which two searches are compared, at each depth."""


@dataclass(slots=True)
class Finding:
    """What was measured."""

    name: str
    author: str
    checked: Checked
    asked: int = 0
    """[positions] Of the check; fewer than all where it failed alike too often."""
    twin: str = ""
    """A built-in agent that answers as it does in all of them."""
    imports: list[str] = field(default_factory=list)
    """The modules of ours beyond the public names that it imports."""
    grade: Grade | None = None
    """None where it failed."""
    kept_by: list[float] = field(default_factory=list)
    """[share] Clear-cut good moves by chance and, as a grade has them of it, of alphabeta at each depth from 1."""
    costs: list[Cost] = field(default_factory=list)
    """Of its searches on the empty board."""
    positions: dict[int, int] = field(default_factory=dict)
    """Those that it made on our board in the search of each depth."""
    unmeasured: str = ""
    """Why the cost of its search could not be measured, for no fault of its own."""
    compared: int | None = None
    agree: int | None = None
    difference: str = ""
    """The first search that differs from minimax's, or from the result of a game that it reaches the end of."""
    searches: str = ""
    """What was compared with what, or what is missing."""

    @property
    def problems(self) -> int:
        """How many kinds of faults the check found."""
        return 0 if self.checked.ok else len(self.checked.problems)

    def numbers(self, games: int, faults: int, points: float = 0.0, met: int = 0) -> HandInNumbers:
        """Return what marks come from, with its games and those lost by a fault of its own.

        points, met: what it made in its games with our agents.
        """
        kept = None if self.grade is None or self.grade.clear_good is None else self.grade.clear_good.value
        return HandInNumbers(
            self.asked, self.checked.positions, games, faults, self.compared, self.agree, kept, tuple(self.kept_by),
            points, met, self.pruning(), self.unmeasured,
            self.searches if self.compared else self.difference or self.searches,
        )  # fmt: skip

    def pruning(self) -> Pruning | None:
        """Return how far its search prunes, at the greatest depth that it, minimax and ours reached."""
        ours = {name: {row.depth: row.branching for row in reference() if row.agent == name} for name in OURS}
        for row in sorted(self.costs, key=lambda row: -(row.depth or 0)):
            depth, reported = row.depth or 0, int(row.nodes or 0)
            counted = self.positions.get(depth, 0)
            plain, best = (ours[name].get(depth) for name in OURS)
            if depth > 1 and plain and best and (reported or counted):
                return Pruning(depth, reported, counted, plain, best)
        return None


OURS = ("minimax", REFERENCE)
DEPTHS = range(1, 7)
BUDGET = 2.0
"""Seconds that a search may be expected to take where it reports no nodes."""
NODES = 150_000
"""Those that a search may be expected to visit: plain minimax visits 137,257 to depth 6."""
IMPORTING = 20
"""Positions in which a hand-in is watched for what it imports."""


@functools.cache
def reference() -> list[Cost]:
    """Return what depths cost our own searches on the empty board."""
    return depth_table([parse(name) for name in OURS], DEPTHS, [Board(STANDARD)], BUDGET)


def find(
    spec: ProcessSpec, author: str, asked: Mapping[str, Any], grading: Grading, progress: Callable[[], object]
) -> Finding:
    """Measure a hand-in; what fails in it is in what is found.

    author: as its file names it. asked: the `seconds` and the `margin` of a move, and the greatest `depth` at which
    searches are compared. grading: the exercises, with a ladder. progress: called after each position of the check and
    each exercise.
    """
    file = Path(spec.origin.words[0])
    checked, limits = Checked(spec.text), Limits(seconds=asked["seconds"])
    finding = Finding(spec.text, author, checked, imports=imports(file))
    columns: list[int | None] = []
    check(checked, spec, limits, asked["margin"], STANDARD, POSITIONS, progress, columns.append)
    finding.asked = len(columns)
    if checked.positions:
        finding.twin = twin(columns, STANDARD) or ""
        _watch(finding, spec)
        rows = grading.grades([Candidate(spec, spec.text, None)], [spec.build()], progress, [])
        finding.grade = next(iter(rows), None)
        if finding.grade is not None and grading.ladder:
            clear = [place for place, exercise in enumerate(grading.exercises) if exercise.clear_cut]
            rungs = [fmean(rung[place] for place in clear) for rung in grading.ladder.good]
            finding.kept_by = [chance(grading.exercises).clear_good or 0.0, *rungs]
        _search(finding, spec, file, asked["depth"])
    else:
        silent = any(Termination.TIME in problem for problem in checked.problems)
        finding.searches = SILENT if silent else "nothing was measured: it answered no position"
    return finding


def _search(finding: Finding, spec: ProcessSpec, file: Path, depth: int) -> None:
    """Compare the searches of a file with minimax, and measure what depths cost them.

    An agent that is too slow to answer has no cost, and no marks to lose by it.
    """
    searches = _searches(spec, file)
    if "alphabeta" not in searches:
        finding.searches = f"nothing was measured: it has no {ALPHABETA}"
        return
    said: list[str] = []
    try:
        search, faults = watched(searches["alphabeta"]), list[InputError]()

        def answered(depth: int, record: MoveRecord) -> None:
            finding.positions[depth] = _told(record, finding)

        rows = depth_table(
            [search], DEPTHS, [Board(STANDARD)], BUDGET, warn=said.append, faults=faults, nodes=NODES, answered=answered
        )
        finding.costs = [row for row in rows if row.nodes is not None]
        said += [str(fault) for fault in faults]
        beside = f"{searches['alphabeta'].text} beside {searches['minimax'].text}" if "minimax" in searches else ALONE
        finding.searches = "; ".join([beside, *said])
        if finding.pruning() is None:
            finding.unmeasured = next((str(fault) for fault in faults if _is_late(fault)), "")
            if not faults and len(rows) > len(finding.costs) == 1:
                finding.unmeasured = f"depth 2 would take more than {BUDGET:g} s or {NODES:,} positions"
        if "minimax" in searches:
            _compare(finding, searches["minimax"], searches["alphabeta"], sample(COMPARED, 1, STANDARD), depth)
    except InputError as error:
        finding.difference = str(error)
        finding.searches = finding.searches or str(error)


def _is_late(error: InputError) -> bool:
    """Return whether an agent failed by time."""
    return isinstance(error.__cause__, Fault) and error.__cause__.termination == Termination.TIME


class WatchedSpec(ProcessSpec):
    """A hand-in whose answers say what boards it makes and what it imports, see `arena.plugins.assignment.counted`."""

    def build(self) -> Agent:
        """Return a new agent."""
        options = dict(self.origin.options)
        interpreter = {PYTHON: options.pop(PYTHON)} if PYTHON in options else {}
        parts = {**interpreter, "words": list(self.origin.words), "options": options}
        words = (str(Path(counted.__file__)), counted.Counted.__name__)
        files = (*self.origin.files, words[0]) if self.origin.files else ()
        origin = replace(self.origin, words=words, options=tuple(parts.items()), files=files)
        return start(origin, self.process_limits)


def watched(spec: ProcessSpec) -> ProcessSpec:
    """Return the agent of a Python file that is watched, any other as it is."""
    if spec.origin.protocol != "python" or len(spec.origin.words) != 2:
        return spec
    return WatchedSpec(spec.text, spec.kind, spec.parameters, spec.origin, spec.process_limits)


def _watch(finding: Finding, spec: ProcessSpec) -> None:
    """Add what a hand-in imports while it plays; its faults are told elsewhere."""
    agent = watched(spec).build()
    with suppress(InputError, Failure), attended([agent]):
        prepare(agent, STANDARD, spec.text)
        for board in sample(IMPORTING, 1, STANDARD):
            _told(once(agent, board, spec.text), finding)


def _told(record: MoveRecord, finding: Finding) -> int:
    """Return the boards that an answer of a watched hand-in took, and add its imports to what is found."""
    extra = json.loads(record.extra or "{}")
    finding.imports = beyond_public([*finding.imports, *map(str, extra.get("imports", ()))])
    return int(extra.get("positions", 0))


def _searches(spec: ProcessSpec, file: Path) -> dict[str, ProcessSpec]:
    """Return the searches of a hand-in by what they are: its classes, or our minimax with its heuristic.

    They see in a sandbox what the hand-in sees.
    """
    if file.suffix != ".py":
        return {}
    searches: dict[str, ProcessSpec] = {}
    for path, seen in _outlines(file).items():
        for name in seen.agents:
            plain_name = re.sub("[^a-z]", "", name.lower())
            kind = next((kind for kind in ("alphabeta", "minimax") if kind in plain_name), "")
            if kind:
                agent, origin = f"{path}:{name}", replace(spec.origin, words=(str(path), name))
                searches.setdefault(kind, replace(spec, text=f"{spec.text}:{name}", kind=agent, origin=origin))
    if "alphabeta" not in searches and takes_depth(spec):
        searches["alphabeta"] = spec
    values = heuristic_of(file)
    if "minimax" not in searches and values:
        text = f"minimax:compiled=no,heuristic={values}"  # which any heuristic can
        searches["minimax"] = _built_in(spec, text, f"our minimax with its {values.rpartition(':')[2]}")
    return searches


START = 60.0
"""Seconds that a built-in agent has to start at least: a sandbox hides the heuristics that were compiled before."""


def _built_in(spec: ProcessSpec, text: str, name: str) -> ProcessSpec:
    """Return a built-in agent in a process of its own that sees what a hand-in sees, by whatever name."""
    parsed, origin = parse(text), replace(spec.origin, words=(text,), options=())
    limits = _patient(spec.process_limits)
    return ProcessSpec(name, parsed.kind, parsed.parameters, origin, limits)


def _patient(limits: ProcessLimits) -> ProcessLimits:
    """Return the limits of a built-in agent, where a hand-in has these."""
    return replace(limits, start_timeout=max(limits.start_timeout, START))


def heuristic_of(file: Path) -> str | None:
    """Return the heuristic of a hand-in, `FILE.py:NAME` of a function of `own` and `opp`; None where it has none."""
    return next((f"{path}:{name}" for path, seen in _outlines(file).items() for name in seen.heuristics), None)


def _outlines(file: Path) -> dict[Path, Outline]:
    """Return what a hand-in's Python file defines, and then what those beside it do that it imports."""
    outlines: dict[Path, Outline] = {}
    for path in [file, *sorted(with_imports(file) - {file})] if file.suffix == ".py" else []:
        with suppress(InputError):  # it may never run
            outlines[path] = inspect_source(path)
    return outlines


def _compare(
    finding: Finding, minimax: ProcessSpec, alphabeta: ProcessSpec, boards: Sequence[Board], depth: int
) -> None:
    """Count the searches that return minimax's value and move, and before the end of the game the right result.

    Raises InputError where one of them fails.
    """
    compared: list[Answers] = []
    last: list[WrongEnding | None] = []
    try:
        for answer in answers(minimax, alphabeta, boards, range(1, depth + 1)):
            compared.append(answer)  # noqa: PERF402  those before a failure count
        for ending in wrong_endings(alphabeta, endings(STANDARD, 1)):
            last.append(ending)  # noqa: PERF402
    finally:
        wrong = [*filter(None, last)]
        finding.compared = len(compared) + len(last)
        finding.agree = sum(answer.same for answer in compared) + len(last) - len(wrong)
        first = first_difference(compared, minimax.text, alphabeta.text) or next(iter(wrong), None)
        finding.difference = str(first or "")
