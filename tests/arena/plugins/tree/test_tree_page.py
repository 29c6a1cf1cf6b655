import re
import time

import pytest
from browser import page

from agents.board import Board
from arena.plugins.tree.build import counterpart, tree
from arena.plugins.tree.tables import page as written

AGENT = "alphabeta:depth=4,order=centre"


@pytest.fixture(scope="module")
def tree_file(tmp_path_factory):
    board = Board.from_moves("44")
    path = tmp_path_factory.mktemp("page") / "tree.html"
    path.write_text(written(tree(AGENT, board), counterpart(AGENT, board, 4)), encoding="utf-8")
    return path


@pytest.fixture
def shown(tree_file):
    with page() as found:
        found.goto(tree_file.as_uri())
        yield found


def selected(found):
    return found.locator("#outline-0 [aria-selected=true] > .row .move").inner_text()


def value(found):
    return found.locator("#facts tr").nth(1).locator("td").first.inner_text()


def test_the_page_needs_no_address_outside(tree_file):
    text = tree_file.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=\"(?!data:)", text)
    assert not re.search(r"\son[a-z]+=\"", text)
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text


def test_the_title_says_what_is_searched():
    for moves, where in (("44", "44"), ("", "the empty board")):
        assert f"What minimax:depth=1 searches on {where}</" in written(
            tree("minimax:depth=1", Board.from_moves(moves))
        )


@pytest.mark.browser
def test_a_hostile_name_stays_text(tmp_path):
    found = tree("minimax:depth=2", Board())
    evil = "</script><script>window.caught=1</script><img src=x onerror='window.caught=1'>"
    object.__setattr__(found, "agent", evil)
    path = tmp_path / "evil.html"
    path.write_text(written(found), encoding="utf-8")
    with page() as open_page:
        open_page.goto(path.as_uri())
        assert open_page.locator("h1").inner_text() == f"What {evil} searches on the empty board"
        assert open_page.evaluate("window.caught") is None


@pytest.mark.browser
def test_the_line_is_open_and_marked(shown):
    assert shown.locator("#outline-0 li.line").count() == 5
    assert shown.locator("#outline-0 li.line").last.locator(".side").first.inner_text() == "leaf"
    assert selected(shown) == "root"


@pytest.mark.browser
def test_a_tree_is_walked_by_keys_to_a_pruned_node(shown):
    shown.locator("#outline-0 [tabindex='0']").focus()
    shown.keyboard.press("ArrowDown")
    assert shown.locator("#hover svg.board").is_visible()
    for _ in range(60):
        if shown.locator("#outline-0 li.pruned").count():
            break
        shown.keyboard.press("ArrowDown")
        shown.keyboard.press("ArrowRight")
    pruned = shown.locator("#outline-0 li.pruned").first
    assert "PRUNED" in pruned.inner_text()
    pruned.locator(".row").click()
    assert value(shown) == "PRUNED"
    assert re.search(r"already has .* here; .* above is sure of", shown.locator("#reasons").inner_text())
    shown.keyboard.press("Home")
    assert selected(shown) == "root"


@pytest.mark.browser
def test_descend_and_back(shown):
    shown.locator("#replies button.line").click()
    assert shown.locator("#crumbs button").count() == 2
    assert shown.locator("#board svg").get_attribute("aria-label").startswith("Board, after 44")
    assert "MIN to move" in shown.locator("#turn").inner_text()
    shown.locator("#back").click()
    assert shown.locator("#crumbs button").count() == 1
    assert shown.locator("#back").is_disabled()


@pytest.mark.browser
def test_the_search_is_played_step_by_step(shown):
    shown.click("#first")
    assert shown.locator("#step").inner_text().startswith("node 1 of ")
    shown.click("#next")
    shown.click("#next")
    assert shown.locator("#step").inner_text().startswith("node 3 of ")
    assert shown.locator("#outline-0 li.now").count() == 1
    shown.click("#cut")
    assert "cut. " in shown.locator("#reasons").inner_text()
    step = shown.locator("#step").inner_text()
    shown.click("#cut")
    assert shown.locator("#step").inner_text() != step
    shown.locator("#speed").fill("60")
    step = shown.locator("#step").inner_text()
    shown.click("#play")
    shown.locator("#step", has_not_text=step).wait_for()
    shown.click("#play")
    shown.click("#whole")
    assert shown.locator("#outline-0 li.future").count() == 0


@pytest.mark.browser
def test_minimax_beside_it_shows_what_was_cut(shown):
    shown.locator("#outline-1 [tabindex='0']").focus()
    for _ in range(30):
        if shown.locator("#outline-1 li.missing").count():
            break
        shown.keyboard.press("ArrowDown")
        shown.keyboard.press("ArrowRight")
    missing = shown.locator("#outline-1 li.missing").first
    assert f"not in {AGENT}" in missing.inner_text()
    missing.locator(".row").first.click()
    assert value(shown) == "PRUNED"


@pytest.mark.browser
def test_twenty_thousand_nodes_stay_fluid(tmp_path):
    path = tmp_path / "large.html"
    large = tree("minimax:depth=5", Board())
    began = time.process_time()
    path.write_text(written(large), encoding="utf-8")
    assert time.process_time() - began < 3
    with page() as found:
        found.goto(path.as_uri())
        assert found.locator("#outline-0 li").count() < 60
        took = found.evaluate(
            """() => { const began = performance.now();
                       for (let n = 0; n < 30; n += 1) document.getElementById("next").click();
                       return (performance.now() - began) / 30; }"""
        )
        assert took < 100


@pytest.mark.browser
def test_a_narrow_screen_does_not_scroll_sideways(tree_file):
    with page(width=400) as found:
        found.goto(tree_file.as_uri())
        for scheme in ("light", "dark"):
            found.emulate_media(color_scheme=scheme)
            assert found.evaluate("document.documentElement.scrollWidth") <= 400, scheme
        found.emulate_media(media="print")
        assert not found.locator("#play").is_visible()


@pytest.mark.browser
def test_without_scripts_the_first_levels_stand_as_text(tree_file):
    with page(scripts=False) as found:
        found.goto(tree_file.as_uri())
        assert "root  MAX" in found.locator("noscript pre").inner_text()
