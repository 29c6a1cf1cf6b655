"""Tuned weights against those at the start, in games from openings that nothing was fitted to."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.board import Board, Rules
from agents.errors import InputError
from arena.analysis.frames import Frames
from arena.analysis.pairings import after_stop, duel, evidence
from arena.measure.comparison import Level, spec
from arena.play.openings import shuffled
from arena.play.plan import Plan
from arena.play.run import Run
from arena.play.workers import executor
from arena.store.run_file import Store


@dataclass(frozen=True, slots=True)
class Match:
    """What a sequential test of the tuned weights against the start said, at one depth."""

    depth: int
    """[plies]"""
    pairs: int
    """[pairs] Openings that both played with both colours until the test stopped."""
    counts: tuple[int, ...]
    """[pairs] Both lost, one lost and one drawn, even, one won and one drawn, both won, as the tuned one sees it."""
    score: float | None
    """[share] Points of the tuned one."""
    elo: float | None
    """[Elo] By how much it is stronger, allowing for the stop where that can be had."""
    low: float | None
    """[Elo] Lower end of the 95 % interval; None where it is open."""
    high: float | None
    """[Elo] Upper end of it."""
    nodes_ratio: float | None
    """[ratio] Nodes a move of the tuned one over those of the start."""
    llr: float
    """Natural logarithm of the likelihood under H1 over that under H0."""
    decision: str
    """`H1`: stronger by what the test asks for; `H0`: not; `continue`: the openings ran out before."""
    file: str | None = None
    """The stored run of these games; None where the tuning has no file that they could be kept beside."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How the two meet."""

    search: str
    """The spec of the search that both use."""
    test: str
    """As `--sprt` has it."""
    openings: str
    used: int
    """How many of them, in the order of the seed, were played before."""
    rounds: int
    """Openings at most."""
    seed: int
    rules: Rules


def unused(terms: Terms) -> list[Board]:
    """Return the openings that are left."""
    return shuffled(terms.openings, terms.seed, terms.rules)[terms.used :]


def confirm(
    tuned: str,
    start: str,
    depth: int,
    terms: Terms,
    processes: int,
    progress: Callable[[], object] = lambda: None,
    *,
    tuning: Path | None = None,
    command: str = "",
) -> Match:
    """Return how the tuned heuristic fares against the start at a depth; `progress` is called after each game.

    The games and their openings are kept beside the file of the `tuning`, if it has one, in a run that `command` began.
    A run that is there already and has the same plan is continued. Raises InputError.
    """
    agents = tuple(spec(terms.search, heuristic, Level("depth", str(depth))) for heuristic in (tuned, start))
    boards = unused(terms)
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        place = tuning or Path(folder) / "tuning"
        openings = _kept(place.with_name(f"{place.stem}-openings.txt"), "".join(f"{board.text}\n" for board in boards))
        rounds = min(terms.rounds, len(boards))
        plan = Plan(agents, str(openings), rounds, terms.seed, rules=terms.rules, sprt=terms.test)
        run = _run(plan, place.with_name(f"{place.stem}-depth-{depth}.sqlite"), command)
        with run.store:
            run.play(executor(processes, apart=run.setting.apart), progress)
        return _match(depth, Frames.read(run.store.path), agents, str(run.store.path) if tuning else None)


def _numbered(path: Path) -> Iterator[Path]:
    """Yield the path, then those with a number behind their stem, from 2."""
    yield path
    for number in itertools.count(2):
        yield path.with_stem(f"{path.stem}-{number}")


def _kept(path: Path, text: str) -> Path:
    """Return a file that holds the text, written under the first name that no other text has. Raises InputError."""
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


def _match(depth: int, frames: Frames, agents: Sequence[str], file: str | None) -> Match:
    met, last, fair = duel(frames, agents[0], agents[1]), evidence(frames)[-1], after_stop(frames)
    elo, low, high = (met.elo, met.low, met.high) if fair is None else (fair.elo, fair.low, fair.high)
    return Match(
        depth, met.pairs, met.counts, met.score, elo, low, high, met.nodes_ratio, last.llr, last.decision, file
    )  # fmt: skip
