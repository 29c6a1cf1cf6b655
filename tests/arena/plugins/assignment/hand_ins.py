"""A class of hand-ins: quick agents of several strengths and, asked for, own searches, a copy and files with faults.

    PYTHONPATH=tests/support python tests/arena/plugins/assignment/hand_ins.py FOLDER [46]

writes so many quick ones into a folder, to measure `arena assignment`.
"""

import sys
from pathlib import Path

from own_search import SEARCH

BEGIN = ("a", "be", "ca", "do", "e", "fe", "gi", "hu", "i", "ju", "ka", "lu", "ma", "ni", "o", "pe")
NAMES = [begin + end for end in ("da", "no", "ra") for begin in BEGIN]

QUICK = '''"""By {author}."""
import random

ORDER = {order}


class Bot:
    """Wins in one where it looks so far, else plays by a list of columns, and now and then at random."""

    def __init__(self):
        self.random = random.Random({number})

    def new_game(self, seed):
        self.random.seed(seed + {number})

    def choose(self, board, limits):
        columns = board.legal_moves()
        for column in columns if {looks} else ():
            if board.play(column).outcome is not None:
                return column
        if self.random.random() < {daring}:
            return self.random.choice(columns)
        return min(columns, key=ORDER.index)
'''
COPY = '''"""All my own work."""
import random

LIST = {order}  # found after many tries


class Player:

    def __init__(me):
        me.chance = random.Random({number})

    def new_game(me, number):
        me.chance.seed(number + {number})

    def choose(me, position, bounds):
        legal = position.legal_moves()
        for move in legal if {looks} else ():
            if position.play(move).outcome is not None:
                return move

        if me.chance.random() < {daring}:
            return me.chance.choice(legal)
        return min(legal, key=LIST.index)
'''
BORROWED = '''"""By nobody."""
import importlib


class AlphaBeta:
    """The arena's own search under another name."""

    def __init__(self, depth=2):
        parse = importlib.import_module("agents." + "specs.registry").parse
        self.choose = parse(f"alphabeta:depth={depth}").build().choose

    def choose(self, board, limits):
        return None
'''
RAISES = """def choose(board):
    if board.ply > 8:
        return [][board.ply]
    return board.legal_moves()[-1]
"""


def quick(number):
    """Return what tells the quick agent of that number from the others."""
    order = sorted(range(7), key=lambda column: (abs(column - number % 7), column))
    return {"number": number, "order": order, "looks": number % 3 > 0, "daring": number % 5 / 10}


def write_class(folder, count=46):
    """Write so many quick hand-ins into a folder, which is made."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(NAMES[:count]):
        Path(folder, f"{name}.py").write_text(QUICK.format(author=name.title(), **quick(number)))


def write_mixed(folder):
    """Write a small class: two quick agents, a copy of one, a search, one with a wrong cut, and one that raises."""
    write_class(folder, 2)
    files = {
        "copy": COPY.format(**quick(1)),
        "search": SEARCH.format(author="Sue", weight=3, cuts="alpha >= beta"),
        "wrong": SEARCH.format(author="Wim", weight=5, cuts="alpha > beta - 3"),
        "raises": RAISES,
    }
    for name, text in files.items():
        Path(folder, f"{name}.py").write_text(text)


if __name__ == "__main__":
    write_class(sys.argv[1], int((sys.argv[2:] or ["46"])[0]))
