"""Prints the results of commands: tables in a style, or one JSON document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agents.errors import InputError, unknown
from arena.cli.options import columns, gathered, json_option, option_value, remember, typed, with_options
from arena.cli.types import GAME_STYLE, STYLE, PlotType

if TYPE_CHECKING:
    from tqdm import tqdm

    from arena.table.parts import Part
    from arena.table.picture import Picture


@dataclass(frozen=True, slots=True)
class Output:
    """The output settings of a command; the fields are the options of `output_options`."""

    style: str
    as_json: bool
    only: str = ""
    """The only table to print."""

    def __post_init__(self) -> None:
        """Treat `--json` and `--style json` alike."""
        object.__setattr__(self, "as_json", self.as_json or self.style == "json")
        object.__setattr__(self, "style", "json" if self.as_json else self.style)

    @property
    def whole(self) -> bool:
        """Whether to print all results as one JSON document."""
        return self.as_json and not self.only

    def tables(self, parts: Sequence[Part], meta: Mapping[str, Any] | None = None) -> None:
        """Print all tables, or only the table of `only`; JSON has the rows of the first one.

        Details are left out where neither --wide nor `only` asks for them. meta: metadata for JSON, see `print_json`.
        """
        from arena.table.parts import brief
        from arena.table.render import write

        if not (self.only or option_value("wide")):
            parts = brief(parts)
        click.echo(write(parts, self.style, self.only, columns(), meta=_with_command(meta)))


def _with_command(meta: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the metadata of a document with the command line."""
    return None if meta is None else {**meta, "command": typed()}


def print_json(document: Any, meta: Mapping[str, Any] | None = None) -> None:
    """Print one JSON document, as `arena.table.styles.json_document` writes it."""
    from arena.table.styles import json_document

    click.echo(json_document(document, _with_command(meta)))


class StyleOption(click.Option):
    """The option for the style of tables; its help lists the styles, those of installed packages included."""

    def __init__(self, *words: Any, more: Sequence[str] = (), **named: Any) -> None:
        """Take styles that this command has besides."""
        super().__init__(*words, **named)
        self.more = more

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help."""
        from arena.table.styles import known

        self.help = f"How to write tables: {', '.join([*known(), *self.more])}."
        return super().get_help_record(ctx)


_style = click.option("--style", cls=StyleOption, type=STYLE, metavar="NAME", default="plain", show_default=True)
_game_style = click.option(
    "--style", cls=StyleOption, more=("pgn",), type=GAME_STYLE, metavar="NAME", default="plain", show_default=True
)
_wide = click.option(
    "--wide", is_flag=True, expose_value=False, callback=remember,
    help="Show all columns and full names, even in a narrow terminal.",
)  # fmt: skip
_table = click.option(
    "--table",
    "only",
    default="",
    metavar="NAME",
    help="Print only this table; csv prints the first.",
)
output_options = gathered("output", Output, _style, _wide, json_option)
"""Give a command an `output`."""
games_options = gathered("output", Output, _game_style, _wide, json_option)
"""The same with the style pgn, for games."""
tables_options = gathered("output", Output, _style, _wide, _table, json_option)
"""The same where there are several tables."""


# The progress bar of a command, in a terminal, and the option that forbids it.

quiet_option = click.option(
    "--quiet", "-q", is_flag=True, expose_value=False, callback=remember, help="Show no progress bar."
)  # fmt: skip


def progress(
    unit: str, total: int | None = None, *, leave: bool = False, hidden: bool = False,
    **more: Any,
) -> tqdm[Any]:  # fmt: skip
    """Return a bar of `total` steps in a unit; with `leave` it stays in the terminal, with `hidden` it is not shown."""
    from tqdm import tqdm

    off = True if hidden or option_value("quiet") else None  # None: only where stderr is no terminal
    return tqdm(total=total, unit=unit, disable=off, leave=leave, dynamic_ncols=True, **more)


# The options with which a command writes a figure beside its tables.

F = TypeVar("F", bound=Callable[..., Any])


def plot_options(*figures: str) -> Callable[[F], F]:
    """Return a decorator that adds --plot and --figure, one of these figures, to a command."""

    def known(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None and value not in figures:
            raise unknown("figure", value, figures)
        if value is not None and option_value("plot") is None:
            raise InputError(f"--figure {value} needs --plot FILE")
        remember(ctx, param, value)

    return with_options(
        click.option(
            "--plot", type=PlotType(), expose_value=False, callback=remember, is_eager=True,
            help="Also write a figure: FILE.svg, FILE.png or FILE.pdf.",
        ),
        click.option(
            "--figure", metavar="NAME", expose_value=False, callback=known,
            help=f"The figure to write: {', '.join(figures)}." + "  [default: the first there is]" * (len(figures) > 1),
        ),
    )  # fmt: skip


def plot(pictures: Callable[[], Sequence[Picture]]) -> None:
    """Write the picture of the running command's --plot, if given. Raises InputError."""
    path, name = option_value("plot"), option_value("figure")
    if path is None:
        return
    from arena.store.writing import replacing
    from arena.table.picture import FORMATS, choose

    chosen = choose(pictures(), name)
    with replacing(path) as beside:
        chosen.save(beside, FORMATS[path.suffix.lower()])
    click.echo(f"figure {chosen.name} written to {path}", err=True)
