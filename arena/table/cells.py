"""What stands in the cells of tables; each function writes one kind."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.records import Interval

STAR = "* where all points were won or all lost, alone or as a group: it may lie far beyond"
"""The note of a rating that only a prior keeps finite."""
LOS = "how sure it is that {} is stronger"
WITHIN = "± within this run: others may differ by more"
PROBABLY = "range that probably holds the true {}"


def plain(value: object) -> str:
    """Write a value as it is."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def agent_label(agent: str) -> str:
    """Write an agent's name; in a table with labels, its label."""
    return agent


def without_parameter(agent: str, key: str) -> str:
    """Return an agent's name without one of its parameters."""
    return re.sub(rf"(?<=[:,]){re.escape(key)}=[^,]*,?", "", agent).rstrip(":,")


def without_depth(agent: str) -> str:
    """Return an agent's name in a table that has a column for the depth."""
    return without_parameter(agent, "depth")


def place(position: str) -> str:
    """Write the moves to a position."""
    return position or "(empty)"


def after(position: str) -> str:
    """Write where something was seen, after the moves to a position."""
    return f"after {position}" if position else "on the empty board"


def count(number: float) -> str:
    """Write a count with separators of thousands, a fraction below 100 with one decimal."""
    return f"{number:,.0f}" if number >= 100 or float(number).is_integer() else f"{number:,.1f}"


def counted(number: int, noun: str) -> str:
    """Write how many there are of a noun: `1 game`, `2 games`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def rate(number: float) -> str:
    """Write a large number in millions or thousands."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f}"


def fixed(digits: int) -> Callable[[float], str]:
    """Return a writer of numbers with that many decimals."""
    return lambda number: f"{number:z.{digits}f}"


def quoted(text: str) -> str:
    """Write a foreign text in one line, of a long one the beginning."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:59]}…"


def significant(digits: int) -> Callable[[float], str]:
    """Return a writer that keeps that many significant digits, without an exponent."""

    def write(number: float) -> str:
        if number == 0:
            return "0"
        decimals = max(0, digits - 1 - math.floor(math.log10(abs(number))))
        return f"{number:,.{decimals}f}"

    return write


def duration(seconds: float) -> str:
    """Write seconds in the unit that suits them."""
    unit, size = next(((unit, size) for unit, size in (("s", 1.0), ("ms", 1e-3)) if seconds >= size), ("µs", 1e-6))
    return f"{significant(3)(seconds / size)} {unit}"


def starred(write: Callable[[float], str]) -> Callable[[float, bool], str]:
    """Return a writer of numbers that are marked with a star where a note below the table explains them."""
    return lambda number, marked: f"{write(number)}{' *' if marked else ''}"


def percent(share: float) -> str:
    """Write a share as percent."""
    return f"{share * 100:.1f} %"


def of_hundred(share: float) -> str:
    """Write a share in percent without the sign."""
    return f"{share * 100:.1f}"


def gain(share: float) -> str:
    """Write a difference between shares, in percentage points."""
    return f"{100 * share:+z.1f}"


def milliseconds(ms: Interval) -> str:
    """Write a time in milliseconds with half the width of its interval, which lies evenly about it."""
    return significant(3)(ms.value) + ("" if ms.high is None else f" ± {significant(2)(ms.high - ms.value)}")


def milliseconds_of(seconds: Interval) -> str:
    """Write seconds in milliseconds, likewise."""
    return milliseconds(seconds.scaled(1000))


def ends(write: Callable[[float], str]) -> Callable[[Interval], str]:
    """Return a writer of the ends of an interval; an open end is an arrow."""

    def written(interval: Interval) -> str:
        low, high = interval.low, interval.high
        return f"{'←' if low is None else write(low)} … {'→' if high is None else write(high)}"

    return written


def dashed(numbers: Iterable[int]) -> str:
    """Write counts that belong together, such as those of pairs of games."""
    return "-".join(map(str, numbers))


def listed(numbers: tuple[int, ...]) -> str:
    """Write numbers one after the other."""
    return " ".join(map(str, numbers))


def signed(elo: float) -> str:
    """Write a number of Elo with its sign."""
    return f"{elo:+z.0f}"


def rating(elo: float, marked: bool) -> str:
    """Write a rating, with a star where only a prior keeps it finite."""
    return starred(signed)(elo, marked)


def gap(elo: Interval) -> str:
    """Write a difference in Elo with half the width of its interval or, where it lies unevenly about it, its ends."""
    if elo.low is None or elo.high is None or abs(elo.high + elo.low - 2.0 * elo.value) > 1.0:
        return f"{elo.value:z.0f} [{ends(fixed(0))(elo)}]"
    return f"{elo.value:z.0f} ± {elo.high - elo.value:.0f}"


def step(elo: Interval) -> str:
    """Write the same with its sign, without an interval that has no width."""
    return signed(elo.value) if elo.low == elo.high else f"{'+' if elo.value > 0.0 else ''}{gap(elo)}"


def number(value: float) -> str:
    """Write a parameter's value."""
    return f"{value:,.10g}"


def yes(truth: bool) -> str:
    """Write a truth value."""
    return "yes" if truth else "no"


def superiority(los: float, basis: str | None = None) -> str:
    """Write a likelihood of superiority in percent: never certain but where the result is exact."""
    exact = basis is not None and basis.startswith("exact")
    return f"{los:.0f}" if exact else f"{min(max(los, 0.1), 99.9):.1f}"
