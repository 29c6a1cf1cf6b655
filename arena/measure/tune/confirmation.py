"""Tuned weights against those at the start, in games from openings that nothing was fitted to."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.board import Board, Rules
from arena.analysis.evidence import after_stop, evidence
from arena.analysis.frames import Frames
from arena.analysis.pairings import duel
from arena.measure.comparison import Level, spec
from arena.play.openings import shuffled
from arena.play.plan import Plan
from arena.play.tournament import Run
from arena.play.workers import executor


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
    tuned: str, start: str, depth: int, terms: Terms, processes: int, progress: Callable[[], object] = lambda: None
) -> Match:
    """Return how the tuned heuristic fares against the start at a depth; `progress` is called after each game."""
    agents = tuple(spec(terms.search, heuristic, Level("depth", str(depth))) for heuristic in (tuned, start))
    boards = unused(terms)
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        openings = Path(folder) / "openings.txt"
        openings.write_text("".join(f"{board.text}\n" for board in boards), encoding="utf-8")
        rounds = min(terms.rounds, len(boards))
        plan = Plan(agents, str(openings), rounds, terms.seed, rules=terms.rules, sprt=terms.test)
        run = Run.begin(plan, Path(folder) / "run.sqlite")
        with run.store:
            run.play(executor(processes, apart=run.setting.apart), progress)
        return _match(depth, Frames.read(run.store.path), agents)


def _match(depth: int, frames: Frames, agents: Sequence[str]) -> Match:
    met, last, fair = duel(frames, agents[0], agents[1]), evidence(frames)[-1], after_stop(frames)
    elo, low, high = (met.elo, met.low, met.high) if fair is None else (fair.elo, fair.low, fair.high)
    return Match(
        depth, met.pairs, met.counts, met.score, elo, low, high, met.nodes_ratio, last.llr, last.decision
    )  # fmt: skip
