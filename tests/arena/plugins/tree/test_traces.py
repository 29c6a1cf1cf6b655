"""What trees are made of: counterparts, limits, tables, windows and the values of games that are over."""

import random
from contextlib import nullcontext

import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.score import WIN, of_outcome
from agents.search.control import PRUNE
from agents.specs.registry import parse
from arena.games.entrants import entrants
from arena.plugins.tree import build, job
from arena.plugins.tree.build import counterpart, traced, tree
from arena.plugins.tree.node import INFINITY, Bounds, Node, arranged, open_child, worth
from arena.plugins.tree.traces import NegamaxTrace

SMALL, MOST = Rules(5, 4, 3), Rules(5, 4, 3, most_fours=True)


@pytest.mark.parametrize(
    ("spec", "pruning"),
    [("alphabeta:heuristic=zero,order=open-windows,table=on,deepening=on,nodes=9", False),
     ("minimax:compiled=no,heuristic=parity,depth=7", True), ("mollerhoj:pruning=on", False), ("mollerhoj", True),
     ("smart-connect4:heuristic=simple", False), ("smart-connect4:pruning=off", True)],
)  # fmt: skip
def test_a_counterpart_searches_as_the_agent_does_but_for_cuts_table_and_deepening(monkeypatch, spec, pruning):
    asked = []
    monkeypatch.setattr(build, "traced", lambda *given: asked.append(given) or "a tree")
    board, bounds, own = Board.from_moves("44"), Bounds(nodes=7), parse(spec).build()
    assert counterpart(spec, board, 3, bounds) == counterpart(parse(spec), board, 3) == "a tree"
    for name, other, *given, limits in asked:
        assert (name, given) == ("alpha-beta" if pruning else "minimax", [board, 3])
        alike = ("heuristic", "order", "compiled", "points")
        assert [getattr(other, each) for each in alike] == [getattr(own, each) for each in alike]
        assert (other.flags ^ own.flags, bool(other.flags & PRUNE)) == (PRUNE, pruning)
        assert (other.megabytes, other.deepening, other.limits) == (0, False, build.Limits(3))
        assert limits in (bounds, Bounds())
    assert asked[0][-1] is bounds


@pytest.mark.parametrize(
    ("spec", "word"),
    [("greedy", "no tree to show"), ("perfect", "no tree"), ("oneil", "no tree"), ("itu-2012", "no tree"),
     ("alphabeta:killers=on,depth=2", "no tree is drawn of killers"), ("alphabeta:pvs=on,depth=2", "pvs"),
     ("alphabeta:nodes=1", "finishes no depth here")],
)  # fmt: skip
def test_what_has_no_tree_is_told_why(spec, word):
    with pytest.raises(InputError, match=word):
        tree(spec, Board.from_moves("44"))


@pytest.mark.parametrize(("heuristic", "named"), [("", "FUNCTION"), ("def evaluate(own, opp): ...\n\n\n", "evaluate")])
def test_an_agent_of_ones_own_is_told_of_its_heuristic(tmp_path, heuristic, named):
    (tmp_path / "mine.py").write_text(f"{heuristic}class Mine:\n    def choose(self, board, limits): ...\n")
    [agent] = entrants([f"{tmp_path / 'mine.py'}:Mine"])
    with pytest.raises(InputError, match=rf"use alphabeta:heuristic=.*mine\.py:{named}"):
        tree(agent, Board.from_moves("44"))


def test_a_tree_has_as_many_nodes_as_it_may_and_none_of_a_game_that_is_over_or_once_it_is_stopped():
    board = Board.from_moves("44")
    assert tree("minimax:depth=2", board, None, Bounds(57)).nodes == 57
    stopped = Bounds()
    stopped.stop()
    drawn = "547125662261271266215743771576315353334444"
    for moves, bounds, word in (("44", Bounds(56), "57 nodes are too many"), ("1212121", Bounds(), "already over"),
                                (drawn, Bounds(), "already over"),
                                ("44", stopped, "takes too long")):  # fmt: skip
        with pytest.raises(InputError, match=word):
            tree("minimax:depth=2", Board.from_moves(moves), None, bounds)


@pytest.mark.skipif(not JIT, reason="the search takes long as plain Python")
def test_iterations_that_fill_the_table_count_among_the_nodes_that_are_traced():
    board, table = Board.from_moves("44"), "alphabeta:order=centre,table=on,table-size=1,deepening=on"
    whole = parse(table).build().choose(board, build.Limits(3))
    assert tree(table, board, 3, Bounds(whole.nodes)).nodes == whole.nodes - whole.iterations[-2].nodes
    with pytest.raises(InputError, match="too many"):
        tree(table, board, 3, Bounds(whole.nodes - 1))


def test_the_search_of_a_tree_can_be_stopped_and_forgets_what_it_was_told(monkeypatch):
    bounds, agent, asked = Bounds(seconds=9.0), Searcher(depth=2), []
    for name in ("prepare", "new_game"):
        whole = getattr(build, name)
        monkeypatch.setattr(build, name, lambda *given, whole=whole: asked.append(given) or whole(*given))
    monkeypatch.setattr(build, "deadline", lambda *given: asked.append(given) or nullcontext())
    found = traced("mine", agent, Board(), None, bounds)
    assert (found.agent, found.nodes, bounds.agent) == ("mine", parse("alphabeta:depth=2").build().choose(
        Board(), build.Limits()).nodes, agent)  # fmt: skip
    assert asked == [(agent, Rules(), "mine"), (agent, 0), (9.0, agent.stop)]
    stops = []
    bounds.agent = type("Agent", (), {"stop": lambda self: stops.append(1)})()
    bounds.stop()
    assert (stops, bounds.stopped) == ([1], True)


def test_the_table_of_a_tree_has_the_size_of_its_agents_and_iterations_begin_with_the_move_before(monkeypatch):
    sizes, moves, empty, search = [], [], build.empty_table, build.traces.NegamaxTrace.search
    monkeypatch.setattr(build, "empty_table", lambda megabytes: sizes.append(megabytes) or empty(megabytes))
    monkeypatch.setattr(build.traces.NegamaxTrace, "search", lambda self, board, first: moves.append(
        (self.depth, first)) or search(self, board, first))  # fmt: skip
    board, sure = Board.from_moves("12", SMALL), "alphabeta:order=open-windows,table=on"
    for spec in ("alphabeta", f"{sure},table-size=1", f"{sure},table-size=3,deepening=on", "alphabeta:deepening=on"):
        tree(spec, board, 3)
    steps = [each.column for each in parse(f"{sure},deepening=on").build().choose(board, build.Limits(3)).iterations]
    plainer = parse("alphabeta:deepening=on").build().choose(board, build.Limits(3)).iterations[1].column
    assert sizes == [0, 1, 3, 0]
    assert moves == [(3, -1), (3, -1), (1, -1), (2, steps[0]), (3, steps[1]), (3, plainer)]


def test_a_game_that_is_over_has_the_heuristics_value_the_winners_or_points_for_each_four():
    won, level = Board.from_moves("1212121"), Board.from_moves("434433433466674637776677222222555551151111")
    full = next(
        board for board in map(filled, range(40)) if board.rules.fours(board.own) != board.rules.fours(board.opp)
    )
    even = next(
        board for board in map(filled, range(40)) if board.rules.fours(board.own) == board.rules.fours(board.opp)
    )
    more = full.rules.fours(full.own) - full.rules.fours(full.opp)
    for points in (0, 4, 40):
        for normal in (False, True):
            how = build.traces.SearchSettings(None, None, True, normal, points, None)
            found = [how.finished(board, plies, 5) for board in (won, level, full, even) for plies in (3, 5)]
            by_points = [points * more if points else of_outcome(full, 3), None if points else of_outcome(full, 5)]
            expected = [3 - WIN, 5 - WIN, 0, 0, *by_points, 0, None if points else 0]
            assert found == (expected if normal else [None] * 8)


def filled(seed):
    """Return a full board on which most threes win, from random play."""
    chance, board = random.Random(seed), Board(MOST)
    while board.outcome is None:
        board = board.play(chance.choice(board.legal_moves()))
    return board


def test_a_drawn_end_is_worth_nothing_whatever_the_heuristic_says_of_it(tmp_path):
    (tmp_path / "mine.py").write_text("def evaluate(own, opp):\n    return 5\n")
    board = Board.from_moves("54712566226127126621574377157631535333444")
    drawn = tree(f"minimax:heuristic={tmp_path / 'mine.py'}:evaluate,compiled=no", board, 1)
    [end] = drawn.root.children
    assert (end.value, end.leaf, drawn.value) == (0, "over", 0)


def test_of_equal_moves_at_the_root_the_first_of_the_order_is_the_answer_though_another_is_tried_first():
    drawn = tree(
        "alphabeta:order=centre,deepening=on,compiled=no,heuristic=parity", Board.from_moves("24", Rules(4, 4, 3)), 3
    )
    children = [(child.column, child.value, child.alpha) for child in drawn.root.children]
    assert children == [(0, 23, -INFINITY), (1, 11, 22), (2, 23, 22), (3, 17, 23)]  # earlier ones need only equal it
    assert (drawn.move, drawn.value, drawn.root.best.column) == (2, 23, 2)


def test_a_page_has_its_limits_and_so_has_its_second_tree():
    def page(nodes):
        return job.tree_page("alphabeta:order=centre", board, 3, job.tree_limits(nodes, 5.0)).count('id="outline-')

    board = Board.from_moves("44")
    least = tree("alphabeta:order=centre", board, 3).nodes
    assert (page(least), page(400), job.tree_limits(9, 0.5)) == (1, 2, Bounds(9, 0.5))
    with pytest.raises(InputError, match="too many to draw"):
        page(least - 1)


@pytest.mark.parametrize(("settings", "compiles"), [("", True), (",compiled=no", False)])
def test_a_tree_calls_what_its_agent_does_compiled_or_as_plain_python(monkeypatch, settings, compiles):
    asked = []
    for kind in ("heuristic", "ordering"):
        whole = getattr(build.compiled, kind)

        def part(name, rules, *, compiled=True, kind=kind, whole=whole):
            asked.append((kind, name, str(rules), compiled))
            return whole(name, rules, compiled=compiled)

        monkeypatch.setattr(build.compiled, kind, part)
    tree(f"alphabeta:depth=2,heuristic=zero,order=open-windows{settings}", Board.from_moves("12", SMALL))
    assert asked.count(("heuristic", "zero", "5x4x3", compiles)) == 2  # in the search and in its trace
    assert asked.count(("ordering", "open-windows", "5x4x3", compiles)) == len(asked) - 2 == 2


def test_windows_and_values_are_maxs():
    trace = NegamaxTrace(Bounds(), None, 3)
    root = Node(Board(), None, 0)
    child = open_child(root, 3)
    trace._visit(root, -5, 7)
    trace._visit(child, -INFINITY, 4)
    assert (trace._leave(root, 3), trace._leave(child, 3, "over")) == (3, 3)
    assert (root.player, root.ply, root.alpha, root.beta, root.value, root.visited, root.leaf) == (
        "MAX",
        0,
        -5,
        7,
        3,
        1,
        "",
    )
    assert (child.player, child.ply, child.value, child.visited, child.leaf, child.column) == (
        "MIN",
        1,
        -3,
        2,
        "over",
        3,
    )
    assert (child.alpha, child.beta) == (-4, INFINITY)
    said = {0: ("0", "0"), -5: ("−5", "−5"), INFINITY: ("+∞", "+∞"), 999_998: ("a win in 2", "a loss in 2"),
            -999_998: ("a loss in 2", "a win in 2")}  # fmt: skip
    assert {value: (worth(value, "MAX"), worth(value, "MIN")) for value in said} == said


def test_columns_are_arranged_by_their_score_then_by_the_order_full_ones_left_out():
    order = type(
        "Order", (), {"columns": (3, 2, 4, 1, 5, 0, 6), "score": staticmethod(lambda own, opp, column: column % 3)}
    )
    assert list(arranged(order, Board.from_moves("444444333333"))) == [5, 4, 1, 0, 6]
    assert list(arranged(order, Board())) == [2, 5, 4, 1, 3, 0, 6]
    order.score = None
    assert list(arranged(order, Board.from_moves("444444"))) == [2, 4, 1, 5, 0, 6]
