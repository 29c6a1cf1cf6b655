"""`arena check`: find what would fail in a tournament, before it is played."""

from __future__ import annotations

import sys
from typing import Any

import click

from arena.cli.options import Command, board_option, limits_options, output_options, quiet_option, with_options
from arena.cli.output import INTERRUPTED, Output, say_output
from arena.cli.types import Whole
from arena.tournament.command_options import setting_option


@click.command("check", cls=Command)
@click.argument("agents", nargs=-1, required=True, metavar="AGENT|FOLDER...")
@with_options(
    setting_option("seconds"),
    setting_option("nodes"),
    setting_option("margin"),
    limits_options(),
    click.option("--positions", type=Whole(1, 100_000), default=200, show_default=True, help="Number of positions."),
    click.option("--verbose", is_flag=True, help="Show the output of every agent, also of those that are ok."),
    board_option,
    quiet_option,
    output_options,
)  # fmt: skip
def command(agents: tuple[str, ...], sandbox: bool, verbose: bool, output: Output, **settings: Any) -> int:
    """Start every AGENT, and every agent of each FOLDER or roster, and ask it for moves in many positions.

    An agent is not ok if it would forfeit games: it does not load or start, raises an exception, returns an illegal
    move, takes too long, or fails when a game begins. Nor is one that searches and has a wrong value in the last
    plies of a game, such as a loss for a draw. Its check ends after five equal faults. The exit code is 1 if an
    agent is not ok. `ms` is the median time of a move; `same twice` means that it repeats its moves, `same mirrored`
    that it plays the mirror image on a mirrored board.

    \b
    arena check bot.py students/ --seconds 1
    arena check bot.py --positions 20
    """  # noqa: D301  click's \b keeps the lines
    from arena.tournament import check as measures
    from arena.tournament.check_tables import checked

    done = measures.check(agents, sandbox=sandbox, progress=output.bar, **settings)
    if done.rows or output.as_json:
        output.tables(checked(done.rows))
    for row in done.rows if not output.as_json else ():
        for problem in row.problems:
            output.say(problem if problem.startswith(row.agent) else f"{row.agent}: {problem}")
        if row.output and (verbose or not row.ok):
            output.say(f"{row.agent} printed")
            say_output(row.output)
    for line in [*done.remarks, _protection(measures.limits_in_force(), sandbox)] if not output.as_json else ():
        output.say(line)
    if done.interrupted:
        click.echo(f"interrupted {done.interrupted}", err=True)
        return INTERRUPTED
    return 0 if all(row.ok for row in done.rows) else 1


def _protection(limits: str, sandbox: bool) -> str:
    """Return one line that says what protection is in force."""
    parts = ["a process group of its own", "the referee's clock"]
    if sys.platform == "linux":
        parts += [limits, "a limit of file size"]
        missing = "" if sandbox else "; files, network and other processes are open to it without --sandbox"
    else:
        parts += ["a limit of file size"]
        missing = "; this system limits neither its memory nor its processes, and has no --sandbox"
    return f"protection: {', '.join(parts)}{', a sandbox' if sandbox else ''}{missing}"
