"""What a tuning maximises: good moves."""

from agents.agent import Limits
from agents.board import Board
from arena.measure.exercises import Exercise
from arena.measure.tuning.goals import Moves


class Answering:
    """A search with set answers: by the position, a column or a score."""

    def __init__(self, columns=(), scores=()):
        self.columns, self.scores = dict(columns), dict(scores)

    def new_game(self, seed):
        pass

    def choose(self, board, limits):
        return type("Answer", (), {"column": self.columns.get(board, 0), "score": self.scores.get(board)})


def test_a_search_forgets_the_set_before_and_has_no_limits_but_its_own():
    asked = []

    class Asked(Answering):
        def new_game(self, seed):
            asked.append(seed)

        def choose(self, board, limits):
            asked.append((board.text, limits))
            return super().choose(board, limits)

    exercises = [Exercise(Board.from_moves(text), (1, 0, -1)) for text in ("1", "22", "3")]
    for _ in range(2):
        Moves(exercises)(Asked(scores={exercises[0].board: 5}))
    assert asked == [0, *((text, Limits()) for text in ("1", "22", "3"))] * 2


def test_moves_are_good_or_not():
    exercises = [Exercise(Board.from_moves(text), (1, 0, -1)) for text in ("1", "2", "3")]
    agent = Answering({exercises[0].board: 0, exercises[1].board: 1, exercises[2].board: 0})
    assert Moves(exercises)(agent).tolist() == [1.0, 0.0, 1.0]
