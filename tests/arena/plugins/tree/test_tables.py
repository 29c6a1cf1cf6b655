"""What a transposition table leaves in a tree."""

from agents.board import Board, Rules
from arena.plugins.tree.build import tree
from arena.plugins.tree.tables import describe


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
    board, seen = Board.from_moves("2", Rules(4, 4)), set()
    found = tree("alphabeta:depth=6,order=centre,table=on,table-size=1", board)
    values = {node.board.moves: node.value for node in tree("minimax:depth=6", board).root}
    for node in found.root:
        if node.leaf == "table":
            side = "at least" if "at least" in node.note else "at most"
            seen.add((node.player, side))
            value = values[node.board.moves]
            assert value >= node.value if side == "at least" else value <= node.value
    assert {side for _, side in seen} == {"at least", "at most"}
