"""Boards of every shape, and discs on them without regard to whose turn it is or who has a line."""

import random

from recorded import tried

from agents.board import STANDARD, Rules
from agents.search import compiled

BOARDS = [
    STANDARD, Rules(5, 4), Rules(8, 6), Rules(9, 6), Rules(8, 7), Rules(4, 9), Rules(6, 5, 3), Rules(7, 7, 5),
    Rules(9, 6, 7), Rules(14, 3, 3), Rules(2, 20, 9), Rules(10, 5, 8), Rules(12, 4, 10), Rules(1, 20, 15),
    Rules(7, 7), Rules(16, 3, 2), Rules(3, 15, 2), Rules(2, 31, 2),
    Rules(4, 4, 3, most_fours=True),
]  # fmt: skip
"""Wide, high and long; windows take from one word to four, and those through a cell fit into one word or not."""


def positions(rules, number, seed=1):
    """Return discs of both sides on boards that fill up, where nobody need have stopped at a line."""
    chance, found = random.Random(f"{seed} {rules}"), []
    for place in range(number):
        own, opp, dense = 0, 0, chance.random()
        for _ in range(1 + place * rules.columns * rules.rows // number):
            free = [cells & ~(own | opp) for cells in rules.columns_of_cells]
            cell = chance.choice([cells & -cells for cells in free if cells] or [0])
            own, opp = (own | cell, opp) if chance.random() < dense else (own, opp | cell)
        found.append((own, opp))
    return found


def part_or_refusal(*given):
    """Return a part, or the line that refuses it on this board."""
    refused = tried(lambda: compiled.resolve(*given) and None)
    return refused or compiled.resolve(*given)
