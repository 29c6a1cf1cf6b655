"""`arena grade`: how good an agent's moves are, on positions whose truth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agents.board import Rules
from arena.cli.cluster import cluster_of, cluster_option
from arena.cli.options import (
    INTERRUPTED,
    RangeType,
    board_option,
    json_option,
    print_tables,
    seed_option,
    style_option,
    table_option,
    with_options,
)
from arena.cli.plotting import plot, plot_options

MOST = 1_000_000
"""Positions of a grade."""


class PositionsType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """How many positions, or the file that has them."""

    name = "N|FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | Path:  # noqa: ANN401
        """Return the number or the path, or fail with what is wrong."""
        if not isinstance(value, str):
            return value  # type: ignore[no-any-return]  # converted before
        if not value.isascii() or not value.isdigit():
            return Path(value)
        if not 1 <= int(value[:9]) <= MOST:
            self.fail(f"{value} is not a number from 1 to {MOST:,}", param, ctx)
        return int(value)


@click.command("grade", short_help="Grade agents' moves against perfect play, by depth.")
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...")
@with_options(
    click.option(
        "--depth", "depths", type=RangeType(), default="1..6", show_default=True,
        help="Plies, for agents that leave their depth open: 6, 1..8 or 3,5,7.",
    ),
    click.option(
        "--positions", type=PositionsType(), default="500", show_default=True,
        help="How many, or a file that arena label wrote.",
    ),
    seed_option("Draws the positions."),
    click.option(
        "--plies", type=RangeType(), metavar="RANGE", help="How far into the game they are.  [default: 12..30 on 7x6]"
    ),
    board_option,
    cluster_option,
    click.option("--quiet", "-q", is_flag=True, help="No progress bar."),
    plot_options,
    style_option,
    table_option,
    json_option,
)  # fmt: skip
def command(
    agents: tuple[str, ...],
    depths: list[int],
    positions: int | Path,
    seed: int,
    plies: list[int] | None,
    rules: Rules,
    cluster: str | None,
    quiet: bool,
    style: str,
    only: str,
    as_json: bool,
) -> int:
    """Let AGENTs move in positions that the solver knows, and say how often the move was good.

    A good move keeps the value of the position, win or draw; a perfect one also wins soonest or loses latest. The
    same positions for all tell heuristics apart with far less noise than games do. Most tell where positions are
    clear-cut: a legal move loses value. What others gain on the first agent is told by the positions that the two
    answer differently.

    \b
    arena grade alphabeta
    arena grade 'alphabeta:heuristic=smart-aware|mine.py:evaluate' --depth 2,4,6
    arena grade greedy alphabeta:depth=8 perfect --plies 8..16 --style github
    arena grade mine.py:Bot alphabeta --positions labels.jsonl
    """  # noqa: D301  click's \b keeps the lines
    from tqdm import tqdm

    from agents.registry import expand
    from arena.measure import grade
    from arena.measure.exam import examine
    from arena.measure.marks import Marks, Paper
    from arena.measure.questions import questions
    from arena.play.tournament import workers
    from arena.report import grade as report
    from arena.report.figures.tables import grades as pictures

    who = grade.candidates([spec for text in agents for spec in expand(text)], depths)
    built = [each.spec.build() for each in who]  # so that what cannot be made is said before anything is solved
    boards, known = questions(positions, seed, plies, rules)
    rows: list[Marks] = []
    exercises: list[grade.Exercise] = []
    code = 0
    total = len(boards) * (len(built) + 1) - len(known)
    with tqdm(total=total, unit="move", disable=True if quiet else None, leave=False, dynamic_ncols=True) as bar:
        try:
            exercises = grade.solve(boards, cluster_of(cluster) or workers(None), progress=bar.update, known=known)
            for row in examine(who, built, exercises, seed, bar.update):
                rows.append(row)  # noqa: PERF402  what was graded before Ctrl-C is shown
        except KeyboardInterrupt:
            code = INTERRUPTED
    if rows or as_json:
        print_tables(report.parts(rows, Paper.of(exercises) if rows else None), style, only, as_json=as_json)
    if rows:
        plot(lambda: pictures(rows))
    if code:
        click.echo(f"interrupted after {len(rows)} of {len(who)} rows", err=True)
    return code
