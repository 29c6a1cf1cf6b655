"""The tables and the page of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.analysis.frames import Frames
from arena.analysis.pairings import duels
from arena.cells import counted
from arena.measure.depths import Cost, means
from arena.measure.grading import Grade
from arena.measure.study.claims import Declared, Verdict
from arena.measure.study.verify import Difference
from arena.report.column import Part, Table
from arena.report.figures import measures as drawn
from arena.report.figures.picture import Picture
from arena.report.figures.run import pictures
from arena.report.labels import cut
from arena.report.page import Section, blocks, rendered
from arena.report.tables import measures, quality, run, strength
from arena.rows import columns

VERDICTS = columns(
    Verdict, "claim text value low p verdict *", text={"cuts": cut}, p={"least": 1}, check={"least": 3, "cuts": cut}
)


def verdicts(rows: Sequence[Verdict]) -> Table:
    """Return the table of verdicts on the claims of a study."""
    return Table("verdicts", "Claims", Verdict, rows, VERDICTS)


def differences(rows: Sequence[Difference]) -> Table:
    """Return the table of differences between a study and its repetition."""
    return Table("differences", "What differs", Difference, rows, columns(Difference))


@dataclass(frozen=True, slots=True)
class Shown:
    """The results of one run or measurement of a study."""

    name: str
    parts: Sequence[Part]
    pictures: Sequence[Picture]


def of_run(name: str, frames: Frames) -> Shown:
    """Return the results of a run."""
    parts, figures = run.whole(frames), pictures(frames)
    if frames.plan.get("comparison"):  # each level is a separate pool
        figures = [picture for picture in figures if picture.name not in ("standings", "crosstable")]
    else:
        parts = [*parts, *strength.pairings_parts(duels(frames))]
    return Shown(name, [*parts, *(quality.audit_parts(frames) if not frames.audit.empty else [])], figures)


def of_depths(costs: Sequence[Cost], columns: int) -> Shown:
    """Return the results of depth tables. columns: of the board."""
    costs = means(costs) if len({row.position for row in costs}) > 1 else costs
    return Shown("depths", [measures.depths(costs)], drawn.depths(costs, columns))


def of_grade(grades: Sequence[Grade]) -> Shown:
    """Return the results of grades."""
    return Shown("grade", quality.grade_parts(grades, None), drawn.grades(grades))


def page(study: Declared, state: Mapping[str, Any], rows: Sequence[Verdict], results: Sequence[Shown]) -> str:
    """Return the page of a study.

    state: of its folder, as `arena.api.study` stores it. rows: the verdicts on its claims. results: of its runs and
    measurements.
    """
    table = replace(verdicts(rows), title="")
    claims: list[Part] = [*(f"Hypothesis: {line}" for line in study.hypotheses), table] if rows else []
    claims += [f"Claim {row.claim} is from: {row.source}" for row in rows if row.source]
    sections = [Section("claims", "Claims", blocks(claims))]
    for part in results:
        figures = [picture.svg(f"{part.name}-") for picture in part.pictures]
        sections.append(Section(f"part-{part.name}", part.name.capitalize(), blocks(part.parts), figures))
    sections.append(Section("about", "How it was made", facts=_facts(state)))
    by = f" by {', '.join(study.authors)}" if study.authors else ""
    subtitle = f"A study of {counted(len(state['agents']), 'agent')} and {counted(len(study.claims), 'claim')}{by}"
    return rendered(study.title, subtitle, [each for each in sections if each.blocks or each.figures or each.facts])


def _facts(state: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return how a study was made: what was declared and when, with what it was played, and the agents' digests."""
    *_, last = sessions = state["sessions"]
    versions, machine = ({key: str(value) for key, value in last[of].items()} for of in ("versions", "machine"))
    agents = (f"{name} {each['digest'] or each['spec']}" for name, each in state["agents"].items())
    return [
        ("Declared", f"before the first game, {state['begun']}; SHA-256 of the file {state['digest']}"),
        ("Played", f"in {counted(len(sessions), 'session')}, the last by {last['command'] or 'Python'}"),
        ("With", ", ".join(f"{name} {version}" for name, version in versions.items())),
        ("On", ", ".join(filter(None, machine.values()))),
        ("Agents", "; ".join(agents)),
    ]
