import random
import threading
import time

import pytest

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.specs.registry import parse
from arena.games.entrants import specs_of
from arena.games.entries import Entry
from arena.plugins.tree.build import counterpart, tree
from arena.plugins.tree.node import INFINITY, Bounds

POSITIONS = 25 if JIT else 4


DEEPEST = {
    "minimax:heuristic=smart-simple": 4,
    "minimax:heuristic=line-runs": 3,
    "alphabeta": 5,
    "alphabeta:order=centre,heuristic=powers-of-ten": 5,
    "alphabeta:order=column-score,heuristic=zero": 5,
    "alphabeta:order=column-score-published,heuristic=line-runs-published": 5,
    "alphabeta:order=open-windows,deepening=on": 5,
    "alphabeta:order=centre,table=on": 5,
    "alphabeta:order=open-windows,table=on,table-size=1,deepening=on": 5,
    "alphabeta:order=centre,nodes=2000": 5,
    "mollerhoj": 3,
    "mollerhoj:pruning=on,depth=5": 5,
    "smart-connect4:heuristic=simple": 5,
    "smart-connect4:pruning=off": 4,
}


def drawn(seed, *, plies=36, rules=STANDARD):
    """Return a random position that is not over."""
    chance = random.Random(seed)
    board = Board(rules)
    for _ in range(chance.randrange(plies)):
        after = board.play(chance.choice(board.legal_moves()))
        if after.outcome is None:
            board = after
    return board


def visits(root):
    return [node.visited for node in root if node.visited is not None]


def check(found, spec, board, depth):
    answer = parse(spec).build().choose(board, Limits(depth))
    before = [0, *(iteration.nodes for iteration in answer.iterations)][-2]
    assert (found.nodes, found.value, found.move) == (answer.nodes - before, answer.score, answer.column)
    assert visits(found.root) == list(range(1, found.nodes + 1))
    assert tuple(node.column for node in found.line[1:]) == answer.pv
    assert {node.value for node in found.line} == {found.value}


@pytest.mark.parametrize("spec", DEEPEST)
def test_a_tree_has_the_kernels_nodes_value_move_and_line(spec):
    for seed in range(POSITIONS):
        board = drawn(seed)
        depth = 1 + seed % (DEEPEST[spec] if JIT else 3)
        if "nodes=" in spec:
            answer = parse(spec).build().choose(board, Limits(depth))
            found = tree(spec, board, depth)
            last = answer.iterations[-1]
            assert (found.depth, found.value, found.move) == (last.depth, last.score, last.column)
            if answer.nodes == last.nodes:  # else it was interrupted in the next iteration
                check(found, spec, board, depth)
        else:
            check(tree(spec, board, depth), spec, board, depth)


@pytest.mark.parametrize(
    "rules", [Rules(5, 4, 3), *(pytest.param(Rules(*size), marks=pytest.mark.compiles) for size in ((4, 4), (8, 7)))]
)
def test_other_boards_have_trees_too(rules):
    for spec in ("alphabeta:order=open-windows,heuristic=powers-of-ten,table=on", "mollerhoj"):
        for seed in range(4):
            board = drawn(seed, plies=10, rules=rules)
            check(tree(spec, board, 3), spec, board, 3)


def test_a_cut_says_why_and_leaves_the_other_columns_unvisited():
    found = tree("alphabeta:depth=4,order=centre", drawn(7, plies=10))
    cuts = [node for node in found.root if node.cut]
    assert cuts
    for node in cuts:
        assert node.value >= node.beta if node.player == "MAX" else node.value <= node.alpha
        assert node.cut.startswith(f"{node.player} already has ")
        unvisited = [child for child in node.children if child.visited is None]
        assert [child.column for child in unvisited] == node.pruned
        assert all(child.value is None and not child.children for child in unvisited)
        assert {child.column for child in node.children} == set(node.board.legal_moves())


def test_minimax_cuts_nothing_and_searches_every_window_open():
    found = tree("minimax:depth=3", drawn(7, plies=10))
    assert {(node.alpha, node.beta) for node in found.root} == {(-INFINITY, INFINITY)}
    assert not any(node.cut or node.visited is None for node in found.root)


def test_an_inner_value_is_the_best_of_the_children_that_were_visited():
    for node in tree("alphabeta:depth=4,order=open-windows", drawn(5, plies=10)).root:
        values = [child.value for child in node.children if child.visited]
        if values:
            assert node.value == (max(values) if node.player == "MAX" else min(values))


@pytest.mark.parametrize(
    "spec",
    [
        "alphabeta:order=centre,table=on,table-size=1",
        pytest.param("alphabeta:order=open-windows,table=on,table-size=1,deepening=on", marks=pytest.mark.compiles),
        "alphabeta:order=open-windows,deepening=on",
    ],
)
def test_deep_trees_of_a_small_board_are_the_kernels_too(spec):
    for seed in range(8):
        board = drawn(seed, plies=11, rules=Rules(5, 4, 3))
        check(tree(spec, board, 6), spec, board, 6)


def test_the_counterpart_has_the_other_half():
    board = Board.from_moves("4453")
    pruned = tree("smart-connect4:depth=4", board)
    whole = counterpart("smart-connect4:depth=4", board, pruned.depth)
    assert whole.agent == "minimax"
    assert (whole.value, whole.move) == (pruned.value, pruned.move)
    values = {node.board.moves: node.value for node in whole.root}
    assert all(node.board.moves in values for node in pruned.root)
    again = counterpart("smart-connect4:depth=4,pruning=off", board, 4)
    assert (again.agent, again.nodes) == ("alpha-beta", pruned.nodes)
    assert counterpart("alphabeta:depth=4", board, 4, Bounds(nodes=1000)) is None


@pytest.mark.parametrize(
    ("spec", "moves", "message"),
    [
        ("mcts", "", "has no tree to show"),
        ("perfect", "", "has no tree to show"),
        ("oneil", "", "has no tree to show: only minimax and alpha-beta"),
        ("itu-2012", "", "has no tree to show: only minimax and alpha-beta"),
        ("alphabeta:depth=3", "1212121", "already over"),
        pytest.param(
            "minimax:depth=7", "", "give a smaller --depth",
            marks=pytest.mark.skipif(not JIT, reason="it begins a large tree, which takes seconds as plain Python"),
        ),
        ("alphabeta:nodes=3", "", "finishes no depth"),
    ],
)  # fmt: skip
def test_what_has_no_tree_says_so(spec, moves, message):
    with pytest.raises(InputError, match=message):
        tree(spec, Board.from_moves(moves))


@pytest.mark.parametrize(
    ("spec", "use"),
    [
        ("mine.py", "use alphabeta:heuristic=mine.py:worth, which"),
        ("mine.py:Bot:depth=2", "use alphabeta:heuristic=mine.py:worth, which"),
        ("bare.py:choose", "use alphabeta:heuristic=bare.py:FUNCTION, which"),
        ("kaggle:bare.py", "only minimax and alpha-beta"), ("cmd:./program", "only minimax and alpha-beta"),
        ("uci:./program", "only minimax and alpha-beta"),
    ],
)  # fmt: skip
def test_nothing_of_a_users_is_run_to_say_that_it_has_no_tree(tmp_path, monkeypatch, spec, use):
    monkeypatch.chdir(tmp_path)
    runs = "import pathlib\npathlib.Path('ran').touch()\n"
    (tmp_path / "bare.py").write_text(f"{runs}def choose(board):\n    return 3\n")
    (tmp_path / "mine.py").write_text(
        f"{runs}class Bot:\n    def __init__(self, depth=1): ...\n\n    def choose(self, board): ...\n\n\n"
        "def worth(own, opp):\n    return own & 1\n"
    )
    (tmp_path / "program").write_text("#!/bin/sh\ntouch ran\n")
    (tmp_path / "program").chmod(0o755)
    one = parse(spec)
    apart = specs_of([("a", Entry("a", spec, str(tmp_path)), None)], {"everyone": True})
    for asked in (spec, one, *(apart if ".py" in spec else ())):
        with pytest.raises(InputError) as raised:
            tree(asked, Board())
        assert str(raised.value).startswith(f"agent {getattr(asked, 'text', one.text)!r} has no tree to show: ")
        assert use in str(raised.value) or asked in apart
    assert not (tmp_path / "ran").exists()


def test_a_tree_is_given_up_when_somebody_says_so():
    bounds = Bounds()
    bounds.stop()
    with pytest.raises(InputError, match="takes too long"):
        tree("minimax:depth=3", Board(), bounds=bounds)


def test_a_long_search_for_a_tree_can_be_stopped():
    bounds = Bounds(seconds=60)
    timer = threading.Timer(0.3, bounds.stop)
    timer.start()
    began = time.monotonic()
    with pytest.raises(InputError, match="finishes no depth"):
        tree("alphabeta:depth=40", Board(), bounds=bounds)
    assert time.monotonic() - began < 30
    timer.join()
