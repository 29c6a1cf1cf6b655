"""Playing a run from the command line: the options it takes, its progress, and what happens when it is interrupted."""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agents.errors import InputError
from arena.cli.audit import run_audit
from arena.cli.options import INTERRUPTED, with_options
from arena.cli.thinking import in_words, named
from arena.cli.width import say

if TYPE_CHECKING:
    from arena.play.tournament import Run


playing_options = with_options(
    click.option(
        "--concurrency", "-j", type=click.IntRange(1, 1024), help="Processes; 1 is this one.  [default: all cores]"
    ),
    click.option(
        "--out", type=click.Path(path_type=Path), help="The file to write.  [default: results/run-TIME.sqlite]"
    ),
    click.option("--no-store", is_flag=True, help="Keep nothing of it: for a quick try."),
    click.option("--audit", is_flag=True, help="Then hold every move against perfect play; see arena audit."),
    click.option(
        "--times", type=click.Choice(["alone", "games"]), default=None,
        help="alone: then search a sample of the positions by turns on one core, so that times can be compared.  "
        "[default: alone in compare, else games]",
    ),
    click.option("--quiet", "-q", is_flag=True, help="No progress bar."),
)  # fmt: skip


def play(run: Run, concurrency: int | None, *, audit: bool, quiet: bool, alone: bool = False) -> int:
    """Play what is missing of a run, close it, audit it if asked, and return the exit code: 0, or 130 on Ctrl-C.

    alone: whether a sample of its positions is then searched by turns. Raises InputError when it cannot go on; what was
    played is kept, and a new run that played nothing leaves no file.
    """
    from tqdm import tqdm

    from arena.measure.timing import time_alone
    from arena.play.workers import executor

    processes = run.processes(concurrency)
    if concurrency is not None and processes < concurrency:
        click.echo(f"{processes} processes, as a game whose moves are timed needs a core of its own", err=True)

    bar = tqdm(
        total=run.store.planned(),
        initial=len(run.store.played()),
        unit="game",
        disable=True if quiet else None,
        dynamic_ncols=True,
        smoothing=0.1,
    )
    players, names = executor(processes, apart=run.setting.apart), run.plan.names()
    with run.store, bar:
        try:
            with named(bar, names, players.thinking):
                run.play(players, bar.update)
            if alone:
                bar.set_description("searching by turns")
                time_alone(run)
        except KeyboardInterrupt:
            for line in in_words(names, players.thinking(), 1.0):
                bar.write(line, file=sys.stderr)
            return INTERRUPTED
        except InputError as error:
            if not run.store.path.exists():
                raise
            raise InputError(
                f"{error}; what was played is kept, {_again(run.store.path, audit=audit)} continues"
            ) from error
    for name, remark in run.remarks.items():
        say(f"warning: agent {name}: {remark}")
    return run_audit(run.store.path, concurrency, quiet=quiet) if audit else 0


def typed() -> str:
    """Return the command line, as a shell would take it again."""
    return shlex.join(["arena", *sys.argv[1:]])


@contextmanager
def place(out: Path | None, *, no_store: bool) -> Iterator[Path | None]:
    """Yield the file to write, None for the default one; of a run that is not to be stored one that vanishes.

    Raises InputError where both are asked for.
    """
    if not no_store:
        yield out
        return
    if out is not None:
        raise InputError("--no-store keeps nothing, and --out says where; choose one")
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        yield Path(folder) / "run.sqlite"


def say_where(path: Path, code: int, *, audit: bool, no_store: bool = False) -> None:
    """Say on stderr where the run is stored and what to do with it, or how it continues after an interruption."""
    if no_store:
        click.echo("interrupted; nothing is stored" if code else "nothing is stored", err=True)
    elif code:
        click.echo(f"interrupted; to play the rest: {_again(path, audit=audit)}", err=True)
    else:
        file = shlex.quote(str(path))
        click.echo(f"stored in {path}\nnext: arena games {file}, arena report {file}", err=True)


def _again(path: Path, *, audit: bool) -> str:
    return f"arena run --resume {shlex.quote(str(path))}{' --audit' if audit else ''}"
