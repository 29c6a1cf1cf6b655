"""What a person does with the server's pages, in a real browser."""

import re
import socket
import threading
import time
from contextlib import contextmanager

import pytest
from axe import faults_in_every_look
from browser import needed, page
from hand_made import run_of

from agents.agent import prepare
from agents.board import STANDARD
from agents.jit.compiler import JIT
from agents.registry import parse
from agents.solver.solver import Solver
from arena.play.plan import Plan
from arena.play.tournament import Run
from arena.play.workers import executor
from arena.store import now
from arena.web.guard import hosts
from arena.web.listening import server as listening_server
from arena.web.server import application


@contextmanager
def serving(place):
    """Serve a folder from a thread, and yield its address."""
    needed()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        server = listening_server(application(place, hosts("127.0.0.1", port)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def opened(address, path="/", **options):
    with page(allowed=(f"{address}/",), **options) as found:
        found.goto(address + path)
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    nodes = (5, 7, 5, 7, 5)
    run_of(
        folder / "a.sqlite", ["greedy", "random"], [(0, 1, 0, "1", "1122334", nodes), (1, 0, 0, "1", "1122334", nodes)]
    )
    return folder


@pytest.fixture(scope="module")
def address(folder):
    Solver(STANDARD)  # compiled before a browser waits for it
    for name in ("easy", "medium", "hard", "smart-connect4"):
        prepare(parse(name).build(), STANDARD, name)
    with serving(folder) as found:
        yield found


def status(found):
    return found.locator("#status").inner_text()


def persons_turn(found):
    found.locator("#status", has_text=re.compile("^Your move|wins|draw")).wait_for()


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_whole_game_against_easy(address, by):
    with opened(address, "/play?first=you&second=easy") as found:
        for _ in range(21):
            persons_turn(found)
            if not status(found).startswith("Your move"):
                break
            column = found.evaluate(
                "[...document.querySelectorAll('#columns button')].findIndex((button) => !button.disabled) + 1"
            )
            if by == "mouse":
                found.locator("#columns button").nth(column - 1).click()
            else:
                found.keyboard.press(str(column))
        assert re.search("wins|draw", status(found))
        assert found.locator("#columns button:enabled").count() == 0
        assert found.locator("#thoughts tr").count() >= 7


def test_a_game_is_played_by_touch(address):
    with opened(address, "/play?board=4x4x3&first=you&second=you", width=400, touch=True) as found:
        for column in (1, 2, 1, 2, 1):
            found.locator("#columns button").nth(column - 1).tap()
        assert status(found) == "The first player has 3 in a row and wins."
        found.locator("#undo").tap()
        assert found.locator("#board svg").get_attribute("aria-label") == "Board, after 1212"
        found.locator("#rules").select_option("9x6x4")
        assert found.locator("#columns button").count() == 9
        found.locator("#columns button").last.tap()
        assert found.locator("#board svg").get_attribute("aria-label") == "Board, after 9"
        assert "board=9x6x4" in found.url
        assert found.evaluate("document.documentElement.scrollWidth") <= 400


def test_another_board_is_played_and_its_truth_shown(address):
    with opened(address, "/play?board=4x4x3&moves=2&first=you&second=greedy") as found:
        found.check("#truth")
        found.locator("#scores span").nth(3).wait_for(state="attached")
        found.locator("#thoughts tr").nth(0).wait_for()
        persons_turn(found)
        found.locator("#verdict", has_text="player wins").wait_for()
        assert found.locator("#scores span").count() == 4


def test_play_goes_on_after_a_four_where_most_fours_win(address):
    with opened(address, "/play?board=4x4x3:most-fours&moves=1213112&first=you&second=you") as found:
        assert "So far fours 1 to 0." in status(found)
        assert found.locator("#board .won").count() == 3
        for column in (2, 2, 3, 3, 3, 4, 4, 4, 4):
            found.keyboard.press(str(column))
        assert status(found) == "The board is full, fours 2 to 1: the first player wins."


def test_undo_hint_flip_and_new(address):
    if not JIT:
        pytest.skip("as plain Python a hint takes longer than a question may")
    with opened(address, "/play?moves=4433&first=you&second=you") as found:
        board = found.locator("#board svg")
        found.click("#hint")
        found.locator("#columns .hinted").wait_for()
        assert "hard would play column" in status(found)
        found.click("#flip")
        assert board.get_attribute("aria-label") == "Board, after 4455"
        found.click("#undo")
        assert board.get_attribute("aria-label") == "Board, after 445"
        found.click("#new")
        assert board.get_attribute("aria-label") == "Board, empty"


def test_the_truth_shows_each_columns_score(address):
    with opened(address, "/play?moves=44&first=you&second=you") as found:
        found.check("#truth")
        found.locator("#scores span").nth(6).wait_for(state="attached")
        assert found.locator("#scores span").all_inner_texts() == ["−3", "−3", "−2", "+1", "−2", "−3", "−3"]
        assert found.locator("#scores .best").inner_text() == "+1"
        assert "the first player wins" in found.locator("#verdict").inner_text()


def test_the_settings_of_smart_connect4(address):
    with opened(address, "/play?first=smart-connect4&second=you") as found:
        fields = found.locator("#seats fieldset").first.locator(".fields label")
        assert [text.split("\n")[0] for text in fields.all_inner_texts()] == ["depth", "heuristic", "pruning"]
        persons_turn(found)
        found.locator("select[name=heuristic]").select_option("simple")
        found.locator("select[name=pruning]").select_option("off")
        found.click("#link")
        assert "smart-connect4%3Aheuristic%3Dsimple%2Cpruning%3Doff" in found.url
        found.reload()
        assert found.locator("select[name=pruning]").input_value() == "off"
        found.click("#swap")
        assert "second=smart-connect4%3Aheuristic%3Dsimple%2Cpruning%3Doff" in found.url
        assert found.locator("#seats select[name=first]").input_value() == "you"


def test_two_agents_are_watched_paused_and_stepped(address):
    with opened(address, "/play?first=medium&second=greedy") as found:
        found.locator("#thoughts tr").nth(1).wait_for()
        found.click("#pause")
        before = found.locator("#thoughts tr").count()
        found.click("#step")
        found.locator("#thoughts tr").nth(before).wait_for()
        assert found.locator("#pause").inner_text() == "Go on"


def test_a_game_is_replayed(address):
    with opened(address) as found:
        found.click("a.run")
        found.click("#games a >> nth=0")
        found.locator("#board svg").wait_for()  # drawn by the script that hears the clicks
        found.click("#last")
        found.locator("#board .won").nth(3).wait_for(state="attached")
        assert found.locator("#board .won").count() == 4
        found.keyboard.press("ArrowLeft")
        assert found.locator("#turn").inner_text().startswith("After ply 6")
        found.keyboard.press("x")
        assert found.locator("#turn").inner_text().startswith("After ply 6"), "a game without blunders has no next one"
        found.locator("tr[data-ply='3']").click()
        assert found.locator("#board svg").get_attribute("aria-label") == "Board, after 112"
        found.click("#play")
        assert "moves=112" in found.url


def test_a_live_run_fills_its_page(tmp_path):
    path = tmp_path / "live.sqlite"
    run = Run.begin(Plan(("greedy", "random"), rounds=3), path)
    with run.store, serving(tmp_path) as address, opened(address, "/run/live.sqlite") as found:
        assert found.locator("#progress-text").inner_text().startswith("0 of 6 games")
        run.play(executor(1))
        found.locator("#progress-text", has_text="6 of 6 games").wait_for()
        assert found.locator("#games tr").count() == 6
        found.locator("#tables", has_text="Standings").wait_for()
        found.locator("#tables th button", has_text="points").click()
        assert found.locator("#tables th[aria-sort='descending']").inner_text().startswith("points")


def test_the_games_in_hand_are_shown_as_they_go_on(tmp_path):
    path = tmp_path / "live.sqlite"
    with Run.begin(Plan(("greedy", "random"), rounds=3), path).store, serving(tmp_path) as address:
        now.write(path, [now.Playing("greedy", "random", "445", 3.2), now.Playing("random", "greedy", "1", 0.1)])
        with opened(address, "/run/live.sqlite") as found:
            boards = found.locator("#boards figure")
            assert boards.count() == 2
            assert boards.first.locator("svg").get_attribute("aria-label") == "Board, after 445"
            assert "second thinks for 3\xa0s" in boards.first.inner_text()
            now.write(path, [now.Playing("greedy", "random", "4453", 0.1)])
            found.locator("#boards svg[aria-label='Board, after 4453']").wait_for()
            now.end(path)
            found.locator("#progress-text", has_text="not being played now").wait_for()


def test_a_runs_page_is_read_without_scripts(address):
    with opened(address, "/run/a.sqlite", scripts=False) as found:
        assert found.locator("#progress-text").inner_text() == "2 of 2 games"
        assert found.locator("#games tr").count() == 2
        assert "Standings" in found.locator("#tables").inner_text()
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


def test_a_closed_page_stops_its_search(address):
    with opened(address, "/play?first=alphabeta:depth=30&second=you") as found:
        found.locator("#status", has_text="thinks").wait_for()
        found.goto(f"{address}/play?first=you&second=you")
        began = time.monotonic()
        found.check("#truth")
        found.locator("#scores span").nth(6).wait_for(state="attached")
        assert time.monotonic() - began < 8


@pytest.mark.parametrize("path", ["/", "/play", "/tree", "/run/a.sqlite", "/run/a.sqlite/game/1"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_screens_do_not_scroll_sideways(address, path, scheme):
    with opened(address, path, width=400, scheme=scheme) as found:
        assert found.evaluate("document.documentElement.scrollWidth") <= 400


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


def test_the_report_of_a_run_is_served_with_its_figures(address):
    with opened(address, "/run/a.sqlite") as found:
        found.click("text=The whole report")
        found.locator("svg.figure").nth(2).wait_for()  # the page looks again while the report is being written
        found.locator("#browser tbody tr").first.click()
        assert found.locator("#browser svg.board").is_visible()
