"""The words of explanations and of the story of a game."""

from types import SimpleNamespace

import pytest

from agents.board import Board, Rules
from arena.plugins.explain.explain import MOST_NODES, NEXT_MOVES
from arena.plugins.explain.story import lines, reason, story


def row(ply=3, **more):
    """Return an explanation of a move of O in column 5 that gave X a win; `more` is otherwise."""
    values = {"ply": ply, "column": 5, "before": 1, "after": -1, "keepers": "3 6", "moves": "", "wins": "",
              "plies": None, "depth": 4, "positions": 1234}  # fmt: skip
    return SimpleNamespace(**values | more)


BOARD = Board.from_moves("4455")
"""After that move, where X is to move."""


@pytest.mark.parametrize(("more", "said"), [
    ({"wins": "2"}, "X wins at once by playing column 2."),
    ({"wins": "2 3 6"}, "X wins at once by playing column 2, 3 or 6."),
    ({"wins": "2 6", "moves": "3"}, "X plays 3; then column 2 or 6 wins."),
    ({"wins": "2", "moves": "3 2 1"}, "X plays 3, O must answer 2, X plays 1; then column 2 wins."),
    ({"wins": "2", "moves": "3 2 1 1", "plies": 7},
     "X plays 3, O must answer 2, X plays 1, and so on: X wins in 7 plies whatever O does (1,234 positions searched)."),
    ({"moves": "3 2 1", "plies": 9}, ("By search: X plays 3, O best answers 2, X plays 1, and so on: X wins in 9 plies "
     "whatever O does (1,234 positions searched).")),
    ({"moves": "3 2 1", "after": 0, "positions": 0},
     ("By search: X plays 3, O best answers 2, X plays 1, and so on: X holds the draw whatever O does "
     "(from the opening book).")),
    ({"moves": "3 2 1", "positions": MOST_NODES},
     ("By search: X plays 3, O best answers 2, X plays 1, and so on: X wins whatever O does "
     f"(more than {MOST_NODES:,} positions searched).")),
])  # fmt: skip
def test_how_the_other_side_profits_is_said_in_a_sentence(more, said):
    assert NEXT_MOVES == 3
    assert reason(row(**more), BOARD) == said


def test_the_cells_of_a_forced_line_are_numbered_and_those_that_win_have_a_star():
    assert lines(row(moves="1 1 5", wins="1 2"), BOARD)[-5:] == [
        " .  .  .  .  .  .  .",
        " *  .  .  .  3  .  .",
        " 2  .  .  O [O] .  .",
        " 1  *  .  X  X  .  .",
        " 1  2  3  4  5  6  7",
    ]


def test_on_another_board_a_draw_that_is_lost_is_told_and_drawn_with_the_columns_there_are():
    after = Board.from_moves("1122", Rules(5, 4))
    lost = row(column=2, before=0, keepers="4", moves="3", wins="3 4")
    assert lines(lost, after, (0, 2)) == [
        "ply 3, O in column 2: a draw becomes a loss; column 4 kept the draw",
        "O's search saw 0 at depth 2; the loss shows from depth 4", "X plays 3; then column 3 or 4 wins.",
        " .  .  .  .  .",
        " .  .  .  .  .",
        " O [O] *  .  .",
        " X  X  1  *  .",
        " 1  2  3  4  5",
    ]  # fmt: skip


def test_a_line_to_the_end_of_the_game_does_not_go_on():
    board = Board.from_moves("12121")
    assert "X plays 1: X wins" in reason(row(moves="1", plies=1), board.play(1))


@pytest.mark.parametrize(("belief", "more", "said"), [
    ((None, 3), {}, []), ((-100, 2), {}, ["O's search saw −100 at depth 2; the loss shows from depth 4"]),
    ((7, 0), {"depth": None}, ["O's search saw +7"]),
    ((0, 2), {"after": 0}, ["O's search saw 0 at depth 2; the win shows from depth 4"]),
])  # fmt: skip
def test_what_its_player_saw_stands_beside_the_truth(belief, more, said):
    first, *seen, last = lines(row(moves="3", plies=5, **more), BOARD, belief)
    change = "a win becomes a draw" if more.get("after") == 0 else "a win becomes a loss"
    assert first == f"ply 3, O in column 5: {change}; column 3 or 6 kept the win"
    assert (seen, last) == (said, reason(row(moves="3", plies=5, **more), BOARD))
    assert lines(row(moves="3"), BOARD, (5, 2), "your")[1].startswith("your search saw +5 at depth 2;")


@pytest.mark.parametrize(("rows", "value", "fault", "said"), [
    ([], 1, "", "X was winning from the first move to the last: no move changed the outcome."),
    ([], 0, "it crashed", ("The game was level from the first move to the last: no move changed the outcome. "
     "O then lost by a fault: it crashed.")),
    ([row()], -1, "", "O was winning until ply 3. Column 5 at ply 3 gave X a win. From there every move lost."),
    ([row(plies=9)], -1, "", ("O was winning until ply 3. Column 5 at ply 3 gave X a win in 9 plies. "
     "From there every move lost.")),
    ([row(after=0)], -1, "", "O was winning until ply 3. Column 5 at ply 3 let X escape with a draw."),
    ([row(2), row(wins="1 2")], 0, "", ("The game was level until ply 2. Column 5 at ply 3 let X win at once by "
     "playing column 1 or 2. It was the last of 2 moves that changed the outcome.")),
    ([row(wins="1", moves="3", plies=3)], 0, "no answer", ("The game was level until ply 3. Column 5 at ply 3 let X "
     "force a win in 3 plies. O then lost by a fault: no answer.")),
])  # fmt: skip
def test_a_game_is_told_in_at_most_three_sentences(rows, value, fault, said):
    board = Board.from_moves("44551")
    assert " ".join(story(board, rows, value, fault)) == said
