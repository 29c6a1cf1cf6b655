"""`arena show`: the tables of a stored run."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import (
    file_argument,
    json_option,
    print_json,
    print_tables,
    style_option,
    table_option,
    with_options,
)


@click.command("show", short_help="Print the tables of a stored run.")
@file_argument
@with_options(style_option, table_option, json_option)
def command(file: Path, style: str, only: str, as_json: bool) -> None:
    """Print the tables of a stored run, also while it is still being played.

    Tables are standings, crosstable, effort, sweep, of an audited run audit and ranges, and of what is stored agents,
    openings, games, moves and searches.

    \b
    arena show results/run-20260102-030405.sqlite
    arena show results/run-20260102-030405.sqlite --style github
    arena show results/run-20260102-030405.sqlite --style csv --table crosstable
    """  # noqa: D301  click's \b keeps the lines
    print_report(file, style, only, as_json=as_json)


def print_report(path: Path, style: str, only: str, *, as_json: bool) -> None:
    """Print a run's tables, its faults and repetitions; of an audit the first table, or the `only` table asked for."""
    from arena.analysis.frames import Frames
    from arena.analysis.stored import STORED
    from arena.report import audit
    from arena.report import run as report

    frames = Frames.read(path)
    if as_json and not only:
        print_json(report.document(frames) | audit.part(frames))
    elif only in STORED:
        print_tables([report.stored(frames, only)], style, as_json=as_json)
    else:
        audited = audit.parts(frames) if only else [audit.kept(frames)]
        print_tables([*report.parts(frames), *audited], style, only, as_json=as_json)
    for line in report.warnings(frames):
        click.echo(line, err=True)
