"""The files for readers of a study: tables, figures, methods, a paper and a page, of made-up and of stored results."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace as Row

import pandas as pd
import pytest
from filled import filled
from recorded import holds, plain
from transcript import DATA, text

from arena.analysis.frames import Frames
from arena.measure.depths import Cost
from arena.measure.grading import Grade
from arena.measure.study.claims import Declared, Verdict
from arena.records import Interval
from arena.report import page, study
from arena.report.column import Table
from arena.report.figures.picture import Picture
from arena.report.page import Section
from arena.rows import columns

MADE = {
    "versions": {"python": "3", "numpy": "2", "connect4-arena": "1.5"},
    "machine": {"system": "A_system", "machine": "", "processor": "", "processors": 4},
}  # fmt: skip
STATE = {
    "sessions": [MADE | {"versions": {"connect4-arena": "0"}}, MADE], "digest": "0123456789abcdef" * 4,
    "begun": "2026-01-02T03:04:05",
}  # fmt: skip
AUTHORS = ("A_ & <b>", "C")


def declared(claims=2, **given):
    found = {
        "title": "A & <b>_study",
        "authors": AUTHORS,
        "hypotheses": ("x < y", "z"),
        "text": "",
        "claims": (Row(),) * claims,
    }
    return Declared(**found | given)


def picture(name, size=(6.4, 3.2)):
    return Picture(name, f"The {name}", lambda axes: axes.plot([1]), size, ["a legend"])


def cost(number, agent, position, **given):
    return filled(Cost, number, agent=agent, position=position, depth=number, call_seconds=None, **given)


@pytest.fixture
def drawn(monkeypatch):
    """Write of a figure its title, size and legend instead of drawing it."""

    def told(picture):
        return f"{picture.name}: {picture.title!r}, {picture.size}, {list(picture.legend)}"

    monkeypatch.setattr(Picture, "save", lambda picture, *paths: [path.write_text(told(picture)) for path in paths])
    monkeypatch.setattr(Picture, "svg", lambda picture, prefix="": f"<svg id='{prefix}{picture.name}'></svg>")


@pytest.fixture(scope="module")
def shown():
    """What a study has found, some in runs and some made up."""
    printed = DATA / "printed"
    rows = [filled(Verdict, 3), filled(Verdict, 4)]
    tables = [Table(name, title, Verdict, rows[:count], columns(Verdict)[:3]) for name, title, count in (
        ("audit", "One", 2), ("pairings", "", 1), ("audit", "Two & <b>", 1), ("other", "", 2), ("made", "Named so", 1),
        ("empty", "", 0), ("audit", "Three", 1))]  # fmt: skip
    return [
        study.of_run("match", Frames.read(printed / "match.sqlite")),
        study.Shown(
            "made", ["a line", *tables], [picture("cost"), picture("other", (5.0, 2.0))], ["One.", "Two `x`.", "Same."]
        ),
        study.of_depths([cost(n, agent, position) for agent in "ab" for n in (1, 2) for position in ("", "12")], 7),
        study.of_grade([filled(Grade, 1, agent="a"), filled(Grade, 2, agent="b", depth=None)], 9),
    ]  # fmt: skip


def folder_of(place):
    """Write what a study's folder holds before its files for readers."""
    sessions = [{"begun": "2026-01-02", "command": None}, {"begun": "2026-01-05", "command": "arena study <x>"}]
    (place / "environment.json").write_text(json.dumps({"sessions": sessions}), encoding="utf-8")
    agents = {"a": {"spec": "greedy", "digest": None}, "b": {"spec": "x.py", "digest": "abc"}}
    (place / "digests.json").write_text(json.dumps({"agents": agents}), encoding="utf-8")
    return place


def test_the_files_of_a_study(shown, drawn, request, tmp_path):
    rows = [filled(Verdict, 1, source="A <book>"), filled(Verdict, 2, source="", value=Interval(1.0, None, 1.25))]
    folder, found = folder_of(tmp_path), {}
    for width in (3.4, 8.0, None):
        study.write(declared(), folder, STATE, rows, shown, width)
        found[f"figures {width} wide"] = [path.read_text() for path in sorted((folder / "figures").glob("*.svg"))]
    for path in sorted(folder.glob("*/*.t*")):
        if path.parent.name in ("tables", "figures"):
            found[str(path.relative_to(folder))] = path.read_text(encoding="utf-8").split("\n")
    found |= {
        path.name: [len(lines := path.read_text(encoding="utf-8").split("\n")), *lines[:2]]
        for path in sorted(folder.glob("tables/*.csv"))
    }
    for name in ("methods.md", "methods.tex", "paper.tex"):
        found[name] = (folder / name).read_text(encoding="utf-8").split("\n")
    found["references.bib"] = re.findall(
        r"@\w+\{(\w+)|(9?1\.5)", (folder / "references.bib").read_text(encoding="utf-8")
    )
    whole = (folder / "report.html").read_text(encoding="utf-8")
    found["report.html"] = text(whole)
    found["anchors"] = re.findall(r'\bid=["\'][^"\']*["\']', whole)
    found["scripts"] = [name for name in page.MODULES if page.bundle((name,)) in whole]
    found["named"] = [[name, of, len(table.rows)] for name, of, table in study.named_tables("T", rows, shown)]
    found["named without claims"] = [name for name, *_ in study.named_tables("T", [], shown[1:2])]
    holds("report-study", plain(found), request, within=1e-6)


def test_parts_of_a_study(shown, request, tmp_path):
    folder, found = folder_of(tmp_path), {}
    other = study.Shown("other", [], [], ["Two `x`.", "Same.", "We used another."])
    states = {"two": STATE, "one": STATE | {"sessions": STATE["sessions"][1:]}}
    for name, state in states.items():
        for count in (0, 1, 2):
            for some in ([], shown[1:2], [shown[1], other], [other, shown[3]]):
                key = f"{name}, {count} claims of {[each.name for each in some]}"
                found[key] = study.paragraph(declared(count), state, some)
    empty = study.page(declared(0, authors=(), hypotheses=()), folder, STATE, [], [], "Words [@holm1979].")
    found["an empty page"] = text(empty)
    for name, positions in (("one", ("",)), ("another", ("12",)), ("two", ("", "12")), ("three", ("1", "2", "3"))):
        rows = [cost(n, "a", each, seconds=Interval(0.5, 0.25, 1.0)) for each in positions for n in (1, 2)]
        made = study.of_depths(rows, 7)
        found[f"{name} position"] = [
            made.sentences,
            [len(part.rows) for part in made.parts],
            [each.name for each in made.pictures],
        ]
    graded = study.of_grade([], 3)
    found["graded"] = [graded.sentences, [part.title for part in graded.parts if isinstance(part, Table)]]
    holds("report-study-parts", plain(found), request, within=1e-6)


def test_what_of_a_run_is_in_a_study(request, monkeypatch):
    drawn = [picture(name) for name in ("standings", "crosstable", "ratings", "cost")]
    monkeypatch.setattr(study, "pictures", lambda _: drawn)
    monkeypatch.setattr(study.run, "whole", lambda _: ["its tables"])
    monkeypatch.setattr(study.quality, "audit_parts", lambda _: ["its audit"])
    monkeypatch.setattr(study.strength, "pairings_parts", lambda _: ["its pairings"])
    match, found = Frames.read(DATA / "printed" / "match.sqlite"), {}
    audited = replace(match, audit=pd.DataFrame({"game": [1]}))
    for name, frames in {"match": match, "audited": audited}.items():
        for compared in (None, {"search": "minimax"}):
            made = study.of_run(name, replace(frames, plan=frames.plan | {"comparison": compared}))
            found[f"{name}, {compared}"] = [made.name, made.parts, [each.name for each in made.pictures]]
    holds("report-study-runs", plain(found), request)


def test_sections_of_a_page(request):
    sections = [Section("a", "A & <b>", ["x <y>"], ["<svg></svg>"], [("one <1>", "two & 2")]), Section("b", "B")]
    found = {}
    for name, given in {"plain": {}, "back": {"back": "index.html?a=<b>"}, "served": {"whole": False}, "games": {
        "data": {"rules": {}, "agents": ["</script>"], "openings": [], "games": []}}}.items():  # fmt: skip
        whole = page.rendered("T <t>", "S <s>", sections, **given)
        found[name] = [text(whole), re.findall(r'\b(?:href|src|id)="[^"]*"', whole)]
        found[f"{name}, scripts"] = [each for each in page.MODULES if page.bundle((each,)) in whole]
    holds("report-sections", plain(found), request)
