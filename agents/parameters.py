"""The parameters that agents take: how each is read from text, its default, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agents.errors import InputError
from agents.heuristics import HEURISTICS
from agents.orderings import ORDERINGS
from agents.plugins import check


@dataclass(frozen=True, slots=True)
class Parameter:
    """One key of an agent's spec."""

    read: Callable[[str], object]
    """From text to value; raises InputError without the key's name."""
    default: object
    meaning: str


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `low` to `high`."""

    def read(text: str) -> int:
        digits = text.replace("_", "")
        value = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
        if value is None or not low <= value <= high:
            raise InputError(f"must be a whole number from {low} to {high}, not {text!r}")
        return value

    return read


def number(low: float, high: float) -> Callable[[str], float]:
    """Return a reader of numbers from `low` to `high`."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise InputError(f"must be a number from {low:g} to {high:g}, not {text!r}")
        return value

    return read


def switch(text: str) -> bool:
    """Read on or off."""
    words = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
    if text.lower() not in words:
        raise InputError(f"must be on or off, not {text!r}")
    return words[text.lower()]


def one_of(*names: str) -> Callable[[str], str]:
    """Return a reader of a fixed set of words."""

    def read(text: str) -> str:
        if text not in names:
            raise InputError(f"must be {' or '.join(names)}, not {text!r}")
        return text

    return read


def heuristic(text: str) -> str:
    """Read the name of a heuristic, or `file.py:function`."""
    return check("heuristic", text, HEURISTICS)


def ordering(text: str) -> str:
    """Read the name of an ordering, or `file.py:function`."""
    return check("ordering", text, ORDERINGS)


DEPTH = Parameter(whole(1, 64), None, "plies to search; 6 unless another limit is given")
HEURISTIC = Parameter(heuristic, "smart-aware", "what values the leaves: a name or file.py:function")
NODES = Parameter(whole(1, 10**15), None, "positions to visit at most; deepens")
SECONDS = Parameter(number(0.0001, 86_400.0), None, "seconds a move at most; deepens")
COMPILED = Parameter(switch, True, "no: run as plain Python, for heuristics that cannot be compiled")
SEARCH: dict[str, Parameter] = {"depth": DEPTH, "heuristic": HEURISTIC, "compiled": COMPILED}
ALPHABETA: dict[str, Parameter] = {
    "depth": DEPTH,
    "heuristic": HEURISTIC,
    "order": Parameter(ordering, "left-to-right", "which moves are tried first: a name or file.py:function"),
    "table": Parameter(switch, False, "keep a transposition table"),
    "table_size": Parameter(whole(1, 65_536), 16, "the table's megabytes, rounded down to a power of two"),
    "deepening": Parameter(switch, False, "iterative deepening, the last best move first"),
    "nodes": NODES,
    "seconds": SECONDS,
    "compiled": COMPILED,
}
PERFECT: dict[str, Parameter] = {
    "table_size": Parameter(whole(1, 65_536), 64, "the table's mebibytes"),
    "seconds": Parameter(
        SECONDS.read, None, "seconds a move at most; the move nearest the centre where it is too short"
    ),
}
MOLLERHOJ: dict[str, Parameter] = {
    "depth": Parameter(DEPTH.read, 3, "plies to search"),
    "pruning": Parameter(switch, False, "cut, as its text says; move and value stay the same"),
}
SMART_CONNECT4: dict[str, Parameter] = {
    "depth": Parameter(DEPTH.read, 5, "plies to search"),
    "heuristic": Parameter(one_of("simple", "aware"), "aware", "which of its two heuristics values the leaves"),
    "pruning": Parameter(switch, True, "alpha-beta, else plain minimax"),
}
ITU_2012: dict[str, Parameter] = {
    "cutoff": Parameter(
        whole(0, 63), None, "one less than the plies to search; from the number of empty cells if not given"
    ),
    "heuristic": Parameter(heuristic, "line-runs-published", HEURISTIC.meaning),
    "nodes": NODES,
    "seconds": SECONDS,
}
ONEIL: dict[str, Parameter] = {
    "order": Parameter(
        ordering, "column-score-published", "how columns are sorted while fewer than 22 discs are played"
    ),
    "nodes": Parameter(NODES.read, None, "positions to visit at most; 2000000 unless seconds are given"),
    "seconds": Parameter(SECONDS.read, None, "seconds a move at most"),
}
MCTS: dict[str, Parameter] = {
    "playouts": Parameter(whole(1, 10**9), None, "random games a move; 1000 unless seconds are given"),
    "seconds": Parameter(SECONDS.read, None, "seconds a move at most"),
    "c": Parameter(number(0.0, 100.0), 0.7, "the weight of trying what was tried little, against points from 0 to 1"),
}
