"""`arena move`: one decision of one agent."""

from __future__ import annotations

import click

from agents.agent import prepare
from agents.board import Board, Rules, column_text
from agents.errors import InputError
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
    from arena.play.answer import Fault
    from arena.play.interrupt import stoppable
    from arena.play.match import decide

    board = Board.from_moves(moves, rules)
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome} at move {board.ply})")
    player = parse(agent).apart()
    prepare(player, rules)
    try:
        with stoppable([player]):
            made = decide(player, board)
    except Fault as fault:
        raise InputError(f"agent {agent!r}: {fault.termination}: {fault.detail}") from fault
    if as_json:
        print_json(
            {
                "agent": agent,
                "position": board.text,
                "move": made.column + 1,
                "score": made.score,
                "depth": made.depth,
                "nodes": made.nodes,
                "seconds": made.seconds,
                "pv": [column + 1 for column in made.pv],
            }
        )
        return
    words = [f"move {column_text(made.column)}", f"score {in_words(made.score)}", f"depth {made.depth}"]
    words += [f"nodes {made.nodes:,}", f"time {made.seconds * 1000:.1f} ms"]
    words.append(f"line {' '.join(column_text(column) for column in made.pv)}")
    click.echo("  ".join(words))
