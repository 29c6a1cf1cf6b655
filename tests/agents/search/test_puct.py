import math
import random

import pytest

from agents.board import Board
from agents.search.puct import Tree, terminal


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


def by_hand(board, visits, c, evaluate):
    """Return the visits of the root's moves: PUCT as the papers have it, one leaf at a time, on dictionaries."""
    priors, values, number, total = {}, {}, {}, {}

    def visit(board):
        result, here = terminal(board), board.moves
        if result is not None:
            return result
        if here not in priors:
            priors[here], values[here] = evaluate([board])[0]
            number[here], total[here] = dict.fromkeys(priors[here], 0), dict.fromkeys(priors[here], 0.0)
            return values[here]

        def worth(move):
            n = number[here][move]
            mean = total[here][move] / n if n else values[here]
            return mean + c * priors[here][move] * math.sqrt(1 + sum(number[here].values())) / (1 + n)

        best = max(priors[here], key=worth)
        value = -visit(board.play(best))
        number[here][best] += 1
        total[here][best] += value
        return value

    for _ in range(visits + 1):
        visit(board)
    return number[board.moves]


@pytest.mark.parametrize("moves", ["", "4453", "44455554221", "2252576253462244111563365343671"])
def test_one_leaf_at_a_time_it_visits_what_the_papers_say(moves):
    board = Board.from_moves(moves)
    tree = Tree(board, uneven, 1.5)
    for _ in range(100):
        tree.grow(1)
    assert tree.root.visits == by_hand(board, 100, 1.5, uneven)
    assert tree.visits == 100


@pytest.mark.parametrize("batch", [1, 4, 16])
@pytest.mark.parametrize("moves", ["112233", "12131", "445566"])
def test_it_finds_a_win_in_one_and_blocks_one(moves, batch):
    board = Board.from_moves(moves)
    tree = Tree(board, flat, 1.5)
    while tree.visits < 300:
        tree.grow(batch)
    urgent = [column for column in board.legal_moves() if terminal(board.play(column)) == -1.0]
    other = Board(board.rules, board.opp, board.own, board.ply)
    urgent = urgent or [column for column in board.legal_moves() if terminal(other.play(column)) == -1.0]
    assert tree.line()[0] in urgent
    assert sum(tree.root.visits.values()) == tree.visits
    assert all(abs(tree.root.totals[move]) <= tree.root.visits[move] + 1e-9 for move in tree.root.visits)


def test_the_same_evaluations_give_the_same_tree():
    trees = [Tree(Board.from_moves("44"), uneven, 1.0) for _ in range(2)]
    for tree in trees:
        for _ in range(20):
            tree.grow(8)
    assert trees[0].root.visits == trees[1].root.visits
    assert trees[0].line() == trees[1].line()
    assert trees[0].evaluated <= 1 + trees[0].visits


def test_a_finished_game_is_worth_what_it_is_to_the_side_that_would_move():
    assert terminal(Board.from_moves("1212121")) == -1.0
    assert terminal(Board()) is None
