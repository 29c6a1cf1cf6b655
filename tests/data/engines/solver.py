"""A solver as Pons' prints: it sees wins in one, and takes all else for a draw, or boasts where its word says so."""

import sys

from agents.board import Board

for line in sys.stdin:
    board = Board.from_moves(line.strip())
    wins = any(
        (after := board.play(column)).outcome and after.outcome.winner is not None for column in board.legal_moves()
    )
    score = (43 - board.ply) // 2 if wins else 0
    print(f"{line.strip()} {99 if sys.argv[1:] == ['boasts'] else score}", flush=True)
