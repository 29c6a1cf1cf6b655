"""The tables and the page of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.page.page import Section, blocks, rendered
from arena.plugins.study.claims import Verdict
from arena.plugins.study.differences import Difference
from arena.table.labels import cut
from arena.table.parts import Part, Table
from arena.table.picture import Picture
from arena.table.rows import columns

VERDICTS = columns(
    Verdict, "claim", "text", "value", "p", "verdict", "check", "basis", "published", text={"cuts": cut},
    p={"least": 1}, check={"least": 3, "cuts": cut},
)  # fmt: skip


def verdicts(rows: Sequence[Verdict]) -> Table:
    """Return the table of verdicts on the claims of a study."""
    return Table("verdicts", "Claims", Verdict, rows, VERDICTS)


def differences(rows: Sequence[Difference]) -> Table:
    """Return the table of differences between a study and its repetition."""
    return Table("differences", "What differs", Difference, rows, columns(Difference))


def section(name: str, parts: Sequence[Part], pictures: Sequence[Picture]) -> Section:
    """Return the section of a run or a measurement, with its tables and figures."""
    figures = [picture.svg(f"{name}-") for picture in pictures]
    return Section(f"part-{name}", name.capitalize(), blocks(parts), figures)


def page(
    title: str,
    subtitle: str,
    hypotheses: Sequence[str],
    rows: Sequence[Verdict],
    results: Sequence[Section],
    state: Mapping[str, Any],
) -> str:
    """Return the page of a study.

    rows: the verdicts on its claims. results: of its runs and measurements, see `section`. state: of its folder, as
    `arena.plugins.study.job` stores it.
    """
    claims: list[Part] = [f"Hypothesis: {line}" for line in hypotheses]
    claims += [
        replace(verdicts(rows), title=""),
        *(f"Claim {row.claim} is from: {row.source}" for row in rows if row.source),
    ]
    first = [Section("claims", "Claims", blocks(claims))] if rows else []
    facts = [
        ("Declared", f"before the first game, {state['begun']}; SHA-256 of the file {state['digest']}"),
        ("Played", f"by {state['command'] or 'Python'}"),
        ("With", ", ".join(f"{name} {version}" for name, version in state["versions"].items())),
        ("On", ", ".join(str(value) for value in state["machine"].values() if value)),
        ("Agents", "; ".join(f"{name} {digest}" for name, digest in state["agents"].items())),
    ]
    return rendered(title, subtitle, [*first, *results, Section("about", "How it was made", facts=facts)])
