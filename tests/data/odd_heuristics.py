"""Heuristics and an ordering that tests name as file.py:function: one is fine, the others are not."""

CENTRE = 0b111111 << 21
TABLE = (0, 1, 3)


def own_words(own, opp):
    """Discs in the middle column, with a constant, a table and functions of this file."""
    return TABLE[2] * (middle(own) - middle(opp)) // TABLE[1]


def middle(bits):
    return counted(bits & CENTRE)


def counted(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def raises(own, opp):
    if own & CENTRE:
        raise ValueError("not the middle")
    return 0


def nothing(own, opp):
    own & opp


def fraction(own, opp):
    return 0.5


def text(own, opp):
    return "good"


def uncompilable(own, opp):
    return len({"discs": bin(own)}["discs"])


def one_argument(own):
    return own


def rightmost(own, opp, column):
    return column


not_callable = 3
