"""The exact score in the most obvious way: alpha-beta on discs, with a dictionary of bounds and no other knowledge.

Run as a program, it writes the positions with scores that `data/solved.csv` holds:

    python tests/support/slow_solver.py > tests/data/solved.csv
"""

import csv
import random
import sys

from samples import DATA

from agents.board import STANDARD, Board, Outcome, Rules

SAMPLE = {
    STANDARD: (range(8, 19), 300),
    Rules(4, 4): (range(1, 17), 60),
    Rules(5, 4): (range(1, 16), 60),
    Rules(4, 5): (range(1, 17), 60),
    Rules(5, 5): (range(1, 16), 60),
    Rules(6, 6): (range(1, 17), 60),
    Rules(5, 5, 3): (range(1, 26), 60),
    Rules(6, 6, 5): (range(1, 15), 60),
    Rules(8, 7): (range(1, 13), 60),
    Rules(2, 20): (range(1, 17), 30),
}
"""For each board how many empty cells its positions have, and how many positions there are."""


class SlowSolver:
    """Knows the rules, and remembers the bounds of every position that it met."""

    def __init__(self, rules):
        self.rules = rules
        self.size = rules.columns * rules.rows
        self.bounds = {}

    def score(self, own, opp, alpha=-99, beta=99):
        """Return the score for the side to move: exact between the bounds, else on the same side of them."""
        ply = (own | opp).bit_count()
        if ply == self.size:
            return 0
        lower, upper = self.bounds.get((own, opp), (-99, 99))
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        children = [own | disc for disc in self.discs(own | opp)]
        if any(self.rules.line(child) for child in children):
            return (self.size + 1 - ply) // 2
        best = -99
        for child in children:
            best = max(best, -self.score(opp, child, -beta, -max(alpha, best)))
            if best >= beta:
                break
        if best > alpha:
            lower = best
        if best < beta:
            upper = best
        self.bounds[own, opp] = lower, upper
        return best

    def discs(self, taken):
        """Return the cell that each open column would fill next, central columns first."""
        height, columns = self.rules.rows + 1, self.rules.columns
        order = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))
        cells = (taken + (1 << column * height) & (1 << self.rules.rows) - 1 << column * height for column in order)
        return [cell for cell in cells if cell]


def careful_board(rules, plies, chance):
    """Return a position after so many random moves, none of which won or let the other win at once, or None."""
    board = Board(rules=rules)
    for _ in range(plies):
        quiet = [child for child in map(board.play, board.legal_moves()) if not wins_at_once(child)]
        if not quiet or any(child.outcome for child in quiet):
            return None
        board = chance.choice(quiet)
    return board


def wins_at_once(board):
    """Tell whether the side to move has a winning move."""
    winner = Outcome(board.mover)
    return any(board.play(column).outcome is winner for column in board.legal_moves())


def sample(seed=1988):
    """Yield the boards with their scores."""
    chance = random.Random(seed)
    for rules, (empty, number) in SAMPLE.items():
        boards = {}
        while len(boards) < number:
            board = careful_board(rules, rules.columns * rules.rows - chance.choice(empty), chance)
            if board is not None:
                boards[board.key] = board
        for board in boards.values():
            yield board, SlowSolver(rules).score(board.own, board.opp)


def solved():
    """Return the positions of `data/solved.csv` with their scores, by board."""
    with (DATA / "solved.csv").open(encoding="utf-8", newline="") as file:
        boards = {}
        for row in csv.DictReader(file):
            rules = Rules.parse(row["rules"])
            board = Board.from_moves(row["moves"].replace(" ", ","), rules)
            boards.setdefault(rules, []).append((board, int(row["score"])))
        return boards


SOLVED = solved()
MIDDLE = {
    "252237346254331227767": 2, "373517746543736115525": 0, "112473174374624122221": -1, "211465162322662543725": -1,
    "463211414447351567461": -2, "542371711152157743233": 0, "453644442145561766136": 0, "475657231626645553164": 0,
    "677431656675443165557": 0, "543327761443165546672": 0, "35475412732351745577": 2, "63577164246671144425": 0,
    "63746337531733577665": 0,
}  # fmt: skip
"""Positions of 20 and 21 discs."""


if __name__ == "__main__":
    sys.stdout.write("rules,moves,score\n")
    for board, score in sample():
        moves = " ".join(str(column + 1) for column in board.moves)
        sys.stdout.write(f"{board.rules},{moves},{score}\n")
