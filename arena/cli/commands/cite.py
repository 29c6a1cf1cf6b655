"""`arena cite`: a methods paragraph and references for a stored run."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import Command, file_argument, json_option
from arena.cli.output import print_json


@click.command("cite", cls=Command)
@file_argument
@click.option("--latex", is_flag=True, help="Write the paragraph in LaTeX, with \\cite.")
@json_option
def command(file: Path, *, latex: bool, as_json: bool) -> None:
    """Print a methods paragraph for a stored run, and BibTeX for the references that it cites.

    The paragraph states how the games were played and how the statistics are computed: openings, pairing, limits,
    stopping rule, intervals, machine and versions. It cites in Pandoc's form, [@wilson1927].

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
