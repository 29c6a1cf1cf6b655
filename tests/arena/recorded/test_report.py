"""What reports make of stored runs, findings and made-up rows: texts, widths, figures and pages, as it was recorded."""

import math
import random
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace as Row

import pytest
from recorded import holds, plain, tried
from seen import page_of, seen
from transcript import DATA, text

from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.specs.registry import parse
from arena.comparison import figures as comparison_figures
from arena.comparison.compare import comparison
from arena.depth import figures as measures
from arena.depth.cost import cost
from arena.games.check import Checked
from arena.games.entries import Unfit
from arena.page import page
from arena.perfect import quality_figures
from arena.perfect import tables as audits
from arena.perfect.grading import Grade
from arena.plugins.assignment import site
from arena.plugins.assignment.hand_in import Finding
from arena.plugins.assignment.marks import Rule
from arena.plugins.assignment.site import Course
from arena.plugins.explain.blunders import Blundered
from arena.plugins.explain.job import explain
from arena.plugins.tree import tables as trees
from arena.plugins.tree.build import tree
from arena.records import Interval
from arena.store.run_file import Store
from arena.table import labels, render, styles
from arena.table.cells import agent_label
from arena.table.parts import Table
from arena.table.picture import Picture
from arena.table.rows import Column
from arena.table.rows import plain as as_rows
from arena.tournament import effort_figures as effort
from arena.tournament import effort_tables as efforts
from arena.tournament import figures as pictures
from arena.tournament import strength_figures
from arena.tournament import tables as runs
from arena.tournament.frames import Frames

PRINTED = DATA / "printed"
SMALL = Rules(5, 4)
NAMES = (
    "alphabeta:depth=6,order=centre", "alphabeta:depth=6,order=centre,heuristic=powers-of-ten",
    "alphabeta:depth=4,order=centre,heuristic=parity,table=on", "minimax:depth=6", "folder/sub/mine.py:Mine",
    "mine.py:Mine", "mcts:playouts=100,seed=1", "llm:model-a@http://x;temperature=0", "llm:model-a@http://x;temperature=1",
    "cmd:./engine -v", "a very long name of an agent that has no end in sight: really", "odd\x1b[31m\nname",
    "greedy", "greedy#2",
)  # fmt: skip


def test_names(request):
    found = {}
    for start in range(0, len(NAMES), 3):
        some = [*NAMES[start : start + 4], NAMES[0]]
        made = labels.Labels.among(some)
        forms = labels.shorter(some)
        keys = {width: labels.key(forms[-1], width) for width in (20, 40, 100)}
        found[str(start)] = [made.texts, made.shared, made.note, [made.of(name) for name in NAMES], forms, keys]
    found["all alike"] = labels.Labels.among(NAMES[:2]).texts, labels.shorter(NAMES)
    found["parts"] = [labels.part(name) for name in NAMES]
    words = ("", "short", "one, two, three, four", "no list but a long text", "a,b, c")
    found["cut"] = [(labels.cut(word, width), labels.items(word, width)) for word in words for width in (5, 8, 12, 30)]
    found["wrapped"] = [
        (render.wrap(line, width), render.hanging(line, width), render.hanging(line, None))
        for line in ("   * a line that hangs below its words, and goes on", "x", "one-two three/four")
        for width in (12, 30)
    ]
    holds("report-names", plain(found), request)


@pytest.mark.parametrize("name", ["field", "match", "comparison"])
def test_reports_in_every_width(name, request):
    frames = Frames.read(PRINTED / f"{name}.sqlite")
    parts = [*runs.whole(frames), efforts.by_phase(frames), *audits.audit_parts(frames)]
    if frames.plan.get("comparison"):
        parts += runs.compared(frames, comparison(frames))
    found = {f"{width} wide": render.write(parts, "plain", width=width).split("\n") for width in (30, 60, 90, 130)}
    found["latex"] = render.write(parts, "latex").split("\n")
    tables = dict.fromkeys(part.name for part in parts if isinstance(part, Table) and part.rows)
    for only in tables:
        found[f"{only} alone"] = render.write(parts, "github", only).split("\n")
    found["no such table"] = tried(render.write, parts, "plain", "nothing")
    holds(f"report-{name}", plain(found), request, within=1e-6)


def test_signs_in_every_style(request):
    odd = ("a|b", "a\\b", "<b>&amp;</b>", "50 % of $x$ #1_2 ^~{}", 'say "no", or', "é…→−±×", "\x1b[0m\nnew", "=1+1", "")
    columns = [Column("n|<&", "name", agent_label), Column("#", "number"), Column("none", "nothing", missing="<none>")]
    rows = [Row(name=each, number=place - 3, nothing=None) for place, each in enumerate(odd)]
    table = Table("odd", "A_title & <b>\x1b[1m\nin two \u202elines", Row, rows, columns, notes={"#": "50 % <i>"})
    found = {}
    for style in styles.STYLES:
        way = styles.find(style)
        if not way.data:
            found[style] = render.write([table, "A line & <b>\nand another\x1b[2J", ""], style).split("\n")
            found[f"{style}, a part"] = render.write([table], style, whole=False).split("\n")
            found[f"{style}, escaped"] = [way.escape(each) for each in odd if each.isprintable()]
        else:
            found[style] = way.grid(["a", "b"], [[each, "x"] for each in odd], []).split("\n") if way.grid else None
    holds("report-signs", plain(found), request)


def rated(name, elo, nodes=1.0):
    return Row(agent=name, elo=Interval(elo, elo - 30, None if elo > 90 else elo + 40), nodes_per_move=nodes)


def test_figures(request):
    names = NAMES[:2] + NAMES[3:4]
    shown = labels.Labels.among(names)
    made = [rated(names[0], 100.0, 3000.0), rated(names[1], 20.0, 50_000.0), rated(names[2], -120.0, 8.0)]
    costs = [
        Row(agent=name, depth=d, nodes=(7.0 - place) ** d, nodes_per_second=2e7 / (1 + place), seconds=0.001 * 3**d,
            mostly_call=d == 1 and place == 1)
        for place, name in enumerate(names[:2]) for d in range(1, 6)
    ]  # fmt: skip
    kept = [
        Row(agent=name, first=first, last=first + 13, clear_kept=Interval(0.8 - first / 100, 0.7 - first / 100, 0.95))
        for name in names for first in (0, 14, 28)
    ]  # fmt: skip
    grades = [
        Row(agent=name, depth=depth, clear_good=Interval(0.5 + depth / 10, 0.4, 0.9)) for name in names[:2]
        for depth in (1, 2, 3)
    ] + [Row(agent=names[2], depth=None, clear_good=Interval(0.4, 0.3, 0.5))]  # fmt: skip
    crossed = [Row(agent=a, opponent=b, points=6.0 - len(a) % 3, games=8) for a in names for b in names if a != b]
    looks = [Row(pairs=pairs, llr=0.1 * pairs - 1, lower=-2.94, upper=2.2) for pairs in range(10, 31)]
    compared = [
        Row(at=at, heuristic=name, elo=Interval(30.0 * place, 10.0 * place, 50.0 * place))
        for at in ("depth 4", "depth 6") for place, name in enumerate(("a", "b"))
    ]  # fmt: skip
    one = [each for each in costs if each.depth == 3]
    drawn = [
        strength_figures.standings(made, shown), strength_figures.crosstable(crossed, names, shown),
        strength_figures.cost(made, shown),
        comparison_figures.levels(compared), effort.states(costs, 7, shown), effort.times(costs, shown),
        effort.speed(costs, shown), effort.speed(one, shown),
        quality_figures.kept(kept, shown), quality_figures.grades(grades, shown),
        strength_figures.path(looks, ("+0 Elo", "+30 Elo")),
    ]  # fmt: skip
    found = {f"{number} {each.name}": seen(each) for number, each in enumerate(drawn)}
    for name in ("field", "match", "comparison"):
        frames = Frames.read(PRINTED / f"{name}.sqlite")
        found |= {f"{name}: {each.name}": seen(each) for each in pictures.pictures(frames)}
    found["of depths"] = [each.name for each in measures.depths(costs, 7)]
    found["nothing"] = tried(measures.depths, [Row(agent="a", depth=None, nodes=3)], 7)
    holds("report-figures", found, request, within=1e-3)


def finding(name, **more):
    """Return what was found of a hand-in that is named after an agent of the run."""
    checked = {"positions": 200, "ms_median": 1.234, "ms_max": 56.7, "deterministic": True, "mirrored": False}
    share = Interval(0.25, 0.125, 0.5)
    grade = Grade(
        name, None, 20, share, share, 9, share, share, None, None, None, None, share, Interval(3.25, 2.5, 4.0), 1
    )
    given = {"grade": replace(grade, **more.pop("graded", {})), "asked": 200}
    return Finding(name, "A. <b>Uthor</b>.", Checked(name, **checked | more.pop("checked", {})), **{**given, **more})


@pytest.mark.parametrize("public", [False, True], ids=["for teachers", "public"])
def test_pages_of_hand_ins(public, request, monkeypatch, tmp_path):
    reference = [
        cost(agent, "", depth, factor**depth, Interval(0.001 * depth, None, None), 1.0 / depth, 3, 5, None)
        for agent, factor in (("minimax", 7), ("alphabeta:order=centre", 4)) for depth in (1, 2, 3)
    ]  # fmt: skip
    monkeypatch.setattr("arena.plugins.assignment.hand_in.reference", lambda: reference)
    monkeypatch.setattr(site, "reference", lambda: reference)
    run = PRINTED / "field.sqlite"
    with Store.read(run) as store:
        names = store.names()
    blunders = [Blundered(game, ply, "win → loss", f"<b> at {ply}.", "greedy") for ply, game in ((7, 1), (12, 40))]
    thrown = {names[0]: blunders, names[6]: blunders[1:]}
    monkeypatch.setattr(site, "worst", lambda store, agent: thrown.get(agent, []) if store.path == run else 1 / 0)
    costs = [cost(names[0], "", d, 6**d, Interval(0.01 * d, None, None), 0.5, 3, 5, None) for d in (1, 2, 3)]
    findings = {
        names[0]: finding(names[0], costs=costs, compared=8, agree=6, searches="AlphaBeta against Minimax",
                          difference="after 33 it plays 2", kept_by=[0.25, 0.5],
                          twin="alphabeta:depth=4", imports=["agents.search", "arena"]),
        names[1]: finding(names[1], checked={"ok": False, "problems": ["after 12: illegal <move>", "x"],
                                             "output": " ".join(map(str, range(400))),
                                             "deterministic": None, "ms_median": None}, searches="nothing: no class",
                          unmeasured="no answer within 10 s"),
        names[2]: finding(names[2], graded={"plays_like": Interval(-math.inf, None, 4.0), "unanswered": 0},
                          kept_by=[0.25]),
        names[6]: finding(names[6], graded={"plays_like": Interval(math.inf, 2.5, None)}, checked={"positions": 100}),
        "Name 2.py": finding("Name 2.py", grade=None, checked={"problems": ["a remark"], "deterministic": False}),
        "name-2-py": finding("name-2-py", searches="Bot:x is compared"),
    }  # fmt: skip
    course = Course("class/of 2026", findings, Rule({"runs": 30.0, "strength": 50.0, "faster": 20.0}, 4.0), run,
                    [Unfit("worse.py: is <no> agent", "worse", Path("worse.py")),
                     Unfit("bad.toml, agent 3: no spec", "bad", Path("bad.toml"))], public)  # fmt: skip
    rows, files = course.rows(), site._pages(findings, alone=False)
    found = {"rows": as_rows(rows), "files": files, "one file": site._pages({"a": findings[names[0]]}, alone=True)}
    first = course.first_page(rows, files)
    found["first page"], found["links"] = text(first)[:60], re.findall(r'href="(?!#|data:)[^"]*"', first)
    for row in rows:
        if row.agent in files and (not public or row.agent in {names[1], "Name 2.py"}):
            found[row.agent] = text(whole := course.page(row, "index.html"))
            besides = page_of(re.sub(r"<svg.*?</svg>", "<svg></svg>", whole, flags=re.DOTALL))
            found[f"{row.agent}, besides"] = [besides["besides"], besides["scripts"], besides["data"] is None]
    unplayed = Course("x.py", findings, Rule(), None, [], public)
    found["unplayed"] = as_rows(unplayed.rows()), text(unplayed.first_page(unplayed.rows(), files))
    if not public:
        made = site.Site.of(tmp_path / "site").write(course)
        found["tables"] = [path.read_text(encoding="utf-8").split("\n") for path in made if path.suffix == ".csv"]
        found["written"] = sorted(path.name for path in (tmp_path / "site").iterdir())
        found["refused"] = str(tried(site.Site.of, tmp_path)).replace(str(tmp_path), "~")
    holds(f"report-site-{'public' if public else 'own'}", plain(found), request)


@pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python")
def test_explanations(request):
    chance, found = random.Random(3), {}
    for number in range(8):
        board = Board(Rules(4, 4) if number % 2 else SMALL)
        while board.outcome is None and board.ply < 12:
            board = board.play(chance.choice(board.legal_moves()))
        told = explain(board)
        found[f"{board.text} on {board.rules}"] = [list(told.story), told.document()]
    holds("report-explained", plain(found), request)


TREES = (
    ("alphabeta:depth=3,order=centre", "4453"), ("minimax:depth=2", ""),
    ("alphabeta:depth=3,table=on,table-size=1", "44"),
    ("alphabeta:depth=3,deepening=on", "33"), ("alphabeta:depth=2,heuristic=parity", "121212"),
    ("smart-connect4", "4453"), ("greedy", "1"), ("alphabeta:depth=4,pvs=on", "12"),
)  # fmt: skip


@pytest.mark.parametrize(("agent", "moves"), TREES, ids=[agent for agent, _ in TREES])
def test_trees(agent, moves, request):
    board = Board.from_moves(moves, Rules() if agent == "smart-connect4" else SMALL)
    try:
        made = tree(parse(agent), board, 2 if agent == "smart-connect4" else None)
    except InputError as error:
        holds(f"report-tree-{TREES.index((agent, moves))}", {"refused": str(error)}, request)
        return
    held = trees.columns(made)
    found = {"summary": trees.summary(made), "columns": {key: held[key] for key in held}}
    found |= {f"{most} lines": trees.lines_of(made, most) for most in (1, 12, 40)}
    whole = trees.lines_of(made, 0)
    found["whole"] = [len(whole), *whole[-6:]]
    document = trees.document(made)
    top = document["tree"]
    found["document"] = (
        {**document, "tree": {**top, "children": top["children"][:2]}}
        if made.nodes < 40
        else {
            **document,
            "tree": {**top, "children": [{**each, "children": len(each["children"])} for each in top["children"]]},
        }
    )
    holds(f"report-tree-{TREES.index((agent, moves))}", plain(found), request)


def test_games_of_a_page(request, monkeypatch):
    found = {}
    monkeypatch.setattr(Picture, "svg", lambda picture, prefix="": f"<svg>{prefix} {picture.title}</svg>")
    for name in ("field", "match"):
        with Store.read(PRINTED / f"{name}.sqlite") as store:
            for bound in (3_000, 12_000):
                data, stored = page.document(store, bound)
                found[f"{name} within {bound}"] = data, stored
    found["titled"] = text(page.page(PRINTED / "field.sqlite", "A & <b>"))[:80]
    held = page.render_template("report.html", whole=False, modules=("tables.js",), title="<t>", subtitle="&",
                                sections=[], back="<up>", data=page.as_json({"x": "</script>"}))  # fmt: skip
    found["of templates"] = held.split("\n")
    found["broken"] = [str(page.breakable(name)) for name in NAMES]
    found["as data"] = [page.as_json(each) for each in ("<!-- <b> -->", ["é", None, 1.5, "</SCRIPT "], {"a<": '"'})]
    found["no number"] = tried(page.as_json, float("nan"), errors=ValueError)
    holds("report-pages", plain(found), request, within=1e-6)
