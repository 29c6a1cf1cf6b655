"""What a sequential test says, as one line."""

from __future__ import annotations

from arena.analysis.evidence import Look, after_stop
from arena.analysis.frames import Frames
from arena.analysis.pairings import duel
from arena.report.labels import Labels
from arena.report.numbers import elo_interval, percent
from arena.statistics.pairs import Basis
from arena.statistics.sequential import Sprt


def evidence_line(frames: Frames, last: Look, labels: Labels) -> str:
    """Return what the sequential test says, as one line."""
    test = Sprt.parse(frames.plan["sprt"])
    one, two = (labels.of(name) for name in frames.agents["name"][:2])
    decision = {"continue": "not decided"}.get(last.decision, f"{last.decision} accepted")
    return (
        f"sequential test of {one} against {two}, H0 {test.elo0:+g} and H1 {test.elo1:+g} {test.unit}: {decision} "
        f"after {last.pairs} pairs, LLR {last.llr:.2f}, bounds [{last.lower:.2f}, {last.upper:.2f}]"
        f"{_strength(frames, decided=last.decision != 'continue')}"
    )


def _strength(frames: Frames, *, decided: bool) -> str:
    """Return how strong the first agent is, where every opening was played or the test has stopped the match."""
    met = duel(frames, *frames.agents["name"][:2])
    if met.basis == Basis.EXACT and met.score is not None:
        elo = "" if met.elo is None else f", {met.elo:+z.0f} Elo"
        return f"; every opening was played: exactly {percent(met.score)}{elo}"
    if last := after_stop(frames):
        ends = elo_interval(last.elo, last.low, last.high)
        return f"; {last.elo:+z.0f} Elo [{ends}] allowing for the stop, which ratings and pairings do not"
    return "" if not decided else "; ratings and pairings do not allow for the stop and are biased"
