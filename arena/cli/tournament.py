"""Playing a run from the command line: the options it takes, its progress, and what happens when it is interrupted."""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from agents.errors import InputError
from arena.cli.commands.audit import run_audit
from arena.cli.options import (
    INTERRUPTED,
    Duration,
    Number,
    RunFileType,
    Whole,
    above_bar,
    cluster_option,
    gathered,
    say,
    warn,
    with_options,
)
from arena.cli.output import print_json, progress, quiet_option
from arena.cli.terminal.progress import in_words, named

if TYPE_CHECKING:
    from tqdm import tqdm

    from agents.board import Rules
    from arena.analysis.frames import Frames
    from arena.play.isolation import Isolation
    from arena.play.run import Run
    from arena.play.workers import Executor


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
    from arena.api import jobs

    processes = run.processes(playing.concurrency)
    _say_processes(playing, processes)
    names, nothing_stored = run.plan.names(), False

    @contextmanager
    def watch(bar: tqdm[Any], players: Executor) -> Iterator[None]:
        nonlocal nothing_stored
        try:
            with named(bar, names, players.live_games):
                yield
        except KeyboardInterrupt:
            _interrupted(run, in_words(names, players.live_games(), 1.0), bar)
            raise
        except InputError:
            nothing_stored = not run.store.path.exists()
            raise

    try:
        whole = jobs.play(
            run, processes, playing.cluster, times=playing.times, why=playing.why, seconds=playing.budget,
            games=playing.games, progress=progress, watch=watch, say=above_bar, warn=warn,
        )  # fmt: skip
    except KeyboardInterrupt:
        return INTERRUPTED
    except InputError as error:
        if nothing_stored:
            raise
        raise InputError(f"{error}; what was played is kept, {_again(run.store.path, playing)} continues") from error
    if not whole:
        return _stopped(run, playing)
    if not playing.audit:
        return 0
    return run_audit(run.store.path, playing.concurrency, cluster=playing.cluster)


def _say_processes(playing: Playing, processes: int) -> None:
    """Say where fewer games are played at the same time than were asked for, or than there are cores."""
    from arena.api import jobs

    if playing.concurrency is not None and processes < playing.concurrency:
        say(f"{processes} processes, as a game whose moves are timed needs a core of its own")
    elif playing.concurrency is None and playing.cluster is None and processes < jobs.threads(None):
        say("one game at a time, as agents move by the clock; -j N plays N at the same time")


def _stopped(run: Run, playing: Playing) -> int:
    """Say how a run that was stopped as asked continues; where no game had ended, the command ends here, with 0."""
    if not run.store.path.exists():
        say("stopped as asked; nothing was played, nothing is stored")
        words = click.get_current_context().params
        if words.get("as_json") or words.get("style") == "json":
            print_json({})
        raise click.exceptions.Exit(0)
    rest = "" if playing.no_store else f"; to play the rest: {_again(run.store.path, playing)}"
    say(f"stopped as asked{rest}")
    return 0


def _interrupted(run: Run, lines: Iterable[str], bar: tqdm[Any]) -> None:
    """Print which games were in hand; where no game had ended, the command ends here."""
    for line in lines:
        bar.write(line, file=sys.stderr)
    if not run.store.path.exists():
        say("interrupted before a game had ended: nothing is stored")
        raise click.exceptions.Exit(INTERRUPTED)


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


# The options for agents from files and commands, and the lines about entries that cannot play.


@dataclass(frozen=True, slots=True)
class Apart:
    """How agents from files and commands run. The fields are the options of `isolation_options`."""

    isolate: bool
    in_process: bool
    sandbox: bool
    patience: float
    """Seconds."""
    memory: int
    """Megabytes."""
    strict: bool

    def invite(self, texts: Sequence[str]) -> tuple[tuple[str, ...], Isolation]:
        """Return the names of the agents, and how those from files run; report the entries that are left out.

        Raises InputError, with `strict` also for an entry that cannot play.
        """
        from agents.remote.sandbox import bubblewrap
        from arena.api import jobs
        from arena.play.isolation import Isolation

        names, entries = jobs.invite(texts, strict=self.strict, warn=say)
        if self.sandbox:
            bubblewrap()
        folder = str(Path.cwd())
        return names, Isolation(
            self.patience, self.memory, self.sandbox, self.isolate, self.in_process, folder, entries
        )


isolation_options = gathered(
    "apart", Apart,
    click.option("--isolate", is_flag=True, help="Run built-in agents in processes of their own, too."),
    click.option("--in-process", is_flag=True, help="Run agents from files in this process, for a debugger."),
    click.option("--sandbox", is_flag=True, help="They have no network and no files but their own (bubblewrap)."),
    click.option(
        "--patience", type=Number(0.01, 86_400.0), default=60.0, show_default=True,
        help="Seconds that such an agent has to start, and for a move without a limit.",
    ),
    click.option(
        "--memory", type=Whole(64, 1 << 20), default=1024, show_default=True,
        help="Megabytes of memory that such an agent may use."
    ),
    click.option("--strict", is_flag=True, help="Stop if an entry of a folder or roster cannot play."),
)  # fmt: skip


# Going on with a stored run from the command line, and letting it grow.


@dataclass(frozen=True, slots=True)
class Growing:
    """Which stored run is to go on, if any, and how it grows. The fields are the options of `growing_options`."""

    resume: Path | None
    add: tuple[str, ...]
    replay: tuple[str, ...]
    keep: bool

    def __post_init__(self) -> None:
        """Raise InputError where a new run is to grow."""
        if self.resume is None and (self.add or self.replay or self.keep):
            raise InputError("--add, --replay and --keep are for a stored run, which --resume FILE names")


growing_options = gathered(
    "growing", Growing,
    click.option(
        "--resume", type=RunFileType(),
        help="Play the games that are missing in FILE, by its own plan. --rounds, --add and --replay extend it.",
    ),
    click.option("--add", multiple=True, metavar="AGENT", help="Add an agent to the run. Repeatable."),
    click.option(
        "--replay", multiple=True, metavar="AGENT",
        help="Play the games of this name, spec or file again; the old ones stay stored but do not count. Repeatable.",
    ),
    click.option("--keep", is_flag=True, help="Agents whose files have changed go on as if they had not."),
)  # fmt: skip


def resumed(ctx: click.Context, growing: Growing, apart: Apart) -> Run:
    """Return the stored run, grown as asked. Raises InputError where an option would change its plan otherwise."""
    from arena.play.extend import Growth
    from arena.play.run import Run

    assert growing.resume is not None
    _only_resume(ctx)
    names, isolation = apart.invite(growing.add)
    rounds = None if ctx.get_parameter_source("rounds") is ParameterSource.DEFAULT else ctx.params["rounds"]
    growth = Growth(names, isolation.entries, rounds, growing.replay, growing.keep, typed())
    return Run.resume(growing.resume, growth)


def _only_resume(ctx: click.Context) -> None:
    """Refuse what would change the plan of a run that is resumed."""
    free = {each.name for part in (Growing, Playing) for each in fields(part)} - {"out", "no_store"}
    free |= {"rounds", "decisions", "fail_on_faults", "anchor", "style", "wide", "only", "as_json", "quiet"}
    for parameter in ctx.command.params:
        name = str(parameter.name)
        if name in free or ctx.get_parameter_source(name) is ParameterSource.DEFAULT or ctx.params.get(name) == ():
            continue
        given = "agents" if isinstance(parameter, click.Argument) else parameter.opts[0]
        raise InputError(f"--resume continues the plan that is stored; {given} cannot change it")


# What makes a run fail: for programs that look at the exit code, as a continuous integration does.

UNDECIDED = "undecided"

verdict_options = with_options(
    click.option("--fail-on-faults", is_flag=True, help="Exit with 1 if an agent lost a game by its own fault."),
    click.option(
        "--fail-if", "decisions", type=click.Choice(["H0", "H1", UNDECIDED]), multiple=True,
        help="Exit with 1 if --sprt ends with this decision. Repeatable.",
    ),
)  # fmt: skip


def judge(frames: Frames, decisions: tuple[str, ...], *, fail_on_faults: bool) -> int:
    """Say on stderr what the run fails by, and return the exit code: 1, or 0. Raises InputError without a test."""
    from arena.analysis.faults import faulty
    from arena.analysis.pairings import evidence

    failures = []
    if decisions:
        if frames.plan.get("sprt") is None:
            raise InputError("--fail-if asks what a sequential test says; --sprt elo0=0,elo1=30 makes one")
        looks = evidence(frames)
        decision = looks[-1].decision if looks else "continue"
        decision = UNDECIDED if decision == "continue" else decision
        failures += [f"the sequential test says {decision}"] if decision in decisions else []
    if fail_on_faults:
        for each in faulty(frames):
            often = f"all {each.games}" if each.faults == each.games else f"{each.faults} of {each.games}"
            failures.append(f"{each.agent} lost {often} games by its own fault: {each.first}")
    for line in failures:
        say(f"failed: {line}")
    return 1 if failures else 0
