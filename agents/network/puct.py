"""Tree search guided by a policy and a value, PUCT, with leaves evaluated in batches.

Rosin, "Multi-armed bandits with episode context", 2011; Silver et al., "Mastering the game of Go without human
knowledge", 2017. Batches use virtual losses: a move counts as lost until its evaluation arrives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from agents.board import Board

Evaluate = Callable[[Sequence[Board]], list[tuple[dict[int, float], float]]]
"""Returns, for each board, the probability of each legal column, and the value for the side to move, from -1 to 1."""


def terminal(board: Board) -> float | None:
    """Return the value of a finished game for the side to move, from -1 to 1; None if the game is not over."""
    if board.outcome is None:
        return None
    winner = board.outcome.winner
    return 0.0 if winner is None else 1.0 if winner == board.mover else -1.0


class PuctNode:
    """A position and the statistics of its moves, for the side to move."""

    __slots__ = ("board", "children", "priors", "result", "totals", "value", "visits")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.result = terminal(board)
        self.priors: dict[int, float] | None = None
        """None before the evaluation."""
        self.value = 0.0
        self.visits: dict[int, int] = {}
        self.totals: dict[int, float] = {}
        self.children: dict[int, PuctNode] = {}

    def best(self, c: float) -> int:
        """Return the move to try next; an unvisited move has the value of the position."""
        priors, visits, root = self.priors or {}, self.visits, c * math.sqrt(1 + sum(self.visits.values()))
        return max(priors, key=lambda move: self.mean(move) + root * priors[move] / (1 + visits[move]))

    def mean(self, move: int) -> float:
        """Return the mean value of a move so far."""
        return self.totals[move] / self.visits[move] if self.visits[move] else self.value

    def open(self, priors: dict[int, float], value: float) -> None:
        """Store the evaluation, and reset the statistics."""
        self.priors, self.value = priors, value
        self.visits, self.totals = dict.fromkeys(priors, 0), dict.fromkeys(priors, 0.0)


class PuctTree:
    """The search of one position; the same evaluations give the same tree."""

    def __init__(self, board: Board, evaluate: Evaluate, c: float) -> None:
        self.evaluate, self.c = evaluate, c
        self.root = PuctNode(board)
        self.root.open(*evaluate([board])[0])
        self.visits = 0
        self.evaluated = 1
        """Positions that were evaluated."""

    def grow(self, batch: int) -> None:
        """Descend `batch` times and evaluate the leaves; stop early at a leaf that already waits for its evaluation."""
        waiting: dict[int, tuple[PuctNode, list[tuple[PuctNode, int]]]] = {}
        for _ in range(batch):
            path, node = self._descend()
            if id(node) in waiting:
                self._back(path, None)
                break
            if node.result is None:
                waiting[id(node)] = node, path
            else:
                self._back(path, node.result)
        if waiting:
            answers = self.evaluate([node.board for node, _ in waiting.values()])
            for (node, path), (priors, value) in zip(waiting.values(), answers, strict=True):
                node.open(priors, value)
                self._back(path, value)
            self.evaluated += len(waiting)

    def _descend(self) -> tuple[list[tuple[PuctNode, int]], PuctNode]:
        """Return the path to a leaf, with virtual losses on its moves, and the leaf."""
        path, node = [], self.root
        while node.priors is not None and node.result is None:
            move = node.best(self.c)
            node.visits[move] += 1
            node.totals[move] -= 1.0
            path.append((node, move))
            if move not in node.children:
                node.children[move] = PuctNode(node.board.play(move))
            node = node.children[move]
        return path, node

    def _back(self, path: list[tuple[PuctNode, int]], value: float | None) -> None:
        """Back up a leaf's value, for the side to move there, along its path; None only undoes the descent."""
        self.visits += value is not None
        for node, move in reversed(path):
            node.totals[move] += 1.0
            if value is None:
                node.visits[move] -= 1
            else:
                value = -value
                node.totals[move] += value

    def line(self) -> list[int]:
        """Return the line of the most visited moves, with ties by probability; at least one move."""
        line: list[int] = []
        node: PuctNode | None = self.root
        while node is not None and node.priors and (not line or sum(node.visits.values())):
            priors, visits = node.priors, node.visits
            line.append(max(priors, key=lambda move: (visits[move], priors[move])))
            node = node.children.get(line[-1])
        return line
