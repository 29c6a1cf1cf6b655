"""Styles for programs, papers and packages, pages of columns, and the folder of a site, as they were recorded."""

import csv
import itertools
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace as Row

import pytest
from columns import INTRODUCTION, columns_page
from filled import filled
from hand_made import pairs_of, run_of
from recorded import holds, plain, tried
from seen import page_of

from agents.board import Board, Rules
from agents.specs.registry import parse
from arena.games.check import Checked
from arena.games.entries import Unfit
from arena.perfect.grading import Grade
from arena.plugins.assignment import site
from arena.plugins.assignment.hand_in import Finding
from arena.plugins.assignment.marks import HandIn, Rule
from arena.plugins.assignment.site import Course, Site
from arena.plugins.tree import tables as trees
from arena.plugins.tree.build import tree
from arena.position.position import Divided, Value
from arena.store.machine import Load
from arena.table import parts, render, styles
from arena.table.cells import agent_label, fixed
from arena.table.labels import Labels
from arena.table.parts import Table
from arena.table.rows import Column, columns, known, restored
from arena.tournament.busy import busy as busy_columns
from arena.tournament.standings import Crossing


def test_documents_and_styles_of_packages(request, monkeypatch):
    signs = 'é"\\\n\x1b\x7f\x80\x9f\u200b\u2028\u202e\u2066\ufeff→'
    found = {"signs": ascii(styles.json_document({"a": signs})), "harmless": ascii(styles.harmless_json(signs))}
    for name, value in {"none": [], "two": [{"a": 1}, {"b": None}], "one": {"a": [1.5]}, "empty": {}}.items():
        for meta in (None, {"seed": 1}):
            found[f"{name} with {meta and 1}"] = styles.json_document(value, meta).split("\n")
    found["nan"] = tried(styles.json_document, [float("nan")], errors=ValueError)
    own = styles.Style(styles.csv_grid, title="= {}")

    def refusing(error):
        def load():
            raise error

        return load

    refuse = refusing(ImportError("no\nway"))
    offered = {"mine": Row(load=lambda: own, value="p:mine"), "odd": Row(load=lambda: 5, value="p:odd"),
               "bad": Row(load=refuse, value="p:bad"), "csv": Row(load=refuse, value="p:csv"),
               **{type(each).__name__: Row(load=refusing(each), value="p:it") for each in (
                   RuntimeError("it\nfails"), AttributeError("no such name"), KeyError("x"))}}  # fmt: skip
    monkeypatch.setattr(styles, "installed", lambda group: offered if group == "styles" else {})
    found["known"], found["own"] = styles.known(), styles.find("mine") is own
    found["refused"] = [
        tried(styles.find, name) for name in (*offered, "nothing", "plan") if name not in ("mine", "csv")
    ]
    table = Table("t", "A title", Divided, [filled(Divided, 1)], columns(Divided))
    found["written"] = render.write([table, "a line"], "mine")
    rows = [filled(Divided, n) for n in (1, 2, 3)]
    parts = ["a line", *(replace(table, rows=some, title=f"{len(some)} rows") for some in (rows[:2], rows[1:])),
             replace(table, name="other", lines=rows[:1])]  # fmt: skip
    for style, only in itertools.product(("csv", "json", "plain", "html", "latex"), ("", "t", "other")):
        whole, narrow = (
            "".join(render.written(parts, style, only, width, meta={"seed": 1})).split("\n") for width in (None, 12)
        )
        found[f"{style}{only and ', only '}{only}"] = [whole, narrow] if style == "plain" else whole
        assert (whole == narrow) is (style != "plain")
    found["narrower than a column"] = render.write([table], "plain", width=3).split("\n")
    found["no rows"] = [render.write([replace(table, rows=[]), "after"], style) for style in styles.STYLES]
    holds("report-styles", plain(found), request)


def test_columns_and_their_notes(request):
    rows = [
        Row(agent="a:depth=1,x=2", n=1.25, none=None, text="1,000"),
        Row(agent="b:depth=1", n=None, none=None, text="x"),
    ]
    shown = [
        Column("agent", "agent", agent_label, note="who"), Column("n", "n", fixed(1), note="* starred"),
        Column("m", "n", lambda n: f"{n} *", note="* also"), Column("none", "none", when=known, note="never shown"),
        Column("ms", "n", fixed(2), missing="?", note="a time"), Column("n", "text", note="the second n"),
        Column("both", "agent text", lambda agent, text: f"{agent}+{text}"), Column("place", "#"),
        Column("made", lambda row: len(row.agent)),
    ]  # fmt: skip
    table = Table(
        "t", "A table", Row, rows, shown, Labels.among(row.agent for row in rows), notes={"m": "by hand", "x": "no"}
    )
    found = {"meaning": table.meaning, "no notes": Table("t", "", Row, rows, shown[6:]).meaning}
    found["cells"] = [
        [each.header, each.side, each.cells, list(each.values)] for each in parts.cells(rows, shown, table.labels)
    ]
    marked = busy_columns(shown, None, Load(7.0, 8), Load(0.0, 8), Load(7.0, 8))
    found["quiet"] = [each.note for each in marked]
    values = (None, "", "a\x1b\nb", "plain", 1, 1.5, True, (1, 2), ["x"], (Row(a=1).a,), [filled(Divided, 1)])
    found["full"] = [parts.full(value) for value in values]
    other = Table("other", "", Divided, [filled(Divided, 2)], columns(Divided))
    said = ["line", table, other, Table("t", "", Row, rows[:1], shown), Table("none", "", Row, [], shown), ""]
    found["explained"] = [each if isinstance(each, str) else each.name for each in parts.explained(said)]

    def named(only):
        tables, rows = parts.named_tables(said, only)
        return [[len(each.rows) for each in tables], len(rows)]

    found |= {f"only {only}": tried(named, only) for only in ("", "t", "other", "none", "tt")}
    found["of no table"] = tried(parts.named_tables, ["a line"], "t")
    kinds = {"values": Value, "crosstable": Crossing, "divided": Divided}
    found["page"] = columns_page(kinds).removeprefix(INTRODUCTION).split("\n")
    for style in ("csv", "json", "plain"):
        found[f"rendered in {style}"] = parts.render(
            [filled(Divided, n) for n in (1, 2)], columns(Divided), style
        ).split("\n")
    found["none rendered"] = [
        parts.render([], columns(Divided), style, row=Divided) for style in ("csv", "json", "plain")
    ]
    holds("report-columns", plain(found), request)


@pytest.fixture
def busy(monkeypatch):
    monkeypatch.setattr("arena.store.machine.BUSY", 0.25)


def test_times_of_a_busy_machine_are_marked(busy):
    shown = [Column("ms", "n", note="a time"), Column("time ×", "n", note="a ratio"), Column("ms", "n"),
             Column("n", "n", note="a count")]  # fmt: skip
    more = "rough: other programs used 7.0 of 8 cores"
    loads = None, Load(7.0, 8), Load(0.0, 8), Load(7.0, 8)
    assert [each.note for each in busy_columns(shown, *loads)] == [f"a time, {more}", f"a ratio, {more}", "", "a count"]
    assert busy_columns(shown, None, Load(1.0, 8)) == shown


def test_pages_of_trees(request):
    board = Board.from_moves("33", Rules(5, 4))
    one, other = tree(parse("alphabeta:depth=2,order=centre"), board, None), tree(parse("minimax:depth=2"), board, None)
    empty = trees.page(tree(parse("minimax:depth=1"), Board(Rules(4, 4)), None), whole=False)
    found = {
        "empty": page_of(empty),
        "one": page_of(trees.page(one, whole=False)),
        "two": page_of(trees.page(one, other, whole=False)),
    }
    whole = page_of(trees.page(other))
    found["whole"] = [whole["scripts"], whole["loaded"], whole["words"][:3]]
    for value, depth, number in itertools.product((0, -7, 999_995), (1, 3), (1, 1234)):
        made = Row(value=value, depth=depth, nodes=number, move=number % 7)
        found[f"summary of {value}, {depth}, {number}"] = {"data": [], "summary": trees.summary(made)}
    holds("report-tree-pages", plain({name: {**each, "data": len(each["data"])} if isinstance(each, dict) else each
                                      for name, each in found.items()}), request)  # fmt: skip


def finding(name, author="", **more):
    checked = Checked(name, positions=20, ms_median=1.0, ms_max=2.0)
    return Finding(name, author, checked, **{"asked": 20, **more})


def course(*found, broken=(), public=False):
    return Course("a/class.toml", {each.name: each for each in found}, Rule(), None, broken, public)


def graded(name="a", **given):
    """Return a grade as it is stored."""
    names = ("good", "perfect", "clear_good", "clear_perfect", "gain", "seconds")
    ends = (("", 0.5), ("_low", 0.25), ("_high", 0.75))
    shares = {f"{each}{end}": share for each in names for end, share in ends}
    counts = {"positions": 20, "clear_cut": 9} | dict.fromkeys(("depth", "nodes", "unanswered", "better", "worse"))
    likes = {"plays_like": 3.25, "plays_like_low": 2.5, "plays_like_high": 4.0}
    return restored(Grade, {"agent": name} | counts | likes | shares | given)


MET = [Crossing("a", other, 4, points, 0, 0, 0) for other, points in (("greedy", 3.5), ("alphabeta:depth=1", 1.0))]


def test_what_is_said_of_a_hand_in(request, monkeypatch):
    monkeypatch.setattr(site, "reference", list)

    def said(section):
        words = [each if isinstance(each, str) else [each.name, len(each.lines)] for each in section.blocks]
        return [section.name, section.title, words, list(map(list, section.facts)), len(section.figures)]

    found, row = {}, HandIn("a", "", True, 0, 2, 3.5, 12, 50.0, 100.0, (50.0,), "", ())
    grades = {
        "none": None, "whole": graded(), "without shares": graded(good=None, good_low=None, good_high=None),
        "late wins": graded(good=0.9, perfect=0.45),
        "nothing clear-cut": graded(clear_good=None, clear_good_low=None, clear_good_high=None),
        "of no rung": graded(plays_like=None, plays_like_low=None, plays_like_high=None),
        "above all": graded(plays_like=math.inf, plays_like_high=None),
        "below all": graded(plays_like=-math.inf, plays_like_low=None),
    }  # fmt: skip
    for name, grade in grades.items():
        for number, points in enumerate((None, 0.0, 7.0)):
            found[f"strength, {name}, {points}"] = said(
                site._strength(finding("a", grade=grade), replace(row, points=points), MET[:number])
            )
    for compared, searches, difference in itertools.product(
        (None, 0, 8), ("", "mine:x is compared", "nothing to compare"), ("", "after 33 it plays 2")
    ):
        one = finding("a", compared=compared, agree=compared and 6, searches=searches, difference=difference)
        found[f"searches, {compared}, {searches}, {difference}"] = said(site._searches(one))
    checks = {
        "whole": {}, "faulty": {"ok": False, "problems": ["one", "two"], "output": " ".join(map(str, range(400)))},
        "remarks": {"problems": ["a remark"], "output": "printed"}, "slow": {"ms_median": 1234.567, "ms_max": 98765.4},
        "sure": {"deterministic": True}, "unsure": {"deterministic": False},
        "silent": {"ms_median": None, "positions": 0},
    }  # fmt: skip
    faults = [
        Row(games=3, termination="out of time", detail="", game=7, position="44"),
        Row(games=1, termination="exception", detail="it: fails: ", game=9, position=""),
    ]
    for name, given in checks.items():
        checked = replace(finding("a").checked, **given)
        found[f"runs, {name}"] = [said(site._runs(checked, faults[:count])) for count in (0, 2)]
    odd = ["index", "Index.py", "a b", "a-b", "A_b", "a--b", "A-B", "é/ü", "..", "--", "agent", "a-b-2", "x" * 40]
    found["files"] = site._pages(dict.fromkeys(odd), alone=False)
    found["one file"] = site._pages({"index": None}, alone=True)
    holds("report-hand-ins", plain(found), request)


def test_the_ranks_of_hand_ins(request, tmp_path, monkeypatch):
    """One won all of few games, two are as good as each other, one has no points, and one has not played."""
    names = ["greedy", "random", "minimax:depth=1", "alphabeta:depth=1", "mcts:playouts=5"]
    games = [
        *pairs_of("11", one=0, two=4),
        *pairs_of("1=", "11", "10", one=1, two=4),
        *pairs_of("1=", "11", "10", one=2, two=4),
    ]
    run = run_of(tmp_path / "run.sqlite", names, [*games, (3, 4, 0, "0"), (4, 3, 0, "1")])
    found = {}
    for some in ([*names[:4], "unplayed"], ["random", "unplayed"], names[4:]):
        made = Course("class", {name: finding(name, grade=graded(name)) for name in some}, Rule(), run, [], False)
        found[", ".join(some)] = [
            [row.agent, row.rank, row.points, row.games, row.faults, row.ok, row.marks, row.parts]
            for row in made.rows()
        ]
    holds("report-ranks", plain(found), request)
    faults = [Row(agent=name, number=n) for n, name in enumerate(("greedy", "random", "greedy", "mine.py"))]
    monkeypatch.setattr(site, "fault_reports", lambda store: faults if store.path == run else [])
    assert [[each.number for each in made._faults(name)] for name in ("greedy", "random", "nobody")] == [
        [0, 2],
        [1],
        [],
    ]


def unfit(line, name):
    return Unfit(line, name, Path(f"{name}.py"))


def test_the_folder_of_a_site(request, tmp_path):
    found, made = {}, Site.of(tmp_path / "site")
    several = course(finding("b", "=1+1", twin="greedy"), finding("a/b c", "+x"),
                     finding("ok", "@y", searches="a line"),
                     broken=[unfit("dir/broken.py, line 3: it is wrong", "broken"), unfit("x.y.py: no", "x.y")],
                     )  # fmt: skip
    (tmp_path / "site").mkdir()
    for name in ("old.html", "ok.html"):
        (tmp_path / "site" / name).write_text("old", encoding="utf-8")
    alone, public = course(finding("ok")), course(finding("b"), finding("c"), public=True)
    for name, wanted in {
        "several": several,
        "alone": alone,
        "broken": course(broken=[unfit("a.py: no", "a")]),
        "one beside a broken one": course(finding("ok"), broken=[unfit("a.py: no", "a")]),
        "public": public,
    }.items():
        first, *tables = made.write(wanted)
        found[name] = [first.name, [path.name for path in tables], sorted(path.name for path in made.folder.iterdir())]
        found[f"{name}, first"] = page_of(first.read_text(encoding="utf-8"))["words"]
        others = [path for path in sorted(made.folder.glob("*.html")) if path != first]
        found[f"{name}, others"] = [page_of(path.read_text(encoding="utf-8"))["words"][:4] for path in others]
        for path in tables:
            found[f"{name}, table"] = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    found["harmless"] = [
        site._harmless(value) for value in ("=a", "+", "-1", "@", "\tx", "\rx", "a=", "", 5, None, -1.5)
    ]
    (tmp_path / "file").touch()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    (tmp_path / "empty").mkdir()
    for name in ("file", "full", "empty", "new/deep", "site"):
        found[f"of {name}"] = str(tried(Site.of, tmp_path / name)).replace(str(tmp_path), "~")
    (tmp_path / "run.sqlite").touch()
    found["of a run"] = str(tried(Site.of, tmp_path / "run")).replace(str(tmp_path), "~")
    holds("report-site-folder", plain(found), request)
