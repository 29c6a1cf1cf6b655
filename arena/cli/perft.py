"""`arena perft`: counts the game tree, by which a move generator is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agents.board import Board, column_text
from arena.cli.options import board_option, json_option, print_json, with_options

if TYPE_CHECKING:
    from agents.board import Rules


@click.command("perft")
@click.argument("depth", type=click.IntRange(0, 64))
@with_options(
    click.option("--position", default="", metavar="MOVES", help="Count from here; the default is the empty board."),
    click.option("--divide", "divided", is_flag=True, help="Count each first move on its own."),
    board_option,
    json_option,
)
def command(depth: int, position: str, divided: bool, rules: Rules, as_json: bool) -> None:
    """Count the sequences of DEPTH moves, and the nodes of the tree with its root; a won position is a leaf."""
    from agents.kernels.perft import divide, perft

    board = Board.from_moves(position, rules)
    rows = []
    for column in board.legal_moves() if divided and depth else ():
        sequences, nodes = perft(board.play(column), depth - 1)
        rows.append({"move": column + 1, "sequences": sequences, "nodes": nodes})
        if not as_json:
            click.echo(f"{column_text(column)}: {sequences} sequences, {nodes} nodes")
