"""Trees as text, as data and as columns of a page, and what a transposition table leaves in them."""

import html
import itertools
import json
import re

import pytest

from agents.board import Board, Rules
from arena.page.page import bundle
from arena.plugins.tree.build import tree
from arena.plugins.tree.node import INFINITY, Node, Tree, cut, open_child
from arena.plugins.tree.tables import columns, describe, document, lines_of, page, summary

SMALL = Rules(4, 4)


def flat(node):
    """Return the document of a node and of all below it, parents first."""
    return [node, *(inner for child in node["children"] for inner in flat(child))]


def test_a_document_and_the_columns_of_a_page_have_every_node_as_it_is():
    drawn = tree("alphabeta:depth=6,order=centre,table=on,table-size=1", Board.from_moves("2", SMALL))
    nodes, whole, lists = list(drawn.root), document(drawn), columns(drawn)
    assert {node.leaf for node in nodes if node.visited} == {"", "heuristic", "table", "over"}
    paths = []
    for place, (node, row) in enumerate(zip(nodes, flat(whole["tree"]), strict=True)):
        ends = [None if abs(end) == INFINITY else end for end in (node.alpha, node.beta)]
        held = [*ends, node.value, node.cut, node.note or None]
        assert [row[name] for name in ("alpha", "beta", "value", "cut", "note")] == held
        column = None if node.column is None else node.column + 1
        skipped = [child.column + 1 for child in node.children if child.visited is None]
        assert (row["column"], row["player"], row["pruned"]) == (column, "MIN" if node.ply % 2 else "MAX", skipped)
        assert (row["visited"], row["leaf"], row["moves"]) == (node.visited, node.leaf or None, node.board.text)
        assert [*(lists[name][place] for name in ("alpha", "beta", "value")),
                *(lists[name].get(place) for name in ("cut", "note"))] == held  # fmt: skip
        assert (lists["visited"][place], lists["leaf"][place]) == (node.visited or 0, node.leaf[:1])
        parent = lists["parent"][place]
        paths.append((*paths[parent], lists["column"][place]) if parent >= 0 else ())
        assert (1, *paths[-1]) == node.board.moves
    assert (lists["column"][0], lists["parent"][0], lists["visited"][0]) == (None, -1, 1)
    line = [node.column for node in drawn.line[1:]]
    assert [paths[place] for place in lists["line"]] == [tuple(line[:end]) for end in range(len(line) + 1)]
    assert whole["pv"] == [column + 1 for column in line]
    assert (lists["agent"], lists["moves"], lists["nodes"]) == (drawn.agent, [1], drawn.nodes)
    assert lists["rules"] == {"columns": 4, "rows": 4, "connect": 4, "most_fours": False}
    told = (drawn.agent, "2", 6, drawn.nodes, drawn.value, drawn.move + 1)
    assert tuple(whole[name] for name in ("agent", "position", "depth", "nodes", "value", "move")) == told


def test_a_node_is_a_line_with_its_window_and_its_value_in_words():
    root = Node(Board(), None, 0, -INFINITY, 5, -3, 1)
    child = open_child(root, 3)
    child.alpha, child.beta, child.value, child.visited, child.leaf = -4, INFINITY, 999_998, 12, "over"
    assert describe(root) == "root  MAX  −3  [−∞, 5]  #1"
    assert describe(child) == "4  game over  a win in 2  [−4, +∞]  #12"
    first = open_child(child, 0)
    first.value, first.visited = 0, 1234
    assert describe(first) == "1  MAX  0  [−∞, +∞]  #1234"
    first.leaf = "table"
    assert describe(first).split("  ")[:2] == ["1", "table"]
    child.leaf, child.note = "heuristic", "a remark"
    assert describe(child).split("  ")[1:3] + describe(child).split("  ")[-1:] == ["leaf", "a win in 2", "(a remark)"]
    assert summary(Tree("a", Board(), 3, 1234, -5, 3, root)) == "depth 3, 1,234 nodes, value −5, move 4"


@pytest.mark.parametrize(("ply", "value", "bound", "said"), [
    (0, 7, 5, "MAX already has 7 here; MIN above is sure of 5"),
    (1, -7, 5, "MIN already has −7 here; MAX above is sure of 5"),
    (0, 999_998, 999_997, "MAX already has a win in 2 here; MIN above is sure of a loss in 3"),
    (1, -999_998, -999_997, "MIN already has a win in 2 here; MAX above is sure of a loss in 3"),
])  # fmt: skip
def test_a_cut_is_explained_by_what_the_mover_has_and_the_other_side_is_sure_of(ply, value, bound, said):
    ends = {"beta" if ply == 0 else "alpha": bound}
    node = Node(Board(), None, ply, **ends)
    node.best = open_child(node, 3)
    node.best.value = value
    cut(node, [2, 4])
    assert (node.cut, node.pruned) == (said, [3, 2, 4])


def test_a_tree_has_as_many_levels_as_fit_into_its_lines():
    drawn = tree("alphabeta:depth=3,order=centre", Board.from_moves("44"))
    sizes = sorted({len(lines_of(drawn, most)) for most in range(1, 120)})
    for size, next_size in itertools.pairwise(sizes):
        assert [len(lines_of(drawn, most)) for most in (size, next_size - 1, next_size)] == [size, size, next_size]
    few = lines_of(drawn, 1)
    assert [line[:1] for line in few].count("*") == len(drawn.line) == 4
    assert any("nodes below, cut: " in line for line in lines_of(drawn, sizes[1]))
    assert lines_of(drawn, 200)[-1] in page(drawn).replace("&#39;", "'")


def test_lines_have_the_line_in_full_and_count_the_nodes_that_were_visited_below_the_others():
    drawn = tree("alphabeta:depth=3,order=centre,compiled=no", Board.from_moves("1223", Rules(4, 4, 3)))
    two, won = "MAX already has {} here; MIN above is sure of 31", "a loss in 2"
    assert lines_of(drawn, 1) == lines_of(drawn, 14) == [
        "* root  MAX  31  [−∞, +∞]  #1",
        f"     2  MIN  {won}  [−∞, +∞]  #2  … 9 nodes below",
        f"     3  MIN  {won}  [{won}, +∞]  #12  … 13 nodes below",
        f"     1  MIN  {won}  [{won}, +∞]  #26  … 12 nodes below",
        f"*    4  MIN  31  [{won}, +∞]  #39",
        f"*       2  MAX  31  [{won}, +∞]  #40",
        f"           2  leaf  12  [{won}, +∞]  #41",
        "*          3  leaf  31  [12, +∞]  #42",
        "           1  leaf  29  [31, +∞]  #43",
        "           4  leaf  29  [31, +∞]  #44",
        f"        3  MAX  a win in 3  [{won}, 31]  #45  … 2 nodes below, cut: {two.format('a win in 3')}",
        f"        1  MAX  33  [{won}, 31]  #48  … 1 node below, cut: {two.format('33')}",
        f"        4  MAX  33  [{won}, 31]  #50  … 1 node below, cut: {two.format('33')}",
    ]  # fmt: skip
    whole = lines_of(drawn, 0)
    assert len(whole) == drawn.nodes + sum("PRUNED" in line for line in whole) == 60
    assert whole[2:12] == [
        "        2  MAX  43  [−∞, +∞]  #3",
        "           3  leaf  43  [−∞, +∞]  #4",
        "           1  leaf  32  [43, +∞]  #5",
        "           4  leaf  24  [43, +∞]  #6",
        "        3  MAX  a win in 3  [−∞, 43]  #7",
        "           2  game over  a win in 3  [−∞, 43]  #8",
        "           PRUNED 3 1 4: MAX already has a win in 3 here; MIN above is sure of 43",
        "        1  MAX  a win in 3  [−∞, 43]  #9",
        "           2  game over  a win in 3  [−∞, 43]  #10",
        "           PRUNED 3 1 4: MAX already has a win in 3 here; MIN above is sure of 43",
    ]


@pytest.mark.parametrize("moves", ["44", ""])
def test_a_page_has_both_trees_with_their_summaries_and_nodes(moves):
    board = Board.from_moves(moves)
    one, two = (tree(f"{spec}:depth=3,order=centre", board) for spec in ("alphabeta", "minimax"))
    shown = page(one, two)
    assert re.findall(r'<p class="faint">(depth 3.*?)[.<]', shown) == [summary(one), summary(one), summary(two)]
    assert f"all {one.nodes:,} nodes</output>" in shown
    both = json.loads(re.search(r'id="trees">(.*?)</script>', shown, re.DOTALL)[1])
    assert both == json.loads(json.dumps([columns(one), columns(two)]))
    text = re.search(r'<pre class="outline">(.*?)</pre>', shown, re.DOTALL)[1]
    assert html.unescape(text).splitlines() == lines_of(one, 200)
    assert len(json.loads(re.search(r'id="trees">(.*?)</script>', page(one), re.DOTALL)[1])) == 1
    served = page(one, two, whole=False)
    assert ("/static/tree.js" in served, "/static/" in shown) == (True, False)
    for name in ("board.js", "keys.js", "search.js", "outline.js", "tree.js"):
        assert bundle((name,)) in shown


def test_entries_of_the_table_are_named():
    found = tree("alphabeta:depth=5,order=centre,table=on", Board.from_moves("44"))
    known = [node for node in found.root if node.leaf == "table"]
    assert known
    assert all(node.note.startswith("known from the table: at ") and not node.children for node in known)
    assert all(describe(node).endswith(f"  ({node.note})") for node in known)
    plain = tree("alphabeta:depth=5,order=centre", Board.from_moves("44"))
    assert found.nodes < plain.nodes
    values = {node.board.moves: node.value for node in tree("minimax:depth=5", Board.from_moves("44")).root}
    for node in known:
        at_least = "at least" in node.note
        assert values[node.board.moves] >= node.value if at_least else values[node.board.moves] <= node.value


def test_what_the_table_says_of_a_small_board_is_a_bound_of_the_right_side():
    board, seen = Board.from_moves("2", SMALL), set()
    found = tree("alphabeta:depth=6,order=centre,table=on,table-size=1", board)
    values = {node.board.moves: node.value for node in tree("minimax:depth=6", board).root}
    for node in found.root:
        if node.leaf == "table":
            side = "at least" if "at least" in node.note else "at most"
            seen.add((node.player, side))
            value = values[node.board.moves]
            assert value >= node.value if side == "at least" else value <= node.value
    assert {side for _, side in seen} == {"at least", "at most"}
