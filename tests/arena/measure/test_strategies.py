"""The strategies that explanations find in many positions, and what is told of them, as they were recorded."""

import hashlib
import random

import pytest
from recorded import holds, plain

from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from arena.measure.explain import Branch, Explainer, Forced, Move, ReplyRule, blunders, kind, lines, positions
from arena.measure.verify import sample

pytestmark = [pytest.mark.compiles, pytest.mark.skipif(not JIT, reason="far too many nodes for plain Python")]
PROOFS = ("455237132413463576634", "12673613336274467133", "16174531661752551456", "544614355351172113313",
          "47177337725555626723", "3167231721442277351134")  # fmt: skip


def text(strategy):
    """Return a strategy in a line: forced moves, marks, or a move with what follows each reply."""
    if strategy is None:
        return "nothing short"
    if isinstance(strategy, Forced):
        return f"{strategy.moves} then {strategy.wins}"
    if isinstance(strategy, ReplyRule):
        marks = [(hex(each.cells), each.follow, each.opp, each.own, each.empty) for each in strategy.marks]
        return f"{marks} in {strategy.positions}"
    then = "; ".join(f"{branch.replies}: {text(branch.then)}" for branch in strategy.branches)
    return f"{strategy.column} ({then})"


def told(strategy, most=10):
    """Return what is told of a strategy, of at most so many lines, and its hash where it is long."""
    said = text(strategy)
    if strategy is None:
        return [said]
    assert lines(strategy) <= most
    short = said if len(said) < 60 else hashlib.sha256(said.encode()).hexdigest()[:12]
    return [kind(strategy), lines(strategy), positions(strategy), short]


@pytest.fixture(scope="module")
def explainer():
    return Explainer(STANDARD, 8, 60.0)


def test_strategies_of_many_positions(explainer, request):
    found = {}
    for board in sample(400, 7, STANDARD):
        if board.ply >= 20 and (value := explainer.value(board)) >= 0:
            for most in (10, 2) if value == 0 else (10,):
                explainer.most_lines = most
                found[f"{board.text}, {most} lines"] = told(explainer.strategy(board, win=value > 0), most)
    for moves in (*PROOFS, "4321613244114774625", "3274522264225676335", "412242231264155672", "521332734455466623116"):
        board = Board.from_moves(moves)
        for most in (4, 3, 2):
            explainer.most_lines = most
            found[f"{moves}, {most} lines"] = told(explainer.strategy(board, win=explainer.value(board) > 0), most)
    assert {each[0] for each in found.values()} >= {"forced line", "rule", "proof", "nothing short"}
    holds("explain-strategies", found, request)


def late(count):
    """Return positions with one to six cells left, from random play."""
    chance, found = random.Random(4), []
    while len(found) < count:
        board = Board()
        for _ in range(36 + len(found) % 6):
            if board.outcome is None:
                board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            found.append(board)
    return found


def test_strategies_without_a_forced_line(explainer, monkeypatch, request):
    whole, found = Explainer.forced, {}
    monkeypatch.setattr(Explainer, "forced", lambda self, own, opp: whole(self, own, opp, 1))  # wins at once alone
    boards = [*map(Board.from_moves, PROOFS), *[each for each in sample(260, 7, STANDARD) if each.ply >= 24], *late(40)]
    for board in boards:
        if (value := explainer.value(board)) >= 0:
            for most in (10, 3, 1):
                explainer.most_lines = most
                found[f"{board.text}, {most} lines"] = told(explainer.strategy(board, win=value > 0), most)
    holds("explain-rules", found, request)


def test_forced_lines_are_the_shortest_within_so_many_positions(explainer, request):
    found = {}
    for board in sample(150, 7, STANDARD):
        for most in (20_000, 60, 5):
            line = explainer.forced(board.own, board.opp, most)
            if most < 20_000 or line is not None:
                found[f"{board.text} within {most}"] = None if line is None else [line.moves, line.wins]
    holds("explain-forced", plain(found), request)


def test_games_are_explained_move_by_move(explainer, request):
    explainer.most_lines, found = 10, {}
    games = {
        "1322326362244443": 13, "3134415533442414113317677": 20, "434555": 5, "126532335362215335766755444": 18,
        "166571376473557652771452": 18, "54712566226127126621574377157631535": 25, "4453171772236553": 12,
    }  # fmt: skip
    for moves, first in games.items():
        board = Board.from_moves(moves)
        for name, plies in (("all", range(first, board.ply)), ("last", range(board.ply - 1, board.ply))):
            found[f"{moves}, {name}"] = [
                [row.ply, row.column, row.before, row.after, row.keepers, row.kind, row.positions, row.plies,
                 text(row.strategy)[:40]] for row in blunders(board, explainer, plies)
            ]  # fmt: skip
    explainer.strategy = lambda board, *, win: None
    searched = list(blunders(Board.from_moves([*games][3]), explainer, range(20, 27)))
    del explainer.strategy
    found["by search"] = [[row.ply, row.kind, row.positions, row.plies, row.strategy] for row in searched]
    holds("explain-games", plain(found), request)


def test_the_longest_resistance_is_searched_within_bounds(explainer, monkeypatch, request):
    lost = "126532335362215335766755"
    boards = [Board.from_moves(moves) for moves in
              ("4444445355257716227733", PROOFS[0], PROOFS[3], lost, "44", lost[:-1])]  # fmt: skip
    found = {}
    for most in (1_000, 20_000_000):
        monkeypatch.setattr("arena.measure.explain.MOST_NODES", most)
        for board in boards if most == 1_000 else boards[:4]:
            nodes, plies = explainer.resistance(board)
            assert nodes <= most
            explainer.solver.forget()
            assert explainer.solver.outcome_of(boards[3]) == 1  # it may search on afterwards
            found[f"{board.text} within {most}"] = [nodes, plies]
    holds("explain-resistance", plain(found), request)


def test_values_are_the_movers_also_of_games_that_are_over(explainer):
    for moves, value in (("1212121", -1), ("444", -1), ("445566", 1), ("4", -1), ("1", 1)):
        assert explainer.value(Board.from_moves(moves)) == value
    level = Board.from_moves("434433433466674637776677222222555551151111")
    assert (level.outcome is not None, explainer.value(level)) == (True, 0)


def test_shorter_strategies_are_looked_for_as_long_as_there_is_time(explainer, monkeypatch):
    asked, now = [], [0.0]
    long, short = (Move(3, tuple(Branch((column,), Forced((), (0,))) for column in range(many))) for many in (5, 3))

    def answer(self, own, opp, depth, budget, *, win):
        asked.append((depth, budget, win))
        now[0] += 20.0
        return {10: long, 3: short}.get(budget)

    monkeypatch.setattr(Explainer, "_answer", answer)
    monkeypatch.setattr(explainer, "clock", lambda: now[0])
    monkeypatch.setattr(explainer, "most_lines", 10)
    for seconds, found, tries in ((5.0, long, 0), (40.0, long, 2), (65.0, short, 3), (500.0, short, 3)):
        monkeypatch.setattr(explainer, "seconds", seconds)
        asked.clear()
        assert explainer.strategy(Board(), win=True) == found
        assert asked == [(3, 10, True), *((3, most, True) for most in range(1, 1 + tries))]
    monkeypatch.setattr(explainer, "most_lines", 3)
    asked.clear()
    assert explainer.strategy(Board(), win=False) == short
    monkeypatch.setattr(explainer, "most_lines", 4)
    assert explainer.strategy(Board(), win=False) == short  # none of four lines, and then one of three
    assert asked == [(3, 3, False), (3, 1, False), (3, 2, False), (3, 4, False), *((3, n, False) for n in (1, 2, 3))]


def test_strategies_on_a_small_board(request):
    small, found = Rules(4, 4), {}
    explainer = Explainer(small, 8, 60.0)
    for board in sample(60, 3, small):
        if board.ply >= 4 and (value := explainer.value(board)) >= 0:
            found[board.text] = told(explainer.strategy(board, win=value > 0))
    holds("explain-small", found, request)


SHARED = ("54253641", "2153612535", "561254116", "532611616", "35224151", "12114164561", "6165154132", "211224166322",
          "233621442224", "1526562164")  # fmt: skip


def test_lines_are_shared_among_the_replies_to_a_move(request):
    rules, found = Rules(6, 5), {}
    explainer = Explainer(rules, 8, 60.0)
    for board in (Board.from_moves(moves, rules) for moves in SHARED):
        for most in (10, 6, 4, 3, 2):
            explainer.most_lines = most
            strategy = explainer.strategy(board, win=explainer.value(board) > 0)
            found[f"{board.text}, {most} lines"] = told(strategy, most)
    holds("explain-shared", found, request)


def test_more_lines_never_find_less():
    rules = Rules(6, 5)
    explainer = Explainer(rules, 8, 60.0)
    for moves in SHARED:
        board, shortest = Board.from_moves(moves, rules), 99
        for most in (2, 3, 4, 6, 10):
            explainer.most_lines = most
            strategy = explainer.strategy(board, win=explainer.value(board) > 0)
            assert strategy is None or lines(strategy) <= min(most, shortest), (moves, most)
            assert strategy is not None or shortest == 99, (moves, most)
            shortest = lines(strategy) if strategy else shortest
