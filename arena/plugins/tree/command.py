"""`arena tree`: the nodes that a search visits, and its cut-offs."""

from __future__ import annotations

from pathlib import Path

import click

from agents.board import Rules
from arena.cli.hints import refuse_swapped
from arena.cli.options import Command, board_option, json_option, with_options
from arena.cli.output import Output
from arena.cli.types import Whole
from arena.games.notation import position

FILE = click.Path(path_type=Path, dir_okay=False, writable=True)


@click.command("tree", cls=Command)
@click.argument("agent")
@click.argument("moves", default="")
@with_options(
    click.option(
        "--depth", type=Whole(1, 64), help="Search at most this many plies.  [default: the agent's own depth]"
    ),
    click.option("--html", type=FILE, help="Write the tree as a page to walk through."),
    click.option(
        "--lines", type=Whole(min=0), default=60, show_default=True, help="Print about this many lines; 0 prints all."
    ),
    board_option,
    json_option,
)  # fmt: skip
def command(
    agent: str, moves: str, depth: int | None, html: Path | None, lines: int, rules: Rules, output: Output
) -> None:
    """Show the tree that AGENT's search visits after MOVES: minimax or alpha-beta.

    Values and windows are from the view of MAX, the side to move at the root; # is the order of visits, * the principal
    variation. With --html the tree is not printed. For your own alpha-beta, show alphabeta with your heuristic and
    order: it visits the same nodes.

    \b
    arena tree alphabeta:depth=3,order=centre 44
    arena tree smart-connect4 4453 --depth 4 --html tree.html
    arena tree alphabeta:heuristic=hw.py:evaluate 44 --depth 3
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.tree.job import tree
    from arena.plugins.tree.tables import document, lines_of, summary
    from arena.table.render import hanging

    refuse_swapped("tree", agent, moves)
    board = position(moves, rules)
    drawn = tree(agent, board, depth, html=html)
    if output.as_json:
        output.json(document(drawn))
    elif html is None:
        click.echo(f"{board}\n\n{agent}: {summary(drawn)}\n")
        for line in lines_of(drawn, lines):
            click.echo(hanging(line, output.width()))
