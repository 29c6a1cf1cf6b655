"""The page of a study, of made-up and of stored results."""

import re

from recorded import holds, plain
from transcript import text

from arena.page import page
from arena.page.page import Section
from arena.plugins.study import tables as study
from arena.plugins.study.claims import Verdict
from arena.records import Interval
from arena.table.parts import Table
from arena.table.picture import Picture
from arena.table.rows import columns

from .filled_rows import filled

STATE = {
    "begun": "2026-01-02T03:04:05", "command": None, "versions": {"python": "3", "connect4-arena": "1.5"},
    "machine": {"system": "A_system", "machine": "", "processor": None, "processors": 4},
    "digest": "0123456789abcdef" * 4, "agents": {"a": "greedy", "b": "x.py SHA-256 abc"},
}  # fmt: skip


def picture(name, size=(6.4, 3.2)):
    return Picture(name, f"The {name}", lambda axes: axes.plot([1]), size, ["a legend"])


def test_the_page_of_a_study(request, monkeypatch):
    monkeypatch.setattr(Picture, "svg", lambda picture, prefix="": f"<svg id='{prefix}{picture.name}'></svg>")
    rows = [filled(Verdict, 1, source="A <book>"), filled(Verdict, 2, source="", value=Interval(1.0, None, 1.25))]
    table = Table("pairings", "One & <b>", Verdict, rows, columns(Verdict)[:3])
    results = [study.section("match", ["a line", table], [picture("cost"), picture("other", (5.0, 2.0))])]
    state = STATE | {"command": "arena study <x>"}
    whole = study.page("A & <b>_study", "by C & <d>", ("x < y", "z"), rows, results, state)
    empty = study.page("A & <b>_study", "", (), [], [], STATE)
    found = {"whole": text(whole), "anchors": re.findall(r"""\bid=["'][^"']*["']""", whole), "empty": text(empty)}
    found["scripts"] = [name for name in page.MODULES if page.bundle((name,)) in whole]
    holds("report-study", plain(found), request, within=1e-6)


def test_sections_of_a_page(request):
    sections = [Section("a", "A & <b>", ["x <y>"], ["<svg></svg>"], [("one <1>", "two & 2")]), Section("b", "B")]
    found = {}
    for name, given in {"plain": {}, "back": {"back": "index.html?a=<b>"}, "served": {"whole": False}, "games": {
        "data": {"rules": {}, "agents": ["</script>"], "openings": [], "games": []}}}.items():  # fmt: skip
        whole = page.rendered("T <t>", "S <s>", sections, **given)
        found[name] = [text(whole), re.findall(r'\b(?:href|src|id)="[^"]*"', whole)]
        found[f"{name}, scripts"] = [each for each in page.MODULES if page.bundle((each,)) in whole]
    holds("report-sections", plain(found), request)
