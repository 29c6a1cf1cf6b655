"""Prints a comparison of heuristics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arena.cli.output import Output, print_json

if TYPE_CHECKING:
    from arena.comparison.ratings import Comparison
    from arena.tournament.frames import Frames


def print_comparison(
    frames: Frames,
    output: Output,
    anchor: tuple[str, float] | None = None,
    margin: float = 30.0,
    meta: Mapping[str, Any] | None = None,
    *,
    stored: bool = True,
) -> Comparison:
    """Print the comparison of heuristics of a run, and return it.

    anchor: a heuristic and its Elo at every level. margin: Elo within which heuristics count as equivalent. meta: the
    metadata, for JSON. stored: whether the run remains, so that its games can be looked at.
    """
    from arena.comparison import compare
    from arena.comparison.tables import comparison_document
    from arena.table.styles import find
    from arena.tournament.tables import compared

    found = compare.comparison(frames, anchor, margin)
    if not stored:
        found = replace(found, why=found.why.partition("; look at: ")[0])
    if output.whole:
        print_json(comparison_document(found), meta)
    elif parts := compared(frames, found):
        one = replace(output, only="ratings") if find(output.style).data and not output.only else output
        one.tables(parts, meta)
    return found
