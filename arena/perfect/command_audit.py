"""`arena audit`: every move of a stored run against perfect play."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import (
    INTERRUPTED,
    THREADS,
    Command,
    file_argument,
    with_options,
    workers_option,
)
from arena.cli.output import Output, print_json, progress, quiet_option, tables_options

if TYPE_CHECKING:
    from arena.games.progress import Workers


@click.command("audit", cls=Command)
@file_argument
@with_options(
    workers_option(THREADS),
    quiet_option,
    tables_options,
)  # fmt: skip
def command(file: Path, output: Output, workers: Workers) -> int:
    """Solve every position in which an agent moved, store the values, and print how well each agent did.

    A move keeps the value of its position if a win stays a win and a draw a draw; in a lost position every move does.
    `by chance` is the share that random moves would keep in the same positions. Intervals take the openings as a
    sample.

    An interrupted audit continues where it stopped. The tables count only games that are audited to their end.

    \b
    arena audit results/run-20260102-030405.sqlite
    arena audit results/run-20260102-030405.sqlite --style github
    """  # noqa: D301  click's \b keeps the lines
    from arena.perfect import tables as report
    from arena.tournament import runs

    code = run_audit(file, workers)
    frames = runs.frames(file)
    if output.whole:
        print_json(report.audit_document(frames))
    else:
        output.tables(report.audit_parts(frames))
    if code:
        click.echo(f"interrupted; to audit the rest: arena audit {shlex.quote(str(file))}", err=True)
    elif not (output.as_json or output.only):
        click.echo(f"next: arena show {shlex.quote(str(file))} --table blunders", err=True)
    return code


def run_audit(path: Path, workers: Workers) -> int:
    """Audit the unaudited games of a stored run, and return the exit code: 0, or 130 after an interruption."""
    from arena.perfect import audit as truth

    try:
        truth.audit(path, workers=workers, progress=progress)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
