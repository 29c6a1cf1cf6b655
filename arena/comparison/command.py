"""`arena compare`: compare heuristics in the same search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from arena.cli.hints import naming
from arena.cli.options import (
    GroupedCommand,
    board_option,
    isolation_options,
    openings_option,
    plot_options,
    seed_option,
    tables_options,
    with_options,
)
from arena.cli.output import Output, command_line
from arena.cli.types import RANGE, Number, Whole
from arena.tournament.command_options import PlaySettings, playing_options

GROUPS = {
    "Common options": "--depth --search --rounds --openings --plies --seed --concurrency --out",
    "Equal nodes or time": "--nodes --seconds",
    "The board": "--board --rules",
    "Limits": "--games",
    "Agents from files": "--sandbox --patience --memory --in-process --debug",
    "After the games": "--audit --margin-elo",
    "Output": "--plot --figure --json --style --table --wide --quiet --no-store",
    "On a cluster": "--cluster",
}
"""The groups of options in `--help`, the most used first."""


@click.command("compare", cls=GroupedCommand, groups=GROUPS)
@click.argument("heuristics", nargs=-1, required=True, metavar="HEURISTIC HEURISTIC...")
@with_options(
    click.option(
        "--search", default="alphabeta:order=centre", show_default=True, help="The search that all heuristics use."
    ),
    click.option(
        "--depth", type=RANGE, metavar="RANGE", help="Compare at these depths: 6, 1..8 or 3,5,7.  [default: 4..6]"
    ),
    click.option("--nodes", metavar="N,N...", help="Compare at equal nodes per move instead of equal depth."),
    click.option(
        "--seconds", metavar="S,S...",
        help="Compare at equal seconds per move instead of equal depth, one game at a time.",
    ),
    openings_option(click.option(
        "--openings", default="plies:4", show_default=True, metavar="SET", help="The openings, as in arena run."
    )),
    click.option(
        "--rounds", type=Whole(1), default=100, show_default=True, help="Openings per pairing, each played twice."
    ),
    seed_option("Draws the openings."),
    board_option,
    isolation_options,
    playing_options(),
    plot_options("ratings"),
    click.option(
        "--margin-elo", "margin", type=Number(0.0, 2000.0, min_open=True), default=30.0, show_default=True,
        help="Two agents are level if they are shown to differ by less than this, in Elo.",
    ),
    tables_options,
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    /,
    heuristics: tuple[str, ...],
    nodes: str | None,
    seconds: str | None,
    playing: PlaySettings,
    margin: float,
    output: Output,
    **settings: Any,
) -> int:
    """Play HEURISTICs against each other in the same search, at equal depth, nodes or time, and print which is better.

    The first line compares one heuristic with all others: the first from a file, or else the one with the most points.
    A better heuristic may also cost more: the tables show what each spends. The exit code is 1 if faults ended every
    game of a pairing.

    \b
    arena compare smart-aware powers-of-ten
    arena compare smart-aware line-runs mine.py:evaluate --depth 3,5,7
    arena compare powers-of-ten 'windows(1,10,20|50|100,1000)' --depth 5
    arena compare smart-aware powers-of-ten --nodes 1000,10000 --style github
    """  # noqa: D301  click's \b keeps the lines
    from arena.comparison import compare as tournaments
    from arena.comparison.figures import comparison as pictures
    from arena.comparison.ratings import comparison
    from arena.comparison.tables import compared, comparison_document
    from arena.games.progress import Watch, cluster_at
    from arena.tournament import runs
    from arena.tournament.tables import fault_lines, time_warnings

    if playing.audit:
        settings["rules"].refuse_most_fours("the audit")
    workers = cluster_at(playing.cluster, output.above_bar) or playing.workers
    with naming("--search alphabeta:order=centre,compiled=no"):
        run = tournaments.begin_comparison(
            heuristics, nodes=_parts(nodes), seconds=_parts(seconds), workers=workers,
            out=ctx.with_resource(playing.place()), command=command_line(), **settings,
        )  # fmt: skip
    watch = Watch(settings["seed"])
    code = playing.play(run, workers, output)
    meta, _ = watch.end()
    frames = runs.frames(run.store.path)
    result = comparison(frames, None, margin)
    if playing.no_store:
        result = replace(result, why=result.why.partition("; look at: ")[0])
    if output.whole:
        output.json(comparison_document(result), meta)
    elif parts := compared(frames, result):
        output.tables(parts, meta, first="ratings")
    if result.ratings:
        output.draw(lambda: pictures(result.ratings))
    for line in [*fault_lines(frames), *time_warnings(frames)]:
        output.say(line)
    playing.say_where(run.store.path, code)
    return code or int(bool(result.void))


def _parts(text: str | None) -> list[str] | None:
    """Return the parts of a list with commas."""
    return None if text is None else [part.strip() for part in text.split(",")]
