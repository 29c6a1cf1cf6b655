"""Depth-limited negamax in the most obvious way: recursive, on boards, with nothing saved."""

from collections import defaultdict
from dataclasses import dataclass

from agents.score import WIN, WIN_BOUND, of_outcome
from agents.search.control import HISTORY, KILLERS, LMR, PVS

INFINITY = 1 << 40


@dataclass
class SlowSearch:
    """evaluate(own, opp) values leaves; order(board) gives the columns as they are tried; nodes counts visits."""

    evaluate: object
    order: object
    pruning: bool
    nodes: int = 0
    worth: object = lambda board, distance, left: 0 if board.outcome.winner is None else distance - WIN
    """What a finished game is worth to its mover, `distance` plies from the root and `left` from the last."""

    def search(self, board, depth, alpha=-INFINITY, beta=INFINITY, distance=0):
        """Return (value for the side to move, principal variation)."""
        self.nodes += 1
        if board.outcome is not None:
            return self.worth(board, distance, depth), ()
        if depth == 0:
            return self.evaluate(board.own, board.opp), ()
        best, line = -INFINITY, ()
        for column in self.order(board):
            if column not in board.legal_moves():
                continue
            floor = max(alpha, best) if self.pruning else alpha
            value, reply = self.search(board.play(column), depth - 1, -beta, -floor, distance + 1)
            if -value > best:
                best, line = -value, (column, *reply)
            if self.pruning and best >= beta:
                break
        return best, line


class OptionSearch:
    """The same with the options of `agents.search.negamax`, as their sources tell them, each after the others.

    flags: see `agents.search.control`. place(board): where a position stands in the table, or None without a table.
    """

    def __init__(self, evaluate, order, flags, place=None):
        self.evaluate, self.order, self.flags, self.place = evaluate, order, flags, place
        self.nodes, self.table = 0, {}
        self.killers, self.history = defaultdict(list), defaultdict(int)

    def deepened(self, board, depth):
        """Return (value, column, nodes) of each depth up to this one, the last best move first."""
        best, found = None, []
        for plies in range(1, depth + 1):
            value, best = self.search(board, plies, first=best)
            found.append((value, best, self.nodes))
        return found

    def search(self, board, depth, alpha=-INFINITY, beta=INFINITY, ply=0, first=None):
        """Return (value, best column); `first` is the column to try first."""
        self.nodes += 1
        key, entry = (board.own, board.opp), None
        asks = self.place is not None and ply > 0 and depth > 1
        if asks and first is None:
            entry = self.table.get(self.place(board))
        if entry is not None and entry[0] == key:
            _, plies, bound, value, first = entry
            value -= (value > WIN_BOUND) * ply - (value < -WIN_BOUND) * ply  # wins count from the root
            if plies == depth and ((value <= alpha and bound != "lower") or (value >= beta and bound != "upper")):
                return value, first
        moves = self.order(board)
        if ply > 0 and depth > 1:
            moves = sorted(moves, key=lambda column: self.rank(board, column, ply), reverse=True)
        best, best_place, best_column = -INFINITY, len(moves), None
        for tries, column in enumerate(sorted(moves, key=lambda column: column != first)):
            place = moves.index(column)
            earlier = ply == 0 and place < best_place
            low = max(alpha, best - earlier)
            value = self.value(board.play(column), depth - 1, low, beta, ply + 1, tries)
            if value > best or (value == best and earlier):
                best, best_place, best_column = value, place, column
                if value >= beta:
                    if depth > 1:
                        self.learn(board, [] if column == first else moves[:place], column, ply, depth)
                    break
        if asks:
            bound = "upper" if best <= alpha else "lower" if best >= beta else "exact"
            kept = best + (best > WIN_BOUND) * ply - (best < -WIN_BOUND) * ply
            self.table[self.place(board)] = key, depth, bound, kept, best_column
        return best, best_column

    def value(self, child, depth, low, beta, ply, tries):
        """Return the value of a move, after so many others of its node."""
        if child.outcome is not None or depth == 0:
            self.nodes += 1
            return -self.evaluate(child.own, child.opp) if child.outcome is None else -of_outcome(child, ply)
        high = min(beta, low + 1) if self.flags & PVS and tries > 0 and depth > 1 else beta
        reduced = bool(self.flags & LMR and depth > 3 and tries > 2)
        reply, best = self.search(child, depth - 2 * reduced, -high, -low, ply)
        if reduced and -reply > low:
            reply, best = self.search(child, depth, -high, -low, ply, best)
        if high <= -reply < beta:
            reply, _ = self.search(child, depth, -beta, 1 + reply, ply, best)
        return -reply

    def rank(self, board, column, ply):
        """Return what a move is sorted by: the last killer, the one before it, then the history."""
        cell = board.play(column).opp ^ board.own
        killers = self.killers[ply] if self.flags & KILLERS else []
        kills = 2 - killers.index(cell) if cell in killers else 0
        return kills, self.history[ply % 2, cell] if self.flags & HISTORY else 0

    def learn(self, board, before, column, ply, depth):
        """Note which disc cut off, after which others were tried in vain."""
        cut, *vain = (board.play(each).opp ^ board.own for each in (column, *before))
        if cut not in self.killers[ply][:1]:
            self.killers[ply] = [cut, *self.killers[ply]][:2]
        self.history[ply % 2, cut] += depth**2
        for cell in vain:
            self.history[ply % 2, cell] -= depth**2


def value_at_the_end(board, line, depth, evaluate):
    """Return the value, for the side to move on `board`, of the position at the end of a principal variation."""
    for column in line:
        board = board.play(column)
    sign = -1 if len(line) % 2 else 1
    if board.outcome is not None:
        return 0 if board.outcome.winner is None else sign * (len(line) - WIN)
    assert len(line) == depth
    return sign * evaluate(board.own, board.opp)
