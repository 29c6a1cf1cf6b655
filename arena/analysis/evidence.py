"""The path of a sequential test: what each look at a run's games said."""

from __future__ import annotations

from dataclasses import dataclass

from arena.analysis import rows
from arena.analysis.frames import Frames


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


def evidence(frames: Frames) -> list[Look]:
    """Return a row for each look, the last one last; none of a run without a test."""
    return rows.read(Look, frames.evidence)
