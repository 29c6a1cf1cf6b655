"""Positions as they are named on the command line and drawn, with values below the numbers of their columns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import click

from agents.board import Board, Rules, column_text
from agents.errors import InputError
from arena.cli.output import BAD_INPUT, Output

show_board_option = click.option(
    "--show-board", is_flag=True, help="Draw the position, with each column's values below it."
)


def show(board: Board, lines: Mapping[str, Sequence[str]]) -> None:
    """Print a board and, below it, lines with a value for each column."""
    from arena.table.parts import render
    from arena.table.rows import Column

    click.echo(f"{board}\n")
    if lines:
        values = [Column(column_text(place), _value(place)) for place in range(board.rules.columns)]
        click.echo(render(list(lines.items()), [Column("column", lambda line: line[0]), *values], "plain") + "\n")


def _value(place: int) -> Callable[[tuple[str, Sequence[str]]], str]:
    return lambda line: line[1][place]


def placed(board: Board, values: Mapping[int, object]) -> list[str]:
    """Return a word for each column, given values by column from 1; "-" for a column without a value."""
    return [str(values.get(column + 1, "-")) for column in range(board.rules.columns)]


class Positions(Iterator[Board]):
    """The boards of words, each a position in any form of `arena.games.notation`, or the empty board without words.

    The word "-" stands for the positions of stdin, a line each. A line that cannot be read is named on stderr and left
    out; a word raises InputError. `over` is whether a line may be a game that is over.
    """

    def __init__(self, words: Sequence[str], rules: Rules, output: Output, *, over: bool = True) -> None:
        self._output = output
        self._over = over
        self.code = 0
        """The exit code of a command that has read all: 2 if a line could not be read, else 0."""
        self._boards = self._read(_whole_positions(words, rules), rules)

    def __next__(self) -> Board:
        return next(self._boards)

    def _read(self, words: Sequence[str], rules: Rules) -> Iterator[Board]:
        from arena.games import notation

        if not words:
            yield Board(rules)
        for word in words:
            if word == "-":
                if sys.stdin is None:
                    raise InputError("stdin is closed")
                yield from self._lines(sys.stdin, rules)
            else:
                try:
                    yield notation.position(word, rules)
                except InputError as error:
                    raise InputError(f"position {word!r}: {error}" if len(words) > 1 else str(error)) from None

    def _lines(self, lines: Iterable[str], rules: Rules) -> Iterator[Board]:
        from arena.games import notation

        for number, text in notation.numbered(lines, rules):
            try:
                board, _ = notation.line(text, rules)
            except InputError as error:
                self._leave_out(number, str(error))
                continue
            if board.outcome is None or self._over:
                yield board
            else:
                self._leave_out(number, f"the game is already over ({board.outcome})")

    def _leave_out(self, number: int, reason: str) -> None:
        self.code = BAD_INPUT
        self._output.above_bar(f"arena: line {number}: {reason}")


def _whole_positions(words: Sequence[str], rules: Rules) -> Sequence[str]:
    """Return words, or the one position of which they are the parts: a FEN or numbers that no quotes hold together."""
    together = " ".join(words)
    fen = len(words) > 1 and "/" in words[0] and words[1] in {"w", "b"}
    numbers = len(words) == rules.columns * rules.rows and {*words} <= {"0", "1", "2"}
    return [together] if fen or numbers or (len(words) > 1 and together[0] in "[{") else words
