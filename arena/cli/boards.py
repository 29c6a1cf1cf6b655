"""A position drawn before what is said of it, and values below the numbers of their columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from agents.board import Board, column_text

show_board_option = click.option(
    "--show-board", is_flag=True, help="Draw the position, and write what belongs to a column below its number."
)


def show(board: Board, lines: Mapping[str, Sequence[str]]) -> None:
    """Print a board and, below it, lines that have a value for each column."""
    click.echo(f"{board}\n")
    if not lines:
        return
    table = {"column": [column_text(column) for column in range(board.rules.columns)], **lines}
    name, cell = (max(map(len, words)) for words in (table, [value for values in table.values() for value in values]))
    for title, values in table.items():
        click.echo(f"{title:<{name}}  {'  '.join(f'{value:>{cell}}' for value in values)}".rstrip())
    click.echo("")


def placed(board: Board, values: Mapping[int, object]) -> list[str]:
    """Return a word for each column, from values by their numbers from 1; - where there is none."""
    return [str(values.get(column + 1, "-")) for column in range(board.rules.columns)]
