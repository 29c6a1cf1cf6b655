"""The positions that games start from: enumerated up to mirror images and drawn with a seed, or read from a file."""

from __future__ import annotations

import difflib
import functools
import os.path
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agents.board import STANDARD, Board, Rules, moves_text
from agents.errors import InputError
from agents.score import sign
from arena.games import notation, pgn

MOST_PLIES = 8
DEFAULT_SET = "plies:4"
CUT = ";plies="
"""Between a file and the plies after which its games are cut."""
REPEAT = ";repeat="
"""Between a set and how often each of its openings is played, as a pair of games of its own."""
MOST_TIMES = 100_000


def draw(text: str, rounds: int, seed: int, rules: Rules = STANDARD) -> list[Board]:
    """Return a random sample of `rounds` openings from the set `text`, without replacement.

    `plies:N` is the set of all positions of N plies, `fair:N` the set of those that are a draw with perfect play.
    `fair:N:pairs` alternates between positions won for the first and for the second player. Any other text is a file,
    perhaps with `;plies=N` to cut its games. `;repeat=N` behind a set stands for N copies of each opening, one after
    another.

    The same seed draws the same openings; a larger number of rounds begins with the same ones. Raises InputError, with
    the size of the set, if the set is too small.
    """
    openings = shuffled(text, seed, rules)
    if rounds > len(openings):
        raise InputError(f"{rounds} rounds need as many openings: {text} has {len(openings)}")
    return openings[:rounds]


def shuffled(text: str, seed: int, rules: Rules = STANDARD) -> list[Board]:
    """Return all openings that `draw` may return, in its order. Raises InputError."""
    text, times = repetitions(text)
    openings = list(candidates(text, rules))
    random.Random(seed).shuffle(openings)  # noqa: S311  a sample, not a secret
    return [board for turn in zip(*_strata(text, openings), strict=False) for board in turn for _ in range(times)]


def strata(text: str, rules: Rules = STANDARD) -> list[int]:
    """Return the number of openings to draw from; for `fair:N:pairs` the numbers of both kinds."""
    text, times = repetitions(text)
    return [times * len(openings) for openings in _strata(text, candidates(text, rules))]


def repetitions(text: str) -> tuple[str, int]:
    """Return a set of openings without `;repeat=N`, and N, which is 1 if it is not there. Raises InputError."""
    openings, repeat, times = text.rpartition(REPEAT)
    if not repeat or _is_file(text):
        return text, 1
    if not (times.isascii() and times.isdigit()) or not 1 <= int(times.lstrip("0")[:7] or 0) <= MOST_TIMES:
        raise InputError(f"openings {text}: N of {REPEAT}N is a whole number from 1 to {MOST_TIMES}")
    return openings, int(times.lstrip("0"))


def candidates(text: str, rules: Rules = STANDARD) -> list[Board]:
    """Return all openings of the set `text`, always in the same order. Raises InputError."""
    scheme, colon, rest = text.partition(":")
    if _is_file(text):
        return from_file(Path(text), rules)
    name, cut, plies = text.rpartition(CUT)
    if cut and plies.isascii() and plies.isdigit() and _is_file(name):
        return from_file(Path(name), rules, int(plies[:4]))
    if colon and scheme in SCHEMES:
        return SCHEMES[scheme](rest, rules)
    near = difflib.get_close_matches(scheme.lower(), SCHEMES, n=1) if colon else []
    hint = f": did you mean {near[0]}:{rest}?" if near else ""
    forms = "plies:N, fair:N, fair:N:pairs"
    raise InputError(f"openings {text!r}: it is neither a file nor one of {forms}{hint}")


def _is_file(text: str) -> bool:
    return os.path.isfile(text)  # noqa: PTH113  Path's raises where a text is long


@functools.lru_cache(maxsize=4)
def enumerated(plies: int, rules: Rules = STANDARD) -> tuple[Board, ...]:
    """Return every position of `plies` plies in a game that is not over, one of each pair of mirror images.

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


def from_file(path: Path, rules: Rules = STANDARD, plies: int | None = None) -> list[Board]:
    """Return the openings of a text file; equal positions count once.

    An .epd file has one position a line, and a .pgn file has games, both in the notation of Fairy-Stockfish and
    cutechess for `cfour`. Any other file has a position a line, see
    `arena.games.notation`, and # begins a comment. Games
    are cut after so many `plies`.
    """
    boards: dict[int, Board] = {}
    suffix = path.suffix.lower()
    if suffix in {".epd", ".pgn"} and rules != STANDARD:
        raise InputError(f"openings {path}: it has positions of {STANDARD} alone, not of {rules}")
    for number, board in _of_games(path, plies) if suffix == ".pgn" else _of_lines(path, rules, plies):
        if board.outcome is not None:
            raise InputError(f"openings {path}, line {number}: the game is already over ({board.outcome})")
        boards.setdefault(board.key, board)
    if not boards:
        raise InputError(f"openings {path}: it names no position")
    return list(boards.values())


def _of_games(path: Path, plies: int | None) -> Iterator[tuple[int, Board]]:
    """Yield the last position of each game of a PGN file, with the number of its first line. Raises InputError."""
    try:
        for game in pgn.games(path):
            yield game.line, game.cut(plies)
    except InputError as error:
        raise InputError(f"openings {error}") from None


def _of_lines(path: Path, rules: Rules, plies: int | None) -> Iterator[tuple[int, Board]]:
    """Yield the position of each line of a file, with its number. Raises InputError."""
    try:
        lines = pgn.read_text(path).split("\n")
    except InputError as error:
        raise InputError(f"openings {error}") from None
    for number, text in notation.numbered(lines, rules):
        try:
            board = notation.line(text, rules)[0]
            yield number, board if plies is None else _cut(board, text.split()[0], plies)
        except InputError as error:
            raise InputError(f"openings {path}, line {number}: {error}") from None


def _cut(board: Board, moves: str, plies: int) -> Board:
    """Return the position after the first plies of the moves to a board. Raises InputError where it has no moves."""
    if set(moves) - set("0123456789,") or Board.from_moves(moves, board.rules) != board:
        raise InputError("a position without its moves cannot be cut to fewer plies")
    return Board.from_moves(moves_text(board.moves[:plies], board.rules), board.rules)


def _plies(text: str, rules: Rules) -> list[Board]:
    return _of_plies(text, rules, f"plies:{text}")


def _of_plies(text: str, rules: Rules, name: str) -> list[Board]:
    """Return all openings of the number of plies in `text`; error messages call the set `name`."""
    if not (text.isascii() and text.isdigit()) or int(text.lstrip("0")[:4] or 0) > MOST_PLIES:
        raise InputError(f"openings {name}: N is a whole number from 0 to {MOST_PLIES}")
    openings = list(enumerated(int(text), rules))
    if not openings:
        raise InputError(f"openings {name}: no position of {text} plies goes on, on a {rules} board")
    return openings


def values(boards: Sequence[Board]) -> list[int | None]:
    """Return each position's value for the side to move, 1, 0 or -1, or None if it is not in the opening book."""
    from agents.solver.book import shipped_book

    book = shipped_book(boards[0].rules) if boards else None
    if book is None:
        return [None] * len(boards)
    scores = [book.lookup(board.own, board.opp) for board in boards]
    return [None if value is None else sign(value) for value in scores]


def _fair(text: str, rules: Rules) -> list[Board]:
    """Return the openings of N plies that are a draw or, for N:pairs, those that are not."""
    plies, colon, rest = text.partition(":")
    if rest != ("pairs" if colon else ""):
        raise InputError(f"openings fair:{text}: it is fair:N or fair:N:pairs")
    boards = _of_plies(plies, rules, f"fair:{text}")
    outcomes = values(boards)
    if None in outcomes:
        raise InputError(f"openings fair:{text}: no opening book knows the positions of {plies} plies on {rules}")
    drawn = [board for board, value in zip(boards, outcomes, strict=True) if value == 0]
    if not rest:
        if not drawn:
            raise InputError(f"openings fair:{text}: no position of {plies} plies is a draw")
        return drawn
    return [board for board, value in zip(boards, outcomes, strict=True) if value]


def _strata(text: str, openings: list[Board]) -> list[list[Board]]:
    """Return the openings in one list or, for fair:N:pairs, in two: won for the first and for the second player."""
    if not (text.startswith("fair:") and text.endswith(":pairs")) or _is_file(text):
        return [openings]
    won: dict[bool, list[Board]] = {True: [], False: []}
    for board, value in zip(openings, values(openings), strict=True):
        won[(value == 1) == (board.mover == 0)].append(board)
    if not (won[True] and won[False]):
        raise InputError("openings fair:N:pairs: one of the players wins none of them")
    return list(won.values())


SCHEMES: dict[str, Callable[[str, Rules], list[Board]]] = {
    "plies": _plies,
    "fair": _fair,
}
