"""The two evaluations of Kang, Wang and Hu (2019), and parts of the first for its ablation; 7x6.

Source: X. Kang, Y. Wang, Y. Hu, "Research on Different Heuristics for Minimax Algorithm Insight from Connect-4 Game",
Journal of Intelligent Learning Systems and Applications 11 (2019), tables 1 and 2, doi 10.4236/jilsa.2019.112002. The
paper has no code; README.md says how its words are read here.
"""

from agents.heuristics import all_cells, column_cells, playable, popcount, row_cells

INFINITE = 2_000_000
"""Above all sums of the others that games reach; the search clamps values beyond 900,000 to just below that."""
WEIGHTS = (3, 4, 5, 7, 5, 4, 3), (4, 6, 8, 10, 8, 6, 4), (5, 8, 11, 13, 11, 8, 5)
"""H2's matrix: of the outer rows, the next two, and the two in the middle."""
SINGLE = 40, 70, 120, 200, 120, 70, 40


def spaces(own, opp, start, stride, sign):
    """Count the free cells, five at most, that follow a cell along a line up to the first that is not free."""
    free, found, unbroken = all_cells() & ~(own | opp), 0, 1
    for step in range(1, 6):
        cell = start << step * stride if sign > 0 else start >> step * stride
        unbroken = unbroken if cell & free else 0
        found += unbroken
    return found


def features(own, opp):
    """Return what features 2, 3 and 4 are worth to one side: threes, twos and single discs."""
    three = two = one = 0
    landing = playable(own, opp)
    connected = own & 0
    for stride in (1, 6, 7, 8):
        pairs = own & own >> stride
        threes = pairs & own >> 2 * stride
        connected |= pairs | pairs << stride
        before, after = landing << stride, landing >> 3 * stride
        both = popcount(threes & before & after)
        three += INFINITE * both + 900_000 * (popcount(threes & (before | after)) - both)
        apart = pairs & own >> 3 * stride & landing >> 2 * stride
        two += 900_000 * (popcount(apart) + popcount(own & pairs >> 2 * stride & landing >> stride))
        twos = pairs & ~threes & ~(threes << stride)
        before, after = twos & landing << stride, twos & landing >> 2 * stride
        two += 50_000 * popcount(before & after)
        rest = before ^ after
        while rest:
            start = rest & -rest
            rest ^= start
            down = (start & before) != 0
            found = spaces(own, opp, start if down else start << stride, stride, -1 if down else 1)
            two += 10_000 * max(0, found - 1)
    lonely = own & ~connected
    for column in range(7):
        one += SINGLE[column] * popcount(lonely & column_cells(column))
    return three, two, one


def make(rules, threes=1, twos=1, ones=1):
    """H1 with only some of its features 2, 3 and 4; feature 1, the four, ends the game in every search."""

    def some(own, opp):
        mine, theirs = features(own, opp), features(opp, own)
        return threes * (mine[0] - theirs[0]) + twos * (mine[1] - theirs[1]) + ones * (mine[2] - theirs[2])

    return some


def first(own, opp):
    """H1: all features, the player's less the opponent's."""
    mine, theirs = features(own, opp), features(opp, own)
    return mine[0] - theirs[0] + mine[1] - theirs[1] + mine[2] - theirs[2]


def second(own, opp):
    """H2: each disc counts its cell's weight."""
    value = 0
    for outer in range(3):
        rows = row_cells(outer) | row_cells(5 - outer)
        for column in range(7):
            cells = rows & column_cells(column)
            value += WEIGHTS[outer][column] * (popcount(own & cells) - popcount(opp & cells))
    return value
