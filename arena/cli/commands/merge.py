"""`arena merge`: combine several stored runs in one file."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from arena.cli.options import Command, json_option, say, typed, with_options
from arena.cli.output import print_json, progress, quiet_option
from arena.cli.types import PATH, RUN_FILE


@click.command("merge", cls=Command)
@click.argument("files", nargs=-1, required=True, type=RUN_FILE, metavar="FILE...")
@with_options(
    click.option("--out", type=PATH, required=True, help="The new file."),
    quiet_option,
    json_option,
)  # fmt: skip
def command(files: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Write the games of several stored runs into one new file: shards of one run, or pools that share agents.

    The runs must have the same board, openings, seed and limits; a run with more rounds begins with the openings of the
    others. Agents are the same if their names and the digests of their files are. A game in several runs counts once,
    as the first run has it. The new file keeps superseded games, faults and audits, but no re-timed searches.

    The new file is a run like any other: its tables count all games, and --resume plays the missing ones.

    \b
    arena run greedy mcts random --pair greedy,mcts --out one.sqlite
    arena run greedy mcts random --pair mcts,random --out two.sqlite
    arena merge one.sqlite two.sqlite --out all.sqlite
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import tournaments

    found = tournaments.merge(files, out, command=typed(), progress=progress)
    if as_json:
        print_json({"file": str(out), "games": found.games, "doubled": found.doubled, "different": found.different})
        return
    twice = f"; {found.doubled:,} in several runs count once" if found.doubled else ""
    other = f", {found.different:,} of which differ: the first run's count" if found.different else ""
    say(f"{found.games:,} games in {out}{twice}{other}")
    say(f"next: arena show {quote(str(out))}")
