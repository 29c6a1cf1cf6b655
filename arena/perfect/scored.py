"""Positions with exact scores, as `arena solve --random` prints them and as others write them, read from files.

A file named .json or .jsonl is JSON, any other is text:

JSON  {"position": "4453", "score": 2, "columns": [-2, …]}, a list of these or one a line; null for a full column
text  a position a line, in any form of `arena.games.notation`; behind moves
      their score may follow, as in Pascal Pons' test
      sets, and behind that the score of each column, `-` for a full one
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.specs.plugins import format_error
from arena.games import notation
from arena.perfect.solved import Values
from arena.table.rows import cell, table_row

ScoredBoard = tuple[Board, int | None, Values | None]
"""A position, its score and the scores of its columns, None where a file does not have them."""


@table_row
class ScoredPosition:
    """A position and what it is worth to the side to move."""

    position: str = cell("Its moves from the empty board, columns from 1.")
    score: int = cell(
        "[discs] Those that the winner has left after the winning move, plus one; negative for a loss, 0 for a draw."
    )
    columns: tuple[int | None, ...] = cell("[discs] The score of a move in each column, None where it is full.")


def read_positions(path: Path, rules: Rules = STANDARD) -> list[ScoredBoard]:
    """Return the positions of a file on the board of `rules`, each once.

    Raises InputError, with the line, for a game that is over, for what is no position, and for
    impossible scores.
    """
    rules.refuse_most_fours("the solver")
    is_json = path.suffix.lower() in {".json", ".jsonl"}
    positions: dict[tuple[int, int], ScoredBoard] = {}
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows: Iterator[tuple[str, Any]] = _records(text) if is_json else _lines(text, rules)
        read: Callable[[Any, Rules], ScoredBoard] = _read_record if is_json else _read_line
        for place, row in rows:
            try:
                board, score, columns = read(row, rules)
                _check(board, score, columns)
            except InputError as error:
                raise InputError(f"{path}, {place}: {error}") from None
            positions.setdefault((board.own, board.opp), (board, score, columns))
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except KeyError as error:
        raise InputError(f"{path} does not hold positions: a row has no {error.args[0]!r}") from None
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        reason = format_error(error)  # `repr` shows all bytes of a file that is no text
        raise InputError(f"{path} does not hold positions: {reason}") from None
    if not positions:
        raise InputError(f"{path}: it names no position")
    return list(positions.values())


def _records(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the place and the object of each row of JSON."""
    if text.lstrip().startswith("["):
        yield from ((f"position {number}", record) for number, record in enumerate(json.loads(text), start=1))
    else:
        lines = enumerate(text.split("\n"), start=1)
        yield from ((f"line {number}", json.loads(line)) for number, line in lines if line.strip())


def _read_record(record: dict[str, Any], rules: Rules) -> ScoredBoard:
    columns = record.get("columns")
    scores = None if columns is None else tuple(map(_score, columns))
    return Board.from_moves(str(record["position"]), rules), _score(record.get("score")), scores


def _score(value: Any) -> int | None:  # noqa: ANN401  whatever a file has
    if value is None or type(value) is int:
        return value
    raise ValueError(f"{value!r:.40} is no score")


def _lines(text: str, rules: Rules) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the place of each position, its first line as it stands, and all of its text without comments."""
    lines = text.splitlines()
    for number, position in notation.numbered(lines, rules):
        yield f"line {number}", (lines[number - 1].partition("#")[0].rstrip(), position)


def _read_line(lines: tuple[str, str], rules: Rules) -> ScoredBoard:
    line, position = lines
    score = "[+-]?[0-9]{1,3}"
    match = re.fullmatch(rf"([0-9,]*) ({score})((?: (?:-|{score})){{{rules.columns}}})?", line)
    if match and (match[3] or not match[1]):  # columns' scores, or the empty board
        columns = tuple(None if word == "-" else int(word) for word in match[3].split()) if match[3] else None
        return Board.from_moves(match[1], rules), int(match[2]), columns
    return *notation.line(position, rules), None


def _check(board: Board, score: int | None, columns: Values | None) -> None:
    """Raise InputError for a game that is over, and for scores that the position cannot have."""
    rules = board.rules
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome})")
    most = (rules.columns * rules.rows + 1 - board.ply) // 2
    for value in (score, *(columns or ())):
        if value is not None and abs(value) > most:
            raise InputError(f"{value} is no score of {board.text!r}, which is from {-most} to {most}")
    if columns is None:
        return
    legal = tuple(column for column, value in enumerate(columns) if value is not None)
    if len(columns) != rules.columns or legal != board.legal_moves():
        raise InputError(f"{len(columns)} columns have scores, which are not those that can be played")
    if score is not None and score != max(columns[column] or 0 for column in legal):
        raise InputError(f"the score is {score}, but not the best column's")
