"""Every node of search trees of each kind, with its window, value and words, as it was recorded."""

import hashlib
import random

import pytest
from recorded import holds, plain, tried

from agents.board import Board, Rules
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.score import WIN, of_outcome
from agents.search.control import PRUNE
from agents.specs.registry import parse
from arena.games.entrants import entrants
from arena.plugins.tree import build
from arena.plugins.tree.build import counterpart, traced, tree
from arena.plugins.tree.node import INFINITY, Bounds, Node, arranged, open_child, worth
from arena.plugins.tree.traces import NegamaxTrace

SMALL, MOST = Rules(4, 4, 3), Rules(5, 4, 3, most_fours=True)
LATER = "547125662261271266215743771576315353334"
TREES = (
    ("minimax:depth=2", "4453", None), ("alphabeta:depth=3,order=centre", "17273", None),
    ("alphabeta:depth=4,order=open-windows", "112233", None), ("alphabeta:depth=3,heuristic=zero", "1717", 2),
    ("alphabeta:order=centre,table=on,deepening=on", "44", 4), ("alphabeta:deepening=on,order=column-score", "4", 3),
    ("alphabeta:nodes=150,order=centre", "4444", None), ("mollerhoj:depth=2", "171727", None),
    ("mollerhoj:pruning=on", "1717", None), ("smart-connect4:heuristic=simple,depth=3", "4455", None),
    ("mollerhoj:depth=9", LATER[:-2], None), ("alphabeta:order=centre,deepening=on", LATER[:-3], 9),
    ("smart-connect4:heuristic=simple,depth=9", LATER, None),
)  # fmt: skip
SMALLER = (
    ("alphabeta:order=centre,table=on,table-size=1", "1122", SMALL, 6),
    ("alphabeta:order=centre", "3332211", MOST, 3), ("alphabeta:order=centre", "333221111444", MOST, 8),
)  # fmt: skip


def line(node, found):
    """Return all that a node says, in a line."""
    path = ",".join(str(column + 1) for column in node.board.moves[found.board.ply :])
    best = None if node.best is None else node.best.column
    said = node.player, node.alpha, node.beta, node.value, node.visited, node.leaf, node.cut, node.note, best
    return f"{path or 'root'}: {' | '.join(map(str, (*said, node.pruned)))}"


def kept(found):
    """Return a tree as plain data: its answer, some of its nodes, and the hash of all."""
    lines = [line(node, found) for node in found.root]
    whole = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    answer = found.agent, found.depth, found.nodes, found.value, found.move
    worths = [worth(node.value, node.player) for node in found.line if node.value is not None]
    few = [*lines[:3], *lines[3 :: len(lines) // 6 + 1]]
    return [answer, len(lines), whole, worths, [node.column for node in found.line], few]


@pytest.mark.skipif(not JIT, reason="some of these searches take long as plain Python")
def test_trees(request):
    found = {}
    for spec, moves, depth in TREES:
        made = tree(spec, Board.from_moves(moves), depth)
        found[f"{spec} after {moves} to {depth}"] = kept(made)
    for spec, moves, rules, depth in SMALLER:
        made = tree(spec, Board.from_moves(moves, rules), depth)
        found[f"{spec} after {moves} on {rules}"] = kept(made)
    holds("tree-nodes", plain(found), request)


@pytest.mark.skipif(not JIT, reason="some of these searches take long as plain Python")
def test_counterparts(request):
    found, board = {}, Board.from_moves("4453")
    for spec, depth in (
        ("alphabeta:order=centre,table=on,depth=3", 3), ("minimax:heuristic=zero", 3), ("mollerhoj", 2),
        ("smart-connect4", 2),
    ):  # fmt: skip
        other = counterpart(spec, board, depth)
        found[spec] = None if other is None else kept(other)[:4]
        few = counterpart(parse(spec), board, depth, Bounds(nodes=20))
        found[f"{spec} within 20 nodes"] = None if few is None else kept(few)[:2]
    holds("tree-counterparts", plain(found), request)


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


def test_what_has_no_tree_is_told_why(tmp_path, request):
    mine = "class Mine:\n    def choose(self, board, limits): ...\n"
    (tmp_path / "mine.py").write_text(mine)
    (tmp_path / "hw.py").write_text(f"def spare(board): ...\n\n\ndef evaluate(own, opp): ...\n\n\n{mine}")
    board, over = Board.from_moves("44"), Board.from_moves("1212121")
    found = {}
    for spec in (
        "greedy",
        "perfect",
        "oneil",
        "itu-2012",
        "alphabeta:killers=on,depth=2",
        "alphabeta:pvs=on,depth=2",
        "alphabeta:nodes=1",
    ):
        found[spec] = tried(tree, spec, board)
    for file in ("mine.py", "hw.py"):
        [agent] = entrants([f"{tmp_path / file}:Mine"])
        found[file] = tried(tree, agent, board).replace(str(tmp_path), "")
    found["over"] = tried(tree, "minimax:depth=2", over)
    for most in (56, 57):
        found[f"within {most} nodes"] = tried(
            lambda most=most: tree("minimax:depth=2", board, None, Bounds(most)).nodes
        )
    table = "alphabeta:order=centre,table=on,table-size=1,deepening=on"
    whole = parse(table).build().choose(board, build.Limits(3))
    last = whole.nodes - whole.iterations[-2].nodes
    for most in (whole.nodes, whole.nodes - 1):  # the iterations before fill the table, and are traced as well
        found[f"{whole.nodes - most} fewer than the nodes of a table"] = tried(
            lambda most=most: tree(table, board, 3, Bounds(most)).nodes == last
        )
    stopped = Bounds()
    stopped.stop()
    found["stopped"] = tried(tree, "minimax:depth=2", board, None, stopped)
    holds("tree-refused", found, request)


def test_the_search_of_a_tree_can_be_stopped_and_forgets_what_it_was_told(monkeypatch):
    bounds, agent, asked = Bounds(), Searcher(depth=2), []
    for name in ("prepare", "new_game"):
        whole = getattr(build, name)
        monkeypatch.setattr(build, name, lambda *given, whole=whole: asked.append(given) or whole(*given))
    found = traced("mine", agent, Board(), None, bounds)
    assert (found.agent, found.nodes, bounds.agent) == ("mine", parse("alphabeta:depth=2").build().choose(
        Board(), build.Limits()).nodes, agent)  # fmt: skip
    assert asked == [(agent, Rules(), "mine"), (agent, 0)]
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
    assert asked.count(("heuristic", "zero", "4x4x3", compiles)) == 2  # in the search and in its trace
    assert asked.count(("ordering", "open-windows", "4x4x3", compiles)) == len(asked) - 2 == 2


def test_windows_and_values_are_maxs(request):
    trace = NegamaxTrace(Bounds(), None, 3)
    root = Node(Board(), None, 0)
    child = open_child(root, 3)
    trace._visit(root, -5, 7)
    trace._visit(child, -INFINITY, 4)
    given = trace._leave(root, 3), trace._leave(child, 3, "over")
    names = ("player", "ply", "alpha", "beta", "value", "visited", "leaf", "column")
    found = {"given": given, "nodes": [[getattr(each, name) for name in names] for each in (root, child)]}
    values = (0, 5, -5, INFINITY, -INFINITY, 999_998, -999_998)
    found["worth"] = [[worth(value, player) for player in ("MAX", "MIN")] for value in values]
    order = type(
        "Order", (), {"columns": (3, 2, 4, 1, 5, 0, 6), "score": staticmethod(lambda own, opp, column: column % 3)}
    )
    found["arranged"] = arranged(order, Board.from_moves("444444333333")), arranged(order, Board())
    order.score = None
    found["in its order"] = arranged(order, Board.from_moves("444444"))
    holds("tree-windows", plain(found), request)
