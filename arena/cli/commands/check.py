"""`arena check`: what a tournament would trip over, before it is played."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from agents.agent import Limits
from agents.board import Rules
from agents.errors import InputError
from arena.cli.options import Number, Whole, board_option, say, say_output, with_options
from arena.cli.output import Output, output_options, print_json


@click.command("check")
@click.argument("agents", nargs=-1, required=True, metavar="AGENT|FOLDER...")
@with_options(
    click.option("--seconds", type=Number(0.0001, 86_400.0), help="Seconds for a move, as in a tournament."),
    click.option("--margin", type=Number(0.0, 3600.0), default=0.1, show_default=True, help="Past a limit."),
    click.option(
        "--patience", type=Number(0.01, 86_400.0), default=60.0, show_default=True,
        help="Seconds to start, and for a move without a limit.",
    ),
    click.option("--memory", type=Whole(64, 1 << 20), default=1024, show_default=True, help="Megabytes."),
    click.option("--sandbox", is_flag=True, help="Inside a sandbox (bubblewrap)."),
    board_option,
    output_options,
)  # fmt: skip
def command(
    agents: tuple[str, ...],
    seconds: float | None,
    margin: float,
    patience: float,
    memory: int,
    sandbox: bool,
    rules: Rules,
    output: Output,
) -> int:
    """Start every AGENT, and those of every FOLDER or roster, and ask each on 200 positions.

    An agent is not ok where it would forfeit games: it does not load or start, raises, answers what is no move, takes
    too long or fails when a game begins. The exit code is 1 where one is not ok. `ms` is the median of its moves,
    `same twice` whether it repeats its moves, `same mirrored` whether it plays alike on the mirrored board.

    \b
    arena check bot.py students/ --seconds 1
    """  # noqa: D301  click's \b keeps the lines
    from agents.remote.limits import ProcessLimits
    from agents.remote.sandbox import bubblewrap
    from arena.measure.check import Checked, broken, check
    from arena.play.entries import holds_entries, read
    from arena.play.isolation import Isolation
    from arena.play.plan import invited
    from arena.report.tables.quality import checked

    if sandbox:
        bubblewrap()
    found: list[Checked] = []
    said: list[str] = []
    process_limits = ProcessLimits(patience, margin, memory, sandbox)
    for text in agents:
        try:
            invitation, entries, unfit, remarks = invited([text])
            isolation = Isolation(everyone=True, folder=str(Path.cwd()), entries=entries)
            sources = [isolation.source(place, isolation.spec(place, name)) for place, name in enumerate(invitation)]
        except InputError as error:
            found.append(Checked(text, ok=False, problems=[str(error)]))
            continue
        found += [broken(line) for line in unfit]
        said += remarks
        if holds_entries(text) and (asking := read(text).asking):
            said.append(f"{text}: this folder asks for variables and commands: {', '.join(asking)}; they are refused")
        for name, source in zip(invitation, sources, strict=True):
            assert source is not None
            found.append(check(name, source, process_limits, Limits(seconds=seconds), rules))
    if output.as_json:
        print_json([{key: getattr(row, key) for key in Checked.__slots__} for row in found])
    else:
        output.tables(checked(found))
        for row in found:
            for problem in row.problems:
                say(problem if problem.startswith(row.agent) else f"{row.agent}: {problem}")
            say_output(row.output)
        for line in said:
            say(line)
        say(_protection(process_limits.sandbox))
    return 0 if all(row.ok for row in found) else 1


def _protection(sandbox: bool) -> str:
    """Return one line that says what protection is in force."""
    parts = ["a process group of its own", "the referee's clock"]
    if sys.platform == "linux":
        parts += ["limits of memory, file size and processes"]
        missing = "" if sandbox else "; files, network and other processes are open to it without --sandbox"
    else:
        parts += ["a limit of file size"]
        missing = "; this system limits neither its memory nor its processes, and has no --sandbox"
    return f"protection: {', '.join(parts)}{', a sandbox' if sandbox else ''}{missing}"
