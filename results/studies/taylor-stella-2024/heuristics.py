"""The evaluation of Taylor and Stella (2024) as those who cite it describe it; 7x6.

Source: H. Taylor, L. Stella, "An Evolutionary Framework for Connect-4 as Test-Bed for Comparison of Advanced Minimax,
Q-Learning and MCTS", arXiv 2405.16595. README.md says what is not known of it.
"""

from agents.heuristics import column_cells, popcount


def worth(own):
    """Count runs of one to three discs as 1, 2 and 6, discs in column 4 as 4, beside it as 2, next to these as 1."""
    value = 4 * popcount(own & column_cells(3)) + 2 * popcount(own & (column_cells(2) | column_cells(4)))
    value += popcount(own & (column_cells(1) | column_cells(5)))
    for stride in (1, 6, 7, 8):
        starts = own & ~(own << stride)
        two = starts & own >> stride
        three = two & own >> 2 * stride
        value += popcount(starts & ~two) + 2 * popcount(two & ~three) + 6 * popcount(three & ~(own >> 3 * stride))
    return value


def lines(own, opp):
    """Return the worth of the side to move less that of the other."""
    return worth(own) - worth(opp)
