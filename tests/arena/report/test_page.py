import re

import pytest
from axe import faults_in_every_look
from browser import page as browser_page
from hand_made import pairs_of, run_of

from arena.report import html
from arena.report.page.build import page
from arena.report.page.games import document
from arena.store.sqlite import connect
from arena.store.store import Store

EVIL = "</script><img src=x onerror='window.caught=1'>{{ 7*7 }}"
WON, LOST = "1212121", "12131313"
AUDIT = """
CREATE TABLE audit (game INTEGER NOT NULL, ply INTEGER NOT NULL, value INTEGER NOT NULL, after INTEGER NOT NULL,
    legal INTEGER NOT NULL, keeping INTEGER NOT NULL, score INTEGER, after_score INTEGER, best INTEGER, keepers TEXT,
    PRIMARY KEY (game, ply)) STRICT, WITHOUT ROWID;
INSERT INTO audit SELECT game, ply, 1, CASE WHEN game = 2 AND ply = 4 THEN -1 ELSE 1 END, 7, 3, NULL, NULL, NULL,
    '1 2 3' FROM move;
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Two games of two agents with a hostile fault, audited: the first player of game 2 blundered at ply 4."""
    found = run_of(
        tmp_path_factory.mktemp("page") / "run.sqlite",
        ["greedy", "random"],
        [(0, 1, 0, "1", WON, (5, 6, 7, 8, 9)), (1, 0, 0, "0", LOST, (5, 6, 7, 8, 9, 10))],
        openings=("12",),
    )
    connection = connect(found, write=True)
    with connection:
        connection.executescript(AUDIT)
        connection.execute("UPDATE agent SET name = ? WHERE id = 2", (EVIL,))
        connection.execute("UPDATE game SET termination = 'exception', detail = ? WHERE id = 2", (EVIL,))
    connection.close()
    return found


@pytest.fixture(scope="module")
def text(path):
    return page([path])


@pytest.fixture
def shown(text, tmp_path):
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    with browser_page() as found:
        found.goto((tmp_path / "report.html").as_uri())
        yield found


def test_the_page_needs_no_address_outside(text):
    assert not re.search(r"(src|href)=\"(?!data:|#)", text)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_the_page_has_every_section(text):
    sections = ["standings", "figures", "games", "effort", "openings", "audit", "faults", "about"]
    assert re.findall(r'<section class="card" id="([a-z]+)"', text) == sections[:1] + [
        name for name in sections[1:] if f'id="{name}"' in text
    ]
    assert set(re.findall(r'<section class="card" id="([a-z]+)"', text)) >= set(sections) - {"effort"}


def test_a_hostile_name_stays_text(text, shown):
    assert EVIL not in text
    assert "49" not in re.findall(r"caught[^<]{0,40}", text)[0]
    assert shown.evaluate("window.caught") is None
    assert shown.locator("#standings table.data").first.get_by_text(EVIL).count() == 1
    assert EVIL in shown.locator("#faults").inner_text()


def test_a_title_of_ones_own_is_escaped(path):
    assert "<title>&lt;b&gt;A class</title>" in page([path], "<b>A class")


def test_a_table_is_sorted_by_its_headers(shown):
    table = shown.locator("#standings table.data").first
    headers = table.locator("thead th").all_inner_texts()
    place = next(number for number, text in enumerate(headers, start=1) if text.startswith("points"))
    column = table.locator(f"tbody tr td:nth-child({place})")
    header = table.locator("thead button", has_text="points")
    header.focus()
    shown.keyboard.press("Enter")
    assert [float(cell) for cell in column.all_inner_texts()] == [2.0, 0.0]
    shown.keyboard.press("Enter")
    assert [float(cell) for cell in column.all_inner_texts()] == [0.0, 2.0]
    assert table.locator("th[aria-sort=ascending]").inner_text().startswith("points")


def test_a_table_is_copied_as_csv(shown):
    shown.evaluate("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }")
    shown.locator("#standings .copy").first.click()
    lines = shown.evaluate("window.copied").splitlines()
    assert lines[0].startswith("pool,agent,elo,low,high,marked,")
    assert len(lines) == 3


def test_games_are_filtered(shown):
    rows = shown.locator("#games tbody tr")
    assert rows.count() == 2
    shown.get_by_label("Agent", exact=True).select_option("greedy")
    shown.get_by_label("Result", exact=True).select_option("win")
    assert rows.count() == 2
    shown.get_by_label("only faults").check()
    assert rows.count() == 1
    shown.get_by_label("Result", exact=True).select_option("loss")
    assert rows.count() == 0
    assert shown.locator("#games p[aria-live]").inner_text() == "0 of 2 games"


def test_a_game_is_replayed_by_keys_to_its_blunder(shown):
    shown.get_by_label("Replay game 2").click()
    replay = shown.get_by_role("region", name="Replay")
    replay.focus()
    shown.keyboard.press("Home")
    assert "ply 0: opening: column 1" in replay.inner_text()
    shown.keyboard.press("x")
    assert "ply 4" in replay.inner_text()
    assert "Blunder: a win becomes a loss; kept by 1, 2, 3" in replay.inner_text()
    assert replay.locator("svg.curve .mark").count() == 1
    shown.keyboard.press("ArrowRight")
    assert "keeps the win" in replay.inner_text()
    shown.keyboard.press("End")
    assert "exception" in replay.inner_text()
    assert replay.locator("svg.board circle.first, svg.board circle.second").count() == len(LOST)


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1280, "light")])
def test_without_scripts_tables_and_figures_are_read(text, tmp_path, width, scheme):
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    with browser_page(width=width, scheme=scheme, scripts=False) as found:
        found.goto((tmp_path / "report.html").as_uri())
        assert found.locator("table.data tbody tr").first.is_visible()
        assert found.locator("svg.figure").first.is_visible()
        assert "needs its scripts" in found.locator("#games").inner_text()


def test_nothing_is_wider_than_a_telephone(text, tmp_path):
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    with browser_page(width=400) as found:
        found.goto((tmp_path / "report.html").as_uri())
        assert found.evaluate("document.documentElement.scrollWidth") <= 400


def many(tmp_path):
    ends = ["10", "01", "=="] * 4
    games = pairs_of(*ends)
    openings = tuple(f"{a}{b}" for a in range(1, 5) for b in range(1, 4))
    return run_of(tmp_path / "many.sqlite", ["greedy", "random"], games, openings=openings)


def test_games_beyond_the_bound_are_sampled_faults_and_blunders_first(tmp_path):
    path = many(tmp_path)
    with Store.resume(path) as store:
        store.connection.execute("UPDATE game SET termination = 'exception', detail = 'x' WHERE id = 20")
        store.connection.commit()
    with Store.read(path) as store:
        whole, stored = document(store)
        assert stored == len(whole["games"]) == 24
        size = len(html.as_json(whole["games"]))
        part, stored = document(store, size // 3)
    assert stored == 24
    assert 5 <= len(part["games"]) <= 8
    assert len(html.as_json(part["games"])) <= size // 3
    numbers = [game["g"] for game in part["games"]]
    assert 20 in numbers
    assert numbers == sorted(numbers)


def test_a_page_that_has_not_every_game_says_so(tmp_path, monkeypatch):
    path = many(tmp_path)
    assert "All 24 games of the run." in page([path])
    monkeypatch.setattr("arena.report.page.build.document", lambda store: document(store, 600))
    assert re.search(r"[1-9]\d? of the run&#39;s 24 games: those with faults, the worst blunders", page([path]))


def test_a_run_without_a_game_has_a_page(tmp_path):
    text = page([run_of(tmp_path / "none.sqlite", ["greedy", "random"], [])])
    assert "greedy" in text
    assert 'id="games"' not in text


def test_axe_finds_no_serious_fault_in_a_report_or_in_several(path, text, tmp_path):
    with browser_page() as found:
        for name, content in {"one": text, "two": page([path, path])}.items():
            (tmp_path / name).with_suffix(".html").write_text(content, encoding="utf-8")
            found.goto((tmp_path / f"{name}.html").as_uri())
            assert faults_in_every_look(found) == {}, name


def test_several_files_are_compared_as_diff_does(arena, tmp_path):
    (tmp_path / "new").mkdir()
    old, new = many(tmp_path), many(tmp_path / "new")
    out = tmp_path / "both.html"
    assert arena("report", old, new, "--out", out, "--title", "Both").code == 0
    text = out.read_text(encoding="utf-8")
    rows = re.findall(r'data-name="changes".*?</table>', text, re.DOTALL)[0].count("<tr>")
    assert rows == 1 + 2
    assert text.count('data-name="standings"') == 2
    assert f"<h2>{old} → {new}</h2>" in text
    assert len(set(names := re.findall(r'\bid="([^"]+)"', text))) == len(names)


def test_what_cannot_be_read_or_written_is_said_in_a_line(arena, tmp_path):
    done = arena("report", tmp_path / "none.sqlite", "--out", tmp_path / "report.html")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert not (tmp_path / "report.html").exists()
    done = arena("report", many(tmp_path), "--out", tmp_path / "no" / "report.html")
    assert done.code == 2
    assert "cannot be written" in done.err
