"""Searches and solvers held against each other, with stand-ins that answer as they are told."""

from types import SimpleNamespace

import pytest
from recorded import holds, plain

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.remote.agent import RemoteAgent
from agents.remote.failure import Failure
from agents.solver.solver import Solver
from arena.measure import verify
from arena.measure.verify import (
    ExactSearch,
    SearchEffort,
    cross_check,
    crowded_sample,
    plain_searches,
    sample,
    savings,
    searches,
)
from arena.records import MoveRecord

SMALL = Rules(5, 4)


def test_random_play_draws_the_same_positions_for_a_seed(request):
    found = {
        f"{rules}, seed {seed}": [board.text for board in sample(14, seed, rules)]
        for rules in (STANDARD, SMALL, Rules(3, 3, 3))
        for seed in (1, 2)
    }
    found |= {
        f"crowded on {rules}, seed {seed}": [board.text for board in crowded_sample(6, seed, rules)]
        for rules in (STANDARD, SMALL)
        for seed in (1, 5)
    }
    holds("verify-drawn", found, request)


def test_the_searches_that_must_agree(request):
    found = {"searches": searches(), "some": searches(["centre"]), "plain": plain_searches()}
    found["specs"] = [each.spec("zero", 3) for each in (*searches(), *plain_searches(["open-windows"]))]
    found["names"] = [each.name for each in searches()]
    holds("verify-searches", plain(found), request)


def answer(column, score, pv=()):
    return MoveRecord(0, column, 0.1, score, 2, 5, pv or (column,))


SEARCHES = [
    verify.MINIMAX,
    ExactSearch("alphabeta", "left-to-right", "alone", ""),
    ExactSearch("alphabeta", "centre", "alone", ""),
    ExactSearch("alphabeta", "left-to-right", "table", "table=on"),
    ExactSearch("alphabeta", "centre", "table", "table=on"),
]


def test_each_answer_is_held_against_the_first_and_against_the_first_of_its_order(request):
    seats = [SimpleNamespace(name=f"search {number}") for number in range(5)]
    found = {}
    for name, moves, answers in (
        ("all alike", "4", [(2, 7)] * 5),
        ("values", "4", [(2, 7), (2, 8), (2, 7), (2, -7), (2, None)]),
        ("moves of an order", "", [(2, 7), (3, 7), (1, 7), (2, 7), (4, 7)]),
        ("a move of the other order", "12", [(2, 7), (2, 7), (3, 7), (2, 7), (3, 7)]),
        ("lines", "4", [(2, 7), (2, 7, (3, 1)), (2, 7, (2, 3, 3, 3, 3, 3, 3, 3)), (2, 7, (2, 2)), (2, 7, (2,))]),
    ):
        board = Board.from_moves(moves)
        given = [answer(*each) for each in answers]
        worth = verify._disagreements(board, seats, SEARCHES, given, lambda own, opp: -7 if own else 7)
        rows = list(worth)
        found[name] = rows, [str(row) for row in rows]
    holds("verify-disagreements", plain(found), request)


def test_savings_are_summed_over_heuristics_and_kept_apart_by_search_variant_and_depth(request):
    rows = [SearchEffort("a", search, variant, heuristic, depth, 3, nodes, 10 * nodes + depth)
            for nodes, (search, variant, heuristic, depth) in enumerate((
                ("m", "alone", "x", 2), ("m", "alone", "y", 2), ("m", "table", "x", 2), ("m", "alone", "x", 3),
                ("n", "alone", "x", 2), ("m", "table", "y", 2)), start=3)]  # fmt: skip
    holds("verify-savings", plain({"rows": savings("Plain Python", rows)}), request)


class Theirs(RemoteAgent):
    """A solver of another program, without a process."""

    _process, output, rules = None, "", None

    def __init__(self, scores, fails=None):
        self.scores, self.fails, self.closed, self.deadlines = iter(scores), fails, 0, []
        self.process_limits = SimpleNamespace(patience=7.0)

    def prepare(self, rules):
        self.rules = rules
        if self.fails == "prepare":
            raise Failure("crashed (SIGSEGV)", "exit code 3")

    def score(self, board, deadline):
        self.deadlines.append(deadline)
        if self.fails == board.text:
            raise Failure("out of time", "no answer")
        return next(self.scores)

    def close(self):
        self.closed += 1


BOARDS = [Board.from_moves(moves, SMALL) for moves in ("114234", "124234", "214234")]


@pytest.fixture
def asked(monkeypatch):
    """Let the other solver be this one, and return how it was asked for."""

    def let(theirs):
        given = []

        def entrant(*words):
            given.append(words)
            return SimpleNamespace(build=lambda: theirs)

        monkeypatch.setattr(verify, "entrant", entrant)
        monkeypatch.setattr(verify.time, "perf_counter", lambda: 100.0)
        return given

    return let


def test_both_solvers_score_each_position(asked):
    theirs, steps = Theirs((3, -1, 0)), []
    given = asked(theirs)
    found = cross_check("pons:solver", BOARDS, {"patience": 7.0}, lambda: steps.append(1))
    solver = Solver(SMALL, 1)
    assert [(each.position, each.ours, each.theirs) for each in found] == [
        (board.text, solver.score_of(board), score) for board, score in zip(BOARDS, (3, -1, 0), strict=True)
    ]
    assert len({each.ours for each in found}) == 3
    assert (given, theirs.rules, theirs.deadlines) == ([("pons:solver", {"patience": 7.0})], SMALL, [107.0] * 3)
    assert (theirs.closed, len(steps)) == (1, 3)


@pytest.mark.parametrize(("fails", "said"), [("prepare", "'pons:solver': crashed (SIGSEGV): exit code 3"),
                                             ("124234", "'pons:solver': out of time: no answer")])  # fmt: skip
def test_a_solver_that_fails_is_told_in_a_line_and_ended(asked, fails, said):
    theirs = Theirs((3, -1, 0), fails)
    asked(theirs)
    with pytest.raises(InputError) as raised:
        cross_check("pons:solver", BOARDS)
    assert (str(raised.value), theirs.closed) == (said, 1)


def test_an_interruption_ends_the_other_solver(asked):
    theirs = Theirs((3, -1, 0))
    asked(theirs)

    def step():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cross_check("pons:solver", BOARDS, progress=step)
    assert theirs.closed == 1
