"""What an agent answers in a game does not depend on games before it, on other boards, or on a search broken off."""

import random

import pytest
from needs import needed

from agents.agent import Limits, new_game, prepare
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.specs.kinds import KINDS, LEVELS
from agents.specs.registry import parse

PLIES, NODES = (24, 3000) if JIT else (38, 60)


def game(seed, rules=STANDARD, plies=PLIES):
    """Return the boards of a random game from `plies` on in which one side is asked, each with its moves."""
    chance = random.Random(seed)
    while True:
        boards = [Board(rules)]
        while boards[-1].outcome is None:
            boards.append(boards[-1].play(chance.choice(boards[-1].legal_moves())))
        if len(boards) > plies + 3:
            return boards[plies:-1:2]


VARIANTS = [
    "alphabeta:table=on,table-size=1,deepening=on,killers=on,history=on,pvs=on,order=open-windows",
    "alphabeta:table=on,table-size=1,killers=on,nodes=2000",
    "itu-2012:nodes=500",
    "oneil:nodes=500",
    "perfect:table-size=1",
    "tandem:table-size=1,book=no,nodes=3000",
    "mcts:playouts=50,threads=2",
    "net:pick=puct,simulations=20",
]
ONE_BOARD = ("itu-2012", "net", "smart-connect4")
"""Agents whose knowledge is of the standard board; the last one shares its search with others, and compiles for 3 s."""
ON_5X4 = ("mcts", "easy", "oneil")
"""Agents whose kernels other tests compile for 5x4; those of the others are compiled for 4x4."""


def answers(agent, boards):
    """Return the answers of an agent that plays one side of a game."""
    new_game(agent, 7)
    return [
        (found.column, found.nodes, found.score, found.depth, found.pv)
        for found in (agent.choose(board, Limits(depth=5, nodes=NODES)) for board in boards)
    ]


@pytest.mark.parametrize("spec", [*(name for name, kind in KINDS.items() if not kind.first), *LEVELS, *VARIANTS])
def test_the_same_game_gets_the_same_moves_and_nodes_whatever_came_before(spec):
    def made():
        agent = parse(spec).build()
        prepare(agent, STANDARD, spec)
        return agent

    if spec.startswith("net"):
        needed("onnxruntime")
    own = game(1)
    fresh = answers(made(), own)
    agent = made()
    for others in (game(2), game(3), own[-1:], own):
        answers(agent, others)
        assert answers(agent, own) == fresh
    if hasattr(agent, "stop"):
        agent.stop()
        assert answers(agent, own) == fresh
    if not spec.startswith(ONE_BOARD):
        answers(agent, game(4, Rules(5, 4) if spec.startswith(ON_5X4) else Rules(4, 4), 12))
        prepare(agent, STANDARD, spec)
        assert answers(agent, own) == fresh


def test_a_run_with_the_solver_is_the_same_in_any_order_of_its_games():
    played = ("12", "1223", "33", "5512", "3341") if JIT else ("5143522", "4422254", "5131345", "5423112", "4345453")
    boards = [Board.from_moves(moves, Rules(5, 4)) for moves in played]

    def nodes(order):
        agent = parse("perfect:table-size=1").build()
        found = {}
        for place in order:
            new_game(agent, 0)
            found[place] = [agent.choose(boards[place], Limits()).nodes for _ in range(2)]
        return found

    assert nodes(range(5)) == nodes(reversed(range(5))) == nodes([2, 2, 0, 4, 3, 1])
