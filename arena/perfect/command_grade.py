"""`arena grade`: how good an agent's moves are in solved positions."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.options import (
    Command,
    board_option,
    cluster_option,
    isolation_options,
    plies_option,
    plot_options,
    quiet_option,
    seed_option,
    tables_options,
    with_options,
)
from arena.cli.output import INTERRUPTED, Output
from arena.cli.types import POSITIONS, RANGE


@click.command("grade", cls=Command)
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...")
@with_options(
    click.option(
        "--depth", type=RANGE, default="1..6", show_default=True,
        help="Depths for agents that leave theirs open: 6, 1..8 or 3,5,7.",
    ),
    click.option(
        "--positions", type=POSITIONS, default="500", show_default=True,
        help="Number of positions, or a file such as arena solve --random prints.",
    ),
    seed_option("Draws the positions."),
    plies_option,
    click.option(
        "--ladder", type=RANGE, metavar="RANGE",
        help="Also find the depth in RANGE, such as 1..8, at which alphabeta plays as well as each agent.",
    ),
    board_option,
    cluster_option,
    isolation_options,
    quiet_option,
    plot_options("grades"),
    tables_options,
)  # fmt: skip
def command(agents: tuple[str, ...], cluster: str | None, output: Output, **settings: Any) -> int:
    """Ask AGENTs for moves in solved positions, and print how often the moves are good.

    A good move keeps the value of the position, win or draw; a perfect move also wins fastest or loses slowest. All
    agents get the same positions, so grades separate heuristics with far less noise than games do. Clear-cut positions,
    in which some legal move loses value, show most. The gain on the first agent rests on the positions that the two
    answer differently.

    \b
    arena grade alphabeta
    arena grade 'alphabeta:heuristic=smart-aware|mine.py:evaluate' --depth 2,4,6
    arena grade greedy perfect mine.py:Bot --positions labels.jsonl
    arena grade mine.py:Bot --ladder 1..8 --positions 600
    arena grade students/ greedy --sandbox --patience 5
    """  # noqa: D301  click's \b keeps the lines
    from arena.games.progress import cluster_at
    from arena.perfect import grade as truth
    from arena.perfect import tables as report
    from arena.perfect.figures import grades as pictures

    workers = cluster_at(cluster, output.above_bar)
    grades = truth.grade(agents, workers=workers, progress=output.bar, warn=output.warn, **settings)
    if grades.rows or output.as_json:
        output.tables([*report.grade_parts(grades.rows, grades.grading), grades.busy], grades.meta)
    if grades.rows:
        output.draw(lambda: pictures(grades.rows))
    code = output.left_out(grades.faults)
    if not grades.interrupted:
        return code
    click.echo(f"interrupted after {len(grades.rows)} of {grades.candidates} rows", err=True)
    return INTERRUPTED
