"""The heuristics that there are. Each is a file of its own that exports `build(rules) -> evaluate(own, opp)`.

Words such as popcount, threats and open_windows can be imported from here.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any


def __getattr__(name: str) -> Any:  # noqa: ANN401  a word of the vocabulary, which imports numba
    words = importlib.import_module("agents.bits.windows")
    if name in {"all_cells", "column_cells", "open_windows", "playable", "popcount", "row_cells", "threats"}:
        return getattr(words, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@dataclass(frozen=True, slots=True)
class Heuristic:
    """A heuristic's row in the table."""

    where: str
    """`module:function` of the factory that takes Rules and returns the compiled heuristic."""
    summary: str
    source: str


HEURISTICS: dict[str, Heuristic] = {
    "powers-of-ten": Heuristic(
        "agents.heuristics.powers_of_ten:build",
        "1, 10, 100, 1000 for one to four discs in a window without the other side's",
        'Møllerhøj, "Connect 4 AI in Ruby", 2013',
    ),
    "smart-aware": Heuristic(
        "agents.heuristics.smart:build_aware",
        "40, 15, 2 for four, three, two discs in a window, 2 more if it can be filled now, -13 for a blocked three",
        'Kotp, Mohammed, Farid, "Smart Connect4", 2022',
    ),
    "smart-simple": Heuristic(
        "agents.heuristics.smart:build_simple",
        "4, 3, 2 for four, three, two discs in a window without the other side's, -1 for a blocked three",
        'Kotp, Mohammed, Farid, "Smart Connect4", 2022',
    ),
    "line-runs": Heuristic(
        "agents.heuristics.line_runs:build",
        "1, 11, 111 for one to three discs in a chunk of four free cells, chunks of a line not overlapping",
        'the text of Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012',
    ),
    "line-runs-published": Heuristic(
        "agents.heuristics.line_runs_published:build",
        "the same as published: marks outlive a broken run, diagonals miss column 7; 7x6 only",
        'the program of Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012',
    ),
    "zero": Heuristic("agents.heuristics.zero:build", "0 everywhere: nothing but finished games", "this project"),
}
