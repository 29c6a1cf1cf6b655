"""The four evaluations of Shifrin's tournament (2025), as its program computes them; 7x6.

Source: Yuval Shifrin, "Connect Four Heuristics Tournament", github.com/yuval-haim/4-in-a-row-huristics, 2025. `own` are
the discs that the program evaluates for. Only `material` and `positional` change their sign with the sides.
"""

from agents.heuristics import column_cells, open_windows, playable, popcount, row_cells, threats

WIN = 1_000_000
WEIGHTS = (3, 4, 5, 7, 5, 4, 3), (4, 6, 8, 10, 8, 6, 4), (5, 8, 11, 13, 11, 8, 5)
"""Of the two outer rows, the next two, and the two middle ones."""


def material(own, opp):
    """Open windows of one to four discs count 1, 10, 100 and 1000."""
    value = 0
    for discs, worth in ((1, 1), (2, 10), (3, 100), (4, 1000)):
        value += worth * (open_windows(own, opp, discs) - open_windows(opp, own, discs))
    return value


def positional(own, opp):
    """Lines through the cell of each disc, and 3 more in the middle column."""
    value = 3 * (popcount(own & column_cells(3)) - popcount(opp & column_cells(3)))
    for outer in range(3):
        rows = row_cells(outer) | row_cells(5 - outer)
        for column in range(7):
            cells = rows & column_cells(column)
            value += WEIGHTS[outer][column] * (popcount(own & cells) - popcount(opp & cells))
    return value


def threat(own, opp):
    """Own win in one, else the other side's; else open threes, and who has more than one."""
    landing = playable(own, opp)
    if threats(own, opp) & landing:
        return WIN
    if threats(opp, own) & landing:
        return -WIN
    mine, theirs = open_windows(own, opp, 3), open_windows(opp, own, 3)
    return 500 * ((mine > 1) - (theirs > 1)) + 50 * (mine - theirs)


def pattern(own, opp):
    """Open windows, neighbouring discs, and the columns where the other side's disc makes a four or an open three."""
    value = 0
    for discs, worth in ((1, 10), (2, 100), (3, 500)):
        value += worth * (open_windows(own, opp, discs) - open_windows(opp, own, discs))
    for stride in (1, 6, 7, 8):
        # Each pair of neighbours counts twice, once from either disc, and 5 each time.
        value += 10 * (popcount(own & own >> stride) - popcount(opp & opp >> stride))
    landing, wins = playable(own, opp), threats(opp, own)
    for column in range(7):
        disc = landing & column_cells(column)
        if disc & wins:
            value += 1500
        elif disc and open_windows(opp | disc, own, 3) > 0:
            value += 300
    return value
