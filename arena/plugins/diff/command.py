"""`arena diff`: what changed between two stored runs."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import Command, tables_options, with_options
from arena.cli.output import Output
from arena.cli.types import RUN_FILE


@click.command("diff", cls=Command)
@click.argument("old", type=RUN_FILE)
@click.argument("new", type=RUN_FILE)
@with_options(
    click.option(
        "--fail-if", "conditions", multiple=True, metavar="CONDITION",
        help="Exit with 1 if this holds for an agent: score<-0.02 (its gain), nodes>1.05, ms>1.2 (new over old), "
        "same_nodes<1, same_moves<1 (shares of positions). A gain fails only if its whole 95 % interval lies beyond "
        "the limit; times differ from run to run, so give them a wide one. Repeatable.",
    ),
    click.option("--agent", "agents", multiple=True, metavar="AGENT", help="Only this agent. Repeatable."),
    tables_options,
)  # fmt: skip
def command(
    old: Path,
    new: Path,
    conditions: tuple[str, ...],
    agents: tuple[str, ...],
    output: Output,
) -> int:
    """Compare the agents that OLD and NEW have in common, in the games that both contain.

    Two games match if opponent, opening and colour are the same. Scores are paired by opening. Moves, nodes and times
    are compared up to the move at which the two games differ. Node counts are exact: one more or less means that the
    search changed.

    If one agent gains, the others lose. --agent applies the conditions only to the agent that you changed.

    \b
    arena diff results/before.sqlite results/after.sqlite
    arena diff before.sqlite after.sqlite --agent bot.py --fail-if 'score<-0.02'
    arena diff before.sqlite after.sqlite --fail-if 'same_nodes<1'
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.diff import job as strength
    from arena.plugins.diff import tables as report

    result = strength.diff(old, new, agents)
    failures = strength.failed_conditions(result.rows, conditions)
    output.tables(report.difference_parts(result.rows, *result.loads))
    for line in failures:
        output.say(f"failed: {line}")
    return 1 if failures else 0
