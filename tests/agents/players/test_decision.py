import contextlib

import pytest

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.players import tandem
from agents.players.tandem import TandemMove
from agents.score import WIN
from agents.search.control import UNLIMITED
from agents.solver.solver import Stopped


class Solver:
    """Counts what it is allowed, and searches nothing."""

    def __init__(self):
        self.nodes, self.allowed, self.stops = 50, [], 0

    def allow(self, nodes):
        self.allowed.append(nodes)

    def stop(self):
        self.stops += 1


class Searcher:
    """Answers with set scores by position, ten nodes each; the column is always the first that can be played."""

    def __init__(self, scores=None):
        self.scores, self.asked = scores or {}, []

    def choose(self, board, limits):
        self.asked.append((board.text, limits.nodes))
        return Analysis(board.legal_moves()[0], self.scores.get(board.text, 0), 3, 10, (board.legal_moves()[0],))


def deciding(board=None, limits=None, searcher=None, *, stopped=False):
    given = board or Board(), limits or Limits(nodes=1000), searcher or Searcher(), Solver()
    return TandemMove(*given, lambda: stopped, 7.0)


def test_a_share_is_of_the_whole_limit_but_no_more_than_is_left(monkeypatch):
    monkeypatch.setattr(tandem.time, "perf_counter", lambda: 7.5)
    made = deciding(limits=Limits(nodes=1000, seconds=2.0))
    assert (made.left(0.1).nodes, made.left(0.1).seconds) == (100, pytest.approx(0.2))
    assert (made.left(1.0).nodes, made.left(1.0).seconds, made.left(1.0).depth) == (1000, pytest.approx(1.5), None)
    made.searched, made.solver.nodes = 100, 250  # 50 of them before this move
    assert made.nodes == 300
    assert (made.left(0.35).nodes, made.left(0.9).nodes) == (350, 700)
    assert deciding(limits=Limits(nodes=9)).left(0.5).seconds is None


def test_alpha_beta_is_not_asked_once_nothing_is_left_or_the_search_is_to_end():
    made = deciding()
    assert made.search(made.board, 0.01) == Analysis(0, 0, 3, 10, (0,))
    assert (made.searched, made.searcher.asked) == (10, [("", 10)])
    made.searched = 1000
    assert made.search(made.board, 1.0) == Analysis(3)
    made.searched = 1001
    assert made.search(made.board, 1.0) == Analysis(3)
    ended = deciding(stopped=True)
    assert ended.search(ended.board, 1.0) == Analysis(3)
    assert len(made.searcher.asked) == 1
    assert ended.searcher.asked == []


def test_what_alpha_beta_visits_adds_up_with_what_the_solver_does():
    made = deciding(limits=Limits(nodes=1000))
    for searched in (10, 20, 30):
        made.search(made.board, 0.5)
        assert (made.searched, made.nodes) == (searched, searched)
    made.solver.nodes += 5
    assert made.nodes == 35
    assert made.left(1.0).nodes == 965
    made.opinion(3)
    assert made.nodes == 45


def test_the_solver_is_stopped_at_once_where_the_search_is_to_end():
    made, ended = deciding(), deciding(stopped=True)
    for each in (made, ended):
        with each.asking(0.1):
            raise Stopped
        assert each.solver.allowed == [100]
    assert (made.solver.stops, ended.solver.stops) == (0, 1)


@pytest.mark.parametrize(
    ("share", "seconds", "nodes", "left"),
    [(0.1, 2.0, 100, 0.2), (0.9, 2.0, 900, 1.5), (1.0, None, 1000, None), (0.0, 2.0, 0, 0.0), (0.5, 0.25, 500, -0.25)],
)
def test_the_solver_has_its_share_of_the_time_as_well_as_of_the_nodes(monkeypatch, share, seconds, nodes, left):
    asked = []

    @contextlib.contextmanager
    def deadline(seconds, stop):
        asked.append((seconds, stop))
        yield

    monkeypatch.setattr(tandem.time, "perf_counter", lambda: 7.5)
    monkeypatch.setattr(tandem, "deadline", deadline)
    made = deciding(limits=Limits(nodes=1000, seconds=seconds))
    with made.asking(share):
        asked.append("asked")
    assert asked[0] == (None if left is None else pytest.approx(left), made.solver.stop)
    assert (asked[1:], made.solver.allowed) == (["asked"], [nodes])
    with pytest.raises(ZeroDivisionError), made.asking():
        raise ZeroDivisionError  # a fault is no end of the limit


def test_alpha_beta_has_its_share_of_time_and_nodes_for_the_move_and_little_for_each_other(monkeypatch):
    monkeypatch.setattr(tandem.time, "perf_counter", lambda: 7.5)
    judging(monkeypatch, [-1, -1, -1, -1])
    made, asked = deciding(Board(Rules(4, 4)), Limits(nodes=1000, seconds=8.0)), []
    choose = made.searcher.choose
    made.searcher.choose = lambda board, limits: asked.append((board.text, limits)) or choose(board, limits)
    assert made.proposed().column == 0
    assert asked == [("", Limits(None, 350, 2.8)), *((move, Limits(None, 10, 0.08)) for move in ("2", "3", "4"))]
    assert made.solver.allowed == [1000 - 40], "the solver has all that is left"
    assert made.nodes == 40


def test_an_opinion_of_a_move_is_what_the_other_side_thinks_turned_round():
    made = deciding(searcher=Searcher({"4": 7}), limits=Limits(nodes=10_000))
    assert made.opinion(3) == -7
    assert made.searcher.asked == [("4", 100)]
    won = deciding(Board.from_moves("112233"))
    assert won.opinion(3) == 0
    assert won.searcher.asked == []
    assert deciding(searcher=Searcher({"4": None})).opinion(3) == 0


def judging(monkeypatch, worth):
    """Let the solver know what each move is worth: 1, 0, -1, or None where it is stopped before it is done."""

    def reaches(solver, board, column, goal):
        if worth[column] is None:
            raise Stopped
        return worth[column] >= goal

    monkeypatch.setattr(tandem, "reaches", reaches)


@pytest.mark.parametrize(
    ("worth", "column"),
    [
        ([-1, 0, 1, 0], 2),  # a win, wherever it stands
        ([-1, 0, -1, 0], 1),  # else the first draw
        ([-1, -1, -1, -1], 0),  # all lose: the one that was thought best
        ([-1, None, 1, 1], 0),  # stopped before a loss was proven
        ([0, -1, -1, None], 0),
    ],
)
def test_the_first_move_that_wins_is_played_else_the_first_that_draws(monkeypatch, worth, column):
    judging(monkeypatch, worth)
    assert deciding(Board(Rules(4, 4))).judged([0, 1, 2, 3]) == column


def test_a_proposal_is_kept_where_it_is_proven_or_nothing_better_is_known(monkeypatch):
    board = Board(Rules(4, 4))
    proven = deciding(board, searcher=Searcher({"": WIN - 3}))
    assert proven.proposed().score == WIN - 3
    assert len(proven.searcher.asked) == 1
    judging(monkeypatch, [0, 0, 0, 0])
    kept = deciding(board, searcher=Searcher({"": 5}))
    assert kept.proposed() == Analysis(0, 5, 3, 10, (0,))
    judging(monkeypatch, [0, -1, 1, 1])
    other = deciding(board, searcher=Searcher({"": 5, "3": -2, "4": -9}))
    assert other.proposed() == Analysis(3, None, 3, 10, (3,))  # of two that win the one that looks better


def test_the_solver_has_a_tenth_of_the_limit_for_the_exact_score(monkeypatch):
    monkeypatch.setattr(tandem, "solved", lambda solver, board: Analysis(2, 9))
    made = deciding()
    assert made.choose() == Analysis(2, 9)
    assert made.solver.allowed == [100]
    assert made.searcher.asked == []


@pytest.mark.parametrize(
    ("own", "game", "nodes", "seconds"),
    [
        ({}, {}, tandem.DEFAULT_NODES, None),
        ({"nodes": 50}, {}, 50, None),
        ({"nodes": 50}, {"nodes": 40, "depth": 3}, 40, None),
        ({"seconds": 2.0}, {}, UNLIMITED, 2.0),
        ({}, {"seconds": 3.0}, UNLIMITED, 3.0),
        ({"seconds": 2.0}, {"seconds": 1.0, "nodes": 9}, 9, 1.0),
        ({"seconds": 1.0, "nodes": 7}, {"seconds": 2.0, "nodes": 9}, 7, 1.0),
        ({"nodes": 70}, {"seconds": 2.0, "remaining": 9.0}, 70, 2.0),
    ],
)
def test_a_move_has_the_tighter_limits_and_a_million_nodes_without_any(monkeypatch, own, game, nodes, seconds):
    asked = []

    class Kept:
        nodes = 77

        def __init__(self, *given):
            asked.append(given)

        def choose(self):
            return Analysis(2, 5, 3, 10, (2,))

    monkeypatch.setattr(tandem, "TandemMove", Kept)
    monkeypatch.setattr(tandem.time, "perf_counter", lambda: 4.5)
    monkeypatch.setattr(tandem.Tandem, "prepare", lambda self, rules: setattr(self, "_solver", "solver"))
    agent, board = tandem.Tandem(table_size=1, **own), Board.from_moves("44")
    agent.stop = None  # an older stop is forgotten
    agent._stopped = True
    assert agent.choose(board, Limits(**game)) == Analysis(2, 5, 3, 77, (2,))
    [(position, limits, searcher, solver, stopped, began)] = asked
    assert (position, limits) == (board, Limits(None, nodes, seconds))
    assert (searcher, solver, began) == (agent.searcher, "solver", 4.5)
    assert not stopped()
    agent._stopped = True
    assert stopped()


def test_a_solver_is_made_for_each_board_and_emptied_for_each_game(monkeypatch):
    made = []

    class Made:
        def __init__(self, rules, mebibytes, book):
            self.rules, self.given, self.forgot = rules, (rules, mebibytes, book), 0
            made.append(self)

        def forget(self):
            self.forgot += 1

    monkeypatch.setattr("agents.solver.solver.Solver", Made)
    monkeypatch.setattr("agents.solver.book.shipped_book", lambda rules: f"book of {rules}")
    for book in (True, False):
        agent = tandem.Tandem(table_size=3, book=book)
        monkeypatch.setattr(agent.searcher, "prepare", lambda rules: None)
        for rules in (Rules(), Rules(), Rules(5, 4), Rules(5, 4, most_fours=True), Rules(5, 4)):
            agent.prepare(rules)
        assert [each.given for each in made] == [
            (rules, 3, f"book of {rules}" if book else None) for rules in (Rules(), Rules(5, 4))
        ]
        agent.new_game(1)
        assert [each.forgot for each in made] == [1, 2]
        made.clear()
