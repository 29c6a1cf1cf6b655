"""The path of a sequential test: what each look at a run's games said."""

from __future__ import annotations

from dataclasses import dataclass

from arena.analysis import rows
from arena.analysis.frames import Frames
from arena.analysis.pairings import duel
from arena.statistics import stopped
from arena.statistics.sequential import Sprt
from arena.statistics.stopped import Stopped


@dataclass(frozen=True, slots=True)
class Look:
    """What the test said after so many pairs of games."""

    pairs: int
    """[pairs] Openings that both agents had played with both colours."""
    llr: float
    """Natural logarithm of the likelihood under H1 over that under H0."""
    lower: float
    """At or below it H0 is accepted."""
    upper: float
    """At or above it H1 is accepted."""
    decision: str
    """`H0`, `H1` or `continue`."""


def after_stop(frames: Frames) -> Stopped | None:
    """Return the strength of the first agent over the second as the time of stopping tells it; None without a stop."""
    looks = evidence(frames)
    if not looks or looks[-1].decision == "continue":
        return None
    met = duel(frames, *frames.agents["name"][:2])
    return stopped.after_stop(Sprt.parse(frames.plan["sprt"]), met.counts) if met.pairs == looks[-1].pairs else None


def evidence(frames: Frames) -> list[Look]:
    """Return a row for each look, the last one last; none of a run without a test."""
    return rows.read(Look, frames.evidence)
