"""The pages and the table of a class, from findings and games that are made by hand."""

import csv
import re
from pathlib import Path

import pytest
from hand_made import audit_of, run_of
from needs import needed

from agents.errors import InputError
from arena.games.check import Checked
from arena.games.entries import Unfit
from arena.plugins.assignment.hand_in import Finding
from arena.plugins.assignment.marks import Rule
from arena.plugins.assignment.site import Course, Site

RULE = Rule({"runs": 10.0})
BROKEN = Unfit("left out: late.py: line 1", "late", Path("late.py"))


def finding(name, *, author="", positions=200, **more):
    return Finding(name, author, Checked(name, ms_median=2.0, ms_max=9.0, positions=positions), asked=200, **more)


@pytest.fixture
def run(tmp_path):
    """Games of two hand-ins with each other and with one of our agents: easy has 3 of 4 points, hard 1.5."""
    games = [(0, 1, 0, "1"), (1, 0, 0, "="), (0, 2, 0, "1"), (2, 0, 0, "="), (1, 2, 0, "="), (2, 1, 0, "=")]
    return run_of(tmp_path / "site.sqlite", ["easy", "hard", "greedy"], games)


def course(run, *findings, broken=(), public=False):
    return Course("class/week 1", {part.name: part for part in findings}, RULE, run, broken, public)


def text(path):
    page = path.read_text(encoding="utf-8")
    return " ".join(re.sub(r"<(style|script|svg|template).*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL).split())


def test_hand_ins_are_ranked_by_points_and_the_table_has_their_marks(run, tmp_path):
    site = course(run, finding("hard", author="Bob B."), finding("easy", positions=100, twin="greedy"), broken=[BROKEN])
    first, table = Site(tmp_path / "site").write(site)
    assert (first, table) == (tmp_path / "site" / "index.html", tmp_path / "site.csv")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kept = [[row[name] for name in ("name", "author", "ok", "rank", "points", "games", "marks", "of", "answers_as")]
            for row in rows]  # fmt: skip
    assert kept == [
        ["easy", "", "yes", "1", "3.0", "4", "5.0", "10.0", "greedy"],
        ["hard", "Bob B.", "yes", "2", "1.5", "4", "10.0", "10.0", ""],
        ["late", "", "no", "", "", "0", "0.0", "10.0", ""],
    ]
    page = text(first)
    assert "Assignment: week 1" in page
    assert page.index(" easy ") < page.index(" hard ")
    assert BROKEN in page


def test_equal_points_are_an_equal_rank(tmp_path):
    run = run_of(tmp_path / "site.sqlite", ["easy", "hard", "medium"], [(0, 1, 0, "="), (1, 0, 0, "="), (0, 2, 0, "1")])
    rows = course(run, finding("medium"), finding("easy"), finding("hard")).rows()
    assert [(row.agent, row.rank) for row in rows] == [("easy", 1), ("hard", 2), ("medium", 3)]
    run = run_of(tmp_path / "two.sqlite", ["easy", "hard"], [(0, 1, 0, "="), (1, 0, 0, "=")])
    assert {row.rank for row in course(run, finding("easy"), finding("hard")).rows()} == {1}


def test_a_page_says_who_wrote_it_where_it_stands_and_what_its_marks_come_from(run, tmp_path):
    folder = tmp_path / "site"
    Site(folder).write(course(run, finding("easy", author="Ann A."), finding("hard", imports=["agents.search"])))
    page = text(folder / "easy.html")
    assert "Ann A, rank 1" in page
    assert "It made 3 points in 4 games: 1.5 of 2 against greedy." in page
    assert "All 4 games that it played." in page
    assert "200 of 200 positions answered" in page
    assert "It imports modules of the arena beyond the public names: agents.search." in text(folder / "hard.html")
    assert 'href="index.html"' in (folder / "hard.html").read_text(encoding="utf-8")


def test_a_blunder_leads_to_its_game(tmp_path):
    needed("arena.plugins.explain.blunders")
    run = run_of(tmp_path / "site.sqlite", ["easy", "hard"], [(0, 1, 0, "1", "1122334")])
    audit_of(run, [(1, ply, 1 if ply == 4 else -1, -1, 7, 3, "1 2 3") for ply in range(2, 7)])
    Site(tmp_path / "site").write(course(run, finding("easy"), finding("hard")))
    assert 'href="#game-1-4"' in (tmp_path / "site" / "easy.html").read_text(encoding="utf-8")
    assert "None in its games." in text(tmp_path / "site" / "hard.html")


def test_public_pages_leave_marks_out(run, tmp_path):
    findings = finding("easy", twin="greedy"), finding("hard", imports=["agents.search"])
    Site(tmp_path / "site").write(course(run, *findings, public=True))
    for name in ("index", "easy", "hard"):
        page = text(tmp_path / "site" / f"{name}.html")
        assert not re.search(r"\bmarks\b|answers as|agents\.search|positions answered ×", page, re.IGNORECASE), name


def test_each_hand_in_has_a_file_of_its_name_and_none_that_of_the_first_page(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "gone.html").touch()
    names = ("index", "a b", "A-B", "a b!", "?")
    Site(folder).write(course(None, *map(finding, names)))
    pages = dict(re.findall(r'<a href="([^"#]+\.html)">([^<]+)</a>', (folder / "index.html").read_text("utf-8")))
    assert sorted(pages.values()) == sorted(names)
    assert {path.name for path in folder.iterdir()} == {*pages, "index.html"}
    assert all(f"<h1>{name}</h1>" in (folder / page).read_text("utf-8") for page, name in pages.items())
    assert len({page.casefold() for page in pages}) == len(names)


def test_one_hand_in_alone_is_the_first_page(run, tmp_path):
    assert Site(tmp_path / "site").write(course(run, finding("easy"))) == (tmp_path / "site" / "index.html",)
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "<h1>easy</h1>" in page
    assert "rank" not in text(tmp_path / "site" / "index.html").split("Does it run?")[0].lower()
    assert not (tmp_path / "site.csv").exists()


def test_names_are_no_formulas_of_a_spreadsheet(tmp_path):
    _, table = Site(tmp_path / "site").write(course(None, finding("=1+1", author="@x"), finding("b", author="+2")))
    assert re.findall(r"(?m)^('=1\+1,'@x|b,'\+2),", table.read_text(encoding="utf-8")) == ["'=1+1,'@x", "b,'+2"]


@pytest.mark.parametrize(("files", "says"), [
    (["site"], "is a file; --out names a folder"), (["site/a.py"], "holds other files"),
    (["site.sqlite"], r"site\.sqlite exists"),
])  # fmt: skip
def test_a_folder_of_something_else_is_refused(tmp_path, files, says):
    for file in files:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    with pytest.raises(InputError, match=says):
        Site.of(tmp_path / "site")
