"""`arena depths`: the depth-vs-states table."""

from __future__ import annotations

from typing import Any

import click

from arena.cli.options import (
    Command,
    board_option,
    isolation_options,
    openings_option,
    output_options,
    plot_options,
    quiet_option,
    seed_option,
    with_options,
)
from arena.cli.output import Output
from arena.cli.types import RANGE, Number, Whole


@click.command("depths", cls=Command)
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...")
@with_options(
    click.option("--depth", type=RANGE, default="1..8", show_default=True, help="Depths in plies: 6, 1..8 or 3,5,7."),
    click.option(
        "--position", "positions", multiple=True, metavar="MOVES", help="Search from here instead of the empty board. "
        "Repeatable."
    ),
    openings_option(
        click.option("--openings", metavar="SET", help="Search from openings (plies:N or a file); show the means.")
    ),
    click.option("--rounds", type=Whole(1), default=10, show_default=True, help="Openings in the sample."),
    seed_option("Draws the sample."),
    click.option(
        "--budget", type=Number(0.0), default=10.0, show_default=True,
        help="Skip searches that are expected to take longer, in seconds.",
    ),
    board_option,
    click.option(
        "--why", is_flag=True,
        help="Also count cut-offs: in which share of inner nodes, and how many by the first move.",
    ),
    isolation_options,
    quiet_option,
    plot_options("states", "time", "speed"),
    output_options,
)  # fmt: skip
def command(agents: tuple[str, ...], openings: str | None, why: bool, output: Output, **settings: Any) -> int:
    """Measure the states that AGENTs expand, and the time they take, by depth.

    Every search is compiled and warmed up first, and repeated until the clock is precise enough; times are medians. Run
    it on an otherwise idle machine. `of minimax` is the share of the states that plain minimax visits; `branching` is
    the effective branching factor, that of a uniform tree of the same depth and number of states; `a ply ×` is the
    ratio of the states to those of one ply less.

    \b
    arena depths minimax alphabeta
    arena depths 'alphabeta:order=left-to-right|centre' --depth 1..10
    arena depths alphabeta --openings plies:6 --rounds 20 --style github
    arena depths 'alphabeta:order=centre|open-windows' --depth 8 --why
    """  # noqa: D301  click's \b keeps the lines
    from arena.depth import depths as measures
    from arena.depth import tables as report
    from arena.depth.figures import depths as pictures
    from arena.table.parts import Part

    table = measures.depths(agents, openings=openings, why=why, progress=output.bar, warn=output.warn, **settings)
    if table.busy:
        output.warn(f"{table.busy}; times are too long")
    rows = table.rows if openings is None or output.as_json else measures.mean_costs(table.rows)
    parts: list[Part] = [report.depths(rows), table.busy]
    output.tables(parts, table.meta)
    output.draw(lambda: pictures(table.rows, settings["rules"].columns))
    return output.left_out(table.faults)
