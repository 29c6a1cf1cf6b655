"""`arena diff`: what changed between two stored runs."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import json_option, print_json, style_option, with_options


@click.command("diff", short_help="Compare two stored runs, game by game.")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@with_options(
    click.option(
        "--fail-if", "conditions", multiple=True, metavar="CONDITION",
        help="Exit with 1 where it holds: score<-0.02 (new less old), nodes>1.05, ms>1.2 (new over old), same_nodes<1.",
    ),
    style_option,
    json_option,
)  # fmt: skip
def command(old: Path, new: Path, conditions: tuple[str, ...], style: str, as_json: bool) -> int:
    """Compare the agents that OLD and NEW share, in the games that both have: opponent, opening and colour the same.

    Scores are paired by opening. Nodes are exact: where an agent met the same position in both runs, a single node more
    or less is a change of the search.

    \b
    arena diff results/before.sqlite results/after.sqlite
    arena diff before.sqlite after.sqlite --fail-if 'score<-0.02' --fail-if 'same_nodes<1'
    """  # noqa: D301  click's \b keeps the lines
    from arena.store import Store
    from arena.views import difference
    from arena.views.frames import Frames

    frames = []
    for path in (old, new):
        with Store.read(path) as store:
            frames.append(Frames.of(store))
    rows = difference.rows(*frames)
    failures = [line for condition in conditions for line in difference.fails(rows, condition)]
    if as_json:
        print_json(rows)
    else:
        click.echo(difference.text(rows, style))
    for line in failures:
        click.echo(f"failed: {line}", err=True)
    return 1 if failures else 0
