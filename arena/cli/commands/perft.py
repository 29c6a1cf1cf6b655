"""`arena perft`: counts the game tree, by which a move generator is checked."""

from __future__ import annotations

from dataclasses import asdict

import click

from agents.board import Rules
from arena.cli.options import board_option, with_options
from arena.cli.output import Output, output_options, print_json
from arena.cli.types import Whole


@click.command("perft")
@click.argument("depth", type=Whole(0, 64), metavar="DEPTH")
@with_options(
    click.option(
        "--position", "moves", default="", metavar="MOVES", help="Count from here, by default the empty board."
    ),
    click.option("--divide", "by_move", is_flag=True, help="Count each first move on its own, too."),
    board_option,
    output_options,
)
def command(depth: int, moves: str, by_move: bool, rules: Rules, output: Output) -> None:
    """Count the sequences of DEPTH moves, and the nodes of the whole tree with its root.

    A position that is over has no moves: it is a leaf. Move generators are checked by these counts; with --divide the
    first move where two of them differ is found. Equal positions count as often as they are reached.

    \b
    arena perft 8
    arena perft 5 --position 4453 --divide
    """  # noqa: D301  click's \b keeps the lines
    from arena.api.positions import perft
    from arena.report.tables import measures

    found = perft(depth, moves, divide=by_move, rules=rules)
    if output.as_json:
        document = {"depth": depth, "sequences": found.sequences, "nodes": found.nodes}
        print_json(document | ({"divide": [asdict(row) for row in found.moves.rows]} if found.moves.rows else {}))
    else:
        line = f"depth {depth}: sequences {found.sequences}, nodes {found.nodes}"
        output.tables([measures.divided(found.moves.rows), line])
