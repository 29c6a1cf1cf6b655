"""`arena agents`, `arena heuristics`, `arena orderings`: what there is."""

from __future__ import annotations

import textwrap

import click

from arena.cli.options import json_option, print_json, style_option, with_options

WIDTH = 100


@click.command("agents", short_help="List the agents, their parameters and sources.")
@with_options(style_option, json_option)
def agents(style: str, as_json: bool) -> None:
    """List every kind of agent with its parameters, and the named levels."""
    from agents.plugins import installed
    from agents.registry import KINDS, LEVELS

    listed: list[dict[str, object]] = [
        {
            "name": name,
            "summary": kind.summary,
            "source": kind.source,
            "parameters": [
                {"key": key.replace("_", "-"), "default": each.default, "meaning": each.meaning}
                for key, each in kind.parameters.items()
            ],
        }
        for name, kind in KINDS.items()
    ]
    listed += [{"name": name, "summary": spec, "source": "", "parameters": []} for name, spec in LEVELS.items()]
    listed += [{"name": name, "summary": "installed", "source": "", "parameters": []} for name in installed("agents")]
    if as_json or style != "plain":
        _print(listed, style, as_json)
        return
    for row in listed:
        _print_entry(row)
        parameters = row["parameters"]
        assert isinstance(parameters, list)
        for each in parameters:
            default = {None: "none", True: "on", False: "off"}.get(each["default"], each["default"])
            click.echo(f"    {each['key']:<12} {each['meaning']} [{default}]")
    click.echo("file.py:Class, and file.py:Class:key=value,…: an agent of your own")


@click.command("heuristics", short_help="List the heuristics and their sources.")
@with_options(style_option, json_option)
def heuristics(style: str, as_json: bool) -> None:
    """List every heuristic; file.py:function and file.py:make(weights) name your own."""
    _print(_parts("heuristic"), style, as_json)


@click.command("orderings", short_help="List the move orderings and their sources.")
@with_options(style_option, json_option)
def orderings(style: str, as_json: bool) -> None:
    """List every move ordering; file.py:function and file.py:make(weights) name your own."""
    _print(_parts("ordering"), style, as_json)


def _parts(kind: str) -> list[dict[str, object]]:
    """Return the rows of all heuristics or orderings, the installed ones included."""
    from agents.names import TABLES, signature
    from agents.plugins import installed

    listed: list[dict[str, object]] = [
        {"name": name, "signature": signature(name, row), "summary": row.summary, "source": row.source}
        for name, row in TABLES[kind].items()
    ]
    others = installed(f"{kind}s")
    return listed + [{"name": name, "signature": name, "summary": "installed", "source": ""} for name in others]


def _print(listed: list[dict[str, object]], style: str, as_json: bool) -> None:
    if as_json:
        print_json(listed)
    elif style == "plain":
        for row in listed:
            _print_entry(row)
    else:
        import pandas as pd

        from arena.report.tables import render

        click.echo(render(pd.DataFrame(listed, columns=["name", "summary", "source"]), style))


def _print_entry(row: dict[str, object]) -> None:
    """Print a name, what it is and, on lines of its own, where it comes from."""
    click.echo(textwrap.fill(f"{row.get('signature', row['name'])}: {row['summary']}", WIDTH, subsequent_indent="    "))
    if row["source"]:
        click.echo(textwrap.fill(str(row["source"]), WIDTH, initial_indent="    ", subsequent_indent="    "))
