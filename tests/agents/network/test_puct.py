import math
import random

import pytest
from recorded import holds, plain

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
    tree = PuctTree(board, uneven, 1.5)
    for _ in range(100):
        tree.grow(1)
    assert tree.root.visits == by_hand(board, 100, 1.5, uneven)
    assert tree.visits == 100


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


def test_leaves_in_batches_stay(request):
    found = {}
    for moves in ("", "4453", "112233", "2252576253462244111563365343671", "54712566226127126621574377157631535333444"):
        for batch, c in ((1, 1.5), (4, 1.5), (16, 0.5), (64, 3.0)):
            tree, rows = PuctTree(Board.from_moves(moves), uneven, c), []
            for _ in range(6):
                tree.grow(batch)
                root = tree.root
                assert root.visits.keys() == root.totals.keys() == root.priors.keys()
                totals = {move: round(total, 9) for move, total in root.totals.items()}
                rows.append([tree.visits, tree.evaluated, root.visits, totals, tree.line()])
            mean = [round(root.mean(move), 9) for move in root.priors]
            found[f"{moves} {batch}"] = [rows, mean, root.best(c), round(root.value, 9), root.result]
    holds("search-puct", plain(found), request)


def test_the_line_of_a_new_tree_is_its_likeliest_move():
    tree = PuctTree(Board(), lambda boards: [({3: 0.2, 1: 0.5, 0: 0.3}, 0.1) for _ in boards], 1.0)
    assert (tree.line(), tree.visits, tree.evaluated) == ([1], 0, 1)
    assert tree.root.mean(3) == 0.1  # nothing is known of it but the position
