"""The options with which a command writes a figure beside its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agents.errors import InputError, unknown
from arena.cli.kept import keep, kept
from arena.cli.options import with_options

if TYPE_CHECKING:
    from arena.report.figures.picture import Picture


F = TypeVar("F", bound=Callable[..., Any])


class PlotType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """A file whose name says the format of a figure."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401, ARG002  click's signature
        """Return the path. Raises InputError where nothing can be written, before anything is measured."""
        from arena.report.figures.picture import must_be_writable

        must_be_writable(Path(value))
        return Path(value)


def plot_options(*figures: str) -> Callable[[F], F]:
    """Return a decorator that gives a command --plot and --figure, which names one of these figures."""

    def known(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None and value not in figures:
            raise unknown("figure", value, figures)
        if value is not None and kept("plot") is None:
            raise InputError(f"--figure {value} needs --plot FILE")
        keep(ctx, param, value)

    return with_options(
        click.option(
            "--plot", type=PlotType(), expose_value=False, callback=keep, is_eager=True,
            help="Also write a figure: FILE.svg, FILE.png or FILE.pdf.",
        ),
        click.option(
            "--figure", metavar="NAME", expose_value=False, callback=known,
            help="The figure to write, where a command has several; a name that is none lists them.",
        ),
    )  # fmt: skip


def plot(pictures: Callable[[], Sequence[Picture]]) -> None:
    """Write the picture that the running command's options ask for, if they do. Raises InputError."""
    path, name = kept("plot"), kept("figure")
    if path is None:
        return
    from arena.report.figures.picture import choose

    chosen = choose(pictures(), name)
    chosen.save(path)
    click.echo(f"figure {chosen.name} written to {path}", err=True)
