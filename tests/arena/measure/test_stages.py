import functools
import math

import pytest

import arena as package
from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.solver.solver import Solver
from agents.specs.registry import expand
from arena.measure import exercises as drawing
from arena.measure.exercises import SETS, by_set, positions_from, questions, sample, solve, which
from arena.measure.exercises import staged_sample as staged
from arena.measure.grading import Grade, Grading, ReferenceLadder, answers, candidates, grade
from arena.measure.label import Label
from arena.rows import frame, without

SMALL, WIDER = Rules(4, 4), Rules(5, 4)


@functools.cache
def ending(board):
    """Who wins with perfect play, from the mover's side, and in how many plies: by trying everything."""
    if board.outcome is not None:
        return (0 if board.outcome.winner is None else -1), 0
    ends = [(-sign, plies + 1) for sign, plies in (ending(board.play(column)) for column in board.legal_moves())]
    best = max(sign for sign, _ in ends)
    plies = [plies for sign, plies in ends if sign == best]
    return best, min(plies) if best > 0 else max(plies)


def obvious(board):
    """The set by its definition, in thirds of the cells."""
    cells = board.rules.columns * board.rules.rows
    left = ending(board)[1]
    stage = "beginning" if board.ply < cells / 3 else "end" if board.ply > cells * 2 / 3 else "middle"
    return stage, "easy" if left < cells / 3 else "hard" if left > cells * 2 / 3 else "medium"


def test_a_position_is_of_the_set_that_its_plies_and_perfect_play_say():
    solver, seen = Solver(SMALL, 1), set()
    for board in positions_from(4, range(6, 16), SMALL, 600):
        assert which(board, solver.score_of(board)) == obvious(board)
        seen.add(obvious(board))
    assert {("middle", "easy"), ("middle", "medium"), ("end", "easy")} <= seen <= set(SETS)


@pytest.mark.parametrize(
    ("moves", "score", "expected"),
    [
        ("216634", 0, ("beginning", "hard")),  # 36 plies are left
        ("112233", 18, ("beginning", "easy")),  # 4 wins at once
        ("1111112222223", 0, ("beginning", "hard")),  # 29 are left, and with one disc more 28
        ("11111122222234", 0, ("middle", "medium")),
    ],
)
def test_a_third_of_the_standard_board_is_fourteen_plies(moves, score, expected):
    assert which(Board.from_moves(moves), score) == expected


def test_positions_by_stage_are_as_many_of_each_set_and_the_seeds_own():
    boards = staged(30, 3, SMALL)
    solver = Solver(SMALL, 1)
    held = [which(board, solver.score_of(board)) for board in boards]
    assert held == sorted(held, key=SETS.index)
    assert max(held.count(name) for name in SETS) == 5
    assert held.count(("middle", "easy")) == held.count(("end", "easy")) == 5
    assert boards == staged(30, 3, SMALL, 2)
    assert boards != staged(30, 4, SMALL)
    assert len({min(board.key, board.mirror().key) for board in boards}) == len(boards)


def test_each_stage_is_drawn_from_its_own_plies_and_for_so_many_tries(monkeypatch):
    asked = []
    monkeypatch.setattr(drawing, "positions_from", lambda *given: asked.append(given) or iter(()))
    with pytest.raises(InputError, match="no position of a 4x4x4 board was found"):
        staged(16, 3, SMALL)  # 3 of each of four sets, and 2 of each of the two in the middle and at the end
    first, middle, end = [*range(1, 6)], [*range(6, 11)], [*range(11, 16)]
    rooms = [3 + 3 + 3, 3 + 2, 2]
    assert asked == [(3, plies, SMALL, 20 * room) for plies, room in zip((first, middle, end), rooms, strict=True)]


def test_what_is_asked_by_stage_is_handed_down(monkeypatch):
    asked, boards = [], positions_from(5, range(2, 12), SMALL, 90)
    monkeypatch.setattr(drawing, "staged_sample", lambda *given: asked.append(given) or ["boards"])
    assert questions(7, 3, None, SMALL, 2, len, staged=True) == (["boards"], {})
    assert questions(7, 3, (), SMALL, "a cluster", len, staged=True) == (["boards"], {})
    assert asked == [(7, 3, SMALL, threads, len) for threads in (2, "a cluster")]
    asked.clear()
    monkeypatch.setattr(drawing, "positions_from", lambda seed, plies, rules, games: iter([next(boards)] * 3))
    monkeypatch.setattr(drawing, "labels_of", lambda boards, found, threads: asked.append((len(boards), found, threads))
                        or [Label(board.text, 0) for board in boards])  # fmt: skip
    steps = []
    found = staged(16, 3, SMALL, "a cluster", lambda: steps.append(1))
    assert set(map(str, asked)) == {"(3, {}, 'a cluster')"}
    assert len(steps) == len(found) > 0


@pytest.mark.parametrize(("drawn", "solved"), [(10, [4, 4, 2]), (8, [4, 4, 0]), (3, [3])])
def test_candidates_are_solved_by_batches_until_there_are_no_more(monkeypatch, drawn, solved):
    asked, boards = [], [*positions_from(5, range(6, 8), SMALL, 60)]
    monkeypatch.setattr(drawing, "BATCH", 4)
    monkeypatch.setattr(drawing, "positions_from", lambda seed, plies, *_: iter(boards[:drawn] if 7 in plies else ()))
    monkeypatch.setattr(drawing, "labels_of", lambda boards, *_: asked.append(len(boards))
                        or [Label(board.text, 0) for board in boards])  # fmt: skip
    found = staged(60, 3, SMALL)
    assert asked == [0, *solved, 0]  # for the beginning, the middle and the end
    assert found == sorted(boards[:drawn], key=lambda board: SETS.index(which(board, 0)))


def test_plies_of_their_own_are_refused_beside_stages():
    with pytest.raises(InputError, match="plies of their own"):
        questions(10, 1, [4, 5], SMALL, staged=True)


@pytest.fixture(scope="module")
def exercises():
    return solve(sample(60, 1, range(3, 13), SMALL), 1, 1)


def sat(text, exercises, **asked):
    """What one agent's grading says: over all, and by set."""
    who = candidates(expand(text), [2])
    [found] = Grading(exercises, 1, **asked).grades(who, [each.spec.build() for each in who])
    return found


def test_the_grade_of_a_set_are_those_of_its_positions_alone(exercises):
    [candidate] = candidates(expand("alphabeta:depth=2"), [])
    overall, rows = sat("alphabeta:depth=2", exercises)
    assert sum(row.positions for row in rows) == overall.positions == 60
    assert sum(row.clear_cut for row in rows) == overall.clear_cut
    for row, (name, places) in zip(rows, by_set(exercises), strict=True):
        alone = [exercises[place] for place in places]
        assert (row.stage, row.difficulty) == name == obvious(alone[0].board)
        expected = grade(candidate, alone, answers(candidate, candidate.spec.build(), alone, 1))
        times = ("seconds", "seconds_low", "seconds_high")
        assert without(row, "stage", "difficulty", *times) == without(expected, *times)


def test_an_agent_whose_ties_go_to_the_left_is_not_alike_in_the_mirror(exercises):
    text = "alphabeta:depth=1,heuristic=zero"
    found, _ = sat(text, exercises, mirror=True)
    agent, alike = expand(text)[0].build(), []
    for board in (each.board for each in exercises):
        if board.key != board.mirror().key:
            one, other = (agent.choose(each, Limits()).column for each in (board, board.mirror()))
            alike.append(one == 3 - other)
    assert found.mirrored.value == pytest.approx(sum(alike) / len(alike))
    assert found.mirrored.low < found.mirrored.value < min(found.mirrored.high, 0.6)
    assert sat(text, exercises)[0].mirrored is None


@pytest.fixture(scope="module")
def wider():
    return solve(sample(60, 1, range(3, 13), WIDER), 1, 1)


@pytest.fixture(scope="module")
def ladder(wider):
    if not JIT:
        pytest.skip("a ladder to depth 10 takes minutes as plain Python")
    return ReferenceLadder.climb([1, 4, 10], wider, 1)


def test_a_rung_of_the_ladder_plays_like_itself(wider, ladder):
    shares = [sum(rung) for rung in ladder.perfect]
    assert shares == sorted(set(shares))
    for depth in ladder.depths:
        found, _ = sat(f"alphabeta:depth={depth}", wider, ladder=ladder)
        assert found.plays_like.value == pytest.approx(depth)
    assert sat("alphabeta:depth=4", wider)[0].plays_like is None


def test_beyond_the_ladder_no_depth_is_named(wider, ladder):
    above, below = (sat(text, wider, ladder=ladder)[0] for text in ("perfect:table-size=1", "random"))
    assert (above.plays_like.value, above.plays_like.high) == (math.inf, None)
    assert (below.plays_like.value, below.plays_like.low) == (-math.inf, None)
    assert above.plays_like.low <= 10
    assert below.plays_like.high >= 1
    assert [frame([row], Grade)["plays_like"].isna().all() for row in (above, below)] == [True, True]


def test_a_ladder_has_two_rungs(exercises):
    with pytest.raises(InputError, match="two depths or more"):
        ReferenceLadder.climb([3], exercises, 1)


def test_from_python_the_sets_are_rows():
    table = package.grade(["greedy"], positions=30, stages=True, rules="4x4")
    assert set(zip(table["stage"], table["difficulty"], strict=True)) <= set(SETS)
    assert table["positions"].max() == 5
    one = package.grade(["alphabeta:depth=2"], positions=40, plies=[6, 8], ladder=[1, 4], mirror=True, rules="4x4")
    assert one["mirrored"].notna().all()
    assert one[["plays_like", "plays_like_low", "plays_like_high"]].notna().any(axis=None)
