"""`arena audit`: every move of a stored run against perfect play."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import (
    THREADS,
    Command,
    cluster_option,
    concurrency_option,
    file_argument,
    quiet_option,
    tables_options,
    with_options,
)
from arena.cli.output import INTERRUPTED, Output

if TYPE_CHECKING:
    from arena.games.progress import Workers


@click.command("audit", cls=Command)
@file_argument
@with_options(
    concurrency_option(THREADS),
    cluster_option,
    quiet_option,
    tables_options,
)  # fmt: skip
def command(file: Path, workers: int | None, cluster: str | None, output: Output) -> int:
    """Solve every position in which an agent moved, store the values, and print how well each agent did.

    A move keeps the value of its position if a win stays a win and a draw a draw; in a lost position every move does.
    `by chance` is the share that random moves would keep in the same positions. Intervals take the openings as a
    sample.

    An interrupted audit continues where it stopped. The tables count only games that are audited to their end.

    \b
    arena audit results/run-20260102-030405.sqlite
    arena audit results/run-20260102-030405.sqlite --style github
    """  # noqa: D301  click's \b keeps the lines
    from arena.games.progress import cluster_at
    from arena.perfect import tables as report
    from arena.tournament import runs

    code = run_audit(file, cluster_at(cluster, output.above_bar) or workers, output)
    frames = runs.frames(file)
    if output.whole:
        output.json(report.audit_document(frames))
    else:
        output.tables(report.audit_parts(frames))
    if code:
        click.echo(f"interrupted; to audit the rest: arena audit {shlex.quote(str(file))}", err=True)
    elif not (output.as_json or output.table):
        click.echo(f"next: arena show {shlex.quote(str(file))} --table blunders", err=True)
    return code


def run_audit(path: Path, workers: Workers, output: Output) -> int:
    """Audit the unaudited games of a stored run, and return the exit code: 0, or 130 after an interruption."""
    from arena.perfect import audit as truth

    try:
        truth.audit(path, workers=workers, progress=output.bar)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
