"""`arena study`: an experiment in one file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from arena.cli.options import (
    Group,
    cluster_option,
    concurrency_option,
    json_option,
    output_options,
    quiet_option,
    with_options,
)
from arena.cli.output import Output, command_line
from arena.cli.types import PATH

playing_options = with_options(
    concurrency_option("Games to play at the same time.  [default: one per core, or 1 if an agent moves by the clock]"),
    cluster_option,
    quiet_option,
    output_options,
)


@click.group("study", cls=Group, invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Declare an experiment in one file, play it into a folder, and verify what others have played.

    A study names agents, games and claims. Its folder holds the runs, a page with all results, and for each claim a
    verdict: stands, falls or cannot tell.

    \b
    arena study new mine.toml       write a commented study to edit
    arena study check mine.toml     find its problems
    arena study play mine.toml      play it into the folder mine, or continue
    arena study verify mine         play it again and compare
    """  # noqa: D301  click's \b keeps the lines
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command("new", short_help="Write a commented study to edit.")
@click.argument("file", type=PATH, default="study.toml")
def new(file: Path) -> None:
    """Write a commented study to FILE, study.toml by default.

    \b
    arena study new mine.toml
    """  # noqa: D301  likewise
    from arena.plugins.study import job as study

    Output.of().say(f"written to {study.new(file)}; next: arena study check {shlex.quote(str(file))}")


@command.command("check", short_help="Find the problems of a study.")
@click.argument("file", type=PATH)
@json_option
def check(file: Path, output: Output) -> None:
    """Check the study in FILE: print its problems and what it would play. The exit code is 1 if there are problems.

    \b
    arena study check mine.toml
    """  # noqa: D301  likewise
    from dataclasses import asdict

    from arena.plugins.study import job as study
    from arena.table.cells import counted

    checked = study.check(file)
    if output.as_json:
        output.json(asdict(checked))
    else:
        click.echo(f"{checked.title}\nagents: {', '.join(checked.agents)}")
        for run in checked.runs:
            games = "cannot be played" if run["games"] is None else f"{counted(run['games'], 'game')} at most"
            click.echo(f"{run['name']}: {counted(len(run['agents']), 'agent')}, {games}")
        for number, claim in enumerate(checked.claims, start=1):
            click.echo(f"claim {number}: {claim['check']}, from {', '.join(claim['of'])}")
        click.echo("\n".join(f"problem: {line}" for line in checked.problems) or "no problems")
    if checked.problems:
        raise click.exceptions.Exit(1)


@command.command("play", short_help="Play a study into a folder, and print its verdicts.")
@click.argument("file", type=PATH)
@click.option("--out", type=PATH, help="The folder to play into.  [default: FILE without .toml]")
@playing_options
def play(file: Path, out: Path | None, workers: int | None, cluster: str | None, output: Output) -> None:
    """Play the study in FILE into a folder, or continue it, and print the verdicts on its claims.

    It prints verdicts only when all games are played: early results tempt people to stop or to go on.

    \b
    arena study play mine.toml
    arena study play mine.toml --out archive
    """  # noqa: D301  likewise
    from arena.plugins.study import job as study
    from arena.plugins.study.tables import verdicts
    from arena.table.rows import plain

    played = study.play(file, out=out, **_settings(workers, cluster, output))
    if output.whole:
        output.json({"claims": plain(played.rows), "folder": str(played.folder)})
    elif played.rows:
        output.tables([verdicts(played.rows)])
    output.say(f"written to {played.folder}: report.html, verdicts.json, runs, measured")


def _settings(workers: int | None, cluster: str | None, output: Output) -> dict[str, Any]:
    """Return who plays a study, and what it reports to."""
    from arena.games.progress import cluster_at

    report = {"progress": output.bar, "say": output.above_bar, "warn": output.warn}
    return {"workers": cluster_at(cluster, output.above_bar) or workers, "command": command_line(), **report}


@command.command("verify", short_help="Play a study again, and compare the results.")
@click.argument("folder", type=PATH)
@playing_options
def verify(folder: Path, workers: int | None, cluster: str | None, output: Output) -> None:
    """Play the study in FOLDER again on this machine, and print what differs. The exit code is 1 if anything does.

    Every game, move, node count and verdict must be the same. Times do not count, and games with clocks are not played
    again.

    \b
    arena study verify mine
    """  # noqa: D301  likewise
    from arena.plugins.study import job as study
    from arena.plugins.study.tables import differences
    from arena.table.cells import counted
    from arena.table.rows import plain

    verified = study.verify(folder, **_settings(workers, cluster, output))
    if output.whole:
        output.json({"differences": plain(verified.rows), "games": verified.games, "remarks": verified.remarks})
    else:
        output.tables([differences(verified.rows)])
        for line in verified.remarks:
            output.say(line)
        differing = counted(len(verified.rows), "difference") if verified.rows else "nothing differs"
        click.echo(f"\n{counted(verified.games, 'game')} played again: {differing}")
    if verified.rows:
        raise click.exceptions.Exit(1)
