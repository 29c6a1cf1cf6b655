"""`arena move`: one decision of one agent."""

from __future__ import annotations

import click

from agents.board import Board, Rules
from agents.score import in_words
from arena.cli.options import board_option, json_option, print_json, with_options


@click.command("move", short_help="Ask an agent for one move.")
@click.argument("agent")
@click.argument("moves", default="")
@with_options(board_option, json_option)
def command(agent: str, moves: str, rules: Rules, as_json: bool) -> None:
    """Ask AGENT for its move after MOVES, by default on the empty board.

    \b
    arena move alphabeta:depth=10,order=centre 4453
    arena move alphabeta:seconds=2,order=centre,table=on
    """  # noqa: D301  click's \b keeps the lines
    from agents.registry import parse
    from arena.analysis.rows import plain
    from arena.measure.decision import decision

    made = decision(parse(agent), Board.from_moves(moves, rules))
    if as_json:
        [document] = plain([made])
        print_json(document)
        return
    words = [f"move {made.move}", f"score {in_words(made.score)}", f"depth {made.depth}"]
    words += [f"nodes {made.nodes:,}", f"time {made.seconds * 1000:.1f} ms"]
    words.append(f"line {' '.join(map(str, made.pv))}")
    click.echo("  ".join(words))
