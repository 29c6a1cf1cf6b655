"""What heuristics count, found by going through one window or line after the other as the heuristics are described.

A reader yields the kind counted, its worth to its owner, and whether the owner is the side that the heuristic values.
"""

import functools


@functools.cache
def all_windows(rules):
    """Return each window: its cells, its anchor, its far end, and 0 where it is horizontal, 1 upright, 2 diagonal."""
    found = []
    for column in range(rules.columns):
        for row in range(rules.rows):
            for right, up in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                last = column + (rules.connect - 1) * right, row + (rules.connect - 1) * up
                if 0 <= last[0] < rules.columns and last[1] < rules.rows:
                    bits = [1 << (column + n * right) * (rules.rows + 1) + row + n * up for n in range(rules.connect)]
                    found.append((sum(bits), bits[0], bits[-1], 0 if not up else 1 if not right else 2))
    return found


def windows(own, opp, rules, weights):
    for window, _, _, _ in all_windows(rules):
        mine, theirs = (own & window).bit_count(), (opp & window).bit_count()
        if (mine == 0) != (theirs == 0):
            discs = mine or theirs
            worth = weights[discs - 1] if discs <= len(weights) else 10 ** (discs - 1)
            yield f"{discs} in a window", worth, mine > 0


def smart_simple(own, opp, rules, _):
    mask = own | opp
    for window, anchor, far, slope in all_windows(rules):
        for me, other, is_own in ((own, opp, True), (opp, own, False)):
            discs, others = (me & window).bit_count(), (other & window).bit_count()
            if me & anchor and not others and discs >= 2:
                yield f"{discs} in a window", discs, is_own
            elif me & anchor and others == 1 and discs == 3:
                yield "blocked 3", -1, is_own
            elif not mask & anchor and me & far and slope == 0 and discs == 3:
                yield "3 in a window", 3, is_own


def aware(own, opp, rules, weights):
    four, three_now, three, two_now, two, blocked = weights
    mask = own | opp
    level = mask | (mask << 1 | rules.bottom) & rules.cells
    for window, anchor, far, slope in all_windows(rules):
        for me, other, is_own in ((own, opp, True), (opp, own, False)):
            discs, others = (me & window).bit_count(), (other & window).bit_count()
            ready = (level & window).bit_count()
            from_far = not mask & anchor and bool(me & far)
            if others == 1 and discs == 3 and me & anchor:
                yield "blocked 3", -blocked, is_own
            if others or not (me & anchor or from_far):
                continue
            if discs == 4:
                yield "4 in a window", four, is_own
            elif discs == 3:
                now = ready == 4
                yield "3, filled at once" if now else "3 in a window", three_now if now else three, is_own
            elif discs == 2 and ready == 4:
                yield "2, filled at once", two_now, is_own
            elif discs == 2 and (not from_far or (slope == 2 and ready == 3)):
                yield "2 in a window", two, is_own


def line_runs(own, opp, rules, _):
    for line in lines(rules):
        for me, other, is_own in ((own, opp, True), (opp, own, False)):
            run = []
            for bit in line:
                run = [] if other & bit else [*run, bit]
                if len(run) == rules.connect:
                    if discs := (me & sum(run)).bit_count():
                        yield f"{discs} in a chunk", int("1" * discs), is_own
                    run = []


@functools.cache
def lines(rules):
    """Return the cells of each row, column and diagonal, from its left or lower end."""
    found = {}
    for column in range(rules.columns):
        for row in range(rules.rows):
            bit = 1 << column * (rules.rows + 1) + row
            for line in (("up", column), ("right", row), ("rising", row - column), ("falling", row + column)):
                found.setdefault(line, []).append(bit)
    return list(found.values())


def line_runs_published(own, opp, rules, _):
    for line in published_lines(rules):
        places, marked = [0, 0], [set(), set()]
        for bit in line:
            owner = 0 if own & bit else 1 if opp & bit else None
            if owner is not None:
                marked[owner].add(places[owner])
                places[1 - owner] = 0
            for side in (0, 1):
                places[side] += owner != 1 - side
                if places[side] == 4:
                    discs = len(marked[side])
                    if discs:
                        worth = 0 if discs == 4 and side == 0 else int("1" * discs)
                        yield f"{discs} marked in a chunk", worth, side == 0
                    places[side], marked[side] = 0, set()


@functools.cache
def published_lines(rules):
    """Return the lines that the ITU program reads: its diagonals cross the first six columns; 0 is a cell outside."""

    def cells(line):
        return [1 << c * (rules.rows + 1) + r if 0 <= r < rules.rows else 0 for c, r in line]

    upright = [[(column, row) for row in range(rules.rows)] for column in range(rules.columns)]
    level = [[(column, row) for column in range(rules.columns)] for row in range(rules.rows)]
    rising = [[(c, c + 2 - x) for c in range(6)] for x in range(8)]
    falling = [[(c, x + 3 - c) for c in range(6)] for x in range(8)]
    return [cells(line) for line in (*upright, *level, *rising, *falling)]


READERS = {
    "windows": windows,
    "aware": aware,
    "smart-simple": smart_simple,
    "line-runs": line_runs,
    "line-runs-published": line_runs_published,
}
