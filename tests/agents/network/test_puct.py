import math
import random

import pytest

from agents.board import Board, Outcome, Rules
from agents.network.puct import PuctTree, terminal


def flat(boards):
    """Return equal chances and no opinion of the value."""
    return [({column: 1 / len(board.legal_moves()) for column in board.legal_moves()}, 0.0) for board in boards]


def uneven(boards):
    """Return chances and a value that depend on the board alone."""
    found = []
    for board in boards:
        chance = random.Random(board.key)
        weights = {column: chance.random() + 0.01 for column in board.legal_moves()}
        total = sum(weights.values())
        found.append(({column: weight / total for column, weight in weights.items()}, chance.uniform(-1, 1)))
    return found


def by_hand(board, batches, batch, c, evaluate):  # noqa: C901  the whole search
    """Return the root's visits, the positions evaluated and the best line: PUCT as the papers have it, on dictionaries.

    The paths to the leaves of a batch count as lost until the leaves are valued; a leaf that is met again ends it.
    """
    priors, values, number, total = {}, {}, {}, {}

    def opened(board):
        here = board.moves
        priors[here], values[here] = evaluate([board])[0]
        number[here], total[here] = dict.fromkeys(priors[here], 0), dict.fromkeys(priors[here], 0.0)
        return values[here]

    def worth(here, move):
        n = number[here][move]
        mean = total[here][move] / n if n else values[here]
        return mean + c * priors[here][move] * math.sqrt(1 + sum(number[here].values())) / (1 + n)

    def descended():
        leaf, path = board, []
        while leaf.moves in priors and terminal(leaf) is None:
            here = leaf.moves
            move = max(priors[here], key=lambda move: worth(here, move))
            number[here][move] += 1
            total[here][move] -= 1
            path.append((here, move))
            leaf = leaf.play(move)
        return leaf, path

    def back(path, value):
        for here, move in reversed(path):
            value = -value
            total[here][move] += 1 + value

    opened(board)
    for _ in range(batches):
        waiting = {}
        for _ in range(batch):
            leaf, path = descended()
            if leaf.moves in waiting:
                for here, move in path:
                    number[here][move] -= 1
                    total[here][move] += 1
                break
            if terminal(leaf) is None:
                waiting[leaf.moves] = leaf, path
            else:
                back(path, terminal(leaf))
        for leaf, path in waiting.values():
            back(path, opened(leaf))
    line, here = [], board.moves
    while not line or sum(number.get(here, {}).values()):
        line.append(max(priors[here], key=lambda move: (number[here][move], priors[here][move])))
        here = (*here, line[-1])
    return number[board.moves], len(priors), line


@pytest.mark.parametrize(("batch", "c"), [(1, 1.5), (4, 1.5), (16, 0.5), (64, 3.0)])
@pytest.mark.parametrize(
    "moves", ["", "4453", "112233", "2252576253462244111563365343671", "54712566226127126621574377157631535333444"]
)
def test_it_visits_and_evaluates_what_the_papers_say(moves, batch, c):
    board, batches = Board.from_moves(moves), 100 if batch == 1 else 6
    asked = []
    tree = PuctTree(board, lambda boards: asked.extend(boards) or uneven(boards), c)
    for _ in range(batches):
        tree.grow(batch)
    root = tree.root
    assert (root.visits, len(asked), tree.line()) == by_hand(board, batches, batch, c, uneven)
    assert (tree.evaluated, tree.visits) == (len(asked), sum(root.visits.values()))
    for move, visits in root.visits.items():
        assert root.mean(move) == (root.totals[move] / visits if visits else root.value)


@pytest.mark.parametrize("batch", [1, 4, 16])
@pytest.mark.parametrize("moves", ["112233", "12131", "445566"])
def test_it_finds_a_win_in_one_and_blocks_one(moves, batch):
    board = Board.from_moves(moves)
    tree = PuctTree(board, flat, 1.5)
    while tree.visits < 300:
        tree.grow(batch)
    urgent = [column for column in board.legal_moves() if terminal(board.play(column)) == -1.0]
    other = Board(board.rules, board.opp, board.own, board.ply)
    urgent = urgent or [column for column in board.legal_moves() if terminal(other.play(column)) == -1.0]
    assert tree.line()[0] in urgent
    assert sum(tree.root.visits.values()) == tree.visits
    assert all(abs(tree.root.totals[move]) <= tree.root.visits[move] + 1e-9 for move in tree.root.visits)


def test_the_same_evaluations_give_the_same_tree():
    trees = [PuctTree(Board.from_moves("44"), uneven, 1.0) for _ in range(2)]
    for tree in trees:
        for _ in range(20):
            tree.grow(8)
    assert trees[0].root.visits == trees[1].root.visits
    assert trees[0].line() == trees[1].line()
    assert trees[0].evaluated <= 1 + trees[0].visits


def test_a_finished_game_is_worth_what_it_is_to_the_side_that_would_move():
    assert terminal(Board.from_moves("1212121")) == -1.0
    assert terminal(Board()) is None
    assert terminal(Board.from_moves("4321311144234232", Rules(4, 4))) == 0.0
    assert terminal(Board(Rules(4, 4), 1, 2, 2, Outcome.FIRST_WINS)) == 1.0  # as where most fours win


def test_the_line_of_a_new_tree_is_its_likeliest_move():
    tree = PuctTree(Board(), lambda boards: [({3: 0.2, 1: 0.5, 0: 0.3}, 0.1) for _ in boards], 1.0)
    assert (tree.line(), tree.visits, tree.evaluated) == ([1], 0, 1)
    assert tree.root.mean(3) == 0.1  # nothing is known of it but the position
