"""Confirm tuned weights: games against the start, from openings that no weights were fitted to."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from agents.errors import InputError
from arena.analysis.frames import Frames
from arena.analysis.pairings import duel, evidence, sprt_estimate
from arena.cells import count, elo_interval, fixed, outcomes, percent
from arena.measure.tuning.goals import Task
from arena.play.plan import Plan
from arena.play.run import Run
from arena.records import Interval
from arena.rows import Column, cell, table_row
from arena.store.run_file import Store

DECIDED = {"H1": "stronger", "H0": "not stronger", "continue": "not decided"}


@table_row
class Confirmation:
    """The result of a sequential test of the tuned weights against the start, at one depth."""

    depth: int = cell("[plies]", "depth")
    pairs: int = cell("[pairs] Openings that both played with both colours until the test stopped.", "pairs", count)
    counts: tuple[int, ...] = cell(
        "[pairs] Both lost, one lost and one drawn, even, one won and one drawn, both won, from the tuned one's side.",
        "LL-LD-even-WD-WW", outcomes, least=1,
    )  # fmt: skip
    score: float | None = cell("[share] Points of the tuned one.", "score", percent)
    elo: Interval | None = cell(
        "[Elo] How much stronger the tuned one is, corrected for the early stop where that is possible.",
        "Elo", lambda elo: f"{elo:+z.0f}",
        ends=Column("95 %", "elo low high", elo_interval), low_high="low high", by="None where it is open",
    )  # fmt: skip
    nodes_ratio: float | None = cell(
        "[ratio] Nodes a move of the tuned one over those of the start.", "nodes ×", fixed(2), least=2
    )
    llr: float = cell("Natural logarithm of the likelihood under H1 over that under H0.", "LLR", fixed(2), least=1)
    decision: str = cell(
        "`H1`: as much stronger as the test asks for; `H0`: not; `continue`: the openings ran out first.",
        "tuned is",
        DECIDED.__getitem__,
    )
    file: str | None = cell("The stored run of these games; None if the tuning has no file.", default=None)


def confirm(
    task: Task,
    tuned: str,
    start: str,
    depth: int,
    test: str,
    rounds: int,
    processes: int,
    progress: Callable[[], object] = lambda: None,
    *,
    tuning: Path | None = None,
    command: str = "",
) -> Confirmation:
    """Play the tuned heuristic against the start at a depth, and return the result. Raises InputError.

    A stored run with the same plan is continued. tuned, start: the heuristics. depth: plies. test: the sequential test,
    as `--sprt` takes it. rounds: the most openings to play, of those that the tuning did not use. processes: how many
    play. progress: called after each game. tuning: the file of the tuning, if it has one; the games and their openings
    are stored beside it. command: recorded in a new run.
    """
    agents = task.spec(tuned, depth), task.spec(start, depth)
    boards = task.unused_openings()
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        place = tuning or Path(folder) / "tuning"
        text = "".join(f"{board.text}\n" for board in boards)
        openings = _written(place.with_name(f"{place.stem}-openings.txt"), text)
        plan = Plan(agents, str(openings), min(rounds, len(boards)), task.seed, rules=task.rules, sprt=test)
        run = _run(plan, place.with_name(f"{place.stem}-depth-{depth}.sqlite"), command)
        with run.store:
            run.play(run.executor(processes), progress)
        frames, file = Frames.read(run.store.path), str(run.store.path) if tuning else None
    met, last = duel(frames, *agents), evidence(frames)[-1]
    strength = sprt_estimate(frames) or met.elo
    return Confirmation(
        depth, met.pairs, met.counts, met.score, strength, met.nodes_ratio, last.llr, last.decision, file
    )


def _numbered(path: Path) -> Iterator[Path]:
    """Yield the path, then those with a number behind their stem, from 2."""
    yield path
    for number in itertools.count(2):
        yield path.with_stem(f"{path.stem}-{number}")


def _written(path: Path, text: str) -> Path:
    """Return a file with this text: the first name that is free or has the same text. Raises InputError."""
    for each in _numbered(path):
        try:
            if not each.exists():
                each.write_text(text, encoding="utf-8")
            if each.read_bytes() == text.encode():
                return each
        except OSError as error:
            raise InputError(f"{each} cannot be written: {error.strerror or error}") from None
    raise AssertionError


def _run(plan: Plan, path: Path, command: str) -> Run:
    """Return the stored run of this plan, or begin it under the first name that is free. Raises InputError."""
    for each in _numbered(path):
        if not each.exists():
            return Run.begin(plan, each, command)
        if _plan(each) == plan:
            return Run.resume(each)
    raise AssertionError


def _plan(path: Path) -> Plan | None:
    """Return the plan of a stored run, None where the file is no run."""
    try:
        with Store.read(path) as store:
            return Plan.from_document(store.plan())
    except InputError:
        return None
