"""Draws a board as a picture for notebooks."""

from __future__ import annotations

CELL = 36
"""Pixels of a cell's side."""
FILLS = {"X": "#f4bd1c", "O": "#d9402f", ".": "#f1f0ea"}
"""The first player yellow, the second red, as on the pages."""
RINGS = {"[": 2, "*": 4}
"""Width in pixels of the ring around the last move, and around the discs of a four."""


def svg(board: object) -> str:
    """Return a board, or its text with three characters a cell, as an SVG document."""
    *rows, numbers = str(board).splitlines()
    columns = len(numbers.split())
    width, height = columns * CELL, len(rows) * CELL
    parts = [f'<rect width="{width}" height="{height}" rx="6" fill="#2b5fa8"/>']
    for down, row in enumerate(rows):
        for across in range(columns):
            mark, disc = row[3 * across], row[3 * across + 1]
            ring = f' stroke="#fff" stroke-width="{RINGS[mark]}"' if mark in RINGS else ""
            place = f'cx="{across * CELL + CELL // 2}" cy="{down * CELL + CELL // 2}"'
            parts.append(f'<circle {place} r="14" fill="{FILLS[disc]}"{ring}/>')
    for across in range(columns):
        place = f'x="{across * CELL + CELL // 2}" y="{height + 16}"'
        parts.append(f'<text {place} text-anchor="middle" font-size="13" fill="#888">{across + 1}</text>')
    size = f'width="{width}" height="{height + 20}" viewBox="0 0 {width} {height + 20}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{"".join(parts)}</svg>'
