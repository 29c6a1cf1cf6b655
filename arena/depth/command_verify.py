"""`arena verify`: check that pruning, ordering, tables, deepening and enhancements change only the cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from agents.errors import InputError
from arena.cli.options import (
    Command,
    board_option,
    isolation_options,
    quiet_option,
    seed_option,
    tables_options,
    with_options,
)
from arena.cli.output import Output
from arena.cli.types import Whole

SHOWN = 10


@click.command("verify", cls=Command)
@click.argument("agents", nargs=-1, metavar="[MINIMAX ALPHABETA]")
@with_options(
    click.option("--positions", type=Whole(1, 100_000), default=40, show_default=True, help="Number of positions."),
    click.option("--depth", type=Whole(1, 20), default=6, show_default=True, help="Plies to search."),
    seed_option("Draws the positions."),
    click.option("--heuristic", "heuristics", multiple=True, help="Check only with this heuristic. Repeatable."),
    click.option("--ordering", "orderings", multiple=True, help="Check only with this ordering. Repeatable."),
    isolation_options,
    board_option,
    quiet_option,
    tables_options,
)  # fmt: skip
def command(
    agents: tuple[str, ...], heuristics: tuple[str, ...], orderings: tuple[str, ...],
    isolation: dict[str, Any], output: Output, **sample: Any,
) -> int:  # fmt: skip
    """Check that your alpha-beta equals your minimax, or that all exact searches agree.

    Without agents the searches are minimax and alpha-beta in every ordering, with and without a table, deepening,
    killers, history and principal variation search, compiled or not, with every heuristic, on positions from random
    play. All must find the same value; searches of one ordering must find the same move; and each principal variation
    must lead to its value. The exit code is 1 if any two disagree.

    With two agents, such as the minimax and the alpha-beta of your own file, only these are compared: at each depth up
    to --depth, the second must find the value and the move of the first; and both must judge the last three plies of a
    game right, with its draws. --heuristic then also compares the first with plain minimax and this heuristic.

    \b
    arena verify
    arena verify mine.py:Minimax mine.py:AlphaBeta --heuristic mine.py:evaluate
    arena verify --positions 200 --depth 7 --heuristic mine.py:evaluate
    """  # noqa: D301  click's \b keeps the lines
    from arena.depth import verify as measures

    if agents:
        if orderings:
            raise InputError("--ordering cannot be combined with agents")
        return _agreement(agents, sample | {"heuristics": heuristics, "isolation": isolation}, output)
    if output.table:
        raise InputError("--table takes two agents, a minimax and what should equal it: without them there is no table")
    done = measures.verify(heuristics=heuristics, orderings=orderings, progress=output.bar, **sample)
    wrong = done.rows
    if output.as_json:
        output.json({"agree": not wrong, "disagreements": _dicts(wrong)}, done.meta)
    elif wrong:
        for disagreement in wrong[:SHOWN]:
            output.say(f"disagreement at {disagreement}")
        click.echo(f"{len(wrong)} disagreements", err=True)
    else:
        size = f"{done.positions} positions, {done.heuristics} heuristics, depth {sample['depth']}"
        click.echo(f"every search agrees: {size}")
    return int(bool(wrong))


def _dicts(rows: Sequence[Any]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]


def _agreement(agents: Sequence[str], sample: Mapping[str, Any], output: Output) -> int:
    """Compare a search with the one that it should equal, and return the exit code."""
    from arena.depth import tables as report
    from arena.depth import verify as measures

    agreement = measures.agreement(agents, progress=output.bar, **sample)
    wrong = agreement.differences
    if output.whole:
        rows = {"depths": _dicts(agreement.rows), "differences": _dicts(wrong), "endings": _dicts(agreement.endings)}
        output.json({"agree": not wrong and not agreement.endings, **rows}, agreement.meta)
    else:
        output.tables(report.agreement_parts(agreement.rows))
        for difference in wrong:
            output.say(f"first difference: {difference}")
        for ending in agreement.endings:
            output.say(f"wrong at the end of the game: {ending}")
    return int(bool(wrong or agreement.endings))
