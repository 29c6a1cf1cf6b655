"""A tuning as tables and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.analysis.rows import without
from arena.measure.tune.confirmation import Match
from arena.measure.tune.outcome import DECIDED, Held, Outcome
from arena.report.column import Column, Part, Table
from arena.report.numbers import count, elo_interval, fixed, gain, gains, outcomes, percent

WHAT = {
    "moves": "clear-cut positions answered well",
    "score": "logistic loss of the value against the outcome, in nats, with a minus",
    "games": "points against the start",
}


@dataclass(frozen=True, slots=True)
class Line(Held):
    """Both heuristics on one set."""

    set: str
    """`train` or `held out`."""


def parts(found: Outcome) -> list[Part]:
    """Return both sets, the games where there were any, and the verdict."""
    lines = [Line(**without(held), set=name) for name, held in (("train", found.train), ("held out", found.held_out))]
    title = (
        f"{found.tuned}, the best of {found.tried:,} tried from {found.start}: {WHAT[found.by]}, at depth {found.depth}"
    )
    games: Sequence[Part] = [Table("games", "Sequential test of tuned against start", Match, found.confirmation, GAMES)]
    return [
        Table("sets", title, Line, lines, _columns(loss=found.by == "score")),
        *(games if found.confirmation else []),
        found.verdict,
    ]


def _columns(*, loss: bool) -> list[Column]:
    number: Callable[[float], str] = fixed(4) if loss else percent
    return [
        Column("set", "set"),
        Column("questions", "questions", count),
        Column("start", "start", number),
        Column("tuned", "tuned", number),
        Column("gain", "gain", fixed(4) if loss else gain),
        Column("95 %", "gain_low gain_high", _losses if loss else gains),
    ]


def _losses(low: float, high: float) -> str:
    return f"{low:+z.4f} … {high:+z.4f}"


GAMES = [
    Column("depth", "depth"),
    Column("pairs", "pairs", count),
    Column("LL-LD-even-WD-WW", "counts", outcomes, least=1),
    Column("score", "score", percent),
    Column("Elo", "elo", lambda elo: f"{elo:+z.0f}"),
    Column("95 %", "elo low high", elo_interval),
    Column("nodes ×", "nodes_ratio", fixed(2), least=2),
    Column("LLR", "llr", fixed(2), least=1),
    Column("tuned is", "decision", DECIDED.__getitem__),
]
