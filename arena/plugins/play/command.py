"""`arena play`: a person against an agent in a terminal, or two agents to watch."""

from __future__ import annotations

import sys
import time
from random import SystemRandom
from typing import TYPE_CHECKING

import click

from agents.board import Rules
from agents.errors import InputError
from arena.cli.options import Command, board_option, isolation_options, json_option, with_options
from arena.cli.output import Output
from arena.cli.types import SEEDS, Number, Whole
from arena.games import notation

if TYPE_CHECKING:
    from arena.games.settings import Apart

DEFAULT = "medium"


@click.command("play", cls=Command)
@click.argument("agents", nargs=-1, metavar="[AGENT [AGENT]]")
@with_options(
    click.option(
        "--first/--second", default=True,
        help="Whether you, or the first of two agents, move first or second.  [default: first]",
    ),
    click.option("--position", default="", metavar="MOVES", help="Begin after these moves."),
    click.option(
        "--delay", type=Number(0, 60), default=1.0, show_default=True, help="Seconds between the moves of two agents."
    ),
    click.option("--seed", type=Whole(0, SEEDS), help="Seeds all random choices.  [default: drawn anew]"),
    isolation_options,
    board_option,
    json_option,
)  # fmt: skip
def command(
    agents: tuple[str, ...], first: bool, position: str, delay: float, seed: int | None, isolation: Apart,
    rules: Rules, output: Output,
) -> None:  # fmt: skip
    """Play against AGENT, by default medium, or watch two agents.

    With --json the game is on stderr and its record on stdout.

    \b
    arena play                                     against the level medium
    arena play easy --second                       it starts
    arena play alphabeta:depth=8,order=centre
    arena play mollerhoj smart-connect4 --delay 2  two agents to watch
    arena play students/:alice roster.toml:fairy
    arena play --rules most-fours                  a four does not end the game
    """  # noqa: D301  click's \b keeps the lines
    from arena.cli.drawing import Screen, in_colour
    from arena.games.seats import player
    from arena.plugins.play.command_terminal import Dialogue

    if len(agents) > 2:
        raise InputError(f"play takes one agent as your opponent, or two to watch, not {len(agents)}")
    board = notation.position(position, rules)
    ordered = agents if first else agents[::-1]
    seats = [player(agent, isolation=isolation) for agent in ordered] or [player(DEFAULT)]
    person = None if len(seats) == 2 else 0 if first else 1
    if person is not None and sys.stdin is None:
        raise InputError("stdin is closed")
    screen = Screen(output.as_json, colour=in_colour(sys.stderr if output.as_json else sys.stdout))
    seed = SystemRandom().randrange(2**32) if seed is None else seed
    dialogue = Dialogue(board, person, seats, screen, seed)
    try:
        if person is None:
            dialogue.watch(lambda: time.sleep(delay))
        else:
            dialogue.converse()
    except KeyboardInterrupt:
        screen.say("")
    finally:
        dialogue.leave()
    if output.as_json:
        output.json(dialogue.record())
