"""Seeded games for the bridges: our two players and theirs, and the moves that our own referee sees."""

import random

from agents.board import Board
from agents.specs.registry import parse
from arena.games.referee import play_game
from arena.records import Job

GAMES = 200
OURS = "alphabeta:depth=2,order=centre", "greedy"


def played(first, second, seeds, opening=""):
    """Return the moves of a game between two agents, as the referee records them."""
    record = play_game(Job(0, 1, 0), (first, second), Board.from_moves(opening), seeds)
    assert record.termination in {"line completed", "board full"}, record
    return record.moves


def ours(seed):
    """Return the moves of the game with this seed between `OURS`, colours swapped in odd games."""
    pair = [parse(text).build() for text in OURS]
    return played(*(pair if seed % 2 == 0 else pair[::-1]), (seed, seed))


def column(own, opp, legal, seed):
    """Return any column, as the seed and the board's discs decide: a player that all frameworks can have alike."""
    return random.Random(f"{seed} {own} {opp}").choice(sorted(legal))


class Theirs:
    """The same player as an agent of ours."""

    def __init__(self, seed):
        self.seed = seed

    def choose(self, board, limits):
        return column(board.own, board.opp, board.legal_moves(), self.seed)


def theirs(seed):
    """Return the moves of the game of `Theirs` against the first of `OURS`."""
    return played(Theirs(seed), parse(OURS[0]).build(), (seed, seed))


def against(agent, seed):
    """Return the moves of the game of an agent against the first of `OURS`; it begins."""
    return played(agent, parse(OURS[0]).build(), (seed, seed))


def of_cells(own, opp):
    """Return two 6x7 arrays of 0 and 1, row 0 the top, as bitboards."""
    return [
        sum(1 << 7 * column + 5 - row for row in range(6) for column in range(7) if side[row][column])
        for side in (own, opp)
    ]
