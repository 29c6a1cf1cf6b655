"""Checks a proof in the most obvious way: boards, recursion and a set, from the format's description alone.

python tests/support/slow_proof.py FILE
"""

import gzip
import sys
from pathlib import Path

from agents.board import Board, Rules


class WrongError(Exception):
    """The proof does not hold."""


class SlowChecker:
    """Follows one side's moves against every reply."""

    def __init__(self, board, prover, *, draws, moves):
        self.prover, self.draws, self.moves = prover, draws, iter(moves)
        self.proven = set()
        self.follow(board)

    def follow(self, board):
        if board.outcome is not None:
            winner = board.outcome.winner
            if winner != self.prover and (winner is not None or not self.draws):
                raise WrongError(f"{board.outcome} after {board.text}")
        elif board.mover != self.prover:
            for column in board.legal_moves():
                self.follow(board.play(column))
        elif not self.winning(board) and not {board, board.mirror()} & self.proven:
            self.proven.add(board)
            self.follow(board.play(self.move(board)))

    def move(self, board):
        legal = board.legal_moves()
        other = Board(board.rules, board.opp, board.own, board.ply + 1)  # as if it were the loser's turn
        threats = [column for column in legal if other.play(column).outcome not in (None, board_full(other, column))]
        if threats or len(legal) == 1:
            return (threats or legal)[0]
        column = next(self.moves, None)
        if column not in legal:
            raise WrongError(f"no legal move after {board.text}")
        return column

    @staticmethod
    def winning(board):
        return any(getattr(board.play(column).outcome, "winner", None) is not None for column in board.legal_moves())


def board_full(board, column):
    """Return the outcome of a move if it is a draw."""
    outcome = board.play(column).outcome
    return outcome if outcome is not None and outcome.winner is None else None


def slow_check(board, outcome, moves):
    """Return how many positions a proof holds. Raises WrongError."""
    left, positions = iter(moves), 0
    provers = {1: [0], -1: [1], 0: [0, 1]}[outcome]
    for prover in provers:
        checker = SlowChecker(board, board.mover ^ prover, draws=outcome == 0, moves=left)
        positions += len(checker.proven)
    if list(left):
        raise WrongError("moves are left over")
    return positions


def main(path):
    header, _, moves = gzip.decompress(Path(path).read_bytes()).partition(b"\n")
    rules, outcome, position = header.decode().removeprefix("connect4-arena proof ").split(" ")
    sys.setrecursionlimit(10_000)
    board = Board.from_moves(position, Rules.parse(rules))
    sys.stdout.write(f"{slow_check(board, {'win': 1, 'draw': 0, 'loss': -1}[outcome], moves)} positions\n")


if __name__ == "__main__":
    main(sys.argv[1])
