"""The board in a terminal, plain or in colour, with the last move and the winning line marked."""

from __future__ import annotations

from agents.board import Board

_DISCS = ("X", "O")
_COLOURS = ("\x1b[33m", "\x1b[31m")  # the first player yellow, the second red
_BOLD_INVERSE = "\x1b[1;7m"
_RESET = "\x1b[0m"


def draw(board: Board, *, colour: bool = False) -> str:
    """Return the board as lines of text: X the first player, O the second, rows from the top, columns numbered from 1.

    The last move stands in brackets, the discs of a winning line between asterisks; in colour they are inverse. No line
    ends in a space, and 7x6 is 22 characters wide.
    """
    rules = board.rules
    height = rules.rows + 1
    winning = rules.line(board.opp)
    last = _last_cell(board)
    lines = []
    for row in reversed(range(rules.rows)):
        cells = []
        for column in range(rules.columns):
            bit = 1 << column * height + row
            cells.append(_cell(board.disc(column, row), marked=bool(winning & bit), last=bit == last, colour=colour))
        lines.append("".join(cells).rstrip())
    lines.append("".join(f"{column + 1:^3}" for column in range(rules.columns)).rstrip())
    return "\n".join(lines)


def _cell(player: int | None, *, marked: bool, last: bool, colour: bool) -> str:
    if player is None:
        return " . "
    disc = _DISCS[player]
    if colour:
        emphasis = _BOLD_INVERSE if marked else ""
        left, right = ("[", "]") if last else (" ", " ")
        return f"{left}{_COLOURS[player]}{emphasis}{disc}{_RESET}{right}"
    if marked:
        return f"*{disc}*"
    return f"[{disc}]" if last else f" {disc} "


def _last_cell(board: Board) -> int:
    if not board.moves:
        return 0
    shift = board.moves[-1] * (board.rules.rows + 1)
    column = (board.own | board.opp) >> shift & ((1 << board.rules.rows) - 1)
    return 1 << shift + column.bit_length() - 1
