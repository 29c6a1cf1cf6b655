"""A user's heuristics and orderings that return extreme numbers."""

import numpy as np


def huge(own, opp):
    return 10**12 if own else -(10**12)


def order_huge(own, opp, column):
    return 10**12 if own else -(10**12)


def least(own, opp):
    return -(1 << 63)


def order_least(own, opp, column):
    return -(1 << 63)


def wraps(own, opp):
    return own * 9223372036854775807 + (opp << 40)


def order_wraps(own, opp, column):
    return own * 9223372036854775807 + (opp << 40)


def unsigned(own, opp):
    return np.uint64(18446744073709551615)


def order_unsigned(own, opp, column):
    return np.uint64(18446744073709551615)


def truth(own, opp):
    return own > opp


def order_truth(own, opp, column):
    return own > opp


def weighing(rules, weight):
    def evaluate(own, opp):
        return weight * (own > opp)

    return evaluate
