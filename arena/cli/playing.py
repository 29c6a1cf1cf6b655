"""Playing a run from the command line: the options it takes, its progress, and what happens when it is interrupted."""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agents.errors import InputError
from arena.cli.audit import run_audit
from arena.cli.cluster import cluster_of, cluster_option
from arena.cli.number import Duration, Whole
from arena.cli.options import INTERRUPTED, gathered
from arena.cli.progress import progress, quiet_option
from arena.cli.thinking import in_words, named
from arena.cli.width import say

if TYPE_CHECKING:
    from tqdm import tqdm

    from agents.board import Rules
    from arena.play.tournament import Run


@dataclass(frozen=True, slots=True)
class Playing:
    """How a run is played; its plan is something else. The fields are the options of `playing_options`."""

    concurrency: int | None
    out: Path | None
    no_store: bool
    audit: bool
    times: str
    budget: float | None
    """Seconds."""
    games: int | None
    cluster: str | None
    why: bool

    @property
    def jobs(self) -> int | None:
        """How many processes here are to play: none beside this one where a cluster does."""
        return self.concurrency if self.cluster is None else 1

    def refuse_misfit(self, rules: Rules) -> None:
        """Raise InputError where the games are to be audited under rules that the solver does not know."""
        if self.audit:
            rules.refuse_most_fours("the audit")


def playing_options(times: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options of a `Playing`, which it gets as `playing`; `times` is the default of --times."""
    timing = click.option(
        "--times", type=click.Choice(["alone", "games"]), default=times, show_default=True,
        help="games: clock times from the games. alone: afterwards re-time sampled positions on one core, for fair "
        "comparison.",
    )  # fmt: skip
    return gathered("playing", Playing, *_OPTIONS, timing)


_OPTIONS = (
    click.option(
        "--concurrency", "-j", type=Whole(1, 1024),
        help="Games played at the same time, each in a process of its own; 1: all in this one.  [default: one a core, "
        "and 1 where an agent moves by the clock]",
    ),
    click.option(
        "--out", type=click.Path(path_type=Path), help="The file to write.  [default: results/run-TIME.sqlite]"
    ),
    click.option("--no-store", is_flag=True, help="Store nothing: for a quick try."),
    click.option("--budget", type=Duration(), help="Stop after this time: 90s, 30m or 2h. --resume continues."),
    click.option("--games", type=Whole(1), help="Stop after N games. --resume continues."),
    cluster_option,
    click.option(
        "--why", is_flag=True, help="Afterwards repeat every search and record its cut-offs; arena show prints them."
    ),
    click.option("--audit", is_flag=True, help="Afterwards check every move against perfect play, as in arena audit."),
    quiet_option,
)  # fmt: skip


def play(run: Run, playing: Playing) -> int:
    """Play what is missing of a run, close it, audit it if asked, and return the exit code: 0, or 130 on Ctrl-C.

    Where the budget ends it before, what follows the games is left for later. Raises InputError when it cannot go on;
    what was played is kept, and a new run that played nothing leaves no file.
    """
    from arena.play.workers import executor

    processes = run.processes(playing.concurrency)
    _say_processes(playing, processes)
    bar = progress("game", run.store.planned(), leave=True, initial=len(run.store.played()), smoothing=0.1)
    players = cluster_of(playing.cluster) or executor(processes, apart=run.setting.apart, hired=run.hired)
    names = run.plan.names()
    with run.store, bar:
        try:
            with named(bar, names, players.in_hand):
                whole = run.play(players, bar.update, seconds=playing.budget, games=playing.games)
            if whole:
                _afterwards(run, playing, processes, bar.set_description)
        except KeyboardInterrupt:
            return _interrupted(run, in_words(names, players.in_hand(), 1.0), bar)
        except InputError as error:
            if not run.store.path.exists():
                raise
            raise InputError(
                f"{error}; what was played is kept, {_again(run.store.path, playing)} continues"
            ) from error
    for name, remark in run.remarks.items():
        say(f"warning: agent {name}: {remark}")
    if not whole:
        return _stopped(run, playing)
    if not playing.audit:
        return 0
    return run_audit(run.store.path, playing.concurrency, cluster=playing.cluster)


def _say_processes(playing: Playing, processes: int) -> None:
    """Say where fewer games are played at the same time than were asked for, or than there are cores."""
    from arena.play.tournament import workers

    if playing.concurrency is not None and processes < playing.concurrency:
        say(f"{processes} processes, as a game whose moves are timed needs a core of its own")
    elif playing.concurrency is None and playing.cluster is None and processes < workers(None):
        say("one game at a time, as agents move by the clock; -j N plays N at the same time")


def _stopped(run: Run, playing: Playing) -> int:
    """Say how a run that was stopped as asked continues. Raises InputError where nothing was played, so nothing is."""
    if not run.store.path.exists():
        raise InputError("the budget ended before a game did: nothing is stored")
    rest = "" if playing.no_store else f"; to play the rest: {_again(run.store.path, playing)}"
    say(f"stopped as asked{rest}")
    return 0


def _interrupted(run: Run, lines: Iterable[str], bar: tqdm[Any]) -> int:
    """Say which games were in hand, and return the exit code; where no game had ended, the command ends here."""
    for line in lines:
        bar.write(line, file=sys.stderr)
    if not run.store.path.exists():
        say("interrupted before a game had ended: nothing is stored")
        raise click.exceptions.Exit(INTERRUPTED)
    return INTERRUPTED


def _afterwards(run: Run, playing: Playing, threads: int, describe: Callable[[str], object]) -> None:
    """Search once more as asked: a sample by turns, and what nobody has looked into yet."""
    from arena.measure.timing import time_alone
    from arena.measure.why import counting, look_into, missing

    if playing.times == "alone":
        describe("searching by turns")
        time_alone(run)
    if not playing.why:
        return
    agents = counting(run.store)
    games = missing(run.store, list(agents))
    with progress("game", len(games), desc="looking into") as bar:
        lost = look_into(run.store, agents, games, threads, bar.update)
    if lost:
        say(f"warning: {lost} moves were not searched as they were then, and nothing is said of them")


def typed() -> str:
    """Return the command line, as a shell would take it again."""
    return shlex.join(["arena", *sys.argv[1:]])


@contextmanager
def place(playing: Playing) -> Iterator[Path | None]:
    """Yield the file to write, None for the default one; of a run that is not to be stored one that vanishes.

    Raises InputError where both are asked for.
    """
    if not playing.no_store:
        yield playing.out
        return
    if playing.out is not None:
        raise InputError("--no-store keeps nothing, and --out says where; choose one")
    with tempfile.TemporaryDirectory(prefix="arena-") as folder:
        yield Path(folder) / "run.sqlite"


def say_where(path: Path, code: int, playing: Playing) -> None:
    """Say on stderr where the run is stored and what to do with it, or how it continues after an interruption."""
    if playing.no_store:
        click.echo("interrupted; nothing is stored" if code else "nothing is stored", err=True)
    elif code:
        click.echo(f"interrupted; to play the rest: {_again(path, playing)}", err=True)
    else:
        file = shlex.quote(str(path))
        click.echo(f"stored in {path}\nnext: arena games {file}\n      arena report {file}", err=True)


def _again(path: Path, playing: Playing) -> str:
    then = [" --times alone"] * (playing.times == "alone") + [" --why"] * playing.why + [" --audit"] * playing.audit
    return f"arena run --resume {shlex.quote(str(path))}{''.join(then)}"
