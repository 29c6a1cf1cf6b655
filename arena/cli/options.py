"""The options that several commands share, and how what they take is read."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from agents.board import STANDARD, Rules
from agents.errors import InputError, unknown
from agents.rules import MOST_FOURS, STANDARD_RULES, VARIANTS
from arena.cli.kept import keep, kept
from arena.cli.number import SEEDS, Number, Whole

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
F = TypeVar("F", bound=Callable[..., Any])
BAD_INPUT = 2
"""The exit code where what the user gave cannot be used."""
INTERRUPTED = 130
"""The exit code after Ctrl-C."""


class RulesType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """A board size such as 7x6x4."""

    name = "COLUMNSxROWS[xCONNECT]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:  # noqa: ANN401
        """Return the rules, or fail with what is wrong."""
        try:
            return value if isinstance(value, Rules) else Rules.parse(value)
        except InputError as error:
            self.fail(str(error), param, ctx)


class RangeType(click.ParamType):  # type: ignore[type-arg]  # likewise
    """A range of whole numbers: 5, 1..8, or 3,5,7."""

    name = "RANGE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:  # noqa: ANN401
        """Return the numbers, each once, ascending."""
        if isinstance(value, list):
            return value
        numbers: list[int] = []
        for part in str(value).split(","):
            ends = re.fullmatch(r"([0-9]{1,9})(?:\.\.([0-9]{1,9}))?", part.strip())
            if ends is None:
                self.fail(f"{value!r} is not a range such as 6, 1..8 or 3,5,7", param, ctx)
            low, high = int(ends[1]), int(ends[2] or ends[1])
            if not 1 <= low <= high <= 64:
                self.fail(f"{part!r} must run upwards within 1 to 64", param, ctx)
            numbers.extend(range(low, high + 1))
        return sorted(set(numbers))


class RunFileType(click.ParamType):  # type: ignore[type-arg]  # likewise
    """A stored run: a path, or the word `latest` for the newest run in `results/`."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401, ARG002  click's signature
        """Return the path. Raises InputError where nothing is stored."""
        from arena.store.folder import run_file

        return run_file(value)


class AnchorType(click.ParamType):  # type: ignore[type-arg]  # likewise
    """An agent and its rating, AGENT=0; the last = parts them."""

    name = "AGENT=ELO"

    def convert(
        self, value: str | tuple[str, float], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        """Return the two."""
        if isinstance(value, tuple):
            return value
        agent, _, rating = value.rpartition("=")
        if not agent or re.fullmatch(r"[+-]?[0-9]{1,6}(\.[0-9]+)?", rating) is None:
            self.fail(f"{value!r} is not an agent and its rating, such as greedy=0", param, ctx)
        return agent, float(rating)


def require_anchor(anchor: tuple[str, float] | None, names: Sequence[str]) -> None:
    """Raise InputError where the anchor is none of these names, before hours are spent on games."""
    if anchor is not None and anchor[0] not in names:
        raise unknown("agent to anchor the ratings", anchor[0], names)


def with_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that applies click options in the order given."""

    def decorate(function: F) -> F:
        return functools.reduce(lambda inner, option: option(inner), reversed(options), function)

    return decorate


def gathered(name: str, kind: type, *options: Option) -> Option:
    """Return a decorator that gives a command options, and their values as one object of that name.

    kind: a dataclass; each of the options is a field of it.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*words: Any, **given: Any) -> Any:  # noqa: ANN401  whatever the command takes
            own = {each.name: given.pop(each.name) for each in dataclasses.fields(kind) if each.name in given}
            return function(*words, **{name: kind(**own)}, **given)

        return with_options(*options)(call)

    return decorate


class GroupedCommand(click.Command):
    """A command whose help lists its options in groups.

    groups: the options' names by the title of their group, such as {"Games": "--rounds --seed"}, in the order of the
        help. Options that stand in no group follow under "Other options".
    """

    def __init__(self, *words: Any, groups: Mapping[str, str], **given: Any) -> None:  # noqa: ANN401  as click's
        super().__init__(*words, **given)
        self.groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        records = {each.opts[0]: each.get_help_record(ctx) for each in options}
        rows = {title: [records.pop(name) for name in names.split()] for title, names in self.groups.items()}
        rows["Other options"] = list(records.values())
        for title, group in rows.items():
            if shown := [record for record in group if record is not None]:
                with formatter.section(title):
                    formatter.write_dl(shown)


file_argument = click.argument("file", type=RunFileType())
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
anchor_option = click.option(
    "--anchor", type=AnchorType(), help="Rate relative to this agent, which has this rating; else to the mean."
)
margin_option = click.option(
    "--margin-elo", "margin", type=Number(0.0, 2000.0, min_open=True), default=30.0, show_default=True,
    help="Two are level where they are shown to differ by less.",
)  # fmt: skip


def _under(_: click.Context, __: click.Parameter, board: Rules) -> Rules:
    """Return the board under the rules that --rules names, where it is given."""
    variant = kept("variant")
    if variant == STANDARD_RULES and board.most_fours:
        raise InputError(f"--rules {variant} and --board {board} say different things")
    return dataclasses.replace(board, most_fours=board.most_fours or variant == MOST_FOURS)


board_option = with_options(
    click.option(
        "--board", "rules", type=RulesType(), callback=_under, default=str(STANDARD), show_default=True, metavar="SIZE",
        help="Columns x rows, or columns x rows x discs in a line; :most-fours may follow.",
    ),
    click.option(
        "--rules", "variant", type=click.Choice(VARIANTS), is_eager=True, callback=keep, expose_value=False,
        help="standard: the first four wins. most-fours: the board is filled, and most fours win.",
    ),
)  # fmt: skip


threads_option = click.option("--concurrency", "-j", type=Whole(1, 1024), help="Threads.  [default: all cores]")


def seed_option(meaning: str) -> Callable[[F], F]:
    """Return the option of a seed, which decides what its help says."""
    return click.option("--seed", type=Whole(0, SEEDS), default=1, show_default=True, help=meaning)
