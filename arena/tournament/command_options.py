"""Plays a run from the command line: its options, its progress, and the end after an interruption."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agents.errors import InputError
from arena.cli.options import Option, cluster_option, concurrency_option, gathered, quiet_option
from arena.cli.output import INTERRUPTED, Output
from arena.cli.types import DURATION, PATH, Number, Whole
from arena.games.plan import SETTINGS
from arena.plugins import ask

if TYPE_CHECKING:
    from arena.games.progress import Workers
    from arena.games.run import Run


def setting_option(name: str, *declared: str, **attributes: Any) -> Option:
    """Return the option for a setting of the plan.

    declared: its names, by default `--` and that of the setting. attributes: what differs, as of a click.Option.
    """
    setting = SETTINGS[name]
    attributes = {"help": setting.help, **attributes}
    if setting.range is not None:
        kinds: dict[Any, Any] = {int: Whole, float: Number}
        attributes["type"] = kinds[setting.type](setting.range.low, setting.range.high)
    if setting.type is bool:
        attributes["is_flag"] = True
    elif setting.default:
        attributes |= {"default": setting.default, "show_default": True}
    return click.option(*(declared or [f"--{name.replace('_', '-')}"]), **attributes)


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """The settings for playing a run, apart from its plan; the fields are the options of `playing_options`."""

    workers: int | None
    cluster: str | None
    out: Path | None
    no_store: bool
    audit: bool
    games: int | None
    budget: float | None = None
    """Seconds."""

    @contextmanager
    def place(self) -> Iterator[Path | None]:
        """Yield the file to write, or None for the default one; with --no-store yield a temporary file.

        Raises InputError for --no-store together with --out.
        """
        if not self.no_store:
            yield self.out
            return
        if self.out is not None:
            raise InputError("--no-store keeps nothing, and --out says where; choose one")
        with tempfile.TemporaryDirectory(prefix="arena-") as folder:
            yield Path(folder) / "run.sqlite"

    def again(self, path: Path) -> str:
        """Return the command that plays the rest."""
        from arena.tournament.tournaments import resume_command

        return resume_command(path, audit=self.audit)

    def play(self, run: Run, workers: Workers, output: Output) -> int:
        """Play the missing games of a run, close it, audit it if asked, and return the exit code: 0, or 130 on Ctrl-C.

        If the budget ends it early, no measurements follow. Raises InputError if it cannot go on; finished games stay
        stored, and a new run without games leaves no file.
        """
        from arena.tournament import tournaments

        try:
            whole = tournaments.play(
                run, workers, audit=self.audit, seconds=self.budget, games=self.games,
                progress=output.bar, say=output.above_bar, warn=output.warn,
            )  # fmt: skip
        except KeyboardInterrupt:
            if run.store.path.exists():
                return INTERRUPTED
            output.say("interrupted before a game had ended: nothing is stored")
            raise click.exceptions.Exit(INTERRUPTED) from None
        if not whole:
            return self._stopped(run, output)
        if not self.audit:
            return 0
        return int(ask("perfect", "command_audit:run_audit")(run.store.path, workers, output))

    def _stopped(self, run: Run, output: Output) -> int:
        """Print how to continue a run that was stopped as asked; without finished games, end the command with 0."""
        if not run.store.path.exists():
            output.say("stopped as asked; nothing was played, nothing is stored")
            if output.as_json:
                output.json({})
            raise click.exceptions.Exit(0)
        rest = "" if self.no_store else f"; to play the rest: {self.again(run.store.path)}"
        output.say(f"stopped as asked{rest}")
        return 0

    def say_where(self, path: Path, code: int) -> None:
        """Print on stderr where the run is stored and what to do next, or how to continue it after an interruption."""
        if self.no_store:
            click.echo("interrupted; nothing is stored" if code else "nothing is stored", err=True)
        elif code:
            click.echo(f"interrupted; to play the rest: {self.again(path)}", err=True)
        else:
            file = shlex.quote(str(path))
            click.echo(f"stored in {path}\nnext: arena games {file}\n      arena report {file}", err=True)


budget_option = click.option(
    "--budget", type=DURATION, help="Stop after this time (90s, 30m or 2h). arena run --resume continues."
)


def playing_options(*more: Option) -> Option:
    """Give a command the options of `PlaySettings`, which it gets as `playing`."""
    return gathered(
        "playing", PlaySettings,
        concurrency_option(
            "Games to play at the same time, each in its own process; 1 plays all in this process.  [default: one per "
            "core, or 1 if an agent moves by the clock]"
        ),
        cluster_option,
        click.option(
            "--out", type=PATH, help="The file for the run.  [default: results/run-TIME.sqlite]"
        ),
        click.option("--no-store", is_flag=True, help="Store nothing; for a quick try."),
        *more,
        click.option("--games", type=Whole(1), help="Stop after N games. arena run --resume continues."),
        click.option(
            "--audit", is_flag=True, help="Afterwards check every move against perfect play, as in arena audit."
        ),
        quiet_option,
    )  # fmt: skip
