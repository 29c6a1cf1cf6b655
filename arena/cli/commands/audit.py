"""`arena audit`: every move of a stored run against perfect play."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agents.errors import InputError
from arena.cli.options import (
    INTERRUPTED,
    Whole,
    cluster_option,
    file_argument,
    threads_option,
    with_options,
    workers_of,
)
from arena.cli.output import Output, plot, plot_options, print_json, progress, quiet_option, tables_options

if TYPE_CHECKING:
    from arena.analysis.frames import Frames


TABLE = 64
"""Size of the threads' table, in MiB."""


@click.command("audit")
@file_argument
@with_options(
    click.option("--strong", is_flag=True, help="Also by distance: fastest wins and slowest losses; takes longer."),
    threads_option,
    click.option(
        "--table-size", "mebibytes", type=Whole(1, 65_536), default=TABLE, show_default=True,
        help="The solver's transposition table, shared by the threads, in MiB.",
    ),
    cluster_option,
    click.option("--out", type=click.Path(path_type=Path), help="Store it in this copy, and leave FILE as it is."),
    quiet_option,
    plot_options("kept"),
    tables_options,
)  # fmt: skip
def command(
    file: Path,
    strong: bool,
    concurrency: int | None,
    mebibytes: int,
    cluster: str | None,
    out: Path | None,
    output: Output,
) -> int:
    """Solve every position that agents had to move in, store it beside the games, and print how each agent did.

    A move keeps the value of its position where a win stays a win and a draw a draw; in a lost position every move
    does. By chance is what moves at random would keep in the same positions. Intervals hold for other openings.

    With --out what is found is stored in a new copy of FILE. An audit that was stopped goes on where it was. The
    tables count the games that are audited to their end.

    \b
    arena audit results/run-20260102-030405.sqlite
    arena audit results/run-20260102-030405.sqlite --strong --style github
    """  # noqa: D301  click's \b keeps the lines
    from arena.report.figures.run import audit_pictures as pictures
    from arena.store.run_file import copy

    if output.only.isdecimal():
        raise InputError(f"--table names a table, audit or ranges; the solver's memory is --table-size {output.only}")
    if out is not None:
        copy(file, out)
        file = out
    code = run_audit(file, concurrency, strong=strong, mebibytes=mebibytes, cluster=cluster)
    frames = print_audit(file, output)
    plot(lambda: pictures(frames))
    if code:
        again = f"arena audit {'--strong ' if strong else ''}{shlex.quote(str(file))}"
        click.echo(f"interrupted; to audit the rest: {again}", err=True)
    elif not (output.as_json or output.only):
        click.echo(f"next: arena show {shlex.quote(str(file))} --blunders", err=True)
    return code


def run_audit(
    path: Path, concurrency: int | None, *, strong: bool = False, mebibytes: int = TABLE, cluster: str | None = None
) -> int:
    """Audit what is missing of a stored run, and return the exit code: 0, or 130 when it was interrupted."""
    from arena.api import jobs

    try:
        workers = workers_of(concurrency, cluster)
        jobs.audit(path, strong=strong, mebibytes=mebibytes, workers=workers, progress=progress)
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def print_audit(path: Path, output: Output) -> Frames:
    """Print a run's audit, and return what it was made from."""
    from arena.api import jobs
    from arena.report.tables import quality as report

    frames = jobs.frames(path)
    if output.whole:
        print_json(report.audit_document(frames))
    else:
        output.tables(report.audit_parts(frames))
    return frames
