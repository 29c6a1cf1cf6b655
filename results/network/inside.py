"""Measure whether the network pays inside alpha-beta: as an ordering, and as a heuristic.

    python results/network/inside.py

Nodes are those of a plain alpha-beta in Python on positions of 8 plies, ordered at every inner node; times of a network
call and of the compiled search's node are measured in the same run.
"""

from __future__ import annotations

import time

from agents.agent import Limits
from agents.board import STANDARD
from agents.network.player import OWN, Model
from agents.network.puct import terminal
from agents.orderings.static import centre
from agents.specs.registry import parse
from arena.perfect.exercises import sample
from arena.position.position import orders

DEPTH = 6
model = Model(OWN)


def worth(board):
    """Return a cheap value: open windows of three and two, for the side to move."""
    total = 0
    for window in WINDOWS:
        own, opp = (board.own & window).bit_count(), (board.opp & window).bit_count()
        total += 0 if own and opp else 10**own - 10**opp
    return total


WINDOWS = [
    sum(1 << 7 * (column + right * k) + row + up * k for k in range(4))
    for row in range(6) for column in range(7) for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1))
    if 0 <= row + 3 * up < 6 and column + 3 * right < 7
]  # fmt: skip


def search(board, depth, alpha, beta, sort, seen):
    """Return the value by alpha-beta, and count positions in `seen`."""
    seen[0] += 1
    result = terminal(board)
    if result is not None:
        return int(result * (10**6 - board.ply))
    if depth == 0:
        return worth(board)
    for column in sort(board) if depth > 1 else centred(board):
        alpha = max(alpha, -search(board.play(column), depth - 1, -beta, -alpha, sort, seen))
        if alpha >= beta:
            break
    return alpha


def centred(board):
    """Return the legal columns from the centre."""
    return [column for column in centre(STANDARD) if column in board.legal_moves()]


def by_policy(board):
    """Return the legal columns, the network's first choice first."""
    ((priors, _),) = model.priors([board])
    return sorted(priors, key=priors.get, reverse=True)


def by_windows(board):
    """Return the legal columns as `open-windows` sorts them."""
    return [column - 1 for column in orders(board, ["open-windows"])[0].columns]


boards = sample(12, 3, [8])
total = {}
for name, sort in (("centre", centred), ("open-windows", by_windows), ("net", by_policy)):
    total[name] = [0]
    for board in boards:
        search(board, DEPTH, -(10**9), 10**9, sort, total[name])
    print(f"order={name}: {total[name][0]:,} nodes at depth {DEPTH} in {len(boards)} positions", flush=True)
for size in (1, 64):
    many = [boards[k % len(boards)] for k in range(size)]
    took = []
    for _ in range(200):
        began = time.perf_counter()
        model(many)
        took.append((time.perf_counter() - began) / size)
    print(f"a call of the network with {size} boards: {1e6 * sorted(took)[len(took) // 2]:.1f} µs a board", flush=True)
agent = parse("alphabeta:depth=10,order=open-windows,heuristic=parity").build()
agent.prepare(STANDARD)
nodes, began = 0, time.perf_counter()
for board in boards:
    nodes += agent.choose(board, Limits()).nodes
print(f"the compiled search: {1e6 * (time.perf_counter() - began) / nodes:.3f} µs a node")
