"""Games on the server's page, in a real browser."""

import re
import time

import pytest
from served import opened, serving

from agents.jit.compiler import JIT

pytestmark = pytest.mark.browser


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


def test_a_search_tree_is_offered_of_an_agent_that_has_one_alone(address):
    for players, agent in (("first=you&second=medium", "medium"), ("first=minimax&second=easy", "minimax")):
        with opened(address, f"/play?{players}&moves=44") as found:
            assert f"agent={agent}" in found.locator("a.route").get_attribute("href")
            assert found.locator("a.route").is_visible()
    for players in ("first=you&second=random", "first=you&second=you", "first=mcts&second=greedy"):
        with opened(address, f"/play?{players}&moves=44") as found:
            found.locator("#board svg").wait_for()
            assert not found.locator("a.route").is_visible()


def test_the_first_agent_of_the_users_own_begins_the_game(tmp_path):
    (tmp_path / "bot.py").write_text("def choose(board):\n    return 0\n")
    bot = f"{tmp_path}/bot.py"
    with serving(tmp_path, agents=[bot]) as address, opened(address, "/") as found:
        found.click("text=Play against")
        assert found.locator("select[name=second]").input_value() == bot
        found.goto(f"{address}/play")
        assert found.locator("select[name=second]").input_value() == bot


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
        assert "The first player wins" in found.locator("#verdict").inner_text()


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
        assert found.locator("#pause").inner_text() == "Continue"


def test_a_closed_page_stops_its_search(address):
    with opened(address, "/play?first=alphabeta:depth=30&second=you") as found:
        found.locator("#status", has_text="thinks").wait_for()
        found.goto(f"{address}/play?first=you&second=you")
        began = time.monotonic()
        found.check("#truth")
        found.locator("#scores span").nth(6).wait_for(state="attached")
        assert time.monotonic() - began < 8


def test_a_search_tree_is_offered_only_of_a_player_that_has_one(address):
    for players, agent in (
        ("first=you&second=easy", None), ("first=mcts&second=oneil", None), ("first=you&second=medium", "medium"),
        ("first=easy&second=alphabeta:depth=2", "alphabeta%3Adepth%3D2"),
    ):  # fmt: skip
        with opened(address, f"/play?{players}&moves=44") as found:
            link = found.locator("a.route")
            assert link.is_visible() == (agent is not None)
            assert agent is None or f"agent={agent}&" in link.get_attribute("href")
