"""The options that several commands share, and the commands that have them."""

from __future__ import annotations

import copy
import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from agents.board import STANDARD, Rules
from agents.errors import InputError, unknown
from agents.rules import MOST_FOURS, STANDARD_RULES, VARIANTS
from arena.cli.output import Output
from arena.cli.types import ANCHOR, GAME_STYLE, PLOT, RANGE, RULES, RUN_FILE, SEEDS, STYLE, Number, Read, Whole

if TYPE_CHECKING:
    from arena.games.settings import Apart

F = TypeVar("F", bound=Callable[..., Any])
Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A decorator that adds an option to a command, or several."""


def with_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that applies click options in the order given."""

    def decorate(function: F) -> F:
        return functools.reduce(lambda inner, option: option(inner), reversed(options), function)

    return decorate


def gathered(name: str, kind: Callable[..., object], *options: Option) -> Option:
    """Return a decorator that adds options to a command, and lets it take several values as one argument.

    name: that of the argument. kind: makes the argument from all values that are named as its own parameters or fields;
    they may also be those of other options of the command.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*context: click.Context, **values: Any) -> Any:
            parts = {part: values.pop(part) for part in kind.__annotations__ if part in values}
            return function(*context, **{name: kind(**parts)}, **values)

        return with_options(*options)(call)

    return decorate


def typed_options(ctx: click.Context) -> dict[str, Any]:
    """Return the values of the options on the command line, by option name, such as "include-self"."""
    return {
        option.opts[0].lstrip("-"): ctx.params.get(str(option.name))
        for option in ctx.command.params
        if isinstance(option, click.Option)
        and ctx.get_parameter_source(str(option.name)) is not ParameterSource.DEFAULT
    }


class Command(click.Command):
    """A command. Each of its options is declared as repeatable, or is refused when it is repeated."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line. Raises click.UsageError if it has an option twice that is not repeatable."""
        _refuse_repeated(self, ctx, args)
        return super().parse_args(ctx, args)


class Group(click.Group):
    """A group of commands, whose options are as those of a Command."""

    command_class = Command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, see `Command.parse_args`."""
        _refuse_repeated(self, ctx, args)
        return super().parse_args(ctx, args)


def _refuse_repeated(command: click.Command, ctx: click.Context, args: list[str]) -> None:
    _, _, parameters = command.make_parser(ctx).parse_args(list(args))
    single = [option for option in parameters if isinstance(option, click.Option) and not option.multiple]
    for option in single:
        if single.count(option) > 1 and not ctx.resilient_parsing:
            raise click.UsageError(f"{' / '.join(option.opts)} can be given only once", ctx)


class GroupedCommand(Command):
    """A command that lists its options in groups: the first one with --help, all with --help-all.

    groups: the options' names by the title of their group, such as {"Games": "--rounds --seed"}, in the order of the
        help.
    """

    def __init__(self, *words: Any, groups: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(*words, **attributes)
        self.groups = groups
        self.shown: int | None = 1
        """The number of groups to list; None for all."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, with the options that print help last."""
        return [*super().get_params(ctx), HELP_ALL]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        options = [option for option in self.get_params(ctx) if isinstance(option, click.Option)]
        records = {name: option.get_help_record(ctx) for option in options for name in option.opts}
        groups = [*self.groups.items()][: self.shown]
        for title, names in [*groups, ("Other options", "--help --help-all")]:
            with formatter.section(title):
                formatter.write_dl([record for name in names.split() if (record := records[name])])


def _help_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        command: Any = copy.copy(ctx.command)
        command.shown = None
        click.echo(command.get_help(ctx))
        ctx.exit()


HELP_ALL = click.Option(
    ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_help_all,
    help="Show all options, and exit.",
)  # fmt: skip


# How a command prints.


class StyleOption(click.Option):
    """The option for the style of tables; its help lists the styles, those of installed packages included."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help."""
        from arena.table.styles import known

        more = ["pgn"] if self.type is GAME_STYLE else []
        self.help = f"How to write tables: {', '.join([*known(), *more])}."
        return super().get_help_record(ctx)


def _style(kind: Read) -> Option:
    return click.option("--style", cls=StyleOption, type=kind, metavar="NAME", default="plain", show_default=True)


_wide = click.option("--wide", is_flag=True, help="Show all columns and full names, even in a narrow terminal.")
_table = click.option("--table", default="", metavar="NAME", help="Print only this table; csv prints the first.")
_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
json_option = gathered("output", Output.of, _json)
"""Give a command an `output`, which has also what `quiet_option` and `plot_options` say."""
output_options = gathered("output", Output.of, _style(STYLE), _wide, _json)
"""The same with tables."""
games_options = gathered("output", Output.of, _style(GAME_STYLE), _wide, _json)
"""The same with the style pgn, for games."""
tables_options = gathered("output", Output.of, _style(STYLE), _wide, _table, _json)
"""The same where there are several tables."""
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Show no progress bar.")


def plot_options(*figures: str) -> Option:
    """Return a decorator that adds --plot and --figure, one of these figures, to a command."""

    def check(_: click.Context, __: click.Parameter, figure: str | None) -> str | None:
        if figure is not None and figure not in figures:
            raise unknown("figure", figure, figures)
        return figure

    names = f"The figure to write: {', '.join(figures)}." + "  [default: the first there is]" * (len(figures) > 1)
    return with_options(
        click.option("--plot", type=PLOT, help="Also write a figure: FILE.svg, FILE.png or FILE.pdf."),
        click.option("--figure", metavar="NAME", callback=check, help=names),
    )


# Agents from files and commands, which have separate processes.


def limits_options(patience: float = 60.0) -> Option:
    """Return the settings for such agents. patience: its default."""
    return with_options(
        click.option(
            "--sandbox", is_flag=True,
            help="Run agents from files and commands in a sandbox (bubblewrap): no network, only their own files.",
        ),
        click.option(
            "--patience", type=Number(0.01, 86_400.0), default=patience, show_default=True,
            help="Seconds for such an agent to start, and to move where no limit applies.",
        ),
        click.option(
            "--memory", type=Whole(64, 1 << 20), default=1024, show_default=True,
            help="Megabytes of memory for such an agent.",
        ),
        click.option(
            "--debug", default="", metavar="FILE", help="Append all messages to and from such agents to FILE."
        ),
    )  # fmt: skip


def apart(*, sandbox: bool, patience: float, memory: int, debug: str, nobody: bool = False) -> Apart:
    """Return how such agents live."""
    return {"sandbox": sandbox, "patience": patience, "memory": memory, "debug": debug, "nobody": nobody}


isolation_options = gathered(
    "isolation", apart,
    click.option(
        "--in-process", "nobody", is_flag=True, help="Run agents from files in this process, for a debugger."
    ),
    limits_options(),
)  # fmt: skip
"""Give a command `isolation`: how agents from files and commands live."""


# Boards, workers, openings and samples.


def _rules(rules: Rules, variant: str | None) -> Rules:
    """Return a board's rules, with the variant of --rules if given."""
    if variant == STANDARD_RULES and rules.most_fours:
        raise InputError(f"--rules {variant} and --board {rules} say different things")
    return replace(rules, most_fours=rules.most_fours or variant == MOST_FOURS)


board_option = gathered(
    "rules", _rules,
    click.option(
        "--board", "rules", type=RULES, default=str(STANDARD), show_default=True, metavar="SIZE",
        help="Board size: 6x5x4 has 6 columns, 5 rows and 4 discs in a line.",
    ),
    click.option(
        "--rules", "variant", type=click.Choice(VARIANTS), metavar="NAME",
        help="standard: the first four wins. most-fours: the game fills the board, and the most fours win.",
    ),
)  # fmt: skip
"""Give a command `rules`: those of --board and --rules."""

cluster_option = click.option(
    "--cluster", metavar="HOST:PORT",
    help="Work on the cluster of this Dask scheduler; local:N starts N workers on this machine.",
)  # fmt: skip


def concurrency_option(meaning: str, *names: str) -> Option:
    """Give a command `workers`: how many --concurrency says, or as `names` call it."""
    return click.option(*(names or ("--concurrency", "-j")), "workers", type=Whole(1, 1024), help=meaning)


def openings_option(option: Option, *, repeated: bool = False) -> Option:
    """Return the option for openings with --plies and perhaps --repeat; the command gets one text, `openings`."""
    plies = click.option(
        "--plies", type=Whole(0, 64), metavar="N", help="Cut the games of a file of openings after N plies."
    )
    repeat = click.option(
        "--repeat", type=Whole(1, 100_000), metavar="N",
        help="Play each opening N times, as so many pairs with seeds of their own, for agents with chance: --openings "
        "plies:0 --repeat 50 is 100 games from the empty board.",
    )  # fmt: skip
    return gathered("openings", _openings, option, plies, *[repeat] * repeated)


def _openings(openings: str | None, plies: int | None, repeat: int | None = None) -> str | None:
    """Return the text for openings with the plies to cut after and the number of repetitions."""
    if plies is not None:
        if openings is None or not os.path.isfile(openings):  # noqa: PTH113  Path's raises where a text is long
            raise InputError(f"--plies {plies} cuts the games of a file: --openings FILE, or --openings plies:{plies}")
        openings = f"{openings};plies={plies}"
    return openings if repeat is None else f"{openings};repeat={repeat}"


def seed_option(meaning: str = "Seeds all random choices.") -> Option:
    """Return the option for a seed; its help says what the seed decides."""
    return click.option("--seed", type=Whole(0, SEEDS), default=1, show_default=True, help=meaning)


file_argument = click.argument("file", type=RUN_FILE)
anchor_option = click.option(
    "--anchor", type=ANCHOR, help="Fix this agent's rating; the others are relative to it.  [default: the mean is 0]"
)
plies_option = click.option(
    "--plies", type=RANGE, metavar="RANGE", help="Discs on the board in these positions.  [default: 12..30 on 7x6]"
)
THREADS = "Number of threads.  [default: all cores]"
