"""`arena replay`: one stored game, move by move."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agents.errors import InputError
from arena.cli.options import Command, file_argument, json_option, with_options
from arena.cli.output import print_json
from arena.cli.terminal.play import Screen, in_colour
from arena.cli.types import GAME, Whole

if TYPE_CHECKING:
    from arena.analysis.games import Replay
    from arena.cli.terminal.viewer import Viewer


@click.command("replay", cls=Command)
@file_argument
@click.argument("number", type=GAME, metavar="GAME")
@with_options(
    click.option("--ply", type=Whole(0), help="Show only the position with this many discs."),
    click.option("--solve", "solved", is_flag=True, help="Also show the exact score of each column."),
    json_option,
)  # fmt: skip
def command(file: Path, number: str, ply: int | None, solved: bool, as_json: bool) -> None:
    """Show GAME of a stored run: each position, the search of the agent to move, and what an audit found.

    In a terminal it shows one position at a time; the keys are n next, b back, s start, e end, x next blunder, w why it
    lost, p play on from here, q quit, and the arrows. Otherwise it prints all positions. GAME is a number from `arena
    games FILE`, or a key such as 0-1-3: first agent, second agent and opening, from 0.

    \b
    arena replay latest 12
    arena replay results/run-20260102-030405.sqlite 12 --ply 9 --solve
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import runs
    from arena.cli.terminal.viewer import Viewer

    found = runs.replay(file, number)
    last = len(found.steps)
    if ply is not None and ply > last:
        raise InputError(f"game {number} has {last} plies: --ply goes from 0 to {last}")
    viewer = Viewer(found, Screen(err=False, colour=in_colour(sys.stdout)), solved=solved)
    if as_json:
        print_json(document(found, viewer, ply))
    elif ply is not None:
        viewer.show(ply)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        viewer.browse()
    else:
        viewer.show_all()


def document(found: Replay, viewer: Viewer, ply: int | None) -> dict[str, Any]:
    """Return the game, or what happened at one ply of it, as plain data; with the columns' scores where solved."""
    game = found.game
    names = ("ply", "column", "agent", "score", "depth", "nodes", "seconds", "value", "after")
    moves = [
        {name: getattr(step, name) for name in names}
        | ({"extra": json.loads(step.extra)} if step.extra else {})
        | ({"scores": viewer.scores(step.ply)} if viewer.solved else {})
        for step in found.steps
        if ply in {None, step.ply}
    ]
    lost = {"extra": found.extra} if found.extra and ply in {None, game.plies} else {}
    shown = {name: getattr(game, name) for name in ("game", "first", "second", "result")}
    return shown | lost | {"moves": moves}
