"""`arena agents`, `arena heuristics`, `arena orderings`: list what a spec can name."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import click

from arena.cli.options import Command, output_options
from arena.cli.output import Output

WIDTH = 100
"""Characters in a line of text, at most."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Something that specs can name."""

    name: str
    """Its name in specs."""
    summary: str
    """What it is."""
    source: str
    """Where it comes from."""


@dataclass(frozen=True, slots=True)
class ListedPart(Listed):
    """A heuristic or an ordering."""

    signature: str
    """The name, with weights if it has any."""


@dataclass(frozen=True, slots=True)
class ListedAgent(Listed):
    """A kind of agent, or a named level."""

    parameters: tuple[dict[str, object], ...] = ()
    """key, default and meaning of each."""


@click.command("agents", cls=Command)
@output_options
def agents(output: Output) -> None:
    """List every kind of agent with its parameters, and the named levels.

    \b
    arena agents
    arena agents --json
    """  # noqa: D301  click's \b keeps the lines
    from agents.specs.kinds import KINDS, LEVELS
    from agents.specs.plugins import installed

    listed = [
        ListedAgent(
            name,
            kind.summary,
            kind.source,
            tuple(
                {"key": key.replace("_", "-"), "default": parameter.default, "meaning": parameter.meaning}
                for key, parameter in kind.parameters.items()
            ),
        )
        for name, kind in KINDS.items()
    ]
    listed += [ListedAgent(name, spec, "") for name, spec in LEVELS.items()]
    listed += [ListedAgent(name, "installed", "") for name in installed("agents")]
    _print(listed, output)
    if output.style == "plain":
        click.echo("file.py:Class, and file.py:Class:key=value,…: an agent of your own")


@click.command("heuristics", cls=Command)
@output_options
def heuristics(output: Output) -> None:
    """List every heuristic; file.py:function and file.py:make(weights) name your own.

    A heuristic is a function evaluate(own, opp). own and opp are the discs of the side to move and of the other side,
    as bits. A higher value is better for the side to move; values lie within 900000 of 0.

    \b
    arena heuristics
    arena eval 4453                                     their values of a position
    arena move alphabeta:heuristic=smart-aware 4453     a search with one
    """  # noqa: D301  likewise
    _print(_parts("heuristic"), output)


@click.command("orderings", cls=Command)
@output_options
def orderings(output: Output) -> None:
    """List every move ordering; file.py:function and file.py:make(weights) name your own.

    An ordering is a function score(own, opp, column). own and opp are the discs of the side to move and of the other
    side, as bits; columns count from 0. The column with the highest score is searched first and, of equal ones, the
    nearest to the middle.

    \b
    arena orderings
    arena order 4453                           their orders in a position
    arena move alphabeta:order=centre 4453     a search with one
    """  # noqa: D301  likewise
    _print(_parts("ordering"), output)


def _parts(kind: str) -> list[ListedPart]:
    """Return the rows of all heuristics or orderings, the installed ones included."""
    from agents.specs.components import TABLES, signature
    from agents.specs.plugins import installed

    parts = TABLES[kind].items()
    listed = [ListedPart(name, row.summary, row.source, signature(name, row)) for name, row in parts]
    return listed + [ListedPart(name, "installed", "", name) for name in installed(f"{kind}s")]


def _print(listed: Sequence[Listed], output: Output) -> None:
    from arena.table.parts import Table
    from arena.table.rows import Column

    if output.style == "plain":
        for row in listed:
            _print_entry(row, min(output.width() or WIDTH, WIDTH))
    else:
        shown = [Column(name, name) for name in ("name", "summary", "source")]
        output.tables([Table("names", "", Listed, listed, shown)])


def _print_entry(row: Listed, width: int) -> None:
    """Print a name and its summary, and below them its source and its parameters, in lines of this width."""
    shown = row.signature if isinstance(row, ListedPart) else row.name
    click.echo(textwrap.fill(f"{shown}: {row.summary}", width, subsequent_indent="    "))
    if row.source:
        click.echo(textwrap.fill(row.source, width, initial_indent="    ", subsequent_indent="    "))
    for parameter in row.parameters if isinstance(row, ListedAgent) else ():
        text = f"    {parameter['key']:<12} {parameter['meaning']} [{_written(parameter['default'])}]"
        click.echo(textwrap.fill(text, width, subsequent_indent=" " * 17, break_on_hyphens=False))


def _written(default: object) -> object:
    """Return a default as specs write it; 0 and 1 are numbers."""
    return (
        {None: "none", True: "on", False: "off"}[default] if default is None or isinstance(default, bool) else default
    )
