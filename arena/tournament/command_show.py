"""`arena show`: the tables of a stored run."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import Command, anchor_option, file_argument, plot_options, tables_options, with_options
from arena.cli.output import Output
from arena.plugins import run_of

if TYPE_CHECKING:
    from arena.table.parts import Part
    from arena.tournament.frames import Frames


@click.command("show", cls=Command)
@file_argument
@with_options(
    anchor_option,
    plot_options("sprt", "ratings", "standings", "crosstable", "cost", "states", "speed", "kept"),
    tables_options,
)  # fmt: skip
def command(file: Path, anchor: tuple[str, float] | None, output: Output) -> None:
    """Print the tables of a stored run, also while it is being played.

    Standings list the strongest first: Elo with its 95 % interval (the mean is 0), the lead of the row above, points,
    and the cost of a move. A run of arena compare shows its heuristics instead.

    --table NAME prints one table: standings, crosstable, rounds, effort, phases, sweep or pairings. An audited run has
    audit and ranges, too, and one with language models models. The stored rows are agents, openings, games, moves,
    searches and replies (of language models). --table faults prints each kind of fault with the command that repeats
    it; --table blunders prints the games of an audited run that lost the most value, worst first. In CSV and JSON a
    table has all columns with full numbers.

    \b
    arena show results/run-20260102-030405.sqlite
    arena show results/run-20260102-030405.sqlite --style github
    arena show results/run-20260102-030405.sqlite --style csv --table crosstable
    arena show latest --plot strength.svg --figure cost
    """  # noqa: D301  click's \b keeps the lines
    if output.table == "blunders":
        print_blunders(file, replace(output, table=""))
        return
    if output.table == "faults":
        print_faults(file, output)
        return
    frames = print_report(file, output, anchor)
    if output.plot:
        from arena.tournament.figures import pictures

        output.draw(lambda: pictures(frames))


def print_blunders(path: Path, output: Output) -> None:
    """Print the games that lost the most value, each with the command that shows where."""
    from arena.tournament import game_tables as report
    from arena.tournament import runs

    with runs.games(path, blunders=True) as (games, agents):
        rows = list(games)
    if output.as_json:
        output.json([asdict(game) for game in report.worst_first(rows)])
    else:
        output.tables(report.thrown(rows, agents, path))


def print_faults(path: Path, output: Output) -> None:
    """Print the kinds of faults in a run, each with the command that repeats it."""
    from arena.table.labels import harmless
    from arena.tournament import runs
    from arena.tournament.tables import fault_rows, paragraphs

    faults = runs.faults(path)
    if output.as_json:
        output.json([asdict(fault) for fault in faults])
    elif output.data:
        click.echo(fault_rows(faults, output.style))
    else:
        click.echo("\n".join(map(harmless, paragraphs(faults).split("\n"))))


def print_report(path: Path, output: Output, anchor: tuple[str, float] | None) -> Frames:
    """Print a run's tables, the first table of its audit, and its warnings, or only the table that `output` names.

    Returns the frames of the run.
    """
    from arena.tournament import runs
    from arena.tournament import tables as report

    name = output.table
    frames = runs.frames(path, name)
    of_run = run_of(frames.plan)
    if of_run and (name in of_run.TABLES or not (name or output.as_json)):
        if parts := of_run.parts(frames, anchor):
            output.tables(parts, first=of_run.TABLES[0])
    elif output.whole:
        agents, heuristics = _anchors(frames, anchor)
        others = of_run.document(frames, heuristics) if of_run else {}
        output.json(report.document(frames, agents) | others)
    elif name and (table := runs.stored_table(frames, name)):
        output.tables([table])
    else:
        output.tables([*report.parts(frames, anchor), *_others(frames, name)])
    for line in report.warnings(frames):
        output.say(line)
    return frames


def _anchors(
    frames: Frames, anchor: tuple[str, float] | None
) -> tuple[tuple[str, float] | None, tuple[str, float] | None]:
    """Return the anchor of a run's standings and that of the ratings of its heuristics; one of them is None."""
    if anchor is None or not frames.plan.get("comparison") or anchor[0] in set(frames.agents["name"]):
        return anchor, None
    return None, anchor


def _others(frames: Frames, name: str) -> list[Part]:
    """Return what others add to the run and, if one table is asked for, the pairings and the effort by phase."""
    from arena.tournament import effort_tables, runs
    from arena.tournament.pairing_tables import pairings_parts
    from arena.tournament.tables import offered

    if not name:
        return offered(frames)
    return [
        *offered(frames, name),
        effort_tables.by_phase(frames),
        *pairings_parts(runs.duels(frames) if name == "pairings" else []),
    ]
