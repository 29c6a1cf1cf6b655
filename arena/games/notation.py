"""Positions as people write them, and the lines of files of positions.

A position is one of

    4453                            its moves, columns from 1; 10,1,3 on boards wider than nine columns
    7/7/7/7/3p3/P2P3 w - - 0 1      a FEN as Fairy-Stockfish and cutechess write it for `cfour`
    ……/…O.../X..X...                a drawing, rows from the top, `X` or `x` the first player, `O` or `o` the second,
                                    `.` empty, with slashes or on lines of their own; also as this program draws a board
    [0, 0, …, 1, 2, 0]              the numbers of Kaggle's ConnectX, row by row from the top, also as its JSON object

A line of a file is one position; behind its moves a blank and a score may follow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.fen import from_fen

EMPTY, FIRST, SECOND = ".-_·0", "Xx1", "Oo2"
"""The signs of a drawing."""
_FEN = re.compile(r"\s*[Pp1-9]+(?:/[Pp1-9]+)+(?:\[[Pp-]*\])?\s+[wb]\b.*", re.DOTALL)
_MOVES = re.compile(r"[0-9,]+")


def position(text: str, rules: Rules = STANDARD) -> Board:
    """Return the position that a text describes in any of the forms above. Raises InputError."""
    text = text.removeprefix("\ufeff").strip()
    if _FEN.fullmatch(text):
        if rules != STANDARD:
            raise InputError(f"a FEN is a position of {STANDARD}, not of {rules}")
        return from_fen(text)
    numbers = _numbers(text, rules)
    if numbers is not None:
        return Board.from_grid(_rows(numbers, rules), rules)
    if re.search(r"[./_·|\n]", text) or ({*text} & {*"XxOo"} and {*_cells(text)} <= {*EMPTY, *"XxOo"}):
        return Board.from_grid(_rows(_drawing(text, rules), rules), rules)
    return moves(text, rules)


def moves(text: str, rules: Rules = STANDARD) -> Board:
    """Return the position after moves. Raises InputError, also for blanks: a number behind one may be a score."""
    if re.search(r"[0-9]\s+[-+]?[0-9]", text.strip()):
        raise InputError(f"{text.strip()!r:.60}: moves have no blanks between them, and no score behind them")
    return Board.from_moves(text, rules)


def line(text: str, rules: Rules = STANDARD) -> tuple[Board, int | None]:
    """Return the position of a line, and the score that follows its moves, if any. Raises InputError."""
    words = text.removeprefix("\ufeff").split()
    if len(words) > 1 and _MOVES.fullmatch(words[0]) and _numbers(text, rules) is None and not _FEN.fullmatch(text):
        if len(words) > 2 or not re.fullmatch(r"[+-]?[0-9]{1,4}", words[1]):
            raise InputError(f"{text.strip()!r:.60} is not moves without blanks, and perhaps a score after one blank")
        board, score = Board.from_moves(words[0], rules), int(words[1])
        most = (rules.columns * rules.rows + 1 - board.ply) // 2
        if abs(score) > most:
            between = f"{-most} to {most}"
            raise InputError(f"{score} is no score of {words[0]}, which is from {between}: moves have no blanks")
        return board, score
    return position(text, rules), None


def numbered(lines: Iterable[str], rules: Rules = STANDARD) -> Iterator[tuple[int, str]]:
    """Yield the positions of a file, as texts for `line`, each with the number of its first line.

    `#` begins a comment, blank lines are left out, and lines that each draw a row belong together.
    """
    begun, rows = 0, list[str]()
    for number, words in enumerate(lines, start=1):
        text = words.removeprefix("\ufeff").partition("#")[0].strip()
        drawn = len(_cells(text)) == rules.columns and re.fullmatch(r"[.XxOo·_|\s\[\]*]+", text) is not None
        if rows and not drawn:
            yield begun, "\n".join(rows)
            rows = []
        if drawn:
            begun = begun if rows else number
            rows.append(text)
            if len(rows) == rules.rows:
                yield begun, "\n".join(rows)
                rows = []
        elif text and not (begun and _is_scale(text, rules)):
            yield number, text
        if not drawn and text:
            begun = 0
    if rows:
        yield begun, "\n".join(rows)


def _is_scale(text: str, rules: Rules) -> bool:
    """Return whether a line has the numbers of the columns, as they stand below a drawing."""
    return text.split() == [str(column + 1) for column in range(rules.columns)]


def _cells(row: str) -> str:
    """Return the signs of a row without what only decorates them."""
    return re.sub(r"[\s|\[\]*,]", "", row)


def _numbers(text: str, rules: Rules) -> str | None:
    """Return the digits of Kaggle's numbers, or None if the text is something else. Raises InputError."""
    if text.startswith("{"):
        try:
            text = str(json.loads(text)["board"])
        except (ValueError, KeyError, TypeError):
            raise InputError("this JSON is no observation of Kaggle's: it has no list 'board'") from None
    cells = rules.columns * rules.rows
    digits = re.sub(r"[\s,\[\]()]", "", text)
    if text.startswith(("[", "(")) and re.fullmatch(r"[\[(][\s\d,\[\]()]*", text):
        if len(digits) != cells or set(digits) - set("012"):
            raise InputError(f"a board of {rules} is {cells} numbers 0, 1 and 2, the top row first, not {len(digits)}")
        return digits
    one_each = len(digits) == cells and not set(digits) - set("012")
    return digits if one_each and (rules.columns > 2 or "0" in digits) else None


def _drawing(text: str, rules: Rules) -> str:
    """Return the signs of a drawing, row by row. Raises InputError."""
    rows = [_cells(row) for row in re.split(r"[\n/]+|\\n", text) if not _is_scale(row, rules)]
    rows = [row for row in rows if row]
    if len(rows) > rules.rows:  # frames
        rows = [row for row in rows if not re.fullmatch(r"[-+=_]+", row)]
    if len(rows) == 1 and len(rows[0]) == rules.columns * rules.rows:
        return rows[0]
    wrong = set("".join(rows)) - set(EMPTY + FIRST + SECOND)
    if wrong:
        raise InputError(f"{text!r:.60} is no position: {min(wrong)!r} is no sign of a drawing (. X O)")
    if len(rows) != rules.rows or any(len(row) != rules.columns for row in rows):
        size = f"{rules.rows} rows of {rules.columns} signs"
        raise InputError(f"a drawing of {rules} has {size}, such as {'.' * rules.columns}")
    return "".join(rows)


def _rows(cells: str, rules: Rules) -> list[list[int]]:
    values = [0 if sign in EMPTY else 1 if sign in FIRST else 2 for sign in cells]
    return [values[start : start + rules.columns] for start in range(0, len(values), rules.columns)]
