"""`arena bench`: how fast searches are on this machine, and whether a change made any slower."""

from __future__ import annotations

from typing import Any

import click

from agents.errors import InputError
from arena.cli.options import Command, isolation_options, say, say_faults, warn, with_options
from arena.cli.output import Output, output_options, progress, quiet_option
from arena.cli.types import PATH, Number


@click.command("bench", cls=Command)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@with_options(
    click.option(
        "--compare", type=PATH, metavar="FILE",
        help="Compare the times with those in FILE, which arena bench --json wrote.",
    ),
    click.option(
        "--limit", type=Number(1.0, 100.0), default=1.05, show_default=True,
        help="A search is slower, or faster, if the whole interval of its ratio lies beyond this limit.",
    ),
    click.option("--fail-if-slower", is_flag=True, help="Exit with 1 if a search is slower."),
    isolation_options(),
    quiet_option,
    output_options,
)  # fmt: skip
def command(agents: tuple[str, ...], fail_if_slower: bool, output: Output, **settings: Any) -> int:
    """Measure the speed of AGENTs, by turns.

    By default it measures every built-in search, ordering and heuristic, and the solver. Each search starts from the
    empty 7x6 board, and the solver from a later position, compiled and warmed up, with cleared tables. Times are
    processor times, the fastest of many. Run it on an otherwise idle machine, and compare times of one machine only.

    \b
    arena bench --json > before.json
    arena bench --compare before.json --fail-if-slower
    arena bench 'alphabeta:depth=11,order=centre|open-windows'
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import measures
    from arena.report.tables import measures as report

    if fail_if_slower and settings["compare"] is None:
        raise InputError("--fail-if-slower needs --compare FILE, written by arena bench --json")
    found = measures.bench(agents, progress=progress, warn=warn, **settings)
    tables = [report.bench(found.rows)] if settings["compare"] is None else report.slowdowns(found.rows)
    output.tables([*tables, found.busy], found.meta)
    failures = [row for row in found.rows if fail_if_slower and row.verdict == "slower"]
    for row in failures:
        say(f"failed: {row.agent} takes {row.ratio.value:.2f} times as long as before")
    return say_faults(found.faults) or (1 if failures else 0)
