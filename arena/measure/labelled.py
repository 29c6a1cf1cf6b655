"""Labelled positions in files: written whole, and read back with an eye to what cannot be true."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, unknown
from arena.measure.label import Label
from arena.measure.label_forms import FORMS, Form
from arena.measure.solving import Discs, Values
from arena.store.writing import replacing


def refuse(path: Path, rules: Rules, *, columns: bool) -> None:
    """Raise InputError where labels cannot be written to such a file, before hours are spent on them."""
    form = _form(path)
    if form is FORMS[".json"] and (not columns or rules.columns > 10):
        raise InputError(f"{path}: the course's schema has the scores of all columns, of 10 at most: add --moves")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InputError(
            f"{path} cannot be written: {'it is a folder' if path.is_dir() else 'there is no such folder'}"
        )


def write(path: Path, labels: Sequence[Label], rules: Rules) -> None:
    """Write labels in the form that the file's name ends with, whole or not at all. Raises InputError."""
    with replacing(path) as beside:
        _form(path).write(beside, labels, rules)


def read(path: Path, rules: Rules = STANDARD) -> list[tuple[Board, int | None, Values | None]]:
    """Return the positions of a file with what it knows of them, each position once; None is not known.

    Raises InputError, with the line, for what is no position that goes on, or has scores that cannot be its own.
    """
    rules.refuse_most_fours("the solver")
    form = _form(path)
    found: dict[tuple[int, int], tuple[Board, int | None, Values | None]] = {}
    try:
        for number, (moves, score, columns) in form.read(path):
            board = _board(moves, score, columns, rules, f"{path}, {form.unit} {number}")
            found.setdefault((board.own, board.opp), (board, score, columns))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except KeyError as error:
        raise InputError(f"{path} does not hold labelled positions: it has no column {error.args[0]!r}") from None
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} does not hold labelled positions as {path.suffix} files do: {error!r}") from None
    if not found:
        raise InputError(f"{path}: it names no position")
    return list(found.values())


def known(path: Path, rules: Rules, *, columns: bool) -> dict[Discs, Label]:
    """Return the labels of a file by the discs of the side to move and of the other, to go on from; see `read`."""
    found = {}
    for board, score, worth in read(path, rules):
        best = max((each for each in worth or () if each is not None), default=score)
        if best is not None and (worth or not columns):
            found[board.own, board.opp] = Label(board.text, best, worth)
    return found


def _board(moves: str, score: int | None, columns: Values | None, rules: Rules, place: str) -> Board:
    try:
        board = Board.from_moves(moves, rules)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if board.outcome is not None:
        raise InputError(f"{place}: the game is already over ({board.outcome})")
    if columns is not None:
        legal = tuple(column for column, worth in enumerate(columns) if worth is not None)
        if len(columns) != rules.columns or legal != board.legal_moves():
            raise InputError(f"{place}: {len(columns)} columns have scores, which are not those that can be played")
        if score is not None and score != max(columns[column] or 0 for column in legal):
            raise InputError(f"{place}: the score is {score}, but not the best column's")
    return board


def _form(path: Path) -> Form:
    if path.suffix.lower() not in FORMS:
        raise unknown("kind of file for labels", path.suffix or path.name, FORMS)
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise InputError("parquet files are written by pyarrow, which is not installed: pip install pyarrow")
    return FORMS[path.suffix.lower()]
