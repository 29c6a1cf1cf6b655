"""The orderings that there are. Each is a file of its own that exports a factory taking Rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ordering:
    """An ordering's row in the table."""

    where: str
    """`module:function` of the factory that takes Rules. It returns the columns in their order where `static`, else a
    compiled `score(own, opp, column)`, higher first, ties centre first."""
    summary: str
    source: str
    static: bool = False


ORDERINGS: dict[str, Ordering] = {
    "left-to-right": Ordering(
        "agents.orderings.static:left_to_right", "1, 2, 3, …", "the order of writing", static=True
    ),
    "centre": Ordering(
        "agents.orderings.static:centre",
        "from the middle outwards, left before right: 4, 3, 5, 2, 6, 1, 7",
        'Kotp, Mohammed, Farid, "Smart Connect4", 2022, and many others',
        static=True,
    ),
}
