import re
from dataclasses import replace

import pytest
from browser import page as browser_page
from changed import update
from hand_made import audit_of, pairs_of, run_of

from arena.page import page as html
from arena.page.page import document, page
from arena.position.position import Divided
from arena.store.run_file import Store
from arena.table.parts import Detail, Table
from arena.table.rows import columns


@pytest.fixture
def undrawn(monkeypatch):
    """Draw no figures where a test reads none, which takes a second a page."""
    monkeypatch.setattr(html, "pictures", lambda _: [])


@pytest.mark.browser
def test_the_page_needs_no_address_outside(text):
    assert not re.search(r"(src|href)=\"(?!data:|#)", text)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


@pytest.mark.browser
def test_the_page_has_every_section(text):
    sections = ["standings", "figures", "games", "effort", "openings", "audit", "faults", "about"]
    assert re.findall(r'<section class="card" id="([a-z]+)"', text) == sections[:1] + [
        name for name in sections[1:] if f'id="{name}"' in text
    ]
    assert set(re.findall(r'<section class="card" id="([a-z]+)"', text)) >= set(sections) - {"effort"}


def test_a_title_of_ones_own_is_escaped(path, undrawn):
    text = page(path, "<b>A class", [html.Section("hand-ins", "What was handed in", ["two"])])
    assert "<title>&lt;b&gt;A class</title>" in text
    assert re.findall(r'<section class="card" id="([\w-]+)"', text)[:3] == ["hand-ins", "standings", "games"]


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1280, "light")])
def test_without_scripts_tables_and_figures_are_read(text, tmp_path, width, scheme):
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    with browser_page(width=width, scheme=scheme, scripts=False) as found:
        found.goto((tmp_path / "report.html").as_uri())
        assert found.locator("table.data tbody tr").first.is_visible()
        assert found.locator("svg.figure").first.is_visible()
        assert "Turn on JavaScript" in found.locator("#games").inner_text()


@pytest.mark.browser
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


def document_of(path):
    with Store.read(path) as store:
        return document(store)[0]


def test_games_beyond_the_bound_are_sampled_faults_and_blunders_first(tmp_path):
    path = many(tmp_path)
    with Store.resume(path) as store:
        update(store, "UPDATE game SET termination = 'exception', detail = 'x' WHERE id = 20")
    with Store.read(path) as store:
        whole, stored = document(store)
        assert stored == len(whole["games"]) == 24
        size = len(html.as_json(whole["games"]))
        part, stored = document(store, size // 3)
        needed = sum(len(html.as_json(game)) + 1 for game in whole["games"])
        assert [len(document(store, bound)[0]["games"]) for bound in (needed, needed - 1, 10)] == [24, 23, 0]
    assert stored == 24
    assert 5 <= len(part["games"]) <= 8
    assert len(html.as_json(part["games"])) <= size // 3
    numbers = [game["g"] for game in part["games"]]
    assert 20 in numbers
    assert numbers == sorted(numbers)


def test_of_many_games_the_worst_blunders_are_kept_and_a_sample_of_all_the_others(tmp_path):
    path = many(tmp_path)
    with Store.read(path) as store:
        size = len(html.as_json(document(store)[0]["games"]))
        sample = [game["g"] for game in document(store, size // 3)[0]["games"]]
        worst = next(number for number in range(1, 25) if number not in sample)
    assert min(sample) <= 12 < max(sample)
    faulty, small = [number for number in range(1, 25) if number not in (*sample, worst)][:2]
    audit_of(path, [(worst, 2, 1, -1, 7, 1), (small, 2, 1, 0, 7, 1)])
    with Store.resume(path) as store:
        update(store, "UPDATE game SET termination = 'exception', detail = 'x' WHERE id = ?", faulty)

    def kept(bound):
        with Store.read(path) as store:
            return [game["g"] for game in document(store, bound)[0]["games"]]

    whole = {game["g"]: len(html.as_json(game)) + 1 for game in document_of(path)["games"]}
    order = [faulty, worst, small]
    for number in (1, 2, 3):
        assert kept(sum(whole[game] for game in order[:number])) == sorted(order[:number])
    assert {*order} < {*kept(size // 3)}


def test_a_page_that_has_not_every_game_says_so(tmp_path, monkeypatch, undrawn):
    path = many(tmp_path)
    assert "All 24 games of the run." in page(path)
    monkeypatch.setattr("arena.page.page.document", lambda store: document(store, 600))
    found = page(path)
    assert re.search(r"[1-9]\d? of the run&#39;s 24 games: those with faults, the worst blunders", found)
    assert "many.sqlite: 2 agents, 24 of 24 games" in found


def test_lines_and_tables_of_a_page_stand_in_their_order_and_empty_ones_are_left_out():
    table = Table("t", "A title", Divided, [Divided(1, 2, 3)], columns(Divided), notes={"nodes": "counted"})
    found = html.blocks(["one\ntwo", table, "", replace(table, rows=[]), "three"])
    assert [each if isinstance(each, str) else each.title for each in found] == [
        "one", "two", "A title", "nodes: counted", "three",
    ]  # fmt: skip
    folded = html.blocks([Detail("why"), Detail("how\nand when"), "a line", Detail(""), Detail("where"), table])
    assert folded[:-2] == ["why\nhow\nand when", "a line", "where"]
    assert [isinstance(block, Detail) for block in folded[:-2]] == [True, False, True]


def test_a_run_without_a_game_has_a_page(tmp_path, undrawn):
    text = page(run_of(tmp_path / "none.sqlite", ["greedy", "random"], []))
    assert "greedy" in text
    assert 'id="games"' not in text
    assert html.bundle(("games.js",)) not in text


def test_one_file_is_reported_and_an_old_page_is_replaced(arena, tmp_path, undrawn):
    run, out = many(tmp_path), tmp_path / "page.html"
    assert arena("report", run, "--out", out, "--title", "Mine").err == f"written to {out}\n"
    done = arena("report", run, "--out", out, "--title", "Mine")
    assert (done.code, done.err) == (0, f"written to {out}, which replaces the old page\n")
    assert "<title>Mine</title>" in out.read_text(encoding="utf-8")
    assert arena("report", run, run, "--out", out).code == 2


def test_what_cannot_be_read_or_written_is_said_in_a_line(arena, tmp_path, undrawn):
    done = arena("report", tmp_path / "none.sqlite", "--out", tmp_path / "report.html")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert not (tmp_path / "report.html").exists()
    done = arena("report", many(tmp_path), "--out", tmp_path / "no" / "report.html")
    assert done.code == 2
    assert "cannot be written" in done.err
