"""Make the opening book that is shipped: the exact scores of all positions of 8 plies, each mirror pair once.

    nice python results/book/make.py --table 8192         # hours; stop it at any moment, the same call goes on
    python results/book/make.py --check 100               # solves so many entries of the shipped book again

Every score is in the state file beside the book, one byte a position, as soon as it is known.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from tqdm import tqdm

from agents.board import Rules
from agents.solver.book import enumerate_positions, shipped_book, write_book
from agents.solver.solver import Solver
from arena.perfect.solved import in_threads

UNKNOWN = -128
CHUNK = 64
"""Positions that a thread takes at a time: neighbours have most discs in common."""


def solved(rules: Rules, plies: int, places: Sequence[int], threads: int, mebibytes: int) -> Iterator[tuple[int, int]]:
    """Yield the places of positions, among all of their ply, with their scores, in no fixed order; no book is used."""
    last = enumerate_positions(rules, plies)[-1]
    chunks = [places[start : start + CHUNK] for start in range(0, len(places), CHUNK)]

    def score(solver: Solver, place: int) -> int:
        return solver.score(int(last.own[place]), int(last.opp[place]))

    with closing(in_threads(Solver(rules, mebibytes), threads, chunks, score)) as answers:
        yield from tqdm(answers, total=len(places), unit=" position")


def make(path: Path, rules: Rules, plies: int, threads: int, mebibytes: int) -> None:
    """Solve all positions of the ply that the state does not have, and write the book."""
    count, state = len(enumerate_positions(rules, plies)[-1]), path.with_suffix(f".{plies}.state")
    if not state.exists():
        state.write_bytes(bytes([UNKNOWN & 0xFF]) * count)
    if state.stat().st_size != count:
        sys.exit(f"{state} is not the state of this book: it has {state.stat().st_size} bytes, not {count}")
    scores = np.memmap(state, np.int8, "r+")
    for place, score in solved(rules, plies, np.flatnonzero(scores == UNKNOWN).tolist(), threads, mebibytes):
        scores[place] = score
    write_book(path, rules, np.array(scores), plies)


def check(sample: int, rules: Rules, seed: int, threads: int, mebibytes: int) -> int:
    """Solve entries of the shipped book again, print those that are wrong, and return their number."""
    book = shipped_book(rules)
    if book is None:
        sys.exit(f"no book of {rules} is shipped")
    stored = book.scores[-1]
    places = np.sort(np.random.default_rng(seed).permutation(len(stored))[:sample]).tolist()
    wrong = 0
    for place, score in solved(rules, book.plies, places, threads, mebibytes):
        if score != stored[place]:
            wrong += 1
            print(f"entry {place}: {stored[place]} is stored, {score} is true")
    print(f"{wrong} wrong of {len(places):,} entries")
    return wrong


def main() -> int:
    """Read the command line, make the book or check it, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", type=Rules.parse, default=Rules())
    parser.add_argument("--plies", type=int, default=8, help="the last ply of the book")
    parser.add_argument("--out", type=Path, help="the book to write; by default BOARD.book")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--table", type=int, default=1024, help="mebibytes of the table that the threads share")
    parser.add_argument("--check", type=int, metavar="N", help="solve N entries of the shipped book again")
    parser.add_argument("--seed", type=int, default=1, help="draws these entries")
    asked = parser.parse_args()
    if asked.check:
        return check(asked.check, asked.board, asked.seed, asked.threads, asked.table) > 0
    make(asked.out or Path(f"{asked.board}.book"), asked.board, asked.plies, asked.threads, asked.table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
