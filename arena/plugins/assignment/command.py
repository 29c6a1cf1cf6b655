"""`arena assignment`: a page with marks for each hand-in and, for a class, a ranking and tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.options import (
    Command,
    apart,
    concurrency_option,
    gathered,
    limits_options,
    output_options,
    quiet_option,
    seed_option,
    with_options,
)
from arena.cli.output import Output, command_line
from arena.cli.types import PATH, Whole
from arena.tournament.command_options import setting_option


@click.command("assignment", cls=Command)
@click.argument("hand_ins", metavar="FILE|FOLDER", type=PATH)
@with_options(
    click.option("--out", type=PATH, help="The folder for the pages.  [default: NAME-site]"),
    click.option("--marks", type=PATH, help="A TOML file with the rule for marks: marks = {runs = 40, strength = 60}"),
    click.option(
        "--depth", type=Whole(1, 12), default=4, show_default=True, help="Compare searches up to this depth, in plies."
    ),
    click.option(
        "--rounds", type=Whole(1),
        help="Openings per pairing, each played twice.  [default: about 2,000 games for a class, 10 openings alone]",
    ),
    setting_option("seconds"),
    setting_option("margin"),
    seed_option("Draws positions and openings."),
    click.option("--public", is_flag=True, help="Leave marks out of the pages."),
    gathered("isolation", apart, limits_options(10.0)),
    concurrency_option("Games to play at the same time.  [default: one per core]"),
    quiet_option,
    output_options,
)  # fmt: skip
def command(hand_ins: Path, output: Output, **settings: Any) -> None:
    """Check, grade, play, audit and mark hand-ins, and write a page for each.

    A FILE plays built-in agents; of several classes in it the one called Agent, Bot, Player or AlphaBeta plays, or the
    only one with such a word in its name. The agents of a FOLDER also play each other: their pages include a ranking,
    and a CSV table stands beside them.

    The page of a hand-in shows whether it runs, whether its alpha-beta equals its minimax, the cost of each depth, its
    points and how often it kept the value, and its worst blunders, to replay. Any web server can show the pages. For
    late or changed hand-ins, run the same command again: it measures and plays all anew.

    \b
    arena assignment mine.py
    arena assignment students/ --sandbox --out site --marks rule.toml
    arena assignment students/ --sandbox --out site --seconds 1 --public
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.assignment.job import assignment
    from arena.plugins.assignment.site import RANKING
    from arena.table.parts import Table
    from arena.table.rows import columns

    result = assignment(
        hand_ins, command=command_line(), progress=output.bar, say=output.say, warn=output.warn, **settings
    )
    output.tables([Table("hand-ins", "", result.kind, result.rows, columns(result.kind, *RANKING))], result.meta)
    output.say(f"pages: {result.written[0]}")
    for path in result.written[1:]:
        output.say(f"table: {path}")
