"""Discs on boards of every shape, without regard to whose turn it is or who has a line."""

import random


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
