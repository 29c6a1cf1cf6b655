import itertools

import pytest
from grid import open_boards
from hypothesis import given
from hypothesis import strategies as st
from slow_search import INFINITY, SlowSearch

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.score import WIN
from agents.search import compiled as parts
from arena.analysis.effort import uniform_nodes
from arena.measure.minimal import minimal_nodes

TINY = [Rules(3, 3, 3), Rules(2, 5, 3), Rules(3, 2, 2)]
SMALL = [STANDARD, Rules(5, 4, 3), Rules(8, 7)] if JIT else [Rules(5, 4, 3)]
DEEPEST = 4 if JIT else 3
INFINITE = float("inf")


def evaluate_on(rules, heuristic="powers-of-ten"):
    return parts.heuristic(heuristic, rules).evaluate


def end(board, depth, distance, evaluate, *, normal_win=True):
    """Return a leaf's value for the side to move at the root, None for a node that is none."""
    if board.outcome is not None and normal_win:
        value = 0 if board.outcome.winner is None else distance - WIN
    elif board.outcome is not None or distance == depth:
        value = evaluate(board.own, board.opp)
    else:
        return None
    return value if distance % 2 == 0 else -value


def proofs(board, depth, value, shows, evaluate, distance=0, path=()):
    """Yield, as sets of nodes, all trees of one kind: `shows` 1 that the root is worth `value` at least, -1 at most."""
    leaf = end(board, depth, distance, evaluate)
    if leaf is not None:
        if shows * leaf >= shows * value:
            yield frozenset([path])
        return
    children = [
        list(proofs(board.play(column), depth, value, shows, evaluate, distance + 1, (*path, column)))
        for column in board.legal_moves()
    ]
    one_is_enough = (distance % 2 == 0) == (shows > 0)
    choices = (
        itertools.chain(*children) if one_is_enough else (frozenset().union(*c) for c in itertools.product(*children))
    )
    for choice in choices:
        yield choice | {path}


class Cheapest:
    """The sizes of the smallest trees, worked out on boards, and the order of moves that alpha-beta needs for them."""

    def __init__(self, depth, value, evaluate, *, normal_win=True):
        self.depth, self.value, self.evaluate, self.normal_win = depth, value, evaluate, normal_win
        self.root_ply = None
        self.known = {}

    def sizes(self, board):
        """Return least, most and both."""
        if self.root_ply is None:
            self.root_ply = board.ply
        if (board.own, board.opp) not in self.known:
            self.known[board.own, board.opp] = self._sizes(board)
        return self.known[board.own, board.opp]

    def _sizes(self, board):
        distance = board.ply - self.root_ply
        leaf = end(board, self.depth, distance, self.evaluate, normal_win=self.normal_win)
        if leaf is not None:
            return tuple(
                1 if shown else INFINITE for shown in (leaf >= self.value, leaf <= self.value, leaf == self.value)
            )
        below = [self.sizes(board.play(column)) for column in board.legal_moves()]
        first = distance % 2 == 0
        one = 1 + min(least if first else most for least, most, _ in below)
        every = 1 + sum(most if first else least for least, most, _ in below)
        joint = min(
            (both + every - (most if first else least) for least, most, both in below if both < INFINITE),
            default=INFINITE,
        )
        return (one, every, joint) if first else (every, one, joint)

    def order(self, board):
        """Return the columns, first on the common line the best one, and beside it the cheapest that suffices."""
        first = (board.ply - self.root_ply) % 2 == 0
        sizes = {column: self.sizes(board.play(column)) for column in board.legal_moves()}
        joint = self.sizes(board)[2] < INFINITE

        def cost(column):
            least, most, both = sizes[column]
            spare = both - (most if first else least) if both < INFINITE else INFINITE
            return (spare if joint else 0, least if first else most)

        return sorted(sizes, key=cost)


@given(open_boards(TINY), st.integers(1, 3), st.sampled_from(["powers-of-ten", "zero"]))
def test_it_is_the_smallest_union_of_all_pairs_of_proofs(board, depth, heuristic):
    evaluate = evaluate_on(board.rules, heuristic)
    value, _ = SlowSearch(evaluate, lambda b: b.legal_moves(), pruning=False).search(board, depth)
    shown = [list(proofs(board, depth, value, shows, evaluate)) for shows in (1, -1)]
    smallest = min(len(one | other) for one, other in itertools.product(*shown))
    assert minimal_nodes(board, depth, value, parts.heuristic(heuristic, board.rules)) == smallest


@given(open_boards(SMALL), st.integers(1, DEEPEST))
def test_an_alpha_beta_that_knows_the_cheapest_moves_visits_just_that(board, depth):
    evaluate = evaluate_on(board.rules)
    value, _ = SlowSearch(evaluate, lambda b: b.legal_moves(), pruning=True).search(board, depth)
    cheapest = Cheapest(depth, value, evaluate)
    cheapest.sizes(board)
    search = SlowSearch(evaluate, cheapest.order, pruning=True)
    assert search.search(board, depth)[0] == value
    assert minimal_nodes(board, depth, value, parts.heuristic("powers-of-ten", board.rules)) == search.nodes


@given(open_boards(SMALL), st.integers(1, DEEPEST + 1), st.booleans(), st.sampled_from(["centre", "open-windows"]))
def test_no_alpha_beta_visits_fewer_nodes(board, depth, deepening, order):
    found = Searcher(depth=depth, order=order, deepening=deepening).choose(board, Limits())
    least = minimal_nodes(board, found.depth, found.score, parts.heuristic("powers-of-ten", board.rules))
    assert 2 <= least <= found.nodes


@pytest.mark.parametrize("normal_win", [True, False])
@pytest.mark.parametrize("heuristic", ["powers-of-ten", "zero"])
@pytest.mark.parametrize(
    ("rules", "drawn"),
    [(TINY[0], "111322323"), (TINY[0], "312332121"), (TINY[1], "1121222211"), (Rules(5, 4, 3), "13555534411322344122")],
)
def test_a_board_that_fills_up_ends_the_game_before_the_depth_at_it_and_after_it(rules, drawn, heuristic, normal_win):
    evaluate = evaluate_on(rules, heuristic)
    worth = {} if normal_win else {"worth": lambda board, distance, left: evaluate(board.own, board.opp)}
    for left, depth in itertools.product(range(1, 6), range(1, 7)):
        board = Board.from_moves(drawn[:-left], rules)
        value, _ = SlowSearch(evaluate, Board.legal_moves, pruning=True, **worth).search(board, depth)
        *_, least = Cheapest(depth, value, evaluate, normal_win=normal_win).sizes(board)
        found = minimal_nodes(board, depth, value, parts.heuristic(heuristic, rules), normal_win=normal_win)
        assert found == least, (left, depth)


@given(open_boards([STANDARD]), st.integers(1, 3))
def test_a_finished_game_may_be_worth_what_the_heuristic_says(board, depth):
    found = Searcher(depth=depth, pruning=False, normal_win=False).choose(board, Limits())
    prepared = parts.heuristic("powers-of-ten", STANDARD)
    assert 2 <= minimal_nodes(board, depth, found.score, prepared, normal_win=False) <= found.nodes


@pytest.mark.parametrize(("columns", "depth"), [(7, 0), (7, 1), (7, 2), (7, 6), (3, 5), (1, 4)])
def test_the_formula_counts_the_nodes_that_alpha_beta_visits_in_a_uniform_tree(columns, depth):
    def visited(left, alpha, beta):
        if left == 0:
            return 0, 1
        nodes, best = 1, -INFINITY
        for _ in range(columns):
            value, below = visited(left - 1, -beta, -max(alpha, best))
            nodes, best = nodes + below, max(best, -value)
            if best >= beta:
                break
        return best, nodes

    assert uniform_nodes(columns, depth) == visited(depth, -INFINITY, INFINITY)[1]


def test_where_no_board_fills_up_and_all_is_worth_the_same_it_is_the_formula():
    zero = parts.heuristic("zero", STANDARD)
    for depth in range(1, 7):
        assert minimal_nodes(Board(), depth, 0, zero) == uniform_nodes(7, depth)


def test_it_is_not_looked_for_where_a_ply_has_too_many_positions():
    zero = parts.heuristic("zero", STANDARD)
    assert minimal_nodes(Board(), 4, 0, zero, limit=238) == uniform_nodes(7, 4)
    assert minimal_nodes(Board(), 4, 0, zero, limit=237) is None


def test_there_is_none_for_a_value_that_the_position_has_not():
    zero = parts.heuristic("zero", STANDARD)
    assert minimal_nodes(Board(), 3, 1, zero) is None


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_a_heuristic_as_plain_python_has_the_same_tree():
    compiled, plain = (parts.heuristic("powers-of-ten", STANDARD, compiled=each) for each in (True, False))
    value = Searcher(depth=4).choose(Board(), Limits()).score
    assert minimal_nodes(Board(), 4, value, plain) == minimal_nodes(Board(), 4, value, compiled)


def test_where_most_fours_win_it_is_found_before_the_end_of_the_game():
    rules = Rules(5, 4, 3, most_fours=True)
    board = Board.from_moves("33322", rules)
    for depth in (1, 3, 4):
        found = Searcher(depth=depth, order="centre").choose(board, Limits())
        least = minimal_nodes(board, depth, found.score, parts.heuristic("powers-of-ten", rules))
        assert 2 <= least <= found.nodes
    assert minimal_nodes(board, 15, 0, parts.heuristic("powers-of-ten", rules)) is None
