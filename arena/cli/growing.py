"""Going on with a stored run from the command line, and letting it grow."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from agents.errors import InputError
from arena.cli.isolation import Apart
from arena.cli.options import RunFileType, gathered
from arena.cli.playing import Playing, typed

if TYPE_CHECKING:
    from arena.play.tournament import Run


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
    from arena.play.growth import Growth
    from arena.play.tournament import Run

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
