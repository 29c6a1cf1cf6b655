"""The page that shows a game to a whole room."""

import re

import pytest
from axe import faults
from served import opened, serving

from arena.play.plan import Plan
from arena.play.run import Run
from arena.store import live

pytestmark = pytest.mark.browser


def test_a_final_plays_by_itself_and_is_read_from_ten_metres(address):
    with opened(address, "/run/a.sqlite/final", width=1920, height=1080) as found:
        said = found.locator("#said")
        said.wait_for()
        assert said.inner_text().startswith("Game 1, ply ")
        found.locator("#speed").fill("20")
        found.locator("#speed").blur()
        found.locator("#said", has_text="Game 1, ply 7: 1-0, line completed.").wait_for()
        assert found.locator("#first").inner_text() == "greedy"
        assert found.locator("#board .won").count() == 4
        read = found.locator("main .name, .clock, #said")
        sizes = read.evaluate_all("all => all.map((each) => parseFloat(getComputedStyle(each).fontSize))")
        assert len(sizes) == 5
        assert min(sizes) >= 40
        found.keyboard.press("ArrowLeft")
        assert found.locator("#pause").inner_text() == "Continue"
        assert said.inner_text() == "Game 1, ply 6: greedy plays column 4."
        found.keyboard.press("t")
        found.locator("#verdict", has_text="the first player wins").wait_for()
        assert found.locator("#scores .best").count() == 1
        assert found.evaluate("document.documentElement.scrollHeight") <= 1080
        assert faults(found) == []
        found.keyboard.press("n")
        assert found.locator("#first").inner_text() == "random"
        found.keyboard.press("f")
        found.locator(":fullscreen").first.wait_for()


def test_one_game_is_asked_for_on_a_phone(address):
    with opened(address, "/run/a.sqlite/final?game=2", width=400, touch=True) as found:
        found.locator("#pause").tap()
        found.locator("#next").tap()
        assert re.match(r"Game 2, ply [3-6]: ", found.locator("#said").inner_text())
        assert not found.locator("#other").is_visible()
        assert found.evaluate("document.documentElement.scrollWidth") <= 400
        assert faults(found) == []


def test_the_game_that_is_being_played_is_the_final_while_it_lasts(tmp_path):
    path = tmp_path / "live.sqlite"
    run = Run.begin(Plan(("greedy", "random"), rounds=1), path)
    with run.store, serving(tmp_path) as address:
        live.write(path, [live.GameInProgress("greedy", "random", "445", 3.2)])
        with opened(address, "/run/live.sqlite/final") as found:
            found.locator("#said", has_text="In progress, ply 3: random thinks.").wait_for()
            assert found.locator("#second-clock").inner_text() == "3.2 s"
            run.play(run.executor(1))
            found.locator("#said", has_text=re.compile("^Game 1, ply")).wait_for()
