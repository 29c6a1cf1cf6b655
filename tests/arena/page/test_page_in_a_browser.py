"""A report as it is used: sorted, filtered, replayed."""

import re

import pytest
from axe import faults_in_every_look
from browser import page as browser_page

from .hostile_run import EVIL, LOST

pytestmark = pytest.mark.browser


@pytest.fixture
def shown(text, tmp_path):
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    with browser_page() as found:
        found.goto((tmp_path / "report.html").as_uri())
        yield found


def test_a_hostile_name_stays_text(text, shown):
    assert EVIL not in text
    assert "49" not in re.findall(r"caught[^<]{0,40}", text)[0]
    assert shown.evaluate("window.caught") is None
    assert shown.locator("#standings table.data").first.get_by_text(EVIL).count() == 1
    assert EVIL in shown.locator("#faults").inner_text()


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


def test_axe_finds_no_serious_fault_in_a_report(text, tmp_path):
    with browser_page() as found:
        (tmp_path / "one.html").write_text(text, encoding="utf-8")
        found.goto((tmp_path / "one.html").as_uri())
        assert faults_in_every_look(found) == {}
