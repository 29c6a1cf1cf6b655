"""`arena merge`: several stored runs in one."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from arena.cli.options import json_option, say, typed, with_options
from arena.cli.output import print_json, progress, quiet_option
from arena.cli.types import PATH, RUN_FILE


@click.command("merge")
@click.argument("files", nargs=-1, required=True, type=RUN_FILE, metavar="FILE...")
@with_options(
    click.option("--out", type=PATH, required=True, help="The new file."),
    quiet_option,
    json_option,
)
def command(files: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Write the games of stored runs into a new one: shards of a run, or pools that share agents.

    The runs have the same board, openings, seed and limits; where one has more rounds, its openings begin with those
    of the others. Agents are the same where their names and the digests of their files are. A game that several hold
    counts once, as the first of them has it. Games that were played again, faults and audits come along; searches by
    turns do not.

    The new file is a run like any other: its tables count all games, and --resume plays what its rounds still lack.

    \b
    arena run greedy mcts random --pair greedy,mcts --out one.sqlite
    arena run greedy mcts random --pair greedy,random --pair mcts,random --out two.sqlite
    arena merge one.sqlite two.sqlite --out all.sqlite
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import tournaments

    found = tournaments.merge(files, out, command=typed(), progress=progress)
    if as_json:
        print_json({"file": str(out), "games": found.games, "doubled": found.doubled, "different": found.different})
        return
    twice = f"; {found.doubled:,} that more than one has count once" if found.doubled else ""
    other = f", {found.different:,} of them went otherwise: the first counts" if found.different else ""
    say(f"{found.games:,} games in {out}{twice}{other}")
    say(f"next: arena show {quote(str(out))}")
