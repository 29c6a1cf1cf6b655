"""A user's heuristics and orderings that are compiled for all columns at once, or column by column."""

from agents.heuristics import popcount, where


def branches(own, opp):
    return 7 if opp & 2 else popcount(opp)


def straight(own, opp):
    return where(opp & 2, 7, popcount(opp))


def bounded(own, opp):
    return max(min(abs(opp - 9), 20), own) - (opp > 5) - (opp != 3) + (opp == 2)


def huge(own, opp):
    return where(opp & 2, 1 << 50, -(1 << 50))


def extremes(own, opp, column):
    return 9223372036854775807 if column % 3 == 0 else -9223372036854775807 - (column % 3 == 1)


def ties(own, opp, column):
    return column & 1
