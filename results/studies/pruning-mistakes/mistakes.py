"""Alpha-beta with one mistake at a time, and the nodes that a report prints for its pruned search.

The report evaluates open windows with 1, 10, 100 and 100,000 and a disc in the middle column with 3, and prints nodes
at depths 1 to 5 without and with pruning. A position is not named. Usage: `python mistakes.py [POSITIONS]`, by default
200,000 positions for each mistake.
"""

import sys

import numba
import numpy as np

from agents.bits.bitboard import has_line
from agents.heuristics import column_cells, open_windows, playable, popcount
from agents.jit.compiler import jit

UNPRUNED = (8, 57, 398, 2747, 18708)
PRUNED = (8, 42, 200, 873, 3374)
ENDLESS = 1 << 40
ORDERS = {
    "left to right": (0, 1, 2, 3, 4, 5, 6),
    "centre first": (3, 2, 4, 1, 5, 0, 6),
    "right to left": (6, 5, 4, 3, 2, 1, 0),
}
HEIGHTS = 4, 4, 3, 3, 2, 2
"""Discs in six of the columns, in any order, that give the unpruned numbers; the seventh has none or one."""
MISTAKES = (
    "none: alpha-beta as it should be",
    "no pruning",
    "a cut needs alpha > beta, not >=",
    "the cut compares with the wrong bound: value <= alpha at MAX, value >= beta at MIN",
    "alpha is not updated",
    "beta is not updated",
    "alpha and beta are swapped for the children",
    "only MAX nodes cut",
    "only MIN nodes cut",
    "alpha is kept from sibling to sibling, never restored",
    "beta is kept from sibling to sibling, never restored",
    "both bounds are kept, never restored",
    "alpha takes the last value, not the greatest",
    "children get a new window: only the parent's best value cuts (shallow cuts)",
    "best begins at 0, not at minus infinity",
    "alpha and beta begin at 0 and 1,000",
    "leaves are evaluated for the side to move",
    "leaves are evaluated for the opponent of the root",
    "MAX begins below the root: the sides of MAX and MIN are exchanged",
    "negamax whose window is neither negated nor swapped",
    "negamax whose window is negated but not swapped",
    "negamax whose window is swapped but not negated",
    "negamax whose value is not negated",
    "the root's moves do not share a window",
    "best is kept at MAX nodes only: MIN nodes return their last value",
)


@jit(inline=True)
def evaluate(own, opp):
    """Windows 1, 10, 100, 100,000 and 3 for a disc in the middle."""
    value = 3 * (popcount(own & column_cells(3)) - popcount(opp & column_cells(3)))
    for discs, worth in ((1, 1), (2, 10), (3, 100), (4, 100_000)):
        value += worth * (open_windows(own, opp, discs) - open_windows(opp, own, discs))
    return value


@numba.njit("int64(int64, int64, int64, int64, int64, int64, int64, boolean, int64[::1], int64[::1], int64[::1])")
def search(own, opp, depth, ply, alpha, beta, mistake, ends, order, nodes, kept):  # noqa: C901, PLR0912, PLR0915  one search
    """Return the value of a node for the root's player or, in a negamax, for the side to move; count the nodes.

    own: the discs of the side to move. ends: whether a four ends the game. kept: alpha and beta where they are shared.
    """
    nodes[0] += 1
    negamax = 19 <= mistake <= 22
    largest = ply % 2 == 0 or negamax
    if mistake == 18:
        largest = not largest
    landing = playable(own, opp)
    if depth == 0 or landing == 0 or (ends and has_line(opp, 6, 4)):
        value = evaluate(own, opp)
        root = ply % 2 == 0 or negamax or mistake == 16
        return value if root != (mistake == 17) else -value
    best = (0 if mistake == 14 else -ENDLESS) if largest else (0 if mistake == 14 else ENDLESS)
    for column in order:
        disc = landing & column_cells(column)
        if disc == 0:
            continue
        low, high = alpha, beta
        if mistake in {6, 21}:
            low, high = beta, alpha
        elif mistake == 20:
            low, high = -alpha, -beta
        elif mistake == 22:
            low, high = -beta, -alpha
        elif mistake == 13:
            low, high = (best, ENDLESS) if largest else (-ENDLESS, best)
        elif mistake == 23 and ply == 0:
            low, high = -ENDLESS, ENDLESS
        value = search(opp, own | disc, depth - 1, ply + 1, low, high, mistake, ends, order, nodes, kept)
        if negamax and mistake != 22:
            value = -value
        if mistake in {9, 11}:
            alpha = max(alpha, kept[0])
        if mistake in {10, 11}:
            beta = min(beta, kept[1])
        if largest:
            best = max(best, value)
            if mistake == 12:
                alpha = value
            elif mistake != 4:
                alpha = max(alpha, value)
            cut = value >= beta or alpha >= beta
        else:
            best = value if mistake == 24 else min(best, value)
            if mistake != 5:
                beta = min(beta, value)
            cut = value <= alpha or alpha >= beta
        if mistake == 13:
            cut = value >= beta if largest else value <= alpha
        kept[0], kept[1] = max(kept[0], alpha), min(kept[1], beta)
        if mistake == 2:
            cut = alpha > beta
        elif mistake == 3:
            cut = value <= alpha and value != alpha if largest else value >= beta and value != beta
        elif mistake == 7:
            cut = cut and largest
        elif mistake == 8:
            cut = cut and not largest
        if cut and mistake != 1:
            break
    return best


@numba.njit
def counts(own, opp, mistake, ends, order, wanted, nodes, kept, found):
    """Write the nodes at depths 1 to 5, up to the first that is not as wanted where there is something wanted."""
    for depth in range(1, 6):
        nodes[0] = 0
        kept[0], kept[1] = -ENDLESS, ENDLESS
        low, high = (0, 1000) if mistake == 15 else (-ENDLESS, ENDLESS)
        search(own, opp, depth, 0, low, high, mistake, ends, order, nodes, kept)
        found[depth - 1] = nodes[0]
        if len(wanted) and nodes[0] != wanted[depth - 1]:
            return depth - 1
    return 5


@numba.njit
def try_positions(number, seed, mistake, order, wanted, nodes, kept, found, best):
    """Count how many random positions of HEIGHTS have the wanted nodes up to each depth; `best` keeps one of the most.

    Colours are drawn at random, as many of either as there are in a game; positions with a four are left out.
    """
    np.random.seed(seed)
    heights, columns = np.array((*HEIGHTS, 0)), np.arange(7)
    for _ in range(number):
        heights[6] = np.random.randint(2)
        np.random.shuffle(columns)
        discs = heights.sum()
        turn = np.arange(discs) % 2
        np.random.shuffle(turn)
        own = opp = place = 0
        for each in range(7):
            for row in range(heights[each]):
                bit = 1 << columns[each] * 7 + row
                if turn[place] == discs % 2:
                    own |= bit
                else:
                    opp |= bit
                place += 1
        if has_line(own, 6, 4) or has_line(opp, 6, 4):
            continue
        right = counts(own, opp, mistake, False, order, wanted, nodes, kept, found)
        best[right] += 1


def say(line):
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main():
    """Print both tables."""
    nodes, kept, found = np.zeros(1, np.int64), np.zeros(2, np.int64), np.zeros(5, np.int64)
    wanted, nothing = np.array(PRUNED), np.zeros(0, np.int64)
    say("### From the empty board\n\n| mistake | order | nodes at depths 1 to 5 |\n|---|---|---|")
    for mistake, text in enumerate(MISTAKES):
        for name, order in ORDERS.items():
            counts(0, 0, mistake, True, np.array(order), nothing, nodes, kept, found)
            right = " **the report's**" if tuple(found) == PRUNED else ""
            say(f"| {text} | {name} | {' / '.join(f'{each:,}' for each in found)}{right} |")
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    say(f"\n### From {number:,} random positions of these heights, for each mistake and order\n")
    say("| mistake | order | positions | as the report to depth 2 | 3 | 4 | 5 |\n|---|---|---|---|---|---|---|")
    for mistake, text in enumerate(MISTAKES):
        for name, order in ORDERS.items():
            tried = np.zeros(6, np.int64)
            try_positions(number, 1, mistake, np.array(order), wanted, nodes, kept, found, tried)
            deep = [tried[depth:].sum() for depth in (0, 2, 3, 4, 5)]
            say(f"| {text} | {name} | {' | '.join(f'{each:,}' for each in deep)} |")


if __name__ == "__main__":
    main()
