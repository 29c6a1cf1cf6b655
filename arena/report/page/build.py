"""The page of a run: its tables, its figures, its games, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.analysis import difference
from arena.analysis.faults import Fault, faults
from arena.analysis.frames import Frames
from arena.analysis.openings import Opening, openings
from arena.report import audit as audit_report
from arena.report import difference as difference_report
from arena.report import html
from arena.report import run as run_report
from arena.report.column import Column, Part, Table, label
from arena.report.figures.run import pictures
from arena.report.numbers import percent
from arena.report.page.games import document
from arena.report.page.table import Shown, blocks
from arena.store.machine import made
from arena.store.store import Store
from arena.store.writing import replacing

WORTH = {1: "first player wins", 0: "draw", -1: "second player wins"}
OPENINGS = [
    Column("opening", "opening"),
    Column("with perfect play", "worth", lambda worth: WORTH[worth]),
    Column("games", "games"),
    Column("first wins", "first_wins"),
    Column("draws", "draws"),
    Column("second wins", "second_wins"),
    Column("first player's score", "score", percent),
]
FAULTS = [
    Column("agent", "agent", label),
    Column("games", "games"),
    Column("termination", "termination"),
    Column("what the referee said", "detail"),
]
MODULES = ("board.js", "tables.js", "replay.js", "games.js")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page, with a heading and a place in its contents."""

    name: str
    title: str
    blocks: Sequence[Shown | str] = ()
    figures: Sequence[str] = ()
    """SVG."""
    facts: Sequence[tuple[str, str]] = ()


def page(paths: Sequence[Path], title: str | None = None, *, whole: bool = True) -> str:
    """Return the page of a stored run or, of several, one that compares the first with each of the others.

    `whole` makes it one file that needs no other; of one run alone it may be less. Raises InputError.
    """
    if len(paths) == 1:
        return _one(paths[0], title, whole=whole)
    alike = len({path.name for path in paths}) < len(paths)
    names = [str(path) if alike else path.name for path in paths]
    runs = [Frames.read(path) for path in paths]
    changes: list[Section] = []
    for name, new in zip(names[1:], runs[1:], strict=True):
        parts = difference_report.parts(difference.changes(runs[0], new))
        changes.append(Section(f"change-{len(changes)}", f"{names[0]} → {name}", blocks(parts)))
    sections: list[Section] = []
    for path, name, frames in zip(paths, names, runs, strict=True):
        place = f"run-{len(sections)}"
        figures = [picture.svg(place) for picture in pictures(frames) if picture.name == "standings"]
        with Store.read(path) as store:
            sections.append(Section(place, name, blocks(run_report.parts(frames)), figures, _facts(store)))
    return _rendered(title or "Connect4 Arena: runs compared", f"{len(runs)} runs", [*changes, *sections])


def write(paths: Sequence[Path], out: Path, title: str | None = None) -> Path:
    """Write the page of one run, or of several, and return its path. Raises InputError."""
    text = page(paths, title)
    with replacing(out) as beside:
        beside.write_text(text, encoding="utf-8")
    return out


def _one(path: Path, title: str | None, *, whole: bool) -> str:
    with Store.read(path) as store:
        frames, facts = Frames.read(path), _facts(store)
        data, stored = document(store)
    parts = run_report.parts(frames)
    effort = [part for part in parts if isinstance(part, Table) and part.name == "effort"]
    top = [part for part in parts if part not in effort]
    listed = len(data["games"])
    sampled = f"All {stored:,} games of the run." if listed == stored else (
        f"{listed:,} of the run's {stored:,} games: those with faults, the worst blunders, and a sample of the others."
    )  # fmt: skip
    sections = [
        Section("standings", "Standings", blocks([*run_report.warnings(frames), *top])),
        Section("figures", "Figures", figures=[picture.svg() for picture in pictures(frames)]),
        Section("games", "Games", blocks=[sampled] if stored else []),
        Section("effort", "Effort", blocks(effort)),
        Section("openings", "Openings", blocks([Table("openings", "", Opening, openings(frames), OPENINGS)])),
        Section("audit", "Audit", blocks(_audit(frames))),
        Section("faults", "Faults", blocks(_faults(frames))),
        Section("about", "How it was made", facts=facts),
    ]
    subtitle = f"{path.name}: {len(frames.agents)} agents, {stored:,} of {frames.planned:,} games"
    shown = [section for section in sections if section.blocks or section.figures or section.facts]
    return _rendered(title or "Connect4 Arena: a tournament", subtitle, shown, data if listed else None, whole=whole)


def _audit(frames: Frames) -> list[Part]:
    parts = audit_report.parts(frames)
    return parts if any(isinstance(part, Table) and part.rows for part in parts) else []


def _faults(frames: Frames) -> list[Part]:
    found = faults(frames)
    return [Table("faults", "", Fault, found, FAULTS)] if found else []


def _facts(store: Store) -> list[tuple[str, str]]:
    """Return how a run was made: when, by which command, of what, on what."""
    run = made(store)
    facts = [
        ("File", store.path.name),
        ("Command", run["command"] or "not stored"),
        ("Begun", _moment(run["created"])),
        ("Seed", str(run["seed"])),
        ("Openings", str(store.plan().get("openings", ""))),
        ("Versions", ", ".join(f"{name} {version}" for name, version in run["versions"].items())),
        ("Machine", ", ".join(f"{name} {value}" for name, value in run["machine"].items() if value)),
        *((f"Session {number}", text) for number, text in enumerate(map(_session, run["sessions"][1:]), start=2)),
    ]
    return [(name, text) for name, text in facts if text]


def _session(session: Mapping[str, Any]) -> str:
    """Return when a session began, and what it was played with and on."""
    told = {**session["versions"], **session["machine"]}
    return ", ".join([f"{_moment(session['begun'])}", *(f"{name} {value}" for name, value in told.items() if value)])


def _moment(text: str) -> str:
    return f"{text[:19].replace('T', ' ')} UTC"


def _rendered(
    title: str, subtitle: str, sections: Sequence[Section], data: dict[str, Any] | None = None, *, whole: bool = True
) -> str:
    return html.render(
        "report.html",
        whole=whole,
        modules=MODULES if data else MODULES[1:2],
        title=title,
        subtitle=subtitle,
        sections=sections,
        data=html.as_json(data) if data else "",
    )
