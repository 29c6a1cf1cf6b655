"""Whether a change made any search slower: speeds held against those that were measured before it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.analysis.rows import names
from arena.measure.bench import Speed
from arena.statistics.means import unpaired_ratio

LIMIT = 1.05
"""Two builds of the same source differ by less, as a rule."""
SLOWER, FASTER, ALIKE = "slower", "faster", "alike"


@dataclass(frozen=True, slots=True)
class Slowdown(Speed):
    """How many times as long as before a search takes."""

    nodes_before: int
    """[nodes]"""
    seconds_before: float
    """[seconds]"""
    ratio: float
    """Time over time before: the median over all pairs of a round now and a round before; above 1 is slower."""
    low: float | None
    """Lower end of its 95 % interval; None where too few rounds leave it open."""
    high: float | None
    """Upper end of it."""
    verdict: str
    """`slower` or `faster` where the whole interval lies beyond the limit, else `alike`."""


def read(path: Path) -> list[Speed]:
    """Return the speeds that `arena bench --json` wrote to a file. Raises InputError."""
    wrong = InputError(f"{path} is not what arena bench --json writes")
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise wrong from error
    try:
        return [_speed(row) for row in document]
    except (TypeError, KeyError, ValueError) as error:
        raise wrong from error


def _speed(row: dict[str, Any]) -> Speed:
    speed = Speed(**{name: row[name] for name in names(Speed)})
    rounds = tuple(map(float, speed.round_seconds))
    if not rounds or min(*rounds, speed.seconds) <= 0.0:
        raise ValueError
    return Speed(speed.agent, speed.position, speed.nodes, speed.seconds, speed.nodes_per_second, rounds)


def slowdowns(before: Sequence[Speed], now: Sequence[Speed], limit: float = LIMIT) -> list[Slowdown]:
    """Return a row for each search that both have, in the order of now. Raises InputError where they share none."""
    known = {(row.agent, row.position): row for row in before}
    shared = [(row, known[row.agent, row.position]) for row in now if (row.agent, row.position) in known]
    if not shared:
        raise InputError("no search was measured before as well as now")
    return [_slowdown(row, old, limit) for row, old in shared]


def _slowdown(row: Speed, old: Speed, limit: float) -> Slowdown:
    found = unpaired_ratio(row.round_seconds, old.round_seconds)
    verdict = ALIKE
    if found.low is not None and found.low > limit:
        verdict = SLOWER
    if found.high is not None and found.high < 1.0 / limit:
        verdict = FASTER
    then: dict[str, Any] = {"nodes_before": old.nodes, "seconds_before": old.seconds}
    return Slowdown(**asdict(row), **then, ratio=found.value, low=found.low, high=found.high, verdict=verdict)
