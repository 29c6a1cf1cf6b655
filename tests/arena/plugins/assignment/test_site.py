"""The pages and the table of a class, from findings and games that are made by hand."""

import csv
import json
import math
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hand_made import FIRST, SECOND, audit_of, run_of, stored
from needs import needed

from agents.errors import InputError
from arena.depth.cost import Cost
from arena.games.check import Checked
from arena.games.entries import Unfit
from arena.perfect.grading import Grade
from arena.plugins.assignment import site as pages
from arena.plugins.assignment.hand_in import Finding
from arena.plugins.assignment.marks import Rule
from arena.plugins.assignment.site import Course, Site
from arena.records import Interval, Termination
from arena.tournament.faults import FaultReport

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
    site = course(run, finding("hard", author="Böb B."), finding("easy", positions=100, twin="greedy"), broken=[BROKEN])
    first, table = Site(tmp_path / "site").write(site)
    assert (first, table) == (tmp_path / "site" / "index.html", tmp_path / "site.csv")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kept = [[row[name] for name in ("name", "author", "ok", "rank", "points", "games", "marks", "of", "answers_as")]
            for row in rows]  # fmt: skip
    assert kept == [
        ["easy", "", "yes", "1", "3.0", "4", "5.0", "10.0", "greedy"],
        ["hard", "Böb B.", "yes", "2", "1.5", "4", "10.0", "10.0", ""],
        ["late", "", "no", "", "", "0", "0.0", "10.0", ""],
    ]
    assert [row["faults"] for row in rows] == ["0", "0", "1"]
    page = text(first)
    assert "Assignment: week 1" in page
    assert page.index(" easy ") < page.index(" hard ")
    assert BROKEN in page


def test_equal_points_are_an_equal_rank(tmp_path):
    run = run_of(tmp_path / "site.sqlite", ["easy", "hard", "medium"], [(0, 1, 0, "="), (1, 0, 0, "="), (0, 2, 0, "1")])
    rows = course(run, finding("medium"), finding("easy"), finding("hard")).rows()
    assert [(row.agent, row.rank) for row in rows] == [("easy", 1), ("hard", 2), ("medium", 3)]
    games = [(0, 2, 0, "1"), (0, 2, 1, "1"), (0, 1, 0, "0"), (0, 2, 2, "0"), (3, 2, 0, "=")]
    run = run_of(tmp_path / "fewer.sqlite", ["easy", "hard", "greedy", "medium"], games)
    rows = course(run, finding("easy"), finding("medium"), finding("hard")).rows()
    assert [(row.agent, row.rank, row.points, row.games) for row in rows] == [
        ("hard", 1, 1.0, 1), ("easy", 2, 2.0, 4), ("medium", 2, 0.5, 1)
    ], "by points a game"  # fmt: skip
    run = run_of(tmp_path / "two.sqlite", ["easy", "hard"], [(0, 1, 0, "="), (1, 0, 0, "=")])
    assert {row.rank for row in course(run, finding("easy"), finding("hard")).rows()} == {1}


def test_what_could_not_be_measured_is_not_among_the_most_of_a_hand_in(run, tmp_path):
    rule = Rule({"runs": 10.0, "faster": 20.0})
    rows = replace(course(run, finding("easy", unmeasured="it is late"), finding("hard")), rule=rule).rows()
    found = {row.agent: (row.most, row.parts) for row in rows}
    assert found == {"easy": (10.0, (10.0, None)), "hard": (30.0, (10.0, 0.0))}
    site = replace(course(run, finding("easy", unmeasured="it is late"), finding("hard")), rule=rule)
    Site(tmp_path / "site").write(site)
    shown = [re.search(r"<h2>Marks</h2>\s*<p>(.*?)</p>", text_of(tmp_path / "site" / f"{name}.html"))[1]
             for name in ("easy", "hard")]  # fmt: skip
    assert shown == ["10 of 10", "10 of 30"]


def test_marks_have_one_decimal_also_as_a_sum():
    easy = finding("easy", compared=3, agree=3)
    [row] = replace(course(None, easy), rule=Rule({"runs": 1.1, "correct": 2.2})).rows()
    assert (row.marks, row.parts) == (3.3, (1.1, 2.2))


def test_a_page_says_who_wrote_it_where_it_stands_and_what_its_marks_come_from(run, tmp_path):
    folder, modules = tmp_path / "site", ["agents.search", "arena.games"]
    easy = finding("easy", author="Ann A.", positions=150, twin="greedy")
    _, table = Site(folder).write(course(run, easy, finding("hard", twin="medium", imports=modules)))
    assert table.read_text(encoding="utf-8").splitlines()[2].endswith(',"agents.search, arena.games"')
    page = text(folder / "easy.html")
    assert "Ann A, rank 1" in page
    assert "It made 3 points in 4 games: 1.5 of 2 against greedy." in page
    assert "All 4 games that it played." in page
    assert "150 of 200 positions answered" in page
    assert "It answers 150 of 200 positions as greedy." in page
    assert (
        "It answers 200 of 200 positions as medium. "
        "It imports modules of the arena beyond the public names: agents.search, arena.games."
    ) in text(folder / "hard.html")
    assert 'href="index.html"' in (folder / "hard.html").read_text(encoding="utf-8")


def test_the_points_against_our_agents_are_named_one_by_one(tmp_path):
    games = [(0, 1, 0, "1"), (1, 0, 0, "="), (0, 2, 0, "0"), (2, 0, 0, "0"), (3, 0, 0, "="), (0, 4, 0, "1")]
    run = run_of(tmp_path / "site.sqlite", ["easy", "random", "mcts", "hard", "greedy"], games)
    Site(tmp_path / "site").write(course(run, finding("easy"), finding("hard")))
    assert (
        "It made 4 points in 6 games: 1 of 1 against greedy, 1 of 2 against mcts, 1.5 of 2 against random."
    ) in text(tmp_path / "site" / "easy.html")
    assert "It made 0.5 points in 1 games." in text(tmp_path / "site" / "hard.html")


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
    names = ("index", "A b", "a-B", "a b!", "?")
    Site(folder).write(course(None, *map(finding, names)))
    pages = dict(re.findall(r'<a href="([^"#]+\.html)">([^<]+)</a>', (folder / "index.html").read_text("utf-8")))
    assert sorted(pages.values()) == sorted(names)
    assert {path.name for path in folder.iterdir()} == {*pages, "index.html"}
    assert all(f"<h1>{name}</h1>" in (folder / page).read_text("utf-8") for page, name in pages.items())
    assert len({page.casefold() for page in pages}) == len(names)


def test_names_that_are_alike_in_a_file_are_numbered_until_the_file_is_new():
    names = ("a-3", "a", "a!", "A", "index", "?", "é ü", "..x..")
    assert pages._pages(dict.fromkeys(names), alone=False) == {
        "a-3": "a-3.html", "a": "a.html", "a!": "a-4.html", "A": "A-5.html", "index": "index-1.html",
        "?": "agent.html", "é ü": "é-ü.html", "..x..": "x.html",
    }  # fmt: skip
    assert pages._pages({"a b": None}, alone=True) == {"a b": "index.html"}


@pytest.mark.parametrize("public", [False, True])
def test_one_hand_in_alone_is_the_first_page(run, tmp_path, public):
    alone = course(run, finding("easy"), public=public)
    assert Site(tmp_path / "site").write(alone) == (tmp_path / "site" / "index.html",)
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "<h1>easy</h1>" in page
    assert 'href="index.html"' not in page
    assert ("10 of 10" in text(tmp_path / "site" / "index.html")) != public
    assert "rank" not in text(tmp_path / "site" / "index.html").split("Does it run?")[0].lower()
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["index.html"]
    assert not (tmp_path / "site.csv").exists()


def test_one_hand_in_beside_a_broken_one_is_ranked(tmp_path):
    first, _ = Site(tmp_path / "site").write(course(None, finding("easy"), broken=[BROKEN]))
    assert 'href="easy.html"' in text_of(first)
    assert (tmp_path / "site" / "easy.html").exists()


def test_names_are_no_formulas_of_a_spreadsheet(tmp_path):
    findings = (
        finding("=1+1", author="@x"),
        finding("b", author="+2"),
        finding("-c", author="\td"),
        finding("\re", author="-"),
    )
    _, table = Site(tmp_path / "site").write(course(None, *findings, finding("f", author="-g @h")))
    with table.open(encoding="utf-8", newline="") as file:
        rows = [(row["name"], row["author"]) for row in csv.DictReader(file)]
    assert rows == [("'=1+1", "'@x"), ("b", "'+2"), ("'-c", "'\td"), ("'\re", "'-"), ("f", "'-g @h")]


@pytest.mark.parametrize(("files", "says"), [
    (["site"], "is a file; --out names a folder"), (["site/a.py"], "holds other files"),
    (["site/index.html", "site/sub/a.html"], "holds other files"), (["site.sqlite"], r"site\.sqlite exists"),
    (["site.sqlite", "site/"], r"site\.sqlite exists"), (["site.sqlite", "site/a.html"], r"site\.sqlite exists"),
    ([], ""), (["site/"], ""), (["site/a.html"], ""), (["site/index.html"], ""),
    (["site.sqlite", "site/index.html"], ""),
])  # fmt: skip
def test_a_folder_of_something_else_is_refused(tmp_path, files, says):
    for file in files:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).mkdir() if file.endswith("/") else (tmp_path / file).touch()
    if not says:
        assert Site.of(tmp_path / "site").folder == tmp_path / "site"
        return
    with pytest.raises(InputError, match=says):
        Site.of(tmp_path / "site")


def test_the_files_beside_a_folder_have_its_name_wherever_it_is_named_from(tmp_path, monkeypatch):
    (tmp_path / "week").mkdir()
    monkeypatch.chdir(tmp_path / "week")
    for name in (".", "../week", tmp_path / "week"):
        assert (Site.of(name).folder, Site.of(name).run) == (tmp_path / "week", tmp_path / "week.sqlite")
    assert Site.of("new/site").run == tmp_path / "week" / "new" / "site.sqlite"
    dotted = Site.of("course.2024")
    assert dotted.run == tmp_path / "week" / "course.2024.sqlite"
    first, table = dotted.write(course(None, finding("a"), finding("b")))
    assert (first.parent, table) == (tmp_path / "week" / "course.2024", tmp_path / "week" / "course.2024.csv")
    assert (tmp_path / "week" / "new").is_dir()


WELL = Checked("a", True, ["it plays at random"], 200, 1.25, 30.0, True, output="hello")
WRONG = Checked("a", False, ["after 4: crashed"], 3, output="x" + "y" * 1000)


def test_a_page_says_how_a_hand_in_runs():
    assert pages._runs(WELL, []).facts == [
        ("Check", "no fault"), ("Positions answered", "200"), ("Time of a move", "1.25 ms, at most 30 ms"),
        ("Same answer twice", "yes"), ("Remark", "it plays at random"),
    ]  # fmt: skip
    lost = [FaultReport("a", "illegal move", "answered 9", 2, 7, "44", "", "", ""),
            FaultReport("a", "crashed", "", 1, 8, "", "", "", "")]  # fmt: skip
    assert pages._runs(WRONG, lost).facts == [
        ("Check", "faults"), ("Positions answered", "3"), ("Time of a move", "-"), ("Same answer twice", "-"),
        ("Fault", "after 4: crashed"), ("It printed", "y" * 1000),
        ("In games", "2 games lost: illegal move: answered 9 (first in game 7 after 44)"),
        ("In games", "1 games lost: crashed (first in game 8 on the empty board)"),
    ]  # fmt: skip
    assert ("Same answer twice", "no") in pages._runs(replace(WELL, deterministic=False), []).facts


@pytest.mark.parametrize(("more", "said", "facts"), [
    ({"compared": 80, "agree": 79, "searches": "a:AlphaBeta beside a:Minimax", "difference": "after 44"},
     ("79 of 80 searches are right: they have minimax's value and move or, before the end of the game, its result "
     "(a:AlphaBeta beside a:Minimax)."), [("First difference", "after 44")]),
    ({"compared": 80, "agree": 0, "searches": "of a"},
     ("0 of 80 searches are right: they have minimax's value and move or, before the end of the game, its result "
     "(of a)."), []),
    ({"searches": "nothing was compared: it has no class"}, "Nothing was compared: it has no class.", []),
    ({"searches": "a:AlphaBeta beside b; no states", "compared": 0}, "a:AlphaBeta beside b; no states.", []),
])  # fmt: skip
def test_a_page_says_what_searches_were_compared(more, said, facts):
    section = pages._searches(finding("a", **more))
    assert (section.blocks, section.facts, section.figures) == ([said], facts, ())


def test_the_cost_of_each_depth_stands_before_that_of_ours_with_one_figure(monkeypatch):
    mine, ours = (Cost(name, "", 2, nodes=9.0, branching=3.0) for name in ("mine", "minimax"))
    monkeypatch.setattr(pages, "reference", lambda: [ours])
    picture, drawn = SimpleNamespace(svg=lambda: "a figure"), []
    monkeypatch.setattr(pages.figures, "depths", lambda *given: drawn.append(given) or [picture, picture])
    monkeypatch.setattr(pages, "depths", lambda rows: ("a table", rows))
    monkeypatch.setattr(pages, "blocks", list)
    section = pages._searches(finding("a", searches="said", difference="after 44", costs=[mine]))
    assert (section.blocks, section.figures) == (["Said.", ("a table", [mine, ours])], ["a figure"])
    assert (drawn, section.facts) == ([([mine, ours], 7)], [("First difference", "after 44")])


GOOD = Interval(0.75, 0.3, 0.9)
GRADE = Grade("a", None, 8, GOOD, Interval(0.5, 0.1, 0.9), 4, Interval(0.25, 0.1, 0.9), None, None, None, None, 7.0,
              GOOD, plays_like=Interval(2.0, 1.5, 2.5))  # fmt: skip
ROW = SimpleNamespace(agent="a", points=None, games=0)


def test_a_page_says_how_strong_a_hand_in_is_and_where_it_could_win_sooner():
    kept = "It kept the value in 75.0 % of 8 positions, and in 25.0 % of the 4 where a legal move loses it."
    like = "a plays like alphabeta:depth=2.0 ± 0.5 of the reference ladder."
    late = ("In 2 of 8 positions it won later, or lost sooner, than it could: "
            "give quicker wins and later losses a higher value.")  # fmt: skip
    assert pages._strength(finding("a", grade=GRADE), ROW, []).blocks == [kept, like, late]
    perfect = finding("a", grade=replace(GRADE, perfect=GOOD))
    played = SimpleNamespace(agent="a", points=2.5, games=4)
    assert pages._strength(perfect, played, []).blocks == ["It made 2.5 points in 4 games.", kept, like]
    for end, rung in (("above the highest", 8), ("below the lowest", 1)):
        like = Interval(math.inf if rung == 8 else -math.inf, None, None)
        said = pages._strength(finding("a", grade=replace(GRADE, plays_like=like)), ROW, []).blocks[1]
        assert said.startswith(f"a is {end} rung, alphabeta:depth={rung}, by perfect moves")


def test_a_fault_in_games_counts_and_leads_to_what_is_said_of_it(tmp_path):
    games = [(0, 1, 0, "44", FIRST, Termination.LINE, ()), (1, 0, 0, "44", FIRST, Termination.ILLEGAL, ()),
             (0, 1, 1, "12", SECOND, Termination.EXCEPTION, ()),
             (1, 0, 1, "12", SECOND, Termination.ILLEGAL, ())]  # fmt: skip
    run = stored(tmp_path / "site.sqlite", ["easy", "hard"], games)
    site = course(
        run,
        finding("easy", twin="greedy"),
        replace(finding("hard"), checked=replace(WRONG, agent="hard", positions=200)),
    )
    _, table = Site(tmp_path / "site").write(site)
    rows = {row.agent: row for row in site.rows()}
    assert {name: (row.faults, row.ok, row.games) for name, row in rows.items()} == {
        "easy": (2, False, 4), "hard": (2, False, 4)
    }  # fmt: skip
    first, easy = (text_of(tmp_path / "site" / name) for name in ("index.html", "easy.html"))
    assert 'href="easy.html#runs"' in first
    assert "1 games lost: " in easy
    assert "It answers 200 of 200 positions as greedy." in easy
    assert {name: row.marks for name, row in rows.items()} == {"easy": 5.0, "hard": 7.5}
    assert f"{rows['easy'].marks:g} of 10" in easy
    for name, marks, clean, lost in (
        ("easy", "5 of 10", 2, [("illegal move", "2"), ("exception", "3")]),
        ("hard", "7.5 of 10", 3, [("illegal move", "4")]),
    ):  # fmt: skip
        page = text(tmp_path / "site" / f"{name}.html")
        assert f" {marks} part" in page
        assert f"200 of 200 positions answered × {clean} of 4 games without a fault" in page
        assert re.findall(r"1 games lost: ([a-z ]+): it is wrong \(first in game (\d)", page) == lost
    assert table.read_text(encoding="utf-8").splitlines()[0] == (
        "name,author,ok,faults,rank,points,games,runs,marks,of,answers_as,imports"
    )


def text_of(path):
    return path.read_text(encoding="utf-8")


def ranking(first):
    """Return the lines of the first page's ranking, the headers first, and its links, line by line."""
    table = re.search(r'<table[^>]* data-name="ranking">.*?</table>', text_of(first), re.DOTALL)[0]
    lines = re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in lines]
    shown = [[re.sub(r"<[^>]*>", "", cell) for cell in line] for line in cells]
    return shown, [re.findall(r'<a href="([^"]*)">(.*?)</a>', line) for line in lines[1:]]


def games_of(path):
    """Return the numbers of the games that a page replays, None where it replays none."""
    data = re.search(r'id="games-data">(.*?)</script>', text_of(path), re.DOTALL)
    return data and [game["g"] for game in json.loads(data[1])["games"]]


def sections(folder):
    """Return what stands below the title of the pages of hand-ins, and their sections, by file."""
    shown = {}
    for path in {*folder.iterdir()} - {folder / "index.html"}:
        page = text_of(path)
        below = re.search(r"</h1>\s*<p[^>]*>(.*?)</p>", page, re.DOTALL)
        shown[path.name] = below[1].strip(), re.findall(r'<section[^>]* id="([^"]*)"', page)
    return shown


def test_the_first_page_has_the_rows_best_first_then_those_without_games_then_the_broken_and_links(tmp_path):
    games = [(0, 1, 0, "1122334", FIRST, Termination.LINE, ()), (1, 0, 0, "44", FIRST, Termination.ILLEGAL, ()),
             (0, 2, 1, "12", SECOND, Termination.EXCEPTION, ())]  # fmt: skip
    run = stored(tmp_path / "site.sqlite", ["easy", "hard", "greedy"], games)
    idle = replace(finding("a idle", author="Ida"), checked=replace(WRONG, agent="a idle", positions=20))
    easy, hard = finding("easy", author="Ann", twin="greedy"), finding("hard", imports=["arena", "agents.search"])
    early = Unfit("left out: b.py: line 2", "b", Path("b.py"))
    site = course(run, idle, easy, hard, broken=[BROKEN, early])
    first, table = Site(tmp_path / "site").write(site)
    links = [
        [("hard.html", "hard")], [("easy.html", "easy"), ("easy.html#runs", "2")],
        [("a-idle.html", "a idle"), ("a-idle.html#runs", "1")], [], [],
    ]  # fmt: skip
    assert ranking(first) == ([
        ["rank", "name", "faults", "points", "marks", "of", "answers as", "imports", "ok", "games", "author"],
        ["1", "hard", "0", "1.0", "10.0", "10", "", "arena, agents.search", "yes", "2", ""],
        ["2", "easy", "2", "1.0", "3.3", "10", "greedy", "", "no", "3", "Ann"],
        ["-", "a idle", "1", "-", "1.0", "10", "", "", "no", "0", "Ida"],
        ["-", "late", "1", "-", "0.0", "10", "", "", "no", "0", ""],
        ["-", "b", "1", "-", "0.0", "10", "", "", "no", "0", ""],
    ], links)  # fmt: skip
    assert table.read_text(encoding="utf-8").splitlines()[1:] == [
        'hard,,yes,0,1,1.0,2,10.0,10.0,10.0,,"arena, agents.search"', "easy,Ann,no,2,2,1.0,3,3.3,3.3,10.0,greedy,",
        "a idle,Ida,no,1,,,0,1.0,1.0,10.0,,", "late,,no,1,,,0,0.0,0.0,10.0,,", "b,,no,1,,,0,0.0,0.0,10.0,,",
    ]  # fmt: skip
    assert text(first).index(BROKEN) < text(first).index(early)
    parts = ["runs", "searches", "strength"]
    played = [*parts, *["blunders"] * bool(tuple(pages.offers("REASONS"))), "games"]
    assert sections(tmp_path / "site") == {
        "hard.html": ("rank 1", ["marks", *played]), "easy.html": ("Ann, rank 2", ["marks", *played]),
        "a-idle.html": ("Ida", ["marks", *parts]),
    }  # fmt: skip
    assert [games_of(tmp_path / "site" / f"{name}.html") for name in ("index", "easy", "hard", "a-idle")] == [
        [1, 2, 3], [1, 2, 3], [1, 2], None
    ]  # fmt: skip
    first, public = Site(tmp_path / "site").write(replace(site, public=True))
    assert ranking(first) == ([
        ["rank", "name", "faults", "points", "ok", "games", "author"],
        ["1", "hard", "0", "1.0", "yes", "2", ""], ["2", "easy", "2", "1.0", "no", "3", "Ann"],
        ["-", "a idle", "1", "-", "no", "0", "Ida"],
        ["-", "late", "1", "-", "no", "0", ""], ["-", "b", "1", "-", "no", "0", ""],
    ], links)  # fmt: skip
    assert sections(tmp_path / "site") == {
        "hard.html": ("rank 1", played), "easy.html": ("Ann, rank 2", played), "a-idle.html": ("Ida", parts)
    }  # fmt: skip
    assert public.read_text(encoding="utf-8").splitlines()[1].endswith('10.0,10.0,10.0,,"arena, agents.search"')


def test_where_nobody_could_play_the_first_page_counts_the_hand_ins(tmp_path):
    Site(tmp_path / "site").write(course(None, finding("a"), finding("b"), broken=[BROKEN]))
    first = text(tmp_path / "site" / "index.html")
    assert "3 hand-ins" in first
    assert BROKEN in first
    assert "Its moves could not be graded." in text(tmp_path / "site" / "a.html")
