"""`arena bench`: nodes per second of every search and heuristic on this machine."""

from __future__ import annotations

import click

from arena.cli.options import json_option, print_tables, style_option, with_options


@click.command("bench", short_help="Measure nodes per second of every search and heuristic.")
@with_options(click.option("--quiet", "-q", is_flag=True, help="No progress bar."), style_option, json_option)
def command(quiet: bool, style: str, as_json: bool) -> None:
    """Measure the nodes a second of every built-in search with one heuristic, and of every heuristic in one search.

    All from the empty 7x6 board, compiled and warm, the best of several. Run it with nothing else on the machine.
    """
    from tqdm import tqdm

    from arena.measure.bench import bench, benches
    from arena.report import depths as report

    specs = benches()
    rows = [bench(spec) for spec in tqdm(specs, unit="search", disable=True if quiet else None, leave=False)]
    print_tables([report.bench(rows)], style, as_json=as_json)
