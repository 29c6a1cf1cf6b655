"""The positions that games start from: enumerated once up to mirror image and drawn by a seed, or read from a file."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from pathlib import Path

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError

MOST_PLIES = 8
DEFAULT = "plies:4"


def draw(text: str, rounds: int, seed: int, rules: Rules = STANDARD) -> list[Board]:
    """Return `rounds` openings of the set that `text` names, `plies:N` or a file, drawn without replacement.

    The same seed draws the same openings; a larger number of rounds begins with the same ones. Raises InputError when
    the set is smaller, with its size.
    """
    openings = list(everything(text, rules))
    if rounds > len(openings):
        raise InputError(f"{rounds} rounds need as many openings: {text} has {len(openings)}")
    random.Random(seed).shuffle(openings)  # noqa: S311  a sample, not a secret
    return openings[:rounds]


def everything(text: str, rules: Rules = STANDARD) -> list[Board]:
    """Return every opening of the set that `text` names, always in the same order. Raises InputError."""
    scheme, colon, rest = text.partition(":")
    if colon and scheme in SCHEMES:
        return SCHEMES[scheme](rest, rules)
    if Path(text).is_file():
        return from_file(Path(text), rules)
    raise InputError(f"openings {text!r}: it is neither a file nor one of {', '.join(f'{name}:N' for name in SCHEMES)}")


@functools.lru_cache(maxsize=4)
def enumerated(plies: int, rules: Rules = STANDARD) -> tuple[Board, ...]:
    """Return every position of `plies` plies in which nobody has won and a move is left, once up to mirror image.

    On 7x6 there are 4, 25, 121, 568, 2144, 8231 for 1 to 6 plies.
    """
    boards = [Board(rules)]
    for _ in range(plies):
        seen: dict[int, Board] = {}
        for board in boards:
            for column in board.legal_moves():
                child = board.play(column)
                if child.outcome is None:
                    seen.setdefault(min(child.key, child.mirror().key), child)
        boards = list(seen.values())
    return tuple(boards)


def from_file(path: Path, rules: Rules = STANDARD) -> list[Board]:
    """Return the openings of a text file, moves line by line; # begins a comment, and equal positions count once."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(f"openings {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"openings {path}: it is not a text file") from error
    found: dict[int, Board] = {}
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            board = Board.from_moves(text, rules)
        except InputError as error:
            raise InputError(f"openings {path}, line {number}: {error}") from None
        if board.outcome is not None:
            raise InputError(f"openings {path}, line {number}: the game is already over ({board.outcome})")
        found.setdefault(board.key, board)
    if not found:
        raise InputError(f"openings {path}: it names no position")
    return list(found.values())


def _plies(text: str, rules: Rules) -> list[Board]:
    if not (text.isascii() and text.isdigit()) or int(text[:4]) > MOST_PLIES:
        raise InputError(f"openings plies:{text}: N is a whole number from 0 to {MOST_PLIES}")
    openings = list(enumerated(int(text), rules))
    if not openings:
        raise InputError(f"openings plies:{text}: no position of {text} plies goes on, on a {rules} board")
    return openings


SCHEMES: dict[str, Callable[[str, Rules], list[Board]]] = {
    "plies": _plies,
}
