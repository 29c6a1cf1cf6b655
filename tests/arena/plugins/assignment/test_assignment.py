"""Hand-ins are checked, graded, played and marked, and have pages."""

import csv
import json
import re
import shutil
import sqlite3
from contextlib import closing
from functools import cache, partial

import pytest
from browser import page as browser_page
from needs import needed, needs
from own_search import SEARCH

from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.processes.process import Process
from arena.plugins.assignment import hand_in, job
from arena.plugins.assignment.job import assignment

from .hand_ins import BORROWED, COPY, QUICK, quick, write_class, write_mixed

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python"),
    pytest.mark.usefixtures("here"),
]
DEPTHS = hand_in.DEPTHS
"""The depths to which the arena compares searches; most tests here compare fewer."""


@pytest.fixture(autouse=True, scope="module")
def few():
    """Check, grade and compare searches on few positions, to few depths, and meet two agents, which is quick."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "EXERCISES", 20)
        patch.setattr(job, "OPPONENTS", job.OPPONENTS[:2])
        patch.setattr(hand_in, "POSITIONS", 40)
        patch.setattr(hand_in, "COMPARED", 12)
        patch.setattr(hand_in, "DEPTHS", range(1, 5))
        patch.setattr(hand_in, "reference", cache(hand_in.reference.__wrapped__))
        blunders = needed("arena.plugins.explain.blunders")
        patch.setattr(blunders, "worst", partial(blunders.worst, wanted=1))
        yield


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The folder of a class after its assignment, which is to be copied, and what that returned."""
    place = tmp_path_factory.mktemp("course")
    write_mixed(place / "students")
    (place / "students" / "broken.py").write_text("def choose(board:\n")
    (place / "rule.toml").write_text("marks = {runs = 10, correct = 50, strength = 20, faster = 20}\ndepth = 2\n")
    found = assignment(
        place / "students", out=place / "site", rounds=1, marks=place / "rule.toml", workers=1, progress=False
    )
    return place, found


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The folder of a small class after its assignment, a copy of it, and what continues the assignment."""
    place, kept = tmp_path_factory.mktemp("small"), tmp_path_factory.mktemp("kept") / "small"
    write_class(place / "students", 2)
    (place / "students" / "copy.py").write_text(COPY.format(**quick(1)))

    def call(**more):
        return assignment(place / "students", **{"out": place / "site", "rounds": 1, "workers": 1, **more})

    call()
    shutil.copytree(place, kept)
    return place, kept, call


@pytest.fixture
def again(small):
    """The folder of a small class as it was after its assignment, and what continues it."""
    place, kept, call = small
    shutil.rmtree(place)
    shutil.copytree(kept, place)
    return place, call


@pytest.fixture(scope="module")
def second(small, tmp_path_factory):
    """The folder of the small class after files changed and a second, public call, and the rows of that."""
    place, kept, call = small
    shutil.rmtree(place)
    shutil.copytree(kept, place)
    students = place / "students"
    (students / "late.py").write_text(QUICK.format(author="Late", **quick(4)))
    (students / "copy.py").unlink()
    (students / "ada.py").write_text(QUICK.format(author="x", **quick(0)).replace('"""By x', '"""=1+1', 1))
    rows = call(public=True).rows
    return shutil.copytree(place, tmp_path_factory.mktemp("second") / "small"), rows


def games(place):
    with closing(sqlite3.connect(place / "site.sqlite")) as file:
        return file.execute("SELECT count(*) FROM game").fetchone()[0]


def page(place, name):
    return (place / "site" / f"{name}.html").read_text(encoding="utf-8")


def test_every_hand_in_has_a_row_with_its_rank_faults_and_marks(course):
    _, found = course
    rows = {row.agent: row for row in found.rows}
    assert [row.agent for row in found.rows][-1] == "broken"
    points = [row.points for row in found.rows[:-1]]
    assert [row.rank for row in found.rows[:-1]] == [1 + sum(more > own for more in points) for own in points]
    assert [row.points for row in found.rows[:-1]] == sorted((row.points for row in found.rows[:-1]), reverse=True)
    assert {row.games for row in found.rows[:-1]} == {2 * (5 + len(job.OPPONENTS))}
    assert sum(row.points for row in found.rows[:-1]) >= 30.0, "those of the games among hand-ins"
    assert {row.agent for row in found.rows if not row.ok} >= {"raises", "broken"}
    assert rows["raises"].faults > 1
    assert (rows["broken"].marks, rows["broken"].rank) == (0.0, None)
    assert {(row.twin, row.imports) for row in rows.values()} == {("", ())}


def test_marks_are_the_sum_of_parts_that_the_rule_gives(course):
    rows = {row.agent: row for row in course[1].rows}
    assert all(row.marks == pytest.approx(sum(row.parts)) for row in rows.values())
    runs, correct, _, faster = rows["search"].parts
    assert (runs, correct) == (10.0, 50.0)
    assert 10.0 < faster < 20.0
    assert 30.0 < rows["wrong"].parts[1] < 50.0
    assert rows["ada"].parts[1] == 0.0


def test_a_page_says_from_which_numbers_each_point_comes(course):
    text = page(course[0], "wrong")
    assert "searches have minimax&#39;s value and move" in text
    assert re.search(r"First difference</dt><dd><pre>after \S+ at depth \d wrong:AlphaBeta plays", text)
    assert re.search(
        r"branching \d\.\d\d, from minimax&#39;s 7\.00 \(none\) to \d\.\d\d of alphabeta:order=centre", text
    )
    assert "<svg" in text
    assert re.search(r"It made \S+ points in 14 games: \S+ of 2 against alphabeta:depth=1,order=centre, ", text)
    assert re.search(r"keeps the win or the draw in .* points in 4 games with our agents", text)
    assert "raises.py, line 3" in page(course[0], "raises")
    assert re.search(r"\d+ games lost: exception: IndexError", page(course[0], "raises"))
    assert "nothing was measured: it has no class AlphaBeta" in page(course[0], "ada")


def test_the_worst_blunders_lead_to_their_games_and_say_what_kept_the_value(course):
    text = page(course[0], "ada")
    [number, ply] = re.search(r'href="#game-(\d+)-(\d+)"', text).groups()
    data = json.loads(re.search(r'id="games-data">(.*?)</script>', text)[1])
    game = next(each for each in data["games"] if each["g"] == int(number))
    place = int(ply) - (len(game["m"]) - len(game["v"]))
    assert game["w"][place] < game["v"][place]
    assert {data["agents"][game["a"]], data["agents"][game["b"]]} >= {"ada"}
    kept = game["k"][str(place)].replace(" ", " or ")
    assert f"{kept} kept the" in text
    assert len(data["games"]) == 14


def test_a_link_replays_the_blunder_in_a_browser_on_a_phone(course):
    with browser_page() as shown:
        shown.set_viewport_size({"width": 400, "height": 800})
        shown.goto((course[0] / "site" / "index.html").as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth") == 400
        shown.get_by_role("link", name="ada", exact=True).click()
        link = shown.locator("#blunders tbody a").first
        _, game, ply = link.get_attribute("href").split("-")
        link.click()
        shown.get_by_role("heading", name=f"Game {game}:").wait_for()
        assert shown.locator(".thought").inner_text().startswith(f"ply {ply}: ada plays")
        assert "Blunder" in shown.locator(".thought .blunder").inner_text()
        assert shown.evaluate("document.documentElement.scrollWidth") == 400


def test_the_first_page_ranks_and_links_and_replays(course):
    text = page(course[0], "index")
    assert 'href="search.html"' in text
    assert 'href="raises.html#runs"' in text
    assert text.index('id="ranking"') < text.index('id="standings"')
    assert "broken.py, line 1" in text
    assert len(json.loads(re.search(r'id="games-data">(.*?)</script>', text)[1])["games"]) == 56


def test_the_table_beside_the_pages_holds_the_rows_and_no_formula(course, second):
    with (course[0] / "site.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == [row.agent for row in course[1].rows]
    assert list(rows[0])[7:] == ["runs", "correct", "strength", "faster", "marks", "of", "answers_as", "imports"]
    assert "'=1+1." in (second[0] / "site.csv").read_text(encoding="utf-8")


def test_public_pages_have_no_marks(second):
    place, _ = second
    for name in ("index", "beda"):
        assert "marks" not in re.sub(r"(?s)<style>.*?</style>|<script.*?</script>", "", page(place, name)).lower()
    assert ",marks," in (place / "site.csv").read_text(encoding="utf-8").splitlines()[0]


def test_reports_imports_and_a_slow_start_neither_earn_nor_cost_marks(tmp_path, monkeypatch):
    """A minimax that reports few nodes, a search of ours, one that loads for long, and one that stops answering."""
    monkeypatch.setattr(job, "PATIENCE", 4.0)
    rule = tmp_path / "rule.toml"
    rule.write_text("marks = {faster = 20}")
    honest = SEARCH.format(author="Ann", weight=3, cuts="alpha >= beta")
    first = "        self.nodes, best, chosen = 1"
    files = {
        "honest": honest,
        "liar": SEARCH.format(author="Leo", weight=3, cuts="False").replace("nodes=self.nodes", "nodes=self.depth + 1"),
        "slow": honest.replace(
            first, f"        if not hasattr(self, 'ready'):\n            self.ready = time.sleep(1.0)\n{first}"
        ).replace("from agents", "import time\nfrom agents", 1),
        "late": honest.replace(first, f"        time.sleep(60 if self.depth > 1 and board.ply == 0 else 0)\n{first}")
        .replace("from agents", "import time\nfrom agents", 1).replace("depth=2", "depth=1"),
        "borrowed": BORROWED,
    }  # fmt: skip
    (tmp_path / "students").mkdir()
    for name, text in files.items():
        (tmp_path / "students" / f"{name}.py").write_text(text)
    found = assignment(tmp_path / "students", out=tmp_path / "site", depth=1, rounds=1, marks=rule, workers=1)
    rows = {row.agent: row for row in found.rows}
    assert rows["honest"].marks > 10.0
    assert rows["slow"].marks == rows["honest"].marks
    assert (rows["liar"].marks, rows["liar"].most) == (0.0, 20.0)
    assert (rows["late"].parts, rows["late"].most) == ((None,), 0.0)
    assert "it makes 2,800 positions, of which it reports 5, at depth 4" in page(tmp_path, "liar")
    assert "not measured: agent &#39;late:AlphaBeta&#39; on the empty board: no answer within 4 s" in page(
        tmp_path, "late"
    )
    assert (rows["borrowed"].twin, rows["honest"].twin) == ("alphabeta:depth=2", "")
    assert rows["borrowed"].imports == ("agents.players", "agents.search", "agents.specs.registry")
    assert "positions by its own count at depth 4" in page(tmp_path, "borrowed")
    assert "It answers 40 of 40 positions as alphabeta:depth=2." in page(tmp_path, "borrowed")
    assert "It imports modules of the arena beyond the public names: agents.players" in page(tmp_path, "borrowed")
    assert "alphabeta:depth=2" in (tmp_path / "site.csv").read_text(encoding="utf-8")


@needs("bwrap")
def test_a_file_alone_plays_built_in_agents_in_a_sandbox(tmp_path, monkeypatch):
    monkeypatch.setattr(hand_in, "DEPTHS", DEPTHS)
    monkeypatch.setattr(hand_in, "reference", cache(hand_in.reference.__wrapped__))
    file = tmp_path / "mine.py"
    file.write_text(SEARCH.format(author="Me", weight=3, cuts="alpha >= beta"))
    found = assignment(file, out=tmp_path / "own", depth=2, rounds=1, workers=1, isolation={"sandbox": True})
    [row] = found.rows
    assert (row.agent, row.rank, row.ok, row.games) == ("mine", None, True, 4)
    text = (tmp_path / "own" / "index.html").read_text(encoding="utf-8")
    assert "mine:AlphaBeta beside mine:Minimax" in text
    assert "at depth 6" in text
    assert not (tmp_path / "own.csv").exists()


def test_a_hand_in_that_never_answers_is_asked_no_more_after_the_check(tmp_path, monkeypatch):
    write_class(tmp_path / "students", 1)
    (tmp_path / "students" / "zed.py").write_text(
        "def evaluate(own, opp):\n    while True:\n        pass\ndef choose(board):\n    return evaluate(0, 0)\n"
    )
    starts = []
    start = Process.__init__
    monkeypatch.setattr(
        Process,
        "__init__",
        lambda self, command, *more, **own: start(self, command, *more, **own) or starts.append(more[-1].start_timeout),
    )
    monkeypatch.setattr(job, "PATIENCE", 2.0)
    found = assignment(tmp_path / "students", out=tmp_path / "site", rounds=1, workers=1)
    rows = {row.agent: row for row in found.rows}
    assert (rows["zed"].ok, rows["zed"].rank, rows["zed"].games) == (False, None, 0)
    assert set(starts) == {2.0}
    text = (tmp_path / "site" / "zed.html").read_text(encoding="utf-8")
    assert "no answer within 2 s (a move); after this it was asked no more" in text
    assert "Nothing was measured: it answered nothing in time, and was asked no more" in text


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("marks = {speed = 3}", "speed"),
        ("marks = 3", "marks is a table"),
        ("marks = {runs = -1}", "runs is a number of points"),
        ("depth = 99", "depth is a number of plies from 1 to 8"),
        ("mark = 3", "mark"),
        ("[", "is no rule of marks"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_before_anything_runs(tmp_path, rule, says):
    (tmp_path / "rule.toml").write_text(rule)
    (tmp_path / "mine.py").write_text("")
    with pytest.raises(InputError, match=says):
        assignment(tmp_path / "mine.py", marks=tmp_path / "rule.toml")


def test_a_folder_or_a_run_of_something_else_is_refused(again, tmp_path):
    place, call = again
    with pytest.raises(InputError, match="holds other files"):
        call(out=place / "students")
    assert (place / "students" / "ada.py").exists()
    (tmp_path / "mine.sqlite").write_text("mine")
    with pytest.raises(InputError, match=r"mine\.sqlite exists; name a new folder with --out"):
        call(out=tmp_path / "mine")
    assert (tmp_path / "mine.sqlite").read_text() == "mine"


def test_another_call_begins_again_with_what_is_there_now(second):
    place, rows = second
    assert {row.agent: row.games for row in rows} == {"ada": 8, "beda": 8, "late": 8}
    assert games(place) == 20
    assert {path.name for path in (place / "site").iterdir()} == {"index.html", "ada.html", "beda.html", "late.html"}
    assert {path.name for path in place.iterdir()} == {"students", "site", "site.sqlite", "site.csv"}


def test_an_interruption_leaves_what_was_there(again, monkeypatch):
    place, call = again
    before = (place / "site.sqlite").read_bytes()
    monkeypatch.setattr("arena.perfect.audit.audit", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        call()
    assert (place / "site.sqlite").read_bytes() == before
    assert {path.name for path in place.iterdir()} == {"students", "site", "site.sqlite", "site.csv"}
