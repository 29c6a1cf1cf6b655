"""`arena agents`, `arena heuristics`, `arena orderings`: what there is."""

from __future__ import annotations

import click

from arena.cli.options import json_option, print_json, style_option, with_options


@click.command("agents", short_help="List the agents, their parameters and sources.")
@with_options(style_option, json_option)
def agents(style: str, as_json: bool) -> None:
    """List every kind of agent with its parameters, and the named levels."""
    from agents.registry import KINDS, LEVELS
    from agents.sources import installed

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
    if as_json:
        print_json(listed)
    elif style == "plain":
        _print_agents(listed)
    else:
        _print_table([{key: row[key] for key in ("name", "summary", "source")} for row in listed], style)


def _print_agents(listed: list[dict[str, object]]) -> None:
    for row in listed:
        click.echo(f"{row['name']}: {row['summary']}" + (f" ({row['source']})" if row["source"] else ""))
        parameters = row["parameters"]
        assert isinstance(parameters, list)
        for each in parameters:
            default = {None: "none", True: "on", False: "off"}.get(each["default"], each["default"])
            click.echo(f"    {each['key']:<12} {each['meaning']} [{default}]")
    click.echo("file.py:Class, and file.py:Class:key=value,…: an agent of your own")


@click.command("heuristics", short_help="List the heuristics and their sources.")
@with_options(style_option, json_option)
def heuristics(style: str, as_json: bool) -> None:
    """List every heuristic; file.py:function names one of your own."""
    from agents.heuristics import HEURISTICS

    _print_rows([{"name": n, "summary": h.summary, "source": h.source} for n, h in HEURISTICS.items()], style, as_json)


@click.command("orderings", short_help="List the move orderings and their sources.")
@with_options(style_option, json_option)
def orderings(style: str, as_json: bool) -> None:
    """List every move ordering; file.py:function names one of your own."""
    from agents.orderings import ORDERINGS

    _print_rows([{"name": n, "summary": o.summary, "source": o.source} for n, o in ORDERINGS.items()], style, as_json)


def _print_rows(listed: list[dict[str, object]], style: str, as_json: bool) -> None:
    if as_json:
        print_json(listed)
    else:
        _print_table(listed, style)


def _print_table(listed: list[dict[str, object]], style: str) -> None:
    import pandas as pd

    from arena.views.tables import render

    click.echo(render(pd.DataFrame(listed, dtype=object), style))
