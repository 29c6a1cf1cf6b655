from agents.board import Board
from arena.measure.tree.build import tree
from arena.measure.tree.truth import mark_truth


def test_the_first_node_whose_sign_is_wrong_is_marked():
    found = tree("alphabeta:depth=2,heuristic=zero", Board())  # it says a draw, and the first player wins
    node = mark_truth(found)
    assert node is found.root
    assert node.note == "here belief and truth part: with perfect play it is a win for MAX"


def test_nothing_is_marked_where_the_search_is_right():
    found = tree("alphabeta:depth=3,heuristic=zero", Board.from_moves("445566"))
    assert mark_truth(found) is None
    assert not any("truth" in node.note for node in found.line)
