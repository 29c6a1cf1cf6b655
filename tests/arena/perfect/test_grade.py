import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.registry import expand
from arena.games.entrants import entrants
from arena.perfect import exercises as exercises_module
from arena.perfect.exercises import Exercise, default_plies, sample, solve
from arena.perfect.grading import Candidate, Chance, answers, candidates, chance, grade
from arena.records import MoveRecord

SMALL = Rules(4, 4)


SIZE = 40


@pytest.fixture(scope="module")
def exercises():
    return solve(sample(SIZE, 1, range(4, 12), SMALL), 2, 1)


def graded(text, exercises, seed=1):
    (candidate,) = candidates(expand(text), [2])
    return grade(candidate, exercises, answers(candidate, candidate.spec.build(), exercises, seed))


def test_positions_are_different_go_on_and_come_from_the_plies_asked_for():
    boards = sample(60, 3, [10, 12], SMALL)
    assert len({min(board.key, board.mirror().key) for board in boards}) == 60
    assert {board.ply for board in boards} == {10, 12}
    assert all(board.outcome is None for board in boards)


def test_the_same_seed_gives_the_same_positions_and_more_begin_with_them():
    few, many = sample(20, 5, range(12, 31)), sample(50, 5, range(12, 31))
    assert few == many[:20]
    assert few != sample(20, 6, range(12, 31))
    assert sample(20, 5, [12]) != sample(20, 6, [12]), "other games, not other plies alone"


def test_twenty_games_are_played_for_each_position_that_is_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(exercises_module, "positions_from", lambda *given: asked.append(given) or iter(()))
    for count in (1, 50, 3000):
        with pytest.raises(InputError, match=f"only 0 different positions were found, not {count}: ask for fewer"):
            sample(count, 4, [5, 7], SMALL)
    assert asked == [(4, [5, 7], SMALL, 20 * count) for count in (1, 50, 3000)]


def test_positions_come_from_games_in_which_wins_were_taken():
    for board in sample(50, 1, range(12, 31)):
        for ply in range(board.ply):
            before = Board.from_moves(board.text[:ply])
            assert all(before.play(column).outcome is None for column in before.legal_moves())


def test_a_board_that_has_too_few_positions_says_how_many_it_has():
    with pytest.raises(InputError, match="only 2 different positions were found, not 50"):
        sample(50, 1, [1], SMALL)
    with pytest.raises(InputError, match="4x4x4 board have 0 to 15 plies"):
        sample(5, 1, [16], SMALL)
    assert (default_plies(Rules()), default_plies(SMALL)) == (range(12, 31), range(4, 12))
    for plies in ([], [-1], [-1, 3]):
        with pytest.raises(InputError, match="4x4x4 board have 0 to 15 plies"):
            sample(5, 1, plies, SMALL)
    assert [board.text for board in sample(1, 1, [0], SMALL)] == [""]


def test_good_moves_keep_the_value_and_perfect_ones_the_distance():
    exercise = Exercise(Board(), (3, None, 5, 5, 0, -1, 1))
    assert (exercise.good, exercise.perfect, exercise.clear_cut) == ({0, 2, 3, 6}, {2, 3}, True)
    lost = Exercise(Board(), (-3, -1, None, -1, -5, None, None))
    assert (lost.good, lost.perfect, lost.clear_cut, lost.legal) == ({0, 1, 3, 4}, {1, 3}, False, 4)
    drawn = Exercise(Board(), (-3, 0, -1, 0, -5, -2, -2))
    assert drawn.good == drawn.perfect == {1, 3}


def test_a_row_counts_all_positions_and_the_clear_cut_alone():
    known = [Exercise(Board(), (3, None, 5, 5, 0, -1, 1)), Exercise(Board(), (-1, -2)), Exercise(Board(), (0, -1, 0))]
    columns = (0, 1, 1)  # good but slow; good since lost anyway; bad
    (candidate,) = candidates(expand("random"), [])
    found = grade(candidate, known, [MoveRecord(0, column, 0.5, nodes=10 * column) for column in columns])
    assert (found.positions, found.good.value, found.perfect.value) == (3, pytest.approx(2 / 3), 0.0)
    assert (found.clear_cut, found.clear_good.value, found.clear_perfect.value) == (2, 0.5, 0.0)
    assert (found.nodes, found.seconds.value) == (pytest.approx(20 / 3), 0.5)
    assert found.good.low < found.good.value < found.good.high
    expected = {"good": (4 / 6 + 1 + 2 / 3) / 3, "perfect": (2 / 6 + 1 / 2 + 2 / 3) / 3}
    expected |= {"clear_good": (4 / 6 + 2 / 3) / 2, "clear_perfect": (2 / 6 + 2 / 3) / 2}
    assert {name: getattr(chance(known), name) for name in expected} == pytest.approx(expected)
    assert chance(known[1:2]) == Chance(1.0, 0.5, None, None)  # none is clear-cut


def test_a_gain_rests_on_the_positions_that_two_agents_answer_differently():
    known = [Exercise(Board(), (2, 0, -1, 1))] * 40
    one = [MoveRecord(0, 0 if place < 30 else 1, 0.0, nodes=1) for place in range(40)]
    two = [MoveRecord(0, 3 if 12 <= place < 32 else 2, 0.0, nodes=1) for place in range(40)]
    (candidate,) = candidates(expand("random"), [])
    found = grade(candidate, known, one, two)
    assert (found.better, found.worse, found.gain.value) == (12, 2, pytest.approx(10 / 40))
    assert 0 < found.gain.low < found.gain.value < found.gain.high < 0.5
    other = grade(candidate, known, two, one)
    assert (other.gain.low, other.gain.high) == pytest.approx((-found.gain.high, -found.gain.low))
    alike = grade(candidate, known, one, one)
    assert alike.gain.value == 0.0
    assert alike.gain.low == pytest.approx(-alike.gain.high)
    assert grade(candidate, known, one).gain is None
    assert grade(candidate, [Exercise(Board(), (-1, -2))], one[:1], two[:1]).gain is None


def test_the_perfect_agent_is_perfect(exercises):
    found = graded("perfect:table-size=1", exercises)
    assert found.clear_cut > 10
    assert found.good.value == found.perfect.value == found.clear_perfect.value == 1.0


def test_random_moves_score_near_chance(exercises):
    expected = chance(exercises)
    found = [graded("random", exercises, seed) for seed in (1, 1001, 2001, 3001, 4001)]
    for name in ("good", "perfect", "clear_good", "clear_perfect"):
        mean = sum(getattr(each, name).value for each in found) / len(found)
        number = len(found) * (found[0].clear_cut if name.startswith("clear") else SIZE)
        assert abs(mean - getattr(expected, name)) < 4 * 0.5 / number**0.5
    assert 0.3 < expected.clear_good < 0.8


def test_a_search_to_the_end_of_the_game_is_perfect(exercises):
    found = graded("alphabeta:depth=16,heuristic=zero", exercises)
    assert found.perfect.value == 1.0


def test_who_leaves_the_depth_open_is_graded_at_each_depth():
    texts = ["alphabeta", "alphabeta:order=centre,depth=3", "alphabeta:nodes=50", "mollerhoj", "random", "alphabeta"]
    found = candidates([spec for text in texts for spec in expand(text)], [2, 4])
    assert [(each.name, each.depth) for each in found] == [
        ("alphabeta", 2),
        ("alphabeta", 4),
        ("alphabeta:order=centre", 3),
        ("alphabeta:nodes=50", None),
        ("mollerhoj", None),
        ("random", None),
    ]
    assert [each.spec.parameters.get("depth") for each in found] == [2, 4, 3, None, None, None]
    assert isinstance(found[0], Candidate)


def test_an_agent_that_fails_is_named_with_the_position(exercises, tmp_path):
    path = tmp_path / "odd.py"
    path.write_text("class Odd:\n    def choose(self, board, limits):\n        return 9\n")
    with pytest.raises(InputError, match=rf"odd\.py:Odd' on {exercises[0].board.text}: answered 9"):
        graded(f"{path}:Odd", exercises)


class Recording:
    def __init__(self):
        self.calls = []

    def new_game(self, seed):
        self.calls.append(seed)

    def choose(self, board, limits):
        self.calls.append(board.text)
        return board.legal_moves()[0]


def test_each_position_is_a_new_game_with_a_seed_of_its_own(exercises):
    (candidate,) = candidates(expand("random"), [1])
    agent = Recording()
    answers(candidate, agent, exercises[:2], seed=7)
    one, two = exercises[0].board.text, exercises[1].board.text
    assert agent.calls == [7, one, 8, one, 9, two]  # the first warms up


BOT = """
from agents import Analysis

class Bot:
    def choose(self, board, limits):
        moves = board.legal_moves()
        return Analysis(moves[(limits.depth or 6) % len(moves)], depth=DEPTH)
"""


def test_an_agent_of_a_file_that_obeys_the_limit_is_graded_at_each_depth(tmp_path, exercises):
    for name, depth in (("deep", "limits.depth or 6"), ("always", "2"), ("fails", "1 / 0")):
        (tmp_path / f"{name}.py").write_text(BOT.replace("DEPTH", depth))
    found = candidates(entrants([tmp_path / f"{name}.py" for name in ("deep", "always", "fails")]), [1, 3], SMALL)
    assert [(each.depth, each.limits.depth) for each in found] == [(1, 1), (3, 3), (None, None), (None, None)]
    for candidate in found[:2]:
        agent = candidate.spec.build()
        for exercise, answer in zip(exercises, answers(candidate, agent, exercises, 1), strict=True):
            moves = exercise.board.legal_moves()
            assert (answer.depth, answer.column) == (candidate.depth, moves[candidate.depth % len(moves)])
        agent.close()


MADE = """
from agents import Analysis


class Bot:
    def __init__(self, depth=3):
        self.depth = DEPTH

    def choose(self, board, limits):
        return ANSWER
"""


@pytest.mark.parametrize(
    ("depth", "answer", "rows"),
    [
        ("depth", "Analysis(0, score=self.depth, nodes=7)", [2, 3]),
        ("3", "Analysis(0, score=self.depth, nodes=7)", [None]),
        ("depth", "Analysis(0, nodes=7 + self.depth)", [2, 3]),
        ("3", "0", [2, 3]),  # nothing speaks against it
        ("depth", "1 / 0", [None]),
    ],
)
def test_a_class_that_takes_a_depth_and_ignores_it_has_one_row(tmp_path, depth, answer, rows):
    (tmp_path / "bot.py").write_text(MADE.replace("DEPTH", depth).replace("ANSWER", answer))
    found = candidates(entrants([tmp_path / "bot.py"]), [2, 3], SMALL)
    assert [each.depth for each in found] == rows
    assert [each.spec.parameters.get("depth") for each in found] == rows
