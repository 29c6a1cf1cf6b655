"""`arena engine`: an agent as a program that reads lines of moves and answers each with its own move."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from agents.board import Board, Rules, column_text
from agents.errors import InputError
from arena.cli.options import Command, board_option, isolation_options, seed_option

if TYPE_CHECKING:
    from arena.games.settings import Apart


@click.command("engine", cls=Command)
@click.argument("agent")
@seed_option()
@isolation_options
@board_option
def command(agent: str, seed: int, isolation: Apart, rules: Rules) -> None:
    """Read lines of moves from stdin, and write AGENT's column, score, depth and nodes for each.

    Columns count from 1, and an empty line is the empty board. A line that does not continue the previous one begins a
    new game, except for agents that play at random. The program ends at the end of its input.

    \b
    arena engine alphabeta:depth=6
    echo 4453 | arena engine perfect
    """  # noqa: D301  click's \b keeps the lines
    from agents.specs.kinds import KINDS
    from arena.games.notation import moves
    from arena.games.seats import player

    seat = player(agent, isolation)
    seat.ready(Board(rules), seed)
    kind = KINDS.get(seat.spec.kind)
    forgets = kind is not None and not kind.chance
    answered: tuple[int, ...] = ()
    for number, line in enumerate(sys.stdin or (), start=1):
        try:
            board = moves(line, rules)
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
        if board.outcome is not None:
            raise InputError(f"line {number}: the game is already over ({board.outcome} at move {board.ply})")
        if forgets and board.moves[:-1] != answered:
            seat.ready(board, seed)
        record = seat.decide(board)
        answered = (*board.moves, record.column)
        claims = {"score": record.score, "depth": record.depth, "nodes": record.nodes}
        words = [f"{name}={value}" for name, value in claims.items() if value is not None]
        click.echo(" ".join([column_text(record.column), *words]))
