import math

import pytest
from hand_made import frames, pairs_of, run_of

from arena.analysis.rounds import neighbours

AGENTS = ["greedy", "random", "mcts"]
OPENINGS = [f"{one}{two}" for one in "12" for two in "123456"]
ENDS = [*pairs_of(*["11"] * 12, one=1, two=0), *pairs_of("1=", "11", "=0", one=0, two=2)]


def of(tmp_path, games=ENDS, **plan):
    return neighbours(frames(run_of(tmp_path / "run", AGENTS, games, openings=OPENINGS, rounds=12, **plan)))


def test_neighbours_come_from_the_top_with_what_their_own_games_show(tmp_path):
    first, second = of(tmp_path, order="uncertain")
    assert [(row.place, row.agent, row.against, row.pairs) for row in (first, second)] == [
        (1, "random", "greedy", 12), (2, "greedy", "mcts", 3),
    ]  # fmt: skip
    assert first.needed == second.needed == pytest.approx(math.log(3 / 0.05))
    assert (first.shown, second.shown) == (True, False)
    stakes = [(place + 0.5) / 16 for place in range(32)]
    for row, scores in ((first, [0.5] * 12), (second, [0.25, 0.5, -0.25])):
        capital = sum(math.prod(1 + stake * score for score in scores) for stake in stakes) / 32
        assert row.evidence == pytest.approx(math.log(capital))


def test_openings_that_one_colour_has_played_are_no_pair(tmp_path):
    assert [row.pairs for row in of(tmp_path, ENDS[:-1], order="uncertain")] == [12, 2]


def test_runs_of_another_order_and_without_games_have_none(tmp_path):
    assert of(tmp_path) == []
    assert of(tmp_path / "none", [], order="uncertain") == []
