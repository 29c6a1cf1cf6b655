"""What a tuning asks, tries and keeps, and the families of heuristics that it tries."""

import functools

import numpy as np
import pytest
from samples import cells_of, windows

from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.specs.registry import parse
from arena.perfect.exercises import Exercise, sample, solve
from arena.plugins.tune import tuning as module
from arena.plugins.tune.tuning import REFUSED, Tuning, sets
from arena.plugins.tune.weighted import Family, Weighted, counts

SMALL = Rules(5, 4)
START = "windows(1,10,100,1000)"


@pytest.fixture(autouse=True)
def shared(monkeypatch):
    """Compile each family once for all tests."""
    monkeypatch.setattr(module, "Weighted", compiled)


@functools.cache
def compiled(family, rules):
    return Weighted(family, rules)


def tuning(heuristic=START, rules=SMALL):
    return Tuning(heuristic, "alphabeta:order=centre", 1, rules)


def searched(monkeypatch, worth, evaluations=60, heuristic=START, seed=3):
    """Return a tuning after it tried weights of which `worth` says the share of good answers."""
    found, best = tuning(heuristic), []
    monkeypatch.setattr(found, "answers", lambda _, weights: np.array([worth(*weights)]))
    found.search([], evaluations, seed, best.append)
    return found, best


def test_a_move_that_keeps_the_value_is_good():
    exercises = [Exercise(Board.from_moves(text, SMALL), (1, 0, -1, -1, -1)) for text in ("1", "22", "3")]
    found = tuning()
    for weights in ((1, 10, 100, 1000), (-5, 3, 1, 1000)):
        search = parse(f"alphabeta:order=centre,compiled=no,depth=1,heuristic={found.family.text(weights)}").build()
        columns = [search.choose(exercise.board, module.Limits()).column for exercise in exercises]
        assert found.answers(exercises, weights).tolist() == [float(column == 0) for column in columns]


def test_it_tries_the_start_first_and_finds_better_weights_and_the_same_again(monkeypatch):
    def worth(one, two, three, _):
        return -abs(two / one - 12.0) - abs(three / one - 80.0) / 10.0 if one > 0 else -99.0

    found, best = searched(monkeypatch, worth)
    assert next(iter(found.values)) == START
    assert len(found.values) == len(best) == 60
    assert best == sorted(best)
    assert worth(*found.best()) > worth(1, 10, 100, 1000)
    assert searched(monkeypatch, worth)[0].values == found.values
    assert searched(monkeypatch, worth, seed=4)[0].values != found.values


def test_of_equals_the_start_is_the_best(monkeypatch):
    assert searched(monkeypatch, lambda *_: 0.5, 8)[0].best() == (1, 10, 100, 1000)


def test_a_heuristic_that_refuses_the_board_is_refused_at_once(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(
        "def make(rules, one):\n    assert rules.rows == 6, 'six rows'\n    return lambda own, opp: one * own\n"
    )
    with pytest.raises(InputError, match="six rows"):
        tuning(f"{mine}:make(2)")


def test_weights_that_are_refused_are_the_worst(monkeypatch):
    def worth(one, *_):
        if one < 0:
            raise InputError("it refuses them")
        return 0.5

    values = searched(monkeypatch, worth)[0].values
    assert set(values.values()) == {0.5, REFUSED}


def test_weights_whose_sums_lie_beyond_a_win_are_refused_and_never_the_best(monkeypatch):
    exercises = [Exercise(Board.from_moves(text, SMALL), (1, 0, 0, 0, -1)) for text in ("1", "22")]
    large = (1, 10, 1_000_000, 1000)
    found = tuning()
    for compiles in (False, JIT):
        monkeypatch.setattr(module, "JIT", compiles)
        with pytest.raises(InputError, match=r"'windows\(1,10,1000000"):
            found.answers(exercises, large)
    assert len(found.answers(exercises, found.family.start)) == 2

    def beyond(lost, bounds, x0, **_):
        lost([x0[0], x0[1], 1_000_000])
        raise module._Enough

    monkeypatch.setattr("scipy.optimize.differential_evolution", beyond)
    told = []
    found.search(exercises, 2, 1, told.append)
    assert list(found.values.values())[1:] == [REFUSED]
    assert (len(told), found.best()) == (2, found.family.start)


def test_an_optimiser_that_asks_the_same_for_ever_is_left(monkeypatch):
    asked = []

    def insist(lost, bounds, x0, **_):
        asked.extend(lost(x0) for _ in range(10_000))

    monkeypatch.setattr("scipy.optimize.differential_evolution", insist)
    found, _ = searched(monkeypatch, lambda *_: 0.5, 12)
    assert (len(found.values), len(asked)) == (1, module.ASKS * 12 - 1)


@pytest.mark.parametrize(
    ("weights", "alike"),
    [
        ((1, 10, 100, 1000), (1, 10, 100, 1000)), ((2, 20, 200, 7), (1, 10, 100, 1000)),
        ((3, 6, 9, 1000), (1, 2, 3, 1000)),
        ((0, 0, 0, 1000), (0, 0, 0, 1000)), ((0, 4, 0, 1000), (0, 1, 0, 1000)),
        ((-2, -20, -200, 1000), (-1, -10, -100, 1000)), ((7, 70, 701, 1000), (7, 70, 701, 1000)),
    ],
)  # fmt: skip
def test_weights_that_play_alike_are_one(weights, alike):
    """Multiples choose the same moves, and the fourth weight never counts: four in a row end the game."""
    assert tuning().live == [0, 1, 2]
    assert tuning().reduced(weights) == alike


@pytest.mark.parametrize(
    ("weights", "alike"),
    [
        ((1, -5, 0, 1000), (4, -20, 0, 1000)), ((12, -60, 0, 1000), (4, -20, 0, 1000)),
        ((-1, 5, 0, 1000), (-1, 5, 0, 1000)),
        ((4, -20, 2, 1000), (2, -10, 1, 1000)), ((6, -30, 3, 1000), (2, -10, 1, 1000)),
    ],
)  # fmt: skip
def test_weights_that_play_like_the_start_are_the_start(weights, alike):
    assert tuning("windows(4,-20,0,1000)").reduced(weights) == alike


def test_small_weights_are_magnified_so_that_whole_numbers_are_fine_enough(monkeypatch):
    def first(lost, bounds, x0, **_):
        lost([1.1 * x0[0], *x0[1:]])
        raise module._Enough

    monkeypatch.setattr("scipy.optimize.differential_evolution", first)
    values = searched(monkeypatch, lambda *_: 0.5)[0].values
    assert list(values) == [START, "windows(11,100,1000,1000)"]  # a tenth more of 1, where the fourth never counts


def test_a_weight_that_changes_nothing_is_not_magnified():
    assert tuning("windows(1,10,100,50000)")._times == tuning()._times == 100
    assert tuning("windows(1,10,4000,1000)")._times == 10


def test_points_are_looked_for_about_the_start_in_ratios_to_it_and_each_is_rounded_to_whole_weights(monkeypatch):
    asked, rounds = [], iter([False, True])

    def evolve(lost, bounds, x0, **more):
        asked.append((list(bounds.lb), list(bounds.ub), list(x0), more))
        lost([0.636, -0.0636, 0.025])
        if next(rounds):
            raise module._Enough

    monkeypatch.setattr("scipy.optimize.differential_evolution", evolve)
    values = searched(monkeypatch, lambda *_: 0.5, heuristic="windows(1,10,-10,1000)", seed=8)[0].values
    assert list(values) == ["windows(1,10,-10,1000)", "windows(64,-64,25,1000)"]
    assert asked == [
        ([-2, -2, -4], [4, 4, 2], [1, 1, -1], {"rng": seed, "polish": False, "tol": 0.0, "maxiter": 1000})
        for seed in (8, 9)
    ]
    sizes = {0: 10.0, 1: 100.0, 2: 1000.0}
    for point, weights in (((1.24, -0.124, 0.0009), (12, -12, 1)), ((-0.06, 3, -3), (-1, 300, -3000))):
        assert tuning()._weights(point, sizes) == (*weights, 1000)


def test_training_and_held_out_questions_share_nothing():
    boards = [{exercise.board for exercise in part} for part in sets(60, 1, SMALL, 1, lambda: None)]
    assert all(boards)
    assert boards[0].isdisjoint(boards[1])


def test_positions_of_a_file_are_of_the_board_and_go_to_all_threads_of_the_solver_with_their_scores(
    monkeypatch, tmp_path
):
    path, asked = tmp_path / "positions.jsonl", []
    path.write_text(
        "".join(f'{{"position": "{moves}", "columns": [1, 0, 0, 0, -{place}]}}\n' for place, moves in enumerate("1234"))
    )

    def solved(boards, threads, *, progress, scores, strong):
        asked.append((threads, strong))
        progress()
        return [Exercise(board, scores[board.own, board.opp]) for board in boards]

    monkeypatch.setattr(module, "solve", solved)
    told = []
    train, held_out = sets(path, 1, SMALL, 3, lambda: told.append(1))
    boards = [Board.from_moves(moves, SMALL) for moves in "1234"]
    assert [exercise.board for exercise in (*train, *held_out)] == boards
    assert [exercise.scores[-1] for exercise in (*train, *held_out)] == [0, -1, -2, -3]
    assert sets(str(path), 1, SMALL, 3, lambda: told.append(1)) == (train, held_out)
    assert (asked, told) == ([(3, False)] * 2, [1, 1])


def test_weights_are_read_on_as_many_boards_of_the_middle_of_a_game(monkeypatch):
    asked = []

    def few(*words):
        asked.append(words)
        return sample(9, *words[1:])

    monkeypatch.setattr(module, "sample", few)
    for rules in (SMALL, Rules()):
        tuning(rules=rules)
    assert asked == [(300, 1, range(5, 15), SMALL), (300, 1, range(12, 31), Rules())]


def test_weights_of_what_is_no_sum_are_tried_as_they_are_by_a_search_that_forgets(tmp_path, monkeypatch):
    mine, compiled_again = tmp_path / "mine.py", []
    mine.write_text(MINE)
    monkeypatch.setattr(module, "Weighted", lambda *_: compiled_again.append(1))
    square = Tuning(f"{mine}:square(0,4)", "alphabeta:order=centre,compiled=no", 1, SMALL)
    assert (square.live, square._times, square.reduced((6, 4)), square.reduced((0, 8))) == ([0, 1], 1, (6, 4), (0, 8))
    assert square._sizes() == {0: 4, 1: 4}
    games = []
    monkeypatch.setattr(module.Searcher, "new_game", lambda self, seed: games.append(seed))
    exercises = [Exercise(Board.from_moves("1", SMALL), scores) for scores in ((0, 1, 0, 0, 0), (0, 0, 1, 0, 0))]
    for weights, good in (((0, 4), [0.0, 1.0]), ((1, 0), None)):
        search = parse(f"alphabeta:order=centre,compiled=no,depth=1,heuristic={square.family.text(weights)}").build()
        column = search.choose(exercises[0].board, module.Limits()).column
        expected = [float(column in exercise.good) for exercise in exercises]
        assert square.answers(exercises, weights).tolist() == expected
        assert good is None or expected == good
    assert (games, compiled_again) == ([0, 0], [])


def test_solving_weakly_keeps_what_is_good():
    boards = sample(20, 2, range(6, 14), SMALL)
    weak, strong = solve(boards, strong=False), solve(boards)
    assert [each.good for each in weak] == [each.good for each in strong]
    assert {score for each in weak for score in each.scores} <= {1, 0, -1, None}
    assert max(score for each in strong for score in each.scores if score is not None) > 1


MINE = (
    "def make(rules, one, two=2):\n    return lambda own, opp: one * (own & 127) - two * (opp & 63)\n\n"
    "def square(rules, one, two):\n    return lambda own, opp: one * one * (own & 127) + two\n"
)


@pytest.mark.parametrize(
    ("text", "start", "otherwise"),
    [
        ("windows(1,2,3,4)", (1, 2, 3, 4), "windows(11,12,13,14)"), ("windows(1,2)", (1, 2), "windows(11,12)"),
        ("mine.py:make(3,two=5)", (3, 5), "mine.py:make(11,two=12)"),
        ("mine.py:make(two=3,one=5)", (3, 5), "mine.py:make(two=11,one=12)"),
        ("zugzwang(1,2,3,4,5,6,7,8,9)", tuple(range(1, 10)), "zugzwang(11,12,13,14,15,16,17,18,19)"),
    ],
)  # fmt: skip
def test_a_family_is_read_and_written_as_specs_have_it(tmp_path, monkeypatch, text, start, otherwise):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    family = Family.read(text)
    assert tuple(family.start) == start
    assert family.text(list(range(11, 11 + len(start)))).endswith(otherwise)
    assert np.array_equal(family.units(), np.eye(len(start)))


@pytest.mark.parametrize("text", ["windows()", "windows(1,", "parity", "smart-aware", "zero", "mine.py:make"])
def test_a_heuristic_without_weights_is_no_family(tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    with pytest.raises(InputError, match="not closed" if text == "windows(1," else "has no weights to tune"):
        Family.read(text)


def test_a_count_is_what_a_weight_is_multiplied_by(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    boards = sample(8, 2, range(4, 16), SMALL)

    def ahead(board, discs):
        """Return by how many open windows with so many discs the mover leads."""
        cells = cells_of(board.own, board.opp, SMALL)
        held = [[cells[cell] for cell in window if cell in cells] for window in windows(SMALL)]
        return held.count([1] * discs) - held.count([-1] * discs)

    found = counts(Family.read("windows(1,2,3,4)"), boards)
    assert [list(row) for row in found] == [[ahead(board, discs) for discs in (1, 2, 3, 4)] for board in boards]
    found = counts(Family.read("mine.py:make(3,two=5)"), boards)
    assert [list(row) for row in found] == [[board.own & 127, -(board.opp & 63)] for board in boards]
    assert (
        counts(Family.read("mine.py:square(3,5)"), boards) is counts(Family.read("mine.py:square(1,5)"), boards) is None
    )


@pytest.mark.parametrize(("search", "said"), [
    ("mcts", "no parameter 'heuristic'"), ("alphabeta:depth=3", "must leave depth open"),
    ("alphabeta:order=centre|left-to-right", "names 2 agents, one is needed"),
])  # fmt: skip
def test_a_search_that_cannot_be_tuned_is_refused(search, said):
    with pytest.raises(InputError) as raised:
        Tuning(START, search, 1, SMALL)
    assert said in str(raised.value)


def test_an_agent_of_a_file_and_weights_that_change_nothing_are_refused_by_their_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(
        "import pathlib\n\npathlib.Path('ran').touch()\n\n"
        "class Bot:\n    def __init__(self, heuristic='', depth=1): ...\n\n    def choose(self, board): ...\n"
    )
    (tmp_path / "mine.py").write_text("def make(rules, one):\n    return lambda own, opp: one * 0\n")
    for heuristic, search, said in (
        (START, "bot.py:Bot", "search 'bot.py:Bot' must be minimax or alphabeta to be tuned"),
        ("mine.py:make(3)", "minimax", "no weight of mine.py:make(3) changes a value where the game goes on"),
    ):
        with pytest.raises(InputError) as raised:
            Tuning(heuristic, search, 1, SMALL)
        assert str(raised.value) == said
    assert not (tmp_path / "ran").exists()


def test_too_few_positions_are_refused(monkeypatch):
    for number in (1, 3):
        with pytest.raises(InputError, match=f"^{number} questions cannot be parted into two sets: ask for 4 or more"):
            sets(number, 1, SMALL, 1, lambda: None)
    clear, lost = Exercise(Board(SMALL), (1, 0, 0, 0, 0)), Exercise(Board(SMALL), (-1, -2, -3, -4, -5))
    other = Exercise(Board(SMALL), (0, 1, 0, 0, 0))
    for solved, both in (
        ([clear, lost, other, other, lost], True), ([clear, clear, lost, lost], False), ([lost, clear] * 2, True),
        ([lost, lost, clear, clear], False),
    ):  # fmt: skip
        monkeypatch.setattr(module, "solve", lambda *_, solved=solved, **__: solved)
        if both:
            parts = ([clear], [other, other]) if other in solved else ([clear], [clear])
            assert sets(5, 1, SMALL, 1, lambda: None) == parts
        else:
            with pytest.raises(InputError, match=r"^no position of a set is clear-cut: ask for more of them$"):
                sets(4, 1, SMALL, 1, lambda: None)


def test_a_weight_is_changed_by_steps_of_its_size_and_one_that_is_zero_by_those_of_the_others():
    found = tuning("windows(4,-20,0,1000)")
    assert {at: size / found._times for at, size in found._sizes().items()} == {0: 4.0, 1: 20.0, 2: 20.0}
    assert tuning("windows(0,0,0,1000)")._sizes() == {0: 1.0, 1: 1.0, 2: 1.0}
