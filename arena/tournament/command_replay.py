"""`arena replay`: one stored game, move by move."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agents.errors import InputError
from agents.score import VALUES
from arena.cli.drawing import MARKS, Screen, in_colour, thoughts
from arena.cli.options import Command, file_argument, json_option, with_options
from arena.cli.output import Output
from arena.cli.types import GAME, Whole
from arena.plugins import offers

if TYPE_CHECKING:
    from arena.tournament.games import Replay, Step


@click.command("replay", cls=Command)
@file_argument
@click.argument("number", type=GAME, metavar="GAME")
@with_options(click.option("--ply", type=Whole(0), help="Show only the position with this many discs."), json_option)
def command(file: Path, number: str, ply: int | None, output: Output) -> None:
    """Show GAME of a stored run: each position, the search of the agent to move, and why a move lost value if audited.

    GAME is a number from `arena games FILE`, or a key such as 0-1-3: first agent, second agent and opening, from 0.
    `arena serve` replays games in a browser.

    \b
    arena replay latest 12
    arena replay results/run-20260102-030405.sqlite 12 --ply 9
    """  # noqa: D301  click's \b keeps the lines
    from arena.tournament import runs

    replay = runs.replay(file, number)
    last = len(replay.steps)
    if ply is not None and ply > last:
        raise InputError(f"game {number} has {last} plies: --ply goes from 0 to {last}")
    screen = Screen(err=False, colour=in_colour(sys.stdout))
    if output.as_json:
        output.json(document(replay, ply))
    elif ply is not None:
        show_position(replay, ply, screen, explained(replay, range(ply, ply + 1)))
    else:
        show_game(replay, screen)


def show_game(replay: Replay, screen: Screen) -> None:
    """Print the players, the opening, the result, and every position from the end of the opening on."""
    game = replay.game
    screen.say(f"Game {game.game}: {game.result}, {game.termination}, {game.plies} plies")
    for mark, name in zip(MARKS, (game.first, game.second), strict=True):
        screen.say(f"{mark}: {name}")
    if game.detail:
        screen.say(game.detail)
    if game.opening:
        screen.say(f"opening {game.opening}")
    reasons = explained(replay, range(len(replay.steps)))
    for ply in range(replay.opening, len(replay.boards)):
        screen.say("")
        show_position(replay, ply, screen, reasons)


def explained(replay: Replay, plies: range) -> dict[int, list[str]]:
    """Return the lines that say why the move at a ply lost value, by ply; none if nothing can say it."""
    blunders = [step.ply for step in replay.steps if step.ply in plies and step.is_blunder]
    reasons: dict[int, list[str]] = {}
    for offer in offers("REASONS") if blunders else ():
        reasons |= offer.load(0)(replay, blunders)
    return reasons


def show_position(replay: Replay, ply: int, screen: Screen, reasons: Mapping[int, Sequence[str]]) -> None:
    """Print the position at a ply and its move; at the end of the game, what is stored of the end."""
    board = replay.boards[ply]
    screen.say(f"ply {ply}: {board.outcome or f'{MARKS[board.mover]} to move'}")
    screen.show(board)
    for line in described(replay.steps[ply]) if ply < len(replay.steps) else replay.said:
        screen.say(line)
    for line in reasons.get(ply, ()):
        screen.say(line)


def described(step: Step) -> list[str]:
    """Return the lines about a move: its search, and that it kept the value of its position if it is audited."""
    mark = MARKS[step.ply % 2]
    if step.agent is None:
        return [f"opening: {mark} plays {step.column}"]
    lines = [f"{mark} {thoughts(step.column, step.score, step.depth or 0, step.nodes or 0, step.seconds or 0.0)}"]
    lines += step.said
    if step.value is not None and not step.is_blunder:
        lines.append(f"{VALUES[step.value]} kept, as by {step.keeping} of {step.legal} moves")
    return lines


def document(replay: Replay, ply: int | None) -> dict[str, Any]:
    """Return the game, or what happened at one ply of it, as plain data."""
    game = replay.game
    names = ("ply", "column", "agent", "score", "depth", "nodes", "seconds", "value", "after")
    moves = [
        {name: getattr(step, name) for name in names} | ({"extra": json.loads(step.extra)} if step.extra else {})
        for step in replay.steps
        if ply in {None, step.ply}
    ]
    lost = {"extra": replay.extra} if replay.extra and ply in {None, game.plies} else {}
    shown = {name: getattr(game, name) for name in ("game", "first", "second", "result")}
    return shown | lost | {"moves": moves}
