"""`arena move`: one move of one agent."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agents.board import Rules
from agents.score import in_words
from arena.cli.hints import refuse_swapped
from arena.cli.options import Command, board_option, isolation_options, json_option, with_options
from arena.cli.output import Output, say_output
from arena.cli.positions import show, show_board_option
from arena.games.notation import position

if TYPE_CHECKING:
    from arena.games.settings import Apart


@click.command("move", cls=Command)
@click.argument("agent")
@click.argument("moves", default="")
@with_options(show_board_option, isolation_options, board_option, json_option)
def command(agent: str, moves: str, show_board: bool, isolation: Apart, rules: Rules, output: Output) -> None:
    """Ask AGENT for its move after MOVES, by default on the empty board.

    A position may also be a FEN, a drawing of .XO, or the 42 numbers of Kaggle's board.

    The score is for the side to move, in the units of the agent's heuristic: positive is good. A proven win or loss is
    shown in plies; in JSON a win in n plies is 1000000 - n, a loss n - 1000000, a draw 0.

    \b
    arena move alphabeta:depth=10,order=centre 4453
    arena move alphabeta:seconds=2,order=centre,table=on
    arena move smart-connect4:depth=4 424717651361271 --rules most-fours
    arena move students/:alice 4453
    """  # noqa: D301  click's \b keeps the lines
    from arena.games.progress import Watch
    from arena.position.questions import move

    refuse_swapped("move", agent, moves)
    board, watch = position(moves, rules), Watch()
    decision = move(agent, board, isolation=isolation)
    if output.as_json:
        output.json(asdict(decision), watch.end()[0])
        return
    if show_board:
        show(board, {"move": [" ^"[column + 1 == decision.move] for column in range(rules.columns)]})
    say_output(decision.output)
    words = [f"move {decision.move}"]
    words += [f"score {in_words(decision.score)}"] if decision.score is not None else []
    words += [f"depth {decision.depth}", f"nodes {decision.nodes:,}"] if decision.depth or decision.nodes else []
    words += [f"time {decision.seconds * 1000:.1f} ms"]
    words += [f"line {' '.join(map(str, decision.pv))}"] if decision.pv else []
    click.echo("\n".join(["  ".join(words), *decision.said]))
