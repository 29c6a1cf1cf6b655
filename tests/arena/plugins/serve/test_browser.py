"""What a person sees of runs, trees and reports on the server's pages, in a real browser."""

import pytest
from axe import faults_in_every_look
from hand_made import run_of
from served import opened, serving

from arena.games.plan import Plan
from arena.games.run import Run
from arena.store import live

pytestmark = pytest.mark.browser


def test_a_game_is_replayed(address):
    with opened(address) as found:
        found.click("a.run")
        found.click("#games a >> nth=0")
        found.locator("#board svg").wait_for()  # drawn by the script that hears the clicks
        found.click("#last")
        found.locator("#board .won").nth(3).wait_for(state="attached")
        assert found.locator("#board .won").count() == 4
        found.keyboard.press("ArrowLeft")
        assert found.locator("#turn").inner_text() == "Ply 6: random plays column 4."
        found.keyboard.press("x")
        assert found.locator("#turn").inner_text().startswith("Ply 6"), "a game without blunders has no next one"
        found.locator("tr[data-ply='3']").click()
        assert found.locator("#board svg").get_attribute("aria-label") == "Board, after 112"
        found.click("#play")
        assert "moves=112" in found.url


def test_a_live_run_fills_its_page(tmp_path):
    path = tmp_path / "live.sqlite"
    run = Run.begin(Plan(("greedy", "random"), rounds=3), path)
    with run.store, serving(tmp_path) as address, opened(address, "/run/live.sqlite") as found:
        assert found.locator("#progress-text").inner_text().startswith("0 of 6 games")
        run.play(run.executor(1))
        found.locator("#progress-text", has_text="6 of 6 games").wait_for()
        assert found.locator("#games tr").count() == 6
        found.locator("#tables", has_text="Standings").wait_for()
        found.locator("#tables th button", has_text="points").click()
        assert found.locator("#tables th[aria-sort='descending']").inner_text().startswith("points")


def test_the_games_in_hand_are_shown_as_they_go_on(tmp_path):
    path = tmp_path / "live.sqlite"
    with Run.begin(Plan(("greedy", "random"), rounds=3), path).store, serving(tmp_path) as address:
        live.write(
            path,
            [live.GameInProgress("greedy", "random", "445", 3.2), live.GameInProgress("random", "greedy", "1", 0.1)],
        )
        with opened(address, "/run/live.sqlite") as found:
            boards = found.locator("#boards figure")
            assert boards.count() == 2
            assert boards.first.locator("svg").get_attribute("aria-label") == "Board, after 445"
            assert "second thinks for 3\xa0s" in boards.first.inner_text()
            live.write(path, [live.GameInProgress("greedy", "random", "4453", 0.1)])
            found.locator("#boards svg[aria-label='Board, after 4453']").wait_for()
            live.end(path)
            found.locator("#progress-text", has_text="not running").wait_for()
            assert found.evaluate("document.querySelector('main').firstElementChild.className") == "live"


def test_a_runs_page_is_read_without_scripts(address):
    with opened(address, "/run/a.sqlite", scripts=False) as found:
        assert found.locator("#progress-text").inner_text() == "2 of 2 games"
        assert found.locator("#games tr").count() == 2
        found.locator("#tables", has_text="Standings").wait_for()  # the page looks again while tables are computed
        assert not found.locator("#boards").is_visible()
        found.click("#games a >> nth=0")
        assert found.locator("#moves tbody tr").count() == 7


def test_a_tree_is_asked_for_and_walked(address):
    with opened(address, "/tree") as found:
        found.fill("input[name=agent]", "smart-connect4")
        found.click("form button")
        assert "depth 4" in found.locator("header.site").inner_text()
        found.locator("#replies button").first.wait_for()  # the page's script has begun
        found.click("#cut")
        assert "already has" in found.locator("#reasons").inner_text()


def test_narrow_screens_do_not_scroll_sideways(address):
    with opened(address, width=400) as found:
        for path in ("/", "/play", "/tree", "/run/a.sqlite", "/run/a.sqlite/game/1"):
            found.goto(address + path)
            for scheme in ("light", "dark"):
                found.emulate_media(color_scheme=scheme)
                assert found.evaluate("document.documentElement.scrollWidth") <= 400, (path, scheme)


def test_axe_finds_no_serious_fault(address):
    tree = "/tree?agent=alphabeta:order=centre&moves=44&depth=3"
    paths = ["/", "/play?moves=44", "/tree", tree, "/run/a.sqlite", "/run/a.sqlite/report", "/run/a.sqlite/game/1"]
    with opened(address) as found:
        for path in paths:
            found.goto(address + path)
            found.locator("text=is being written").wait_for(state="detached", timeout=60_000)
            assert faults_in_every_look(found) == {}, path
        found.goto(address + tree)
        found.click("#cut")
        assert faults_in_every_look(found) == {}


SPECS = [
    f"{search},heuristic={values}" for values in ("smart-aware", "powers-of-ten")
    for search in ("alphabeta:depth=6,order=centre", "alphabeta:depth=6,table=on", "minimax:depth=6")
]  # fmt: skip


@pytest.fixture(scope="module")
def field(tmp_path_factory):
    """The address of a server of a run of six agents with long names, which has ended."""
    folder = tmp_path_factory.mktemp("field")
    games = [(one, two, opening, "1", "1122334", (5000, 70_000, 5, 7, 5))
             for one in range(6) for two in range(6) for opening in range(2) if one != two]  # fmt: skip
    run_of(folder / "field.sqlite", SPECS, games)
    with serving(folder) as found:
        yield found


@pytest.mark.parametrize("page", ["/run/field.sqlite", "/run/field.sqlite/report"])
def test_no_column_of_a_run_is_cut_off_on_a_wide_screen(field, page):
    with opened(field, page) as found:
        found.locator(".copy").first.wait_for()  # tables are sorted and copied on both pages
        found.locator("th button", has_text="points").first.click()
        boxes = "[...document.querySelectorAll('.scroll')]"
        wide = found.evaluate(f"{boxes}.map((each) => each.scrollWidth - each.clientWidth)")
        assert len(wide) >= 3
        assert max(wide) <= 0


def test_what_is_hidden_on_a_narrow_screen_can_be_scrolled_to(field):
    with opened(field, "/run/field.sqlite/report", width=400) as found:
        found.locator("svg.figure").first.wait_for()
        assert found.evaluate("document.documentElement.scrollWidth") <= 400
        for kind in ("figure.scroll", "div.scroll"):
            first = found.locator(kind).first
            assert first.evaluate("(each) => each.scrollWidth > each.clientWidth")
            assert first.evaluate("(each) => getComputedStyle(each).overflowX") == "auto"
            assert first.evaluate("(each) => getComputedStyle(each, '::-webkit-scrollbar').height") != "auto"


def test_the_standings_of_a_run_that_has_ended_come_first(field):
    with opened(field, "/run/field.sqlite", scripts=False) as found:
        assert found.locator("main > section, main > div").first.get_attribute("id") == "tables"


def test_the_report_of_a_run_is_served_with_its_figures(address):
    with opened(address, "/run/a.sqlite") as found:
        found.click("text=Full report")
        found.locator("svg.figure").nth(2).wait_for()  # the page looks again while the report is being written
        found.locator("#browser tbody tr").first.click()
        assert found.locator("#browser svg.board").is_visible()
