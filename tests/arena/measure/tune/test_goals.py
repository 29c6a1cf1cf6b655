"""What a tuning maximises: good moves, likely scores, points of games."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from agents.agent import Limits
from agents.board import Board, Outcome, Rules
from agents.players.searcher import Searcher
from arena.measure.exercises import Exercise, sample
from arena.measure.tuning import goals
from arena.measure.tuning.goals import Games, Moves, Scores
from arena.play.openings import shuffled
from arena.records import Job

SMALL = Rules(5, 4)


class Answering:
    """A search with set answers: by the position, a column or a score."""

    def __init__(self, columns=(), scores=()):
        self.columns, self.scores = dict(columns), dict(scores)

    def new_game(self, seed):
        pass

    def choose(self, board, limits):
        return type("Answer", (), {"column": self.columns.get(board, 0), "score": self.scores.get(board)})


@pytest.mark.parametrize("goal", [Moves, Scores])
def test_a_search_forgets_the_set_before_and_has_no_limits_but_its_own(goal):
    asked = []

    class Asked(Answering):
        def new_game(self, seed):
            asked.append(seed)

        def choose(self, board, limits):
            asked.append((board.text, limits))
            return super().choose(board, limits)

    exercises = [Exercise(Board.from_moves(text), (1, 0, -1)) for text in ("1", "22", "3")]
    for _ in range(2):
        goal(exercises)(Asked(scores={exercises[0].board: 5}))
    assert asked == [0, *((text, Limits()) for text in ("1", "22", "3"))] * 2


def test_moves_are_good_or_not():
    exercises = [Exercise(Board.from_moves(text), (1, 0, -1)) for text in ("1", "2", "3")]
    agent = Answering({exercises[0].board: 0, exercises[1].board: 1, exercises[2].board: 0})
    assert Moves(exercises)(agent).tolist() == [1.0, 0.0, 1.0]


def test_a_loss_does_not_depend_on_the_unit_of_the_heuristic_and_is_least_for_the_truth():
    boards = sample(60, 1, range(4, 12), SMALL)
    exercises = [Exercise(board, (place % 3 - 1,)) for place, board in enumerate(boards)]
    right = {each.board: 10 * each.scores[0] + 1 for each in exercises}
    noisy = {each.board: 10 * each.scores[0] + 17 * (place % 2) for place, each in enumerate(exercises)}
    best, worse, large = (
        Scores(exercises)(Answering(scores=scores)).mean()
        for scores in (right, noisy, {board: 1000 * score for board, score in noisy.items()})
    )
    assert worse < best < 0.0
    assert large == pytest.approx(worse, abs=1e-6)
    assert Scores(exercises)(Answering()).mean() == pytest.approx(-math.log(2.0))  # knows nothing


def test_what_a_point_is_worth_is_fitted_to_the_positions_that_are_not_proven():
    said, ends = [-30, -10, 0, 5, 20, 40, -7, 999_990], [-1, 1, 0, -1, 1, 1, 0, 1]
    boards = [Board.from_moves(str(column)) for column in (1, 2, 3, 4, 5, 6, 7, 11)]
    exercises = [Exercise(board, (-2, end, None)) for board, end in zip(boards, ends, strict=True)]
    points, won = np.array(said[:7], float), (np.array(ends[:7]) + 1) / 2

    def losses(worth):
        return np.log1p(np.exp(points * worth)) - won * points * worth

    best = min(np.geomspace(0.001, 1.0, 4001), key=lambda worth: losses(worth).mean())
    assert 0.01 < best < 0.1
    found = Scores(exercises)(Answering(scores=dict(zip(boards, said, strict=True))))
    assert found.tolist() == pytest.approx([*-losses(best), -np.log1p(np.exp(-12.0))], abs=1e-3)


def test_one_wrong_proof_costs_no_more_than_the_logit_says():
    board = Board.from_moves("1")
    losses = Scores([Exercise(board, (-1,))])(Answering(scores={board: 999_990}))
    assert losses.tolist() == pytest.approx([-12.0], abs=1e-4)


@pytest.mark.parametrize("wrong", [1, -1])
def test_one_value_that_is_large_and_wrong_costs_no_more_than_a_wrong_proof(wrong):
    boards = sample(60, 1, range(4, 12), SMALL)
    exercises = [Exercise(board, (place % 2 * 2 - 1,)) for place, board in enumerate(boards)]
    scores = {each.board: each.scores[0] for each in exercises}
    scores[boards[0 if wrong > 0 else 1]] = 100 * wrong
    losses = Scores(exercises)(Answering(scores=scores))
    assert losses.min() == pytest.approx(-12.0, abs=1e-3)
    assert sorted(losses)[1] > -0.01


def test_games_against_itself_are_even():
    agents = [Searcher(depth=2), Searcher(depth=2)]
    assert set(Games(shuffled("plies:4", 1, SMALL)[:6], agents[1])(agents[0]).tolist()) == {0.5}


@pytest.mark.parametrize(
    ("as_first", "as_second", "share"),
    [(Outcome.FIRST_WINS, Outcome.SECOND_WINS, 1.0), (Outcome.SECOND_WINS, Outcome.FIRST_WINS, 0.0),
     (Outcome.FIRST_WINS, Outcome.FIRST_WINS, 0.5), (Outcome.DRAW, Outcome.SECOND_WINS, 0.75),
     (Outcome.SECOND_WINS, Outcome.DRAW, 0.25)],
)  # fmt: skip
def test_an_openings_worth_is_the_share_of_the_points_of_both_colours(monkeypatch, as_first, as_second, share):
    def play(key, players, opening, seeds):
        assert (key, opening, seeds, sorted(players)) == (Job(0, 1, 0), "an opening", (0, 0), ["new", "old"])
        return SimpleNamespace(outcome=as_first if players == ("new", "old") else as_second)

    monkeypatch.setattr(goals, "play_game", play)
    assert Games(["an opening"] * 3, "old")("new").tolist() == [share] * 3
