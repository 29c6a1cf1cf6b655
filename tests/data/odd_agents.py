"""Agents that tests name as file.py:Class: most of them misbehave."""

import os
import signal
import sys
import time

from agents.agent import Analysis, Iteration


class Leftmost:
    """Plays the leftmost legal column; what the others do until they misbehave."""

    def choose(self, board, limits):
        return board.legal_moves()[0]


class Nine:
    def choose(self, board, limits):
        return 9


class Text:
    def choose(self, board, limits):
        return "a"


class Nothing:
    def choose(self, board, limits):
        return None


class Raises:
    def choose(self, board, limits):
        raise ValueError("no idea\nno second line")


class Rubbish:
    def choose(self, board, limits):
        return Analysis(board.legal_moves()[0], nodes=1 << 70, iterations=(Iteration(1, 2, 3, 4, "x"),))


class Exits:
    def choose(self, board, limits):
        sys.exit(5)


class Dies(Leftmost):
    """Takes its process along when it moves second, in the middle of the game."""

    def choose(self, board, limits):
        if board.ply >= 5:
            os._exit(3)
        return super().choose(board, limits)


class Killed(Leftmost):
    def choose(self, board, limits):
        os.kill(os.getpid(), signal.SIGKILL)


class Stubborn(Leftmost):
    """Does not end when it is told to."""

    def choose(self, board, limits):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if board.ply >= 5:
            time.sleep(60)
        return super().choose(board, limits)


class Slow(Leftmost):
    def choose(self, board, limits):
        time.sleep(0.02)
        return super().choose(board, limits)


class Prints(Leftmost):
    def __init__(self):
        print("made")

    def prepare(self, rules):
        print("prepared")

    def new_game(self, seed):
        print("new game")

    def choose(self, board, limits):
        print("thinking")
        return super().choose(board, limits)


class CannotPrepare(Leftmost):
    def prepare(self, rules):
        raise ValueError("not on this board")


class CannotBeMade(Leftmost):
    def __init__(self):
        raise ValueError("not today")


class ExitsWhenMade(Leftmost):
    def __init__(self):
        sys.exit(9)


class Column:
    """Plays its own column while that is legal."""

    def __init__(self, column=1):
        self.column = column - 1

    def choose(self, board, limits):
        legal = board.legal_moves()
        return self.column if self.column in legal else legal[0]


class Deepening:
    """Visits as many nodes as its depth says; the depth that it may search comes from the limits."""

    def choose(self, board, limits):
        depth = limits.depth or 1
        return Analysis(board.legal_moves()[0], 0, depth, 2 ** (depth + 1) - 1)


class Shallow:
    """Searches one ply, whatever it is told."""

    def choose(self, board, limits):
        return Analysis(board.legal_moves()[0], 0, 1, 8)


class NoChoose:
    pass


not_callable = 3


class Fractions:
    """Plays as Leftmost does, and tells how sure it is, in words."""

    def choose(self, board, limits):
        return Analysis(board.legal_moves()[0], "0.5", 1, 7)
