"""The fixed orders, `left-to-right` and `centre`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agents.board import Rules


def left_to_right(rules: Rules) -> tuple[int, ...]:
    """Return the columns from left to right."""
    return tuple(range(rules.columns))


def centre(rules: Rules) -> tuple[int, ...]:
    """Return the columns from the middle outwards, left before right: 3, 2, 4, 1, 5, 0, 6 of seven."""
    last = rules.columns - 1
    return tuple(sorted(range(rules.columns), key=lambda column: (abs(2 * column - last), column)))
