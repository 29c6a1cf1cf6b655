"""The page of a study, of made-up and of stored results."""

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
    "begun": "2026-01-02", "command": None, "versions": {"python": "3", "connect4-arena": "1.5"},
    "machine": {"system": "A_system", "machine": "", "processor": None, "processors": 4},
}  # fmt: skip
STATE = {
    "sessions": [MADE | {"versions": {"connect4-arena": "0"}}, MADE | {"command": "arena study <x>"}],
    "digest": "0123456789abcdef" * 4, "begun": "2026-01-02T03:04:05",
    "agents": {"a": {"spec": "greedy", "digest": None}, "b": {"spec": "x.py", "digest": "abc"}},
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
        study.Shown("made", ["a line", *tables], [picture("cost"), picture("other", (5.0, 2.0))]),
        study.of_depths([cost(n, agent, position) for agent in "ab" for n in (1, 2) for position in ("", "12")], 7),
        study.of_grade([filled(Grade, 1, agent="a"), filled(Grade, 2, agent="b", depth=None)]),
    ]  # fmt: skip


def test_the_page_of_a_study(shown, request, monkeypatch):
    monkeypatch.setattr(Picture, "svg", lambda picture, prefix="": f"<svg id='{prefix}{picture.name}'></svg>")
    rows = [filled(Verdict, 1, source="A <book>"), filled(Verdict, 2, source="", value=Interval(1.0, None, 1.25))]
    once = STATE | {"sessions": [MADE]}
    whole, empty = (
        study.page(declared(), STATE, rows, shown),
        study.page(declared(0, authors=(), hypotheses=()), once, [], []),
    )
    found = {"whole": text(whole), "anchors": re.findall(r"""\bid=["'][^"']*["']""", whole), "empty": text(empty)}
    found["scripts"] = [name for name in page.MODULES if page.bundle((name,)) in whole]
    for positions in (("",), ("12",), ("", "12"), ("1", "2", "3")):
        costs = [cost(n, "a", each, seconds=Interval(0.5, 0.25, 1.0)) for each in positions for n in (1, 2)]
        [table], pictures = (made := study.of_depths(costs, 7)).parts, made.pictures
        found[f"positions {positions}"] = [len(table.rows), [each.name for each in pictures]]
    found["no grades"] = [part.title for part in study.of_grade([]).parts if isinstance(part, Table)]
    holds("report-study", plain(found), request, within=1e-6)


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
