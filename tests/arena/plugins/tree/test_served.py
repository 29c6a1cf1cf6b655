"""The tree as the server offers it."""

from types import SimpleNamespace as Row

import pytest
from served import client_of

from agents.board import Board, Rules
from arena.plugins.tree import job, served


def test_the_form_holds_what_the_address_says():
    with client_of(None) as client:
        form = client.get("/tree", params={"moves": "44", "board": "5x4"}).text
    assert 'name="moves" value="44"' in form
    assert 'name="board" value="5x4x4"' in form
    assert "<title>Search tree</title>" in form


@pytest.mark.parametrize(("depth", "taken"), [
    ("1", True), ("42", True), ("0", False), ("43", False), ("100", False), ("4000", False), ("-1", False),
    ("x", False), ("²", False), ("", False),
])  # fmt: skip
def test_a_depth_beyond_its_bounds_is_refused(monkeypatch, depth, taken):
    monkeypatch.setattr(served, "tree_page", lambda *given, whole: f"depth {given[2]}")
    with client_of(None) as client:
        answer = client.get("/tree", params={"agent": "minimax", "depth": depth})
    assert (answer.status_code, answer.text == f"depth {depth}") == (200 if taken else 400, taken)
    assert taken or "depth must be a whole number from 1 to 42, not" in answer.text


def test_a_tree_for_a_page_has_fewer_nodes_and_less_time_than_one_for_a_file(monkeypatch):
    asked = []
    monkeypatch.setattr(served, "tree_page", lambda *given, whole: asked.append((*given, whole)) or "")
    with client_of(None) as client:
        for more in ({"depth": "2"}, {"moves": "44", "board": "5x4"}):
            client.get("/tree", params={"agent": "minimax", **more})
    assert [(bounds.nodes, bounds.seconds, whole) for *_, bounds, whole in asked] == [(30_000, 2.0, False)] * 2
    boards = Board(), Board.from_moves("44", Rules(5, 4))
    assert [given[:3] for given in asked] == [("minimax", boards[0], 2), ("minimax", boards[1], 4)]


def test_a_tree_of_a_page_is_that_of_a_built_in_agent_and_waits_until_it_is_compiled_and_can_be_stopped(
    monkeypatch, tmp_path
):
    asked, searches = [], "arena.plugins.serve.searching.Searches"
    (tmp_path / "mine.py").write_text("def evaluate(own, opp):\n    return 0\n")

    async def prepare(self, request, spec, rules):
        asked.append((spec.text, str(rules)))

    async def answer(self, request, work, stop):
        asked.append(work())
        stop()
        return "the page"

    monkeypatch.setattr(f"{searches}.prepare", prepare)
    monkeypatch.setattr(f"{searches}.answer", answer)
    monkeypatch.setattr(served, "tree_page", lambda *given, whole: asked.append(given[3]) or "a tree")
    with client_of(None) as client:
        for agent, code in ((f"alphabeta:heuristic={tmp_path / 'mine.py'}", 400), ("cmd:./program", 400),
                            ("minimax:order=centre|left-to-right", 400),
                            (" alphabeta : order=centre", 400), ("alphabeta:order=centre", 200)):  # fmt: skip
            shown = client.get("/tree", params={"agent": agent, "board": "5x4", "depth": "3"})
            assert (shown.status_code, shown.text == "the page") == (code, code == 200), agent
    limits = asked.pop(1)
    assert asked == [("alphabeta:order=centre", "5x4x4"), "a tree"]
    assert limits.stopped


def test_a_page_has_a_tree_and_its_counterpart_within_the_same_limits(monkeypatch):
    asked, drawn, limits = [], Row(board="a board", depth=3), job.tree_limits(7, 0.5)
    assert (limits.nodes, limits.seconds) == (7, 0.5)
    monkeypatch.setattr("arena.plugins.tree.build.tree", lambda *given: asked.append(given) or drawn)
    monkeypatch.setattr("arena.plugins.tree.build.counterpart", lambda *given: asked.append(given) or "the other")
    monkeypatch.setattr("arena.plugins.tree.tables.page", lambda *trees, whole: (*trees, whole))
    for whole in (True, False):
        assert job.tree_page("minimax", "a board", 3, limits, whole=whole) == (drawn, "the other", whole)
    assert asked == [("minimax", "a board", 3, limits)] * 4
