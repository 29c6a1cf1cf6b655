"""The three doors, and a tournament that is begun from a page, in a real browser."""

import re

import pytest
from axe import faults_in_every_look
from served import KEY, opened, serving

pytestmark = pytest.mark.browser


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The address of a server of the current folder, empty, that offers its files."""
    monkeypatch.chdir(tmp_path)
    with serving(None, files=True) as address:
        yield address


def test_the_first_page_has_three_doors(own):
    with opened(own, f"/#{KEY}", width=400) as found:
        assert found.locator(".door h2").all_inner_texts() == ["Play", "Watch", "Run"]
        assert found.url == f"{own}/", "the key is kept, and no longer shown"
        assert faults_in_every_look(found) == {}
        found.keyboard.press("Tab")
        found.locator(".door", has_text="Run").focus()
        found.keyboard.press("Enter")
        found.wait_for_url("**/new")


def test_a_heuristic_is_typed_replaced_compared_and_watched(own, tmp_path):
    with opened(own, f"/#{KEY}", width=400, touch=True) as found:
        found.goto(f"{own}/new")
        found.locator("text=Store and check").tap()
        found.locator("#checked li", has_text="mine.py:evaluate: ok on 20 positions").wait_for()
        assert (tmp_path / "mine.py").read_text().startswith("from agents.heuristics")
        found.fill("textarea", "def evaluate(own, opp):\n    return own % 32\n")
        found.locator("text=Store and check").tap()
        found.locator("#own-said", has_text="there is a mine.py already").wait_for()
        assert "own % 32" not in (tmp_path / "mine.py").read_text()
        found.locator("#replace").tap()
        found.locator("#checked li").wait_for()
        assert "own % 32" in (tmp_path / "mine.py").read_text()
        assert found.locator("#heuristics input:checked").count() == 2
        assert found.evaluate("document.documentElement.scrollWidth") <= 400
        assert faults_in_every_look(found) == {}
        found.fill("#compared input[name=depth]", "1")
        found.fill("#compared input[name=rounds]", "2")
        found.locator("text=Start the comparison").tap()
        found.wait_for_url("**/run/results/run-*")
        found.locator("#progress-text", has_text="4 of 4 games").wait_for()
        found.locator("#tables", has_text="Pairings").wait_for()


def test_an_agent_is_dropped_and_its_tournament_stopped_and_resumed(own):
    drop = """() => {
        const given = new DataTransfer();
        const code = "class Edge:\\n    def choose(self, board, limits):\\n        return board.legal_moves()[0]\\n";
        given.items.add(new File([code], "edge.py"));
        document.getElementById("own").dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true }));
    }"""
    with opened(own, f"/new#{KEY}") as found:
        found.evaluate(drop)
        found.locator("#own-said", has_text="edge.py is loaded").wait_for()
        found.click("text=Store and check")
        found.locator("#checked li", has_text="edge.py:Edge: ok").wait_for()
        found.fill("input[name=more]", "alphabeta:depth=7")
        found.fill("#met input[name=rounds]", "300")
        found.click("text=Start the tournament")
        found.wait_for_url("**/run/results/run-*")
        found.locator("#progress-text", has_text=re.compile("^[1-9].*running")).wait_for()
        found.click("#stop")
        found.locator("#said", has_text="what was played is kept").wait_for()
        found.click("#resume")
        found.locator("#stop").wait_for()
        found.click("#stop")
        found.locator("#resume").wait_for()
        found.goto(f"{own}/play?first=edge.py:Edge&second=you")
        found.locator("#thoughts tr").wait_for()
        assert found.locator("#board svg").get_attribute("aria-label") == "Board, after 1"
