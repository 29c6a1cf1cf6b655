"""`arena show`: the tables of a stored run."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import file_argument, json_option, print_json, style_option, with_options


@click.command("show", short_help="Print the tables of a stored run.")
@file_argument
@with_options(style_option, json_option)
def command(file: Path, style: str, as_json: bool) -> None:
    """Print the tables of a stored run, also while it is still being played.

    \b
    arena show results/run-20260102-030405.sqlite
    arena show results/run-20260102-030405.sqlite --style github
    """  # noqa: D301  click's \b keeps the lines
    print_report(file, style, as_json=as_json)


def print_report(path: Path, style: str, *, as_json: bool) -> None:
    """Print a run's tables, its faults and repetitions; of an audit the first table."""
    from arena.analysis import summary
    from arena.analysis.frames import Frames
    from arena.report import audit as audit_text
    from arena.report import run as report

    frames = Frames.read(path)
    if as_json:
        print_json(report.document(frames) | audit_text.part(frames))
    else:
        click.echo("\n\n".join([report.text(frames, style), *audit_text.sections(frames, style)[:1]]))
    for line in report.warnings(frames, summary.counts(frames)):
        click.echo(line, err=True)
