"""What a page holds, without a browser."""

import re

from hand_made import AGENTS, GAMES, stored

from arena.page import page
from arena.position.position import Divided
from arena.store.queries import numbered
from arena.store.run_file import Store
from arena.table.parts import Detail, Table
from arena.table.rows import columns


def test_a_page_has_the_time_of_each_move_in_microseconds(tmp_path):
    with Store.read(stored(tmp_path / "run.sqlite", AGENTS, GAMES)) as store:
        assert page._decisions(store, [1])[1]["u"] == [10_000, 2_000]


def test_what_a_template_is_given_is_text_and_no_html():
    assert page._environment().from_string("{{ name }}").render(name="<b>&") == "&lt;b&gt;&amp;"


def test_a_page_has_of_each_game_its_agents_opening_moves_end_and_what_was_thought(tmp_path):
    with Store.read(stored(tmp_path / "run.sqlite", AGENTS, GAMES)) as store:
        document, games = page.document(store)
        some, _ = page.document(store, where=numbered([2, 5]))
    assert [game["g"] for game in some["games"]] == [2, 5]
    assert (games, document["openings"], document["rules"]["connect"]) == (6, ["44", "12"], 4)
    assert document["agents"] == ["minimax:depth=2", "alphabeta:depth=2,order=centre", "random"]
    first, second, third, *_, last = document["games"]
    assert first == {
        "g": 1, "a": 0, "b": 1, "o": 0, "m": "441", "r": "1-0", "t": "line completed", "s": [0, 0], "n": [57, 21],
        "u": [10_000, 2_000], "p": [2, 2],
    }  # fmt: skip
    assert (second["a"], second["b"], second["r"], second["t"]) == (1, 0, "1/2-1/2", "board full")
    assert (third["d"], last["g"], last["a"], last["b"]) == ("it is wrong", 6, 2, 1)


def test_a_page_has_no_text_that_ends_its_script_and_breaks_names_after_their_separators():
    assert page.as_json({"a": "</script>"}) == '{"a":"\\u003c/script>"}'
    assert page.breakable("alphabeta:depth=2,order=<b>") == "alphabeta:<wbr>depth=<wbr>2,<wbr>order=&lt;b&gt;"


def read(text):
    """Return the addresses within a page, and the words of its lines without tags."""
    body = re.sub("<script.*?</script>", "", text[text.index("<h1>") :], flags=re.DOTALL)
    return re.findall('href="([^"]*)"', body), re.sub("<[^>]*>", " ", body).split()


def test_a_page_has_its_sections_in_their_order_and_a_link_to_the_one_above_it_if_there_is_one():
    cells = [page.Cell("1", 0.0, "right", "#two"), page.Cell("b", None, "left")]
    table = page.HtmlTable("t", "Columns", [("n", "right"), ("name", "left")], [cells], "n,name\n0.5,b")
    sections = [
        page.Section("one", "First", ["a <line>", table, Detail("why\nhow")]),
        page.Section("two", "Second", figures=["<svg>drawn</svg>"], facts=[("Seed", "7 & 8"), ("Both", "x\ny")]),
    ]
    text = page.rendered("A title", "below it", sections, back="/hand-ins")
    links, words = read(text)
    assert links == ["/hand-ins", "#one", "#two", "#two"]
    assert " ".join(words) == (
        "A title below it All hand-ins First Second First a &lt;line&gt; Columns n name 1 b n,name 0.5,b "
        "Notes and methods why how Second drawn Seed 7 &amp; 8 Both x y"
    )
    assert re.findall(r"<td[^>]*>", text) == ['<td data-key="0.0">', '<td class="text short">']
    links, words = read(page.rendered("A title", "below it", sections))
    assert links == ["#one", "#two", "#two"]
    assert "hand-ins" not in words
    assert page.bundle(("tables.js",)) in text
    assert page.bundle(("games.js",)) not in text


def test_a_table_of_a_page_has_links_alignments_and_keys_to_sort_by():
    table = Table("t", "T", Divided, [Divided(1, 2000, 3), Divided(2, 5, 0)], columns(Divided))
    shown = page.shown(table, {("column", 1): "#two"})
    assert shown.headers == [("column", "right"), ("sequences", "right"), ("nodes", "right")]
    assert [[cell.text for cell in line] for line in shown.lines] == [["1", "2,000", "3"], ["2", "5", "0"]]
    assert [[cell.key for cell in line] for line in shown.lines] == [[1.0, 2000.0, 3.0], [2.0, 5.0, 0.0]]
    assert [[cell.href for cell in line] for line in shown.lines] == [["", "", ""], ["#two", "", ""]]
    assert shown.csv.splitlines() == ["column,sequences,nodes", "1,2000,3", "2,5,0"]
