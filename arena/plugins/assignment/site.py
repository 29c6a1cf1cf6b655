"""The site of an assignment: a folder with a ranking and a page for each hand-in, and a table beside it."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.depth import figures
from arena.depth.tables import depths
from arena.games.check import Checked
from arena.games.entries import Unfit
from arena.page import page
from arena.page.page import Section, blocks, shown
from arena.perfect.tables import standing
from arena.plugins import offers
from arena.plugins.assignment.hand_in import Finding, reference
from arena.plugins.assignment.marks import DEEPEST, HandIn, Mark, Ranked, Rule
from arena.store import queries
from arena.store.run_file import Store
from arena.store.writing import replacing, write
from arena.table.cells import after, percent
from arena.table.labels import Labels
from arena.table.parts import Table
from arena.table.rows import columns, without
from arena.tournament.faults import FaultReport, fault_reports
from arena.tournament.frames import Frames
from arena.tournament.standings import Crossing, crosstable, standings

RANKING = ("rank", "agent", "faults", "points", "marks", "most", "twin", "imports", "ok", "games", "author")
"""The columns of the ranking; a phone shows the first ones."""

TEACHERS = ("marks", "most", "parts", "twin", "imports")
"""What public pages leave out."""


@dataclass(frozen=True, slots=True)
class Site:
    """The folder with the pages, and the files beside it."""

    folder: Path

    @classmethod
    def of(cls, folder: Path) -> Site:
        """Return the site of a folder. Raises InputError unless the folder is new, empty or a site."""
        place = Path(folder).resolve()
        if place.exists() and not place.is_dir():
            raise InputError(f"{folder} is a file; --out names a folder")
        if place.is_dir() and not {path.suffix for path in place.iterdir()} <= {".html"}:
            raise InputError(f"{folder} holds other files; name a new folder with --out")
        place.parent.mkdir(parents=True, exist_ok=True)
        site = cls(place)
        if site.run.exists() and not (place / "index.html").exists():
            raise InputError(f"{site.run} exists; name a new folder with --out")
        return site

    @property
    def run(self) -> Path:
        """The file with the games."""
        return self.folder.with_name(f"{self.folder.name}.sqlite")

    def write(self, course: Course) -> tuple[Path, ...]:
        """Write all pages and, for a class, the table; return the first page and the table. Raises InputError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        rows, alone = course.rows(), len(course.findings) + len(course.broken) == 1
        pages = _pages(course.findings, alone=alone)
        for row in rows:
            if row.agent in pages:
                write(self.folder / pages[row.agent], course.page(row, "" if alone else "index.html"))
        for stale in {path.name for path in self.folder.glob("*.html")} - {*pages.values(), "index.html"}:
            (self.folder / stale).unlink()
        first = self.folder / "index.html"
        if alone:
            return (first,)
        write(first, course.first_page(rows, pages))
        return (first, _table(self.folder, rows, course.rule))


@dataclass(frozen=True, slots=True)
class Course:
    """All data on the hand-ins."""

    title: str
    findings: Mapping[str, Finding]
    """By name."""
    rule: Rule
    run: Path | None
    """The audited games; None if no hand-in could play."""
    broken: Sequence[Unfit]
    """A line for each hand-in without an agent."""
    public: bool
    """Whether pages leave out marks."""

    def rows(self) -> list[HandIn]:
        """Return a row for each hand-in, the best first, and then for those without an agent."""
        played = [] if self.run is None else standings(Frames.read(self.run))
        met = self._met()
        order = {
            row.agent: row for row in sorted(played, key=lambda row: -(row.score or 0.0)) if row.agent in self.findings
        }
        names = [*order, *(name for name in self.findings if name not in order)]
        rows = []
        for name in names:
            finding, result = self.findings[name], order.get(name)
            games, lost = (result.games, result.faults) if result else (0, 0)
            parts = self.rule.of(finding.numbers(games, lost, *_sums(met.get(name, ()))))
            most = sum(mark.most for mark in parts if mark.points is not None)
            better = sum((row.score or 0.0) > (result.score or 0.0) for row in order.values()) if result else 0
            rows.append(
                HandIn(
                    name, finding.author, finding.checked.ok and not lost, lost + finding.problems,
                    better + 1 if result and len(names) > 1 else None, result.points if result else None, games,
                    round(sum(mark.points or 0.0 for mark in parts), 1), most,
                    tuple(mark.points for mark in parts), finding.twin, tuple(finding.imports),
                )
            )  # fmt: skip
        none, most = tuple(0.0 for _ in self.rule.marks), self.rule.most
        rows += [HandIn(file.name, "", False, 1, None, None, 0, 0.0, most, none, "", ()) for file in self.broken]
        return rows

    def _met(self) -> dict[str, list[Crossing]]:
        """Return the games of each hand-in with our agents, by opponent."""
        met: dict[str, list[Crossing]] = {}
        for row in () if self.run is None else crosstable(Frames.read(self.run)):
            if row.agent in self.findings and row.opponent not in self.findings:
                met.setdefault(row.agent, []).append(row)
        return met

    def first_page(self, rows: Sequence[HandIn], pages: Mapping[str, str]) -> str:
        """Return the first page: the ranking with links, the files that cannot play, and the tournament's report."""
        links: dict[tuple[str, int], str] = {}
        for line, row in enumerate(rows):
            if row.agent in pages:
                links["name", line] = pages[row.agent]
                links |= {("faults", line): f"{pages[row.agent]}#runs"} if row.faults else {}
        table = Table("ranking", "", HandIn, rows, columns(HandIn, *RANKING))
        if self.public:
            ranked = [Ranked(**without(row, *TEACHERS)) for row in rows]
            order = [name for name in RANKING if name not in TEACHERS]
            table = Table("ranking", "", Ranked, ranked, columns(Ranked, *order))
        ranking = Section("ranking", "Ranking", [shown(table, links), *self.broken])
        name = f"Assignment: {Path(self.title).stem}"
        if self.run is None:
            return page.rendered(name, f"{len(rows)} hand-ins", [ranking])
        return page.page(self.run, name, [ranking])

    def page(self, row: HandIn, back: str = "") -> str:
        """Return the page of one hand-in; `back` is the address of the first page."""
        finding, lost = self.findings[row.agent], row.faults - self.findings[row.agent].problems
        sections, data = [_runs(finding.checked, self._faults(row.agent) if lost else []), _searches(finding)], None
        met = self._met().get(row.agent, [])
        sections.append(_strength(finding, row, met))
        if not self.public:
            sections.insert(0, self._marks(row, lost, met))
        if self.run is not None and row.games:
            with Store.read(self.run) as store:
                thrown = [offer.load(2)(store, row.agent) for offer in offers("REASONS")]
                data, games = page.document(store, where=queries.matching(agent=store.names().index(row.agent)))
            sections += [*map(_blunders, thrown), Section("games", "Games", [f"All {games:,} games that it played."])]
        subtitle = ", ".join(filter(None, [finding.author.rstrip("."), f"rank {row.rank}" if row.rank else ""]))
        return page.rendered(row.agent, subtitle, sections, data, back=back)

    def _marks(self, row: HandIn, lost: int, met: Sequence[Crossing]) -> Section:
        finding = self.findings[row.agent]
        parts = self.rule.of(finding.numbers(row.games, lost, *_sums(met)))
        lines = []
        if finding.twin:
            lines.append(f"It answers {finding.checked.positions} of {finding.asked} positions as {finding.twin}.")
        if finding.imports:
            lines.append(f"It imports modules of the arena beyond the public names: {', '.join(finding.imports)}.")
        table = Table("marks", "", Mark, parts, columns(Mark))
        return Section("marks", "Marks", [f"{row.marks:g} of {row.most:g}", *blocks([table]), *lines])

    def _faults(self, agent: str) -> list[FaultReport]:
        """Return the kinds of faults by which a hand-in lost games."""
        assert self.run is not None
        with Store.read(self.run) as store:
            return [report for report in fault_reports(store) if report.agent == agent]


def _pages(findings: Mapping[str, Finding], *, alone: bool) -> dict[str, str]:
    """Return the file of each hand-in's page."""
    pages: dict[str, str] = {}
    for name in findings:
        plain = re.sub(r"[^\w-]+", "-", name).strip("-") or "agent"
        number = sum(address.casefold().startswith(plain.casefold()) for address in pages.values())
        file = f"{plain}.html"
        taken = {address.casefold() for address in pages.values()} | {"index.html"}
        while file.casefold() in taken:
            number += 1
            file = f"{plain}-{number}.html"
        pages[name] = "index.html" if alone else file
    return pages


def _runs(checked: Checked, faults: Sequence[FaultReport]) -> Section:
    median, longest = checked.ms_median, checked.ms_max
    facts = [
        ("Check", "no fault" if checked.ok else "faults"),
        ("Positions answered", f"{checked.positions}"),
        ("Time of a move", "-" if median is None else f"{median:.3g} ms, at most {longest:.3g} ms"),
        ("Same answer twice", {True: "yes", False: "no", None: "-"}[checked.deterministic]),
        *(("Remark" if checked.ok else "Fault", line) for line in checked.problems),
        *([("It printed", checked.output[-1000:])] if checked.output and not checked.ok else []),
    ]
    for fault in faults:
        said = f"{fault.games} games lost: {fault.termination}: {fault.detail}".removesuffix(": ")
        facts.append(("In games", f"{said} (first in game {fault.game} {after(fault.position)})"))
    return Section("runs", "Does it run?", facts=facts)


def _searches(finding: Finding) -> Section:
    said = []
    if finding.compared:
        said.append(
            f"{finding.agree} of {finding.compared} searches are right: they have minimax's value and move or, before "
            f"the end of the game, its result ({finding.searches})."
        )
    elif finding.searches:
        named = ":" in finding.searches.split(" ", 1)[0]  # it begins with an agent's name, which keeps its case
        said.append(f"{finding.searches if named else finding.searches[0].upper() + finding.searches[1:]}.")
    facts = [("First difference", finding.difference)] if finding.difference else []
    if not finding.costs:
        return Section("searches", "Searches by depth", said, facts=facts)
    rows = [*finding.costs, *reference()]
    drawn = [picture.svg() for picture in figures.depths(rows, 7)[:1]]
    return Section("searches", "Searches by depth", [*said, *blocks([depths(rows)])], drawn, facts)


def _sums(met: Sequence[Crossing]) -> tuple[float, int]:
    """Return the points and the number of games."""
    return sum(row.points for row in met), sum(row.games for row in met)


def _strength(finding: Finding, row: HandIn, met: Sequence[Crossing]) -> Section:
    said = []
    if row.points is not None:
        beside = ", ".join(f"{crossing.points:g} of {crossing.games} against {crossing.opponent}" for crossing in met)
        said.append(f"It made {row.points:g} points in {row.games} games{': ' * bool(met)}{beside}.")
    grade = finding.grade
    if grade is None:
        return Section("strength", "Strength", [*said, "Its moves could not be graded."])
    if grade.good is not None and grade.clear_good is not None:
        said.append(
            f"It kept the value in {percent(grade.good.value)} of {grade.positions} positions, and in"
            f" {percent(grade.clear_good.value)} of the {grade.clear_cut} where a legal move loses it."
        )
    said.append(f"{standing(grade, Labels.among([row.agent]), range(1, DEEPEST + 1))}.")
    if grade.good is not None and grade.perfect is not None:
        late = round((grade.good.value - grade.perfect.value) * grade.positions)
        if late > 0:
            said.append(
                f"In {late} of {grade.positions} positions it won later, or lost sooner, than it could: "
                "give quicker wins and later losses a higher value."
            )
    return Section("strength", "Strength", said)


def _blunders(table: Table) -> Section:
    if not table.rows:
        return Section("blunders", "Worst blunders", ["None in its games."])
    rows: Sequence[Any] = table.rows
    links = {("game", line): f"#game-{row.game}-{row.ply}" for line, row in enumerate(rows)}
    said = (
        "Moves that turned a win into a draw or a loss, or a draw into a loss, and why. X is the first player, O the "
        "second; click the number of a game to replay it there."
    )
    return Section("blunders", "Worst blunders", [said, shown(table, links)])


def _table(folder: Path, rows: Sequence[HandIn], rule: Rule) -> Path:
    """Write the rows beside the folder as CSV; return the file."""
    headers = ["name", "author", "ok", "faults", "rank", "points", "games", *rule.marks, "marks", "of", "answers_as",
               "imports"]  # fmt: skip
    path = folder.with_name(f"{folder.name}.csv")
    with replacing(path) as beside, beside.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(headers)
        for row in rows:
            line = [
                row.agent, row.author, "yes" if row.ok else "no", row.faults, row.rank, row.points, row.games,
                *row.parts, row.marks, row.most, row.twin, ", ".join(row.imports),
            ]  # fmt: skip
            writer.writerow([_harmless(cell) for cell in line])
    return path


def _harmless(value: object) -> object:
    """Return a text that a spreadsheet does not take for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
