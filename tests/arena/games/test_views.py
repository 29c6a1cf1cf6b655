import pytest

from agents.agent import Analysis
from agents.board import Board
from agents.errors import InputError
from agents.score import WIN
from arena.games.person import Seat, views


class Counting:
    """Scores a position by the column last played; at one ply from the end it has won."""

    def choose(self, board, _):
        return Analysis(board.legal_moves()[0], score=-100 * board.moves[-1] if board.moves[-1] else WIN - 3)


def test_views_are_the_scores_after_each_column_for_the_side_to_move():
    assert views(Counting(), Board()) == {0: 4 - WIN, 1: 100, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}


def test_views_know_the_end_of_the_game_and_leave_out_full_columns():
    assert views(Counting(), Board.from_moves("222222131414"))[0] == WIN - 1
    assert 1 not in views(Counting(), Board.from_moves("222222"))
    assert views(Counting(), Board.from_moves("54712566226127126621574377157631535333444")) == {3: 0}


def test_an_agent_that_says_nothing_of_a_column_is_quoted_so():
    assert set(Seat.of("random").views(Board()).values()) == {None}


def test_a_fault_of_the_agent_names_it(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(
        "class Late:\n    def choose(self, board, limits):\n        return 9\n"
        "class Unready:\n    def prepare(self, rules):\n        raise ValueError('no')\n"
        "    def choose(self, board, limits):\n        return 0\n"
        "class Asleep(Late):\n    def new_game(self, seed):\n        raise ValueError('no')\n"
    )
    with pytest.raises(InputError, match=r"^agent '.*bad\.py:Late': illegal move: answered 9"):
        Seat.of(f"{path}:Late").decide(Board())
    with pytest.raises(InputError, match=r"^agent .*Unready.*: ValueError: no \(bad.py, line 6\)$"):
        Seat.of(f"{path}:Unready").ready(Board(), 0)
    with pytest.raises(InputError, match=r"^agent '.*bad\.py:Asleep': .*ValueError: no \(bad.py, line 11\)$"):
        Seat.of(f"{path}:Asleep").ready(Board(), 0)
