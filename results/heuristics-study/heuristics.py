"""Four heuristics in the manner of the study of material, positional, threat and pattern evaluation.

Each is written from the plain meaning of its name, for 7x6; values are for the side to move.
"""

from agents.heuristics import column_cells, open_windows, playable, popcount, threats


def material(own, opp):
    """Lines begun and still open: a disc, two and three of them in a window count 1, 4 and 16."""
    value = 0
    for discs, worth in ((1, 1), (2, 4), (3, 16)):
        value += worth * (open_windows(own, opp, discs) - open_windows(opp, own, discs))
    return value


def positional(own, opp):
    """Discs near the middle: column 4 counts 4, its neighbours 3, and so on to 1 at the edges."""
    value = 0
    for column in range(7):
        worth = 4 - abs(column - 3)
        cells = column_cells(column)
        value += worth * (popcount(own & cells) - popcount(opp & cells))
    return value


def threat(own, opp):
    """Empty cells that complete a line: 10 each, and 50 more where a disc can land now."""
    value = 0
    now = playable(own, opp)
    mine, theirs = threats(own, opp), threats(opp, own)
    value += 10 * (popcount(mine) - popcount(theirs))
    value += 50 * (popcount(mine & now) - popcount(theirs & now))
    return value


def pattern(own, opp):
    """Shapes: twos and threes in open windows, threats, and the middle column, together."""
    centre = column_cells(3)
    value = 3 * (popcount(own & centre) - popcount(opp & centre))
    value += 5 * (open_windows(own, opp, 2) - open_windows(opp, own, 2))
    value += 20 * (open_windows(own, opp, 3) - open_windows(opp, own, 3))
    value += 10 * (popcount(threats(own, opp)) - popcount(threats(opp, own)))
    return value
