"""Every player that searches keeps within every kind of limit, on either side of a game and on other boards."""

import pytest

from agents.agent import Limits, new_game
from agents.board import Board, Rules
from agents.specs.registry import parse

SPECS = (
    "random", "greedy", "minimax:depth=2", "alphabeta:depth=3,table=on,table-size=1", "alphabeta:nodes=900",
    "alphabeta:depth=5,killers=on,history=on,pvs=on,lmr=on,order=open-windows", "mollerhoj:depth=2", "oneil:nodes=300",
    "smart-connect4:depth=3", "itu-2012:cutoff=2", "mcts:playouts=40", "mcts:playouts=90,threads=2",
    "tandem:nodes=300,table-size=1",
)  # fmt: skip
LIMITS = (
    Limits(), Limits(depth=1), Limits(depth=2, nodes=40), Limits(nodes=8), Limits(nodes=30),
    Limits(seconds=900.0, nodes=90),
)  # fmt: skip
BOARDS = (
    *map(Board.from_moves, ("", "2316", "44444427", "3172531275661445", "2231147774324737456622246376")),
    *(Board.from_moves(moves, Rules(5, 4, 3)) for moves in ("255", "5314512543")),
)
ONE_BOARD = {"itu-2012", "smart-connect4", "mcts", "tandem"}
"""Players asked on the standard board alone: two know no other, and two are asked on others in their own files."""


@pytest.mark.parametrize("spec", SPECS)
def test_an_answer_is_legal_and_within_the_limits(spec):
    agent = parse(spec).build()
    name, _, settings = spec.partition(":")
    own = int(settings.partition("nodes=")[2].partition(",")[0] or 10**9)
    looks_ahead = name not in {"random", "greedy"}
    for board in BOARDS:
        if name in ONE_BOARD and board.rules != Rules():
            continue
        for limits in LIMITS:
            new_game(agent, 3)
            found = agent.choose(board, limits)
            assert found.column in board.legal_moves()
            assert found.nodes <= min(own, limits.nodes or own) or not looks_ahead
            assert found.pv[:1] in ((found.column,), ())
            if name not in {"mcts", "oneil", "tandem"}:
                assert found.depth <= (limits.depth or 42)
            depths = [each.depth for each in found.iterations]
            nodes = [each.nodes for each in found.iterations]
            assert (depths, nodes) == (sorted(set(depths)), sorted(nodes))
            if depths and name != "tandem":
                last = found.iterations[-1]
                assert (last.depth, last.score, last.column) == (found.depth, found.score, found.column)
                assert last.nodes <= found.nodes
