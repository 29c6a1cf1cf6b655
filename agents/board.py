"""The board that every agent shares: an immutable position on two integers.

A cell is the bit `column * (rows + 1) + row`, row 0 at the bottom; the extra row on top stays empty, so that a line
never runs from one column into the next. On 7x6 the bottom row is 0, 7, 14, 21, 28, 35, 42, and

    Board.from_moves("4453").own == 1 << 21 | 1 << 28     (the first player's discs, and its turn: columns 4 and 5)
    Board.from_moves("4453").opp == 1 << 22 | 1 << 14     (the second player's: on top in column 4, and column 3)

Columns are 0-based in Python and 1-based in text; only this file converts between them.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from agents.errors import InputError
from agents.history import moves_to
from agents.picture import svg
from agents.rules import STANDARD, Rules, mirrored

__all__ = ["STANDARD", "Board", "IllegalMove", "Outcome", "Rules", "column_text", "moves_text", "split_moves"]

DIGIT_COLUMNS = 9


class IllegalMove(InputError):  # noqa: N818  the name that chess libraries use
    """A move into a full or missing column, or after the end of the game."""


class Outcome(enum.Enum):
    """The result of a finished game; `winner` is 0 (first player), 1 (second player) or None (a draw)."""

    FIRST_WINS = 0
    SECOND_WINS = 1
    DRAW = None

    @property
    def winner(self) -> int | None:
        """The player that won, or None."""
        value: int | None = self.value
        return value

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same outcome. Raises TypeError for a number, which no outcome is."""
        if isinstance(other, int):
            raise TypeError(
                f"an Outcome is no number: compare its winner, 0, 1 or None for a draw ({self!r} == {other})"
            )
        return self is other

    __hash__ = enum.Enum.__hash__

    def __str__(self) -> str:
        return {0: "first player won", 1: "second player won", None: "draw"}[self.value]


@dataclass(frozen=True, slots=True)
class Board:
    """A position: `own` has the discs of the side to move, `opp` the other side's. Equal positions are equal boards."""

    rules: Rules = STANDARD
    own: int = 0
    opp: int = 0
    ply: int = 0
    outcome: Outcome | None = None
    moves: tuple[int, ...] = field(default=(), compare=False)
    """The 0-based columns played since the empty board."""

    @classmethod
    def from_moves(cls, text: str, rules: Rules = STANDARD) -> Board:
        """Return the position after the moves in `text`: "4453", or "10,1,3" on boards wider than nine columns.

        Raises IllegalMove with the number of the move and what is wrong with it.
        """
        board = cls(rules)
        for number, word in enumerate(split_moves(text, rules), start=1):
            try:
                board = board.play(_column(word, rules))
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from None
        return board

    @classmethod
    def from_grid(cls, grid: Sequence[Sequence[int]], rules: Rules = STANDARD) -> Board:
        """Return the board of a grid, with moves that lead to it: rows from the top, 0 empty, 1 and 2 the players.

        Raises IllegalMove, with the reason, if no game leads to it.
        """
        try:
            moves = moves_to(grid, rules)
        except InputError as error:
            raise IllegalMove(str(error)) from None
        board = cls(rules)
        for column in moves:
            board = board.play(column)
        return board

    @property
    def mover(self) -> int:
        """The player to move: 0 the first player, 1 the second."""
        return self.ply & 1

    @property
    def key(self) -> int:
        """A number that is unique among the positions of this board size."""
        return self.own + (self.own | self.opp)

    @property
    def fours(self) -> tuple[int, int]:
        """The numbers of fours of the first and the second player."""
        own, opp = self.rules.fours(self.own), self.rules.fours(self.opp)
        return (opp, own) if self.mover else (own, opp)

    @property
    def text(self) -> str:
        """The moves since the empty board, as text."""
        return moves_text(self.moves, self.rules)

    def legal_moves(self) -> tuple[int, ...]:
        """Return the playable 0-based columns from left to right; none when the game is over."""
        if self.outcome is not None:
            return ()
        mask = self.own | self.opp
        return tuple([column for column, cells in enumerate(self.rules.columns_of_cells) if cells & ~mask])

    def play(self, column: int) -> Board:
        """Return the position after a disc in the 0-based `column`. Raises IllegalMove."""
        rules = self.rules
        if self.outcome is not None:
            raise IllegalMove(f"the game is already over ({self.outcome} at move {self.ply})")
        if not 0 <= column < rules.columns:
            raise IllegalMove(f"column {column + 1} does not exist (1 to {rules.columns})")
        mask = self.own | self.opp
        disc = (mask + (1 << column * (rules.rows + 1))) & rules.columns_of_cells[column]
        if not disc:
            raise IllegalMove(f"column {column + 1} is full")
        own = self.own | disc
        outcome = None
        if not rules.most_fours and rules.line(own):
            outcome = Outcome(self.ply & 1)
        elif mask | disc == rules.cells:
            ahead = rules.fours(own) - rules.fours(self.opp)
            outcome = Outcome(self.ply & 1 if ahead > 0 else ~self.ply & 1) if ahead else Outcome.DRAW
        return Board(rules, self.opp, own, self.ply + 1, outcome, (*self.moves, column))

    def mirror(self) -> Board:
        """Return the mirror image of the position, with left and right swapped."""
        columns, rows, _ = self.rules.size
        own, opp = mirrored(self.own, columns, rows), mirrored(self.opp, columns, rows)
        moves = tuple(columns - 1 - column for column in self.moves)
        return Board(self.rules, own, opp, self.ply, self.outcome, moves)

    def disc(self, column: int, row: int) -> int | None:
        """Return the owner of a cell, 0 the first player or 1 the second, or None if it is empty."""
        bit = 1 << column * (self.rules.rows + 1) + row
        if self.own & bit:
            return self.mover
        return 1 - self.mover if self.opp & bit else None

    def grid(self) -> list[list[int]]:
        """Return the rows from the top, each a list of cells: 0 empty, 1 the first player's disc, 2 the second's."""
        columns, rows = range(self.rules.columns), reversed(range(self.rules.rows))
        return [[{None: 0, 0: 1, 1: 2}[self.disc(column, row)] for column in columns] for row in rows]

    def drawn(self, cell: Callable[[str, bool, bool], str]) -> str:
        """Return the board as lines of text: X the first player, O the second, rows from the top, columns from 1.

        `cell(disc, winning, last)` returns three characters for a disc, "X" or "O"; `winning` is whether it is part of
        a four, `last` whether it is the last move. No line ends in a space.
        """
        columns, height = range(self.rules.columns), self.rules.rows + 1
        winning, last = self.rules.line(self.own) | self.rules.line(self.opp), self._last_disc()
        winning &= ~last if self.rules.most_fours else -1  # mark the last move as such where the game goes on
        lines = []
        for row in reversed(range(self.rules.rows)):
            words = []
            for column in columns:
                bit, player = 1 << column * height + row, self.disc(column, row)
                words.append(" . " if player is None else cell("XO"[player], bool(winning & bit), bit == last))
            lines.append("".join(words).rstrip())
        lines.append("".join(f"{column + 1:^3}" for column in columns).rstrip())
        return "\n".join(lines)

    def _last_disc(self) -> int:
        """Return the bit of the last move, 0 if no moves are known."""
        if not self.moves:
            return 0
        shift = self.moves[-1] * (self.rules.rows + 1)
        column = (self.own | self.opp) >> shift & ((1 << self.rules.rows) - 1)
        return 1 << shift + column.bit_length() - 1

    def __str__(self) -> str:
        return self.drawn(lambda disc, winning, last: f"*{disc}*" if winning else f"[{disc}]" if last else f" {disc} ")

    _repr_svg_ = svg


def split_moves(text: str, rules: Rules = STANDARD) -> list[str]:
    """Split a text of moves into one word a move: digits, or numbers between commas on boards wider than nine."""
    text = "".join(text.split())
    if rules.columns <= DIGIT_COLUMNS and "," not in text:
        return list(text)
    return text.split(",") if text else []


def moves_text(moves: Iterable[int], rules: Rules = STANDARD) -> str:
    """Return 0-based columns as text in the form that `Board.from_moves` reads."""
    separator = "" if rules.columns <= DIGIT_COLUMNS else ","
    return separator.join(str(column + 1) for column in moves)


def column_text(column: int) -> str:
    """Return a 0-based column as text."""
    return str(column + 1)


def _column(word: str, rules: Rules) -> int:
    if not (word.isascii() and word.isdigit()):
        raise IllegalMove(f"{word!r} is not a column (1 to {rules.columns})")
    return int(word[:9]) - 1
