"""`arena perft`: counts the game tree, by which a move generator is checked."""

from __future__ import annotations

import click

from agents.board import Board, Rules, column_text
from arena.cli.options import board_option, json_option, print_json, with_options


@click.command("perft", short_help="Count the tree of all moves to a depth.")
@click.argument("depth", type=click.IntRange(0, 64))
@with_options(
    click.option("--position", default="", metavar="MOVES", help="Count from here, by default the empty board."),
    click.option("--divide", "divided", is_flag=True, help="Count each first move on its own, too."),
    board_option,
    json_option,
)
def command(depth: int, position: str, divided: bool, rules: Rules, as_json: bool) -> None:
    """Count the sequences of DEPTH moves, and the nodes of the whole tree with its root.

    A position that is over has no moves: it is a leaf. Move generators are checked by these counts; with --divide the
    first move where two of them differ is found. Equal positions count as often as they are reached.

    \b
    arena perft 8
    arena perft 5 --position 4453 --divide
    """  # noqa: D301  click's \b keeps the lines
    from agents.search.perft import divide, perft

    board = Board.from_moves(position, rules)
    document: dict[str, object] = {"depth": depth}
    if divided and depth:
        parts = []
        for column, sequences, nodes in divide(board, depth):
            parts.append({"column": column + 1, "sequences": sequences, "nodes": nodes})
            if not as_json:
                click.echo(f"{column_text(column)}: sequences {sequences}, nodes {nodes}")
        document["sequences"] = sum(part["sequences"] for part in parts)
        document["nodes"] = 1 + sum(part["nodes"] for part in parts)
        document["divide"] = parts
    else:
        document["sequences"], document["nodes"] = perft(board, depth)
    if as_json:
        print_json(document)
    else:
        click.echo(f"depth {depth}: sequences {document['sequences']}, nodes {document['nodes']}")
