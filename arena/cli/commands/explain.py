"""`arena explain`: explain why moves of a game lost."""

from __future__ import annotations

from typing import Any

import click

from agents.board import Rules
from agents.errors import InputError
from arena.cli.options import Command, board_option, json_option, say, with_options
from arena.cli.output import print_json, progress, quiet_option
from arena.cli.types import GAME, RUN_FILE, Number, Whole


@click.command("explain", cls=Command)
@click.argument("words", nargs=-1, required=True, metavar="MOVES | FILE GAME")
@with_options(
    click.option("--ply", type=Whole(0), help="Explain only the move made with this many discs on the board."),
    click.option(
        "--seconds", type=Number(0.0, 3600.0, min_open=True), default=5.0, show_default=True,
        help="Seconds to look for a short reason, for each move.",
    ),
    click.option("--lines", type=Whole(1, 50), default=10, show_default=True, help="Lines that a proof may have."),
    quiet_option,
    board_option,
    json_option,
)  # fmt: skip
def command(words: tuple[str, ...], rules: Rules, as_json: bool, **settings: Any) -> None:
    """Explain which moves of a game changed its outcome, and how the other side then wins or holds the draw.

    The reason is the first of these that is found in time and holds against every reply:

    \b
    forced line  threats that leave one answer each, until one leaves none
    rule         a list of cells, which the side takes in this order
    proof        a few lines, each a reply and its continuation
    search       no short reason, only how many positions a search visits

    \b
    arena explain 445571
    arena explain latest 12 --ply 9
    arena explain 445571 --json
    """  # noqa: D301  click's \b keeps the lines
    from arena.api.explain import explain, explain_game
    from arena.report.explained import heading, reason

    if len(words) == 1:
        found = explain(words[0], rules=rules, progress=progress, **settings)
    elif len(words) == 2:
        context = click.get_current_context()
        file, game = (kind.convert(word, None, context) for kind, word in zip((RUN_FILE, GAME), words, strict=True))
        found = explain_game(file, game, progress=progress, **settings)
    else:
        raise InputError("explain takes the moves of one game, or a file and the number of a game")
    if as_json:
        print_json(found.document())
        return
    lines = [" ".join(found.story)] if settings["ply"] is None else []
    for row in found.rows:
        lines += [*([""] if lines else []), heading(row), *reason(row, found.after(row))]
    for line in lines or [f"the move at ply {settings['ply']} kept the value of its position"]:
        say(line, err=False)
