"""The options with which a command writes a figure beside its tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agents.errors import InputError
from arena.cli.kept import keep, kept
from arena.cli.options import with_options

if TYPE_CHECKING:
    from arena.report.figures.picture import Picture


class PlotType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """A file whose name says the format of a figure."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ANN401, ARG002  click's signature
        """Return the path. Raises InputError for another format, before anything is measured."""
        from arena.report.figures.picture import must_be_format

        must_be_format(Path(value))
        return Path(value)


plot_options = with_options(
    click.option(
        "--plot", type=PlotType(), expose_value=False, callback=keep,
        help="Also write a figure: FILE.svg, FILE.png or FILE.pdf.",
    ),
    click.option(
        "--figure", metavar="NAME", expose_value=False, callback=keep,
        help="The figure to write, where a command has several; a name that is none lists them.",
    ),
)  # fmt: skip


def plot(pictures: Callable[[], Sequence[Picture]]) -> None:
    """Write the picture that the running command's options ask for, if they do. Raises InputError."""
    path, name = kept("plot"), kept("figure")
    if path is None:
        if name is not None:
            raise InputError(f"--figure {name} needs --plot FILE")
        return
    from arena.report.figures.picture import choose

    chosen = choose(pictures(), name)
    chosen.save(path)
    click.echo(f"figure {chosen.name} written to {path}", err=True)
