"""Make a file of a large run without playing it.

    PYTHONPATH=tests/support python tests/arena/tournament/large_run.py FILE AGENTS ROUNDS [DECISIONS]

Ten agents and 11,112 rounds are a million games. Games are random ones from real openings, won as often as planted
strengths say; nodes and times of the moves are drawn. With DECISIONS 0 only games are stored.
"""

import random
import sys
from pathlib import Path

from hand_made import mark

from agents.board import Board
from arena.games.openings import draw
from arena.games.plan import Plan
from arena.games.setup import new_agents
from arena.store.digests import seal
from arena.store.run_file import Store

GAME = (
    "INSERT INTO game (id, first, second, opening, moves, result, termination, detail, moment, nanoseconds)"
    " VALUES (?, ?, ?, ?, ?, ?, 'line completed', '', ?, ?)"
)
MOVE = "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?)"


def finished(board, chance):
    """Return the moves of random games from a position, four that each side has won, by their result."""
    games = {"1-0": [], "0-1": []}
    while min(map(len, games.values())) < 4:
        end = board
        while end.outcome is None:
            end = end.play(chance.choice(end.legal_moves()))
        if end.outcome.winner is not None:
            games["0-1" if end.outcome.winner else "1-0"].append(end.text)
    return games


def make(path, agents, rounds, *, decisions=True, seed=1, plies=7):
    """Store the run, and return how many games it has."""
    chance = random.Random(seed)
    plan = Plan(tuple(f"mcts:playouts={number + 1}" for number in range(agents)), f"plies:{plies}", rounds)
    boards = draw(plan.openings, rounds, plan.seed)
    pool = {board.text: finished(Board.from_moves(board.text), chance) for board in boards}
    specs = {place: plan.isolation.spec(place, text) for place, text in enumerate(plan.agents)}
    document = plan.document() | {"population": len(boards)}
    openings = [(board.text, None) for board in boards]
    count = 0
    with Store.create(path, document, plan.seed, plan.tournament().most, new_agents(plan, specs), openings) as store:
        mark(store)
        for opening, board in enumerate(boards, start=1):
            games, moves = [], []
            for one, other in plan.pairings():
                for first, second in ((one, other), (other, one)):
                    count += 1
                    won = chance.random() < 0.5 + (first - second) / (4 * agents)
                    result = "1-0" if won else "0-1"
                    text = chance.choice(pool[board.text][result])
                    games.append(
                        (count, first + 1, second + 1, opening, text, result, 1_750_000_000_000 + count, 10**6)
                    )
                    if decisions:
                        moves += [
                            (count, ply, int(text[ply]), 0, 1 + chance.getrandbits(8), 1 << 14, None)
                            for ply in range(plies, len(text))
                        ]  # fmt: skip
            with store.connection:
                store.connection.executemany(GAME, games)
                store.connection.executemany(MOVE, moves)
                seal(store.connection, "game", [number for number, *_ in games])
    return count


if __name__ == "__main__":
    made = make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), decisions=sys.argv[4:] != ["0"])
    print(f"{made:,} games, {Path(sys.argv[1]).stat().st_size / made:.0f} bytes each")
