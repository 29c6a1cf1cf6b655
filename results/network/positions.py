"""Draw positions from games of `greedy` against itself and write them with the exact value of each column.

    nice python results/network/positions.py --seed 26 --games 30000 --out middle.npz
    nice python results/network/positions.py --seed 27 --games 2500 --opening --out opening.npz

Every position of a game from ply 12 on is solved, the last first, so that each finds its future in the solver's table.
Early ones cost most: of plies 12 to 15 half are taken, and solved as win, draw or loss only. With --opening the
positions are those of plies 0 to 11, where the book knows the first ones; of plies 8 to 11 one in seven is taken. Of a
position and its mirror image one is kept. The arrays have a row for each position: `own` and `opp`, the discs of the
side to move and of the other, bit 7 * column + row; `scores`, of the seven columns for the side to move as
`arena solve` has them, -128 where a column is full; `keys`, the smaller key of the position and its mirror image.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np

from agents.agent import Limits
from agents.board import STANDARD, Board
from agents.players.simple import Greedy
from agents.solver.book import shipped_book
from agents.solver.solver import Solver

FULL = -128
TAKEN = dict.fromkeys(range(8, 12), 1 / 7) | dict.fromkeys(range(12, 16), 1 / 2)
"""The share of the positions of a ply that is solved, if not all."""


def main() -> None:
    """Write the file, and what is there so far every minute."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=26)
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--opening", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    solver = Solver(STANDARD, 256, shipped_book(STANDARD))
    chance, player = random.Random(given.seed), Greedy()  # noqa: S311  a sample, not a secret
    player.new_game(given.seed)
    seen: set[int] = set()
    rows: list[tuple[int, int, list[int], int]] = []
    written = time.monotonic()
    for _ in range(given.games):
        boards = [Board(STANDARD)]
        while boards[-1].outcome is None:
            boards.append(boards[-1].play(player.choose(boards[-1], Limits()).column))
        boards.pop()
        for board in boards[11::-1] if given.opening else boards[:11:-1]:
            key = min(board.key, board.mirror().key)
            if key in seen or chance.random() > TAKEN.get(board.ply, 1.0):
                continue
            seen.add(key)
            scores = solver.column_scores(board.own, board.opp, weak=board.ply < 16)
            rows.append((board.own, board.opp, [FULL if each is None else each for each in scores], key))
        if time.monotonic() - written > 60:
            save(given.out, rows)
            written = time.monotonic()
    save(given.out, rows)


def save(path: Path, rows: list[tuple[int, int, list[int], int]]) -> None:
    """Write the rows so far, whole or not at all."""
    own, opp, scores, keys = zip(*rows, strict=True)
    beside = path.with_suffix(".part.npz")
    np.savez_compressed(
        beside, own=np.array(own), opp=np.array(opp), keys=np.array(keys), scores=np.array(scores, np.int8)
    )
    beside.replace(path)
    print(f"{path}: {len(rows):,} positions", flush=True)


if __name__ == "__main__":
    main()
