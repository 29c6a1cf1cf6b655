"""Players that do as they are told, and games between them."""

from agents.board import Board
from arena.games.referee import play_game
from arena.records import Job


class Scripted:
    """Answers with these, one after the other; one that can be called is asked for its answer."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.seeds = []

    def new_game(self, seed):
        self.seeds.append(seed)

    def choose(self, board, limits):
        answer = self.answers.pop(0)
        return answer() if callable(answer) else answer


class Leftmost:
    """Plays the leftmost column that is free."""

    def choose(self, board, limits):
        return board.legal_moves()[0]


def play(first, second, opening="", **rest):
    """Return the record of a game after an opening; the rest is told to the referee."""
    return play_game(Job(0, 1, 0), (first, second), Board.from_moves(opening), (1, 2), **rest)


def raiser(error):
    """Return an answer that raises an error."""

    def choose():
        raise error

    return choose


class Awkward:
    """An object that fails at whatever it is asked."""

    def __index__(self):
        raise RuntimeError("no number")

    def __repr__(self):
        raise RuntimeError("no text")


class Middle:
    """Plays as near to the middle as it can."""

    def choose(self, board, limits):
        return min(board.legal_moves(), key=lambda column: abs(column - 3))


def leftmost(position):
    """Return the leftmost column that is free."""
    return position.legal_moves()[0]
