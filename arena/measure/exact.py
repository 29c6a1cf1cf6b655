"""The exact searches, which must all find the same: plain minimax, and alpha-beta with all that saves nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from agents.names import ORDERINGS

TABLE = "table=on,table-size=1"
VARIANTS = {"alone": "", "table": TABLE, "deepening": "deepening=on", "table, deepening": f"{TABLE},deepening=on",
            "options": f"{TABLE},deepening=on,killers=on,history=on,pvs=on"}  # fmt: skip
"""Settings of the searches that must agree, by their names in the table."""
PLAIN_VARIANTS = {"alone": "compiled=no", "table, deepening": f"{TABLE},deepening=on,compiled=no"}
"""The same in plain Python."""


@dataclass(frozen=True, slots=True)
class Search:
    """One exact way to search."""

    kind: str
    order: str
    """In which it tries moves."""
    variant: str
    settings: str
    """Of the spec, but for depth, heuristic and order."""

    @property
    def name(self) -> str:
        """The algorithm and, where it matters, its ordering."""
        return "alphabeta:order=" + self.order if self.kind == "alphabeta" else self.kind

    def spec(self, heuristic: str, depth: int) -> str:
        """Return the whole spec."""
        order = f"order={self.order}" if self.kind == "alphabeta" else ""
        settings = f"depth={depth}", f"heuristic={heuristic}", order, self.settings
        return f"{self.kind}:{','.join(filter(None, settings))}"


MINIMAX = Search("minimax", "left-to-right", "alone", "")


def searches(orderings: Iterable[str] = ORDERINGS) -> list[Search]:
    """Return minimax, and alpha-beta in every ordering: alone, with a table, with deepening, with both."""
    return [MINIMAX, *_alphabeta(orderings, VARIANTS)]


def plain_searches(orderings: Iterable[str] = ORDERINGS) -> list[Search]:
    """Return compiled minimax, and the searches that run as plain Python."""
    compiled = replace(MINIMAX, variant="compiled")
    return [compiled, replace(MINIMAX, settings="compiled=no"), *_alphabeta(orderings, PLAIN_VARIANTS)]


def _alphabeta(orderings: Iterable[str], variants: Mapping[str, str]) -> Iterator[Search]:
    for order in orderings:
        for name, settings in variants.items():
            yield Search("alphabeta", order, name, settings)
