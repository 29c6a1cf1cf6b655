"""Heuristics and orderings of a user: good ones, and some that are wrong in one way each."""

import json
import pathlib

from agents.heuristics import popcount

CENTRE = 0b111111 << 21


def evaluate(own, opp):
    """Discs in the middle column, by a function of its own."""
    return difference(own & CENTRE, opp & CENTRE)


def difference(one, other):
    return count(one) - count(other)


def count(bits):
    return popcount(bits)


def huge(own, opp):
    return 10**12 if own else -(10**12)


def by_size(rules):
    middle = ((1 << rules.rows) - 1) << rules.columns // 2 * (rules.rows + 1)

    def evaluate(own, opp):
        return popcount(own & middle) - popcount(opp & middle)

    return evaluate


def weighing(rules, w4, w3=17):
    def evaluate(own, opp):
        return w4 * popcount(own) - w3 * popcount(opp)

    return evaluate


def edges(rules):
    return (0, rules.columns - 1, *range(1, rules.columns - 1))


def leaning(rules, right):
    def score(own, opp, column):
        return right * column

    return score


def width(rules):
    columns = rules.columns

    def evaluate(own, opp):
        return columns

    return evaluate


def weight():
    path = pathlib.Path(__file__).with_name("weights.txt")
    return [int(line) for line in path.read_text().splitlines()] if path.exists() else [0]


WEIGHTS = tuple(weight())


def weighted(own, opp):
    return indirect(own) - indirect(opp)


def indirect(bits):
    return WEIGHTS[0] * bits


def odd_size(rules):
    return rules.columns


def no_size(rules):
    raise ValueError("only on Tuesdays")


def uncompilable(own, opp):
    return popcount(own) + hidden(opp)


def hidden(bits):
    return json.loads("1")


def impatient(own, opp):
    return own // (opp - opp)


def three(own, opp, column):
    return column


def half(own, opp):
    return 0.5


def nothing_at_all(own, opp):
    own + opp


def classy(own, opp):
    class Value:
        pass

    return 1


def rightmost(own, opp, column):
    return column
