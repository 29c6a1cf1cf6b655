"""The options that several commands share, and the reading of their values."""

from __future__ import annotations

import dataclasses
import functools
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click
from click.core import ParameterSource

from agents.board import STANDARD, Board, Rules, column_text
from agents.errors import InputError
from agents.rules import MOST_FOURS, STANDARD_RULES, VARIANTS
from arena.cli.types import ANCHOR, RANGE, RULES, RUN_FILE, SEEDS, Number, Whole

if TYPE_CHECKING:
    from arena.games.progress import Workers


# Options that a command does not pass on: their values are kept in the context of the command.


def remember(ctx: click.Context, param: click.Parameter, value: object) -> None:
    """Keep the value of an option that has this callback."""
    ctx.meta[f"{__name__}.{param.name}"] = value


def option_value(name: str) -> Any:
    """Return the value of an option of the running command, or None if it has no such option."""
    context = click.get_current_context(silent=True)
    return context.meta.get(f"{__name__}.{name}") if context else None


Option = Callable[[Callable[..., Any]], Callable[..., Any]]
F = TypeVar("F", bound=Callable[..., Any])
BAD_INPUT = 2
"""The exit code for unusable input."""
INTERRUPTED = 130
"""The exit code after Ctrl-C."""


def with_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that applies click options in the order given."""

    def decorate(function: F) -> F:
        return functools.reduce(lambda inner, option: option(inner), reversed(options), function)

    return decorate


def gathered(name: str, kind: Callable[..., object], *options: Option) -> Option:
    """Return a decorator that adds options to a command, which gets their values as one object called `name`.

    kind: makes the object; it takes each value by the name of its option. For example, a dataclass or dict.
    """
    declared = with_options(*options)(lambda: None).__click_params__  # type: ignore[attr-defined]
    names = [option.name for option in declared if option.expose_value]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*words: Any, **given: Any) -> Any:
            own = {each: given.pop(each) for each in names}
            return function(*words, **{name: kind(**own)}, **given)

        return with_options(*options)(call)

    return decorate


def given(ctx: click.Context) -> dict[str, Any]:
    """Return the values of the options on the command line, by option name, such as "include-self"."""
    options = [each for each in ctx.command.params if isinstance(each, click.Option)]
    typed = [each for each in options if ctx.get_parameter_source(str(each.name)) is not ParameterSource.DEFAULT]
    return {each.opts[0].lstrip("-"): ctx.params.get(str(each.name)) for each in typed}


def typed() -> str:
    """Return the command line, quoted for a shell."""
    import shlex

    return shlex.join(["arena", *sys.argv[1:]])


class _Once:
    """What a command or a group inherits so that it refuses an option which is repeated but takes one value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line. Raises click.UsageError if it has an option twice that is not repeatable."""
        command: click.Command = self  # type: ignore[assignment]  # the class that stands beside this one
        _, _, parameters = command.make_parser(ctx).parse_args(list(args))
        options = [each for each in parameters if isinstance(each, click.Option) and not (each.multiple or each.count)]
        for option in options:
            if options.count(option) > 1 and not ctx.resilient_parsing:
                raise click.UsageError(f"{' / '.join(option.opts)} can be given only once", ctx)
        return super().parse_args(ctx, args)  # type: ignore[misc,no-any-return]  # likewise


class Command(_Once, click.Command):
    """A command. Each of its options is declared as repeatable, or is refused when it is repeated."""


class Group(_Once, click.Group):
    """A group of commands, whose options are as those of a Command."""

    command_class = Command


class GroupedCommand(Command):
    """A command that lists its options in groups: the first one with --help, all with --help-all.

    groups: the options' names by the title of their group, such as {"Games": "--rounds --seed"}, in the order of the
        help. Options without a group follow under "Other options".
    """

    def __init__(self, *words: Any, groups: Mapping[str, str], **given: Any) -> None:
        super().__init__(*words, **given)
        self.groups = groups

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, with the options that print help last."""
        return [*super().get_params(ctx), HELP_ALL]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        options = [option for option in self.get_params(ctx) if isinstance(option, click.Option)]
        records = {option.opts[0]: option.get_help_record(ctx) for option in options}
        rows = {title: [records.pop(name) for name in names.split()] for title, names in self.groups.items()}
        if not ctx.meta.get(str(HELP_ALL)):
            rows = dict([next(iter(rows.items()))])
            records = {name: record for name, record in records.items() if "help" in name or name == "-h"}
        rows["Other options"] = list(records.values())
        for title, group in rows.items():
            if shown := [record for record in group if record is not None]:
                with formatter.section(title):
                    formatter.write_dl(shown)


def _help_all(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[str(parameter)] = True
        click.echo(ctx.get_help())
        ctx.exit()


HELP_ALL = click.Option(
    ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_help_all,
    help="Show all options, and exit.",
)  # fmt: skip


_IN_PROCESS = click.option(
    "--in-process", "nobody", is_flag=True, help="Run agents from files in this process, for a debugger."
)


def limits_options(patience: float = 60.0) -> tuple[Option, ...]:
    """Return the settings for agents from files and commands, which have separate processes."""
    return (
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


LIMITS = limits_options()


def isolation_options() -> Option:
    """Give a command `isolation`: how agents from files and commands live, as `arena.games.settings.Apart` has it."""
    return gathered("isolation", dict, _IN_PROCESS, *LIMITS)


def output_of(error: BaseException | None) -> str:
    """Return the last output of the agent's process that failed, if that caused the error, or an empty text."""
    while error is not None:
        if output := getattr(error, "output", ""):
            return str(output)
        error = error.__cause__
    return ""


def say_faults(faults: Sequence[InputError]) -> int:
    """Report the agents that were left out, with the end of their output; return the exit code."""
    for error in faults:
        say(f"left out: {error}")
        say_output(output_of(error))
    return BAD_INPUT if faults else 0


file_argument = click.argument("file", type=RUN_FILE)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
anchor_option = click.option(
    "--anchor", type=ANCHOR, help="Fix this agent's rating; the others are relative to it.  [default: the mean is 0]"
)
margin_option = click.option(
    "--margin-elo", "margin", type=Number(0.0, 2000.0, min_open=True), default=30.0, show_default=True,
    help="Two agents are level if they are shown to differ by less than this, in Elo.",
)  # fmt: skip


def _under(_: click.Context, __: click.Parameter, board: Rules) -> Rules:
    """Return the board's rules, with the variant of --rules if given."""
    variant = option_value("variant")
    if variant == STANDARD_RULES and board.most_fours:
        raise InputError(f"--rules {variant} and --board {board} say different things")
    return dataclasses.replace(board, most_fours=board.most_fours or variant == MOST_FOURS)


board_option = with_options(
    click.option(
        "--board", "rules", type=RULES, callback=_under, default=str(STANDARD), show_default=True, metavar="SIZE",
        help="Board size: 6x5x4 has 6 columns, 5 rows and 4 discs in a line.",
    ),
    click.option(
        "--rules", "variant", type=click.Choice(VARIANTS), metavar="NAME", is_eager=True, callback=remember,
        expose_value=False,
        help="standard: the first four wins. most-fours: the game fills the board, and the most fours win.",
    ),
)  # fmt: skip


def _cluster(_: click.Context, __: click.Parameter, address: str | None) -> Workers:
    """Return the cluster of an option, which reports to stderr, or None."""
    from arena.games.progress import cluster_at

    return None if address is None else cluster_at(address, above_bar)


def _workers(_: click.Context, __: click.Parameter, count: int | None) -> Workers:
    """Return the cluster of --cluster, or else the number of threads or processes."""
    address = option_value("cluster")
    return count if address is None else _cluster(_, __, address)


_ON_CLUSTER = "Work on the cluster of this Dask scheduler; local:N starts N workers on this machine."
cluster_option = click.option("--cluster", "workers", metavar="HOST:PORT", callback=_cluster, help=_ON_CLUSTER)
"""The cluster as `workers`, or None."""


def concurrency_option(meaning: str) -> Option:
    """Give a command `workers`: how many --concurrency says."""
    return click.option("--concurrency", "-j", "workers", type=Whole(1, 1024), help=meaning)


def workers_option(meaning: str, *names: str) -> Option:
    """Give a command `workers`: how many --concurrency says, or as `names` call it, or the cluster of --cluster."""
    return with_options(
        click.option(
            *(names or ("--concurrency", "-j")), "workers", type=Whole(1, 1024), callback=_workers, help=meaning
        ),
        click.option(
            "--cluster", metavar="HOST:PORT", is_eager=True, expose_value=False, callback=remember, help=_ON_CLUSTER
        ),
    )  # fmt: skip


THREADS = "Number of threads.  [default: all cores]"
plies_option = click.option(
    "--plies", type=RANGE, metavar="RANGE", help="Discs on the board in these positions.  [default: 12..30 on 7x6]"
)


def seed_option(meaning: str = "Seeds all random choices.") -> Callable[[F], F]:
    """Return the option for a seed; its help says what the seed decides."""
    return click.option("--seed", type=Whole(0, SEEDS), default=1, show_default=True, help=meaning)


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

    def joined(openings: str | None, plies: int | None, repeat: int | None = None) -> str | None:
        if plies is not None:
            if openings is None or not os.path.isfile(openings):  # noqa: PTH113  Path's raises where a text is long
                raise InputError(
                    f"--plies {plies} cuts the games of a file: --openings FILE, or --openings plies:{plies}"
                )
            openings = f"{openings};plies={plies}"
        return openings if repeat is None else f"{openings};repeat={repeat}"

    return gathered("openings", joined, option, plies, *[repeat] * repeated)


# Positions as they are named on the command line and drawn, with values below the numbers of their columns.

show_board_option = click.option(
    "--show-board", is_flag=True, help="Draw the position, with each column's values below it."
)


def show(board: Board, lines: Mapping[str, Sequence[str]]) -> None:
    """Print a board and, below it, lines with a value for each column."""
    from arena.table.parts import render
    from arena.table.rows import Column

    click.echo(f"{board}\n")
    if lines:
        values = [Column(column_text(place), _value(place)) for place in range(board.rules.columns)]
        click.echo(render(list(lines.items()), [Column("column", lambda line: line[0]), *values], "plain") + "\n")


def _value(place: int) -> Callable[[tuple[str, Sequence[str]]], str]:
    return lambda line: line[1][place]


def placed(board: Board, values: Mapping[int, object]) -> list[str]:
    """Return a word for each column, given values by column from 1; "-" for a column without a value."""
    return [str(values.get(column + 1, "-")) for column in range(board.rules.columns)]


class Positions(Iterator[Board]):
    """The boards of words, each a position in any form of `arena.games.notation`, or the empty board without words.

    The word "-" stands for the positions of stdin, a line each. A line that cannot be read is named on stderr and left
    out; a word raises InputError. `over` is whether a line may be a game that is over.
    """

    def __init__(self, words: Sequence[str], rules: Rules, *, over: bool = True) -> None:
        self._over = over
        self.code = 0
        """The exit code of a command that has read all: 2 if a line could not be read, else 0."""
        self._boards = self._read(_whole_positions(words, rules), rules)

    def __next__(self) -> Board:
        return next(self._boards)

    def _read(self, words: Sequence[str], rules: Rules) -> Iterator[Board]:
        from arena.games import notation

        if not words:
            yield Board(rules)
        for word in words:
            if word == "-":
                if sys.stdin is None:
                    raise InputError("stdin is closed")
                yield from self._lines(sys.stdin, rules)
            else:
                try:
                    yield notation.position(word, rules)
                except InputError as error:
                    raise InputError(f"position {word!r}: {error}" if len(words) > 1 else str(error)) from None

    def _lines(self, lines: Iterable[str], rules: Rules) -> Iterator[Board]:
        from arena.games import notation

        for number, text in notation.numbered(lines, rules):
            try:
                board, _ = notation.line(text, rules)
            except InputError as error:
                self._leave_out(number, str(error))
                continue
            if board.outcome is None or self._over:
                yield board
            else:
                self._leave_out(number, f"the game is already over ({board.outcome})")

    def _leave_out(self, number: int, reason: str) -> None:
        self.code = 2
        above_bar(f"arena: line {number}: {reason}")


def _whole_positions(words: Sequence[str], rules: Rules) -> Sequence[str]:
    """Return words, or the one position of which they are the parts: a FEN or numbers that no quotes hold together."""
    together = " ".join(words)
    fen = len(words) > 1 and "/" in words[0] and words[1] in {"w", "b"}
    numbers = len(words) == rules.columns * rules.rows and {*words} <= {"0", "1", "2"}
    return [together] if fen or numbers or (len(words) > 1 and together[0] in "[{") else words


# The width of text, and lines on stderr that respect it.

KEPT_LINES = 10
"""The lines to show of an agent's output."""


def columns(stream: TextIO | None = None) -> int | None:
    """Return the width of the terminal, by default of stdout: the variable COLUMNS, or else the terminal's size.

    None without a terminal, such as in a pipe, and with the command's option --wide.
    """
    if option_value("wide"):
        return None
    asked = os.environ.get("COLUMNS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    shown = stream or sys.stdout
    return shutil.get_terminal_size().columns if shown is not None and shown.isatty() else None


def say(line: str, *, err: bool = True) -> None:
    """Print a line, or lines that stay lines, by default on stderr, wrapped in a terminal."""
    from arena.table.labels import harmless

    line = "\n".join(map(harmless, line.split("\n")))
    width = columns(sys.stderr if err else sys.stdout)
    if width is not None:
        from arena.table.render import wrap

        line = "\n".join(wrap(each, width) for each in line.split("\n"))
    click.echo(line, err=err)


def warn(line: str) -> None:
    """Print a warning on stderr."""
    say(f"warning: {line}")


def say_output(output: str) -> None:
    """Print the last lines of an agent's output, if any, on stderr."""
    lines = output.rstrip().splitlines()[-KEPT_LINES:]
    with suppress(OSError):  # the terminal is gone
        for line in ["the end of its output:", *(f"    {line}" for line in lines)] if lines else []:
            click.echo(line, err=True)


def above_bar(line: str) -> None:
    """Print a line above the progress bar, if one is shown."""
    from tqdm import tqdm

    with tqdm.external_write_mode(file=sys.stderr):
        say(line)
