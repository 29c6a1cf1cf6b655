"""`arena explain`: explain why moves of a game lost."""

from __future__ import annotations

import click

from agents.board import Rules
from agents.errors import InputError
from arena.cli.options import Command, board_option, json_option, quiet_option, with_options
from arena.cli.output import Output
from arena.cli.types import GAME, RUN_FILE, Whole


@click.command("explain", cls=Command)
@click.argument("words", nargs=-1, required=True, metavar="MOVES | FILE GAME")
@with_options(
    click.option("--ply", type=Whole(0), help="Explain only the move made with this many discs on the board."),
    click.option("--agent", metavar="NAME", help="Explain only moves of this agent of the stored game."),
    quiet_option,
    board_option,
    json_option,
)
def command(words: tuple[str, ...], ply: int | None, agent: str | None, rules: Rules, output: Output) -> None:
    """Explain which moves of a game changed its outcome, which moves were better, and how the other side profits.

    The other side's line is a forced line where there is a short one: threats that leave one answer each, until one
    leaves none. Else it is the beginning of perfect play, by search. The search that the agent reported of its move
    stands beside the truth.

    \b
    arena explain 445571
    arena explain latest 12 --agent bot.py
    arena explain latest 12 --ply 9 --json
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.explain.job import explain, explain_game

    if len(words) == 1:
        if agent is not None:
            raise InputError("--agent needs a stored game: arena explain FILE GAME --agent NAME")
        explained = explain(words[0], ply=ply, rules=rules, progress=output.bar)
    elif len(words) == 2:
        file, game = (kind.convert(word, None, None) for kind, word in zip((RUN_FILE, GAME), words, strict=True))
        explained = explain_game(file, game, ply=ply, agent=agent, progress=output.bar)
    else:
        raise InputError("explain takes the moves of one game, or a file and the number of a game")
    if output.as_json:
        output.json(explained.document())
        return
    lines = [f"{side}: {name}" for side, name in zip("XO", explained.names, strict=False)]
    if ply is None:
        lines.append(" ".join(explained.story))
    for row in explained.rows:
        lines += [*([""] if lines else []), *explained.lines(row)]
    if not explained.rows and (ply is not None or agent is not None):
        by, where = "" if agent is None else f" by {agent}", "" if ply is None else f" at ply {ply}"
        lines.append(f"no move{by}{where} lost value" if by else f"the move{where} kept the value of its position")
    for line in lines:
        output.say(line, err=False)
