"""`arena cite`: how a stored run was played, for a paper."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import file_argument, json_option
from arena.cli.output import print_json


@click.command("cite")
@file_argument
@click.option("--latex", is_flag=True, help="Write the paragraph for LaTeX, with \\cite.")
@json_option
def command(file: Path, *, latex: bool, as_json: bool) -> None:
    """Print a paragraph on the methods of a stored run, and the references that it cites as BibTeX.

    It says how the games were played and what the statistics are: openings, pairing, limits, stopping rule, intervals,
    machine and versions. References are named as Pandoc reads them, [@wilson1927].

    \b
    arena cite latest
    arena cite results/run-20260102-030405.sqlite --latex
    """  # noqa: D301  click's \b keeps the lines
    from arena.api.result import cite

    found = cite(file, latex=latex)
    if as_json:
        print_json({"methods": found.methods, "bibtex": found.bibtex})
    else:
        click.echo(f"{found.methods}\n\n{found.bibtex}", nl=False)
