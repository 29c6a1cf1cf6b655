"""The tree as the server offers it."""

import pytest
from served import client_of

from arena.plugins.tree import served


def test_the_form_holds_what_the_address_says():
    with client_of(None) as client:
        form = client.get("/tree", params={"moves": "44", "board": "5x4"}).text
    assert 'name="moves" value="44"' in form
    assert 'name="board" value="5x4x4"' in form


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
    monkeypatch.setattr(served, "tree_page", lambda *given, whole: asked.append(given[-1]) or "")
    with client_of(None) as client:
        client.get("/tree", params={"agent": "minimax", "depth": "2"})
    assert [(bounds.nodes, bounds.seconds) for bounds in asked] == [(30_000, 2.0)]
