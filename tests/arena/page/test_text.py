"""What a page holds, without a browser."""

from hand_made import AGENTS, GAMES, stored

from arena.page import page
from arena.store.run_file import Store


def test_a_page_has_the_time_of_each_move_in_microseconds(tmp_path):
    with Store.read(stored(tmp_path / "run.sqlite", AGENTS, GAMES)) as store:
        assert page._decisions(store, [1])[1]["u"] == [10_000, 2_000]


def test_what_a_template_is_given_is_text_and_no_html():
    assert page._environment().from_string("{{ name }}").render(name="<b>&") == "&lt;b&gt;&amp;"
