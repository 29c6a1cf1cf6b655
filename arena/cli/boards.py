"""Positions as they are named on the command line and drawn, with values below the numbers of their columns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

import click

from agents.board import Board, Rules, column_text
from agents.errors import InputError

show_board_option = click.option(
    "--show-board", is_flag=True, help="Draw the position, and write what belongs to a column below its number."
)


def show(board: Board, lines: Mapping[str, Sequence[str]]) -> None:
    """Print a board and, below it, lines that have a value for each column."""
    from arena.report.column import Column, render

    click.echo(f"{board}\n")
    if lines:
        values = [Column(column_text(place), _value(place)) for place in range(board.rules.columns)]
        click.echo(render(list(lines.items()), [Column("column", lambda line: line[0]), *values], "plain") + "\n")


def _value(place: int) -> Callable[[tuple[str, Sequence[str]]], str]:
    return lambda line: line[1][place]


def placed(board: Board, values: Mapping[int, object]) -> list[str]:
    """Return a word for each column, from values by their numbers from 1; - where there is none."""
    return [str(values.get(column + 1, "-")) for column in range(board.rules.columns)]


def positions(words: Sequence[str], rules: Rules) -> Iterator[Board]:
    """Yield a board for each word of moves, the empty board for none.

    Where the word is - there is one for the first word of each line of stdin that is not blank. Raises InputError that
    names the line or the position.
    """
    if not words:
        yield Board(rules)
    for word in words:
        if word == "-":
            if sys.stdin is None:
                raise InputError("stdin is closed")
            for number, line in enumerate(sys.stdin, start=1):
                if found := line.removeprefix("\ufeff").split():
                    yield _position(found[0], rules, f"line {number}: ")
        else:
            yield _position(word, rules, f"position {word!r}: " if len(words) > 1 else "")


def _position(word: str, rules: Rules, place: str) -> Board:
    try:
        return Board.from_moves(word, rules)
    except InputError as error:
        raise InputError(f"{place}{error}") from None
