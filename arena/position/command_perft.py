"""`arena perft`: count the game tree, to check a move generator."""

from __future__ import annotations

from dataclasses import asdict

import click

from agents.board import Rules
from arena.cli.options import Command, board_option, output_options, with_options
from arena.cli.output import Output
from arena.cli.types import Whole


@click.command("perft", cls=Command)
@click.argument("depth", type=Whole(0, 64), metavar="DEPTH")
@with_options(
    click.option(
        "--position", "moves", default="", metavar="MOVES", help="Count from here.  [default: the empty board]"
    ),
    click.option("--divide", "by_move", is_flag=True, help="Also count below each first move."),
    board_option,
    output_options,
)  # fmt: skip
def command(depth: int, moves: str, by_move: bool, rules: Rules, output: Output) -> None:
    """Count the sequences of DEPTH moves, and the nodes of the whole tree, the root included.

    A position that is over is a leaf. Equal positions count as often as they are reached. The counts check a move
    generator; --divide finds the first move at which two generators differ.

    \b
    arena perft 8
    arena perft 5 --position 4453 --divide
    """  # noqa: D301  click's \b keeps the lines
    from arena.position import tables as measures
    from arena.position.questions import perft

    counts = perft(depth, moves, divide=by_move, rules=rules)
    if output.as_json:
        document = {"depth": depth, "sequences": counts.sequences, "nodes": counts.nodes}
        output.json(document | ({"divide": [asdict(row) for row in counts.moves.rows]} if counts.moves.rows else {}))
    else:
        line = f"depth {depth}: sequences {counts.sequences}, nodes {counts.nodes}"
        output.tables([measures.divided(counts.moves.rows), line])
