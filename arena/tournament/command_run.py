"""`arena run`: play a tournament, store it, and print its tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.options import (
    GroupedCommand,
    anchor_option,
    board_option,
    isolation_options,
    openings_option,
    tables_options,
    typed_options,
    with_options,
)
from arena.cli.output import Output, command_line
from arena.cli.types import PAIR, RUN_FILE
from arena.tournament.command_options import PlaySettings, budget_option, playing_options, setting_option
from arena.tournament.command_show import print_report

GROUPS = {
    "Common options": "--rounds --openings --plies --repeat --format --seed --seconds --concurrency --out --resume",
    "Pairings and board": "--pair --include-self --board --rules",
    "Limits": "--nodes --clock --margin --sprt --budget --games",
    "A stored run that grows": "--add --replay",
    "Agents from files and commands": "--sandbox --patience --memory --in-process --debug",
    "After the games": "--audit --anchor --fail-if",
    "Output": "--json --style --table --wide --quiet --no-store",
    "On a cluster": "--cluster",
}
"""The groups of options in `--help`, the most used first."""


@click.command("run", cls=GroupedCommand, groups=GROUPS)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@with_options(
    openings_option(setting_option("openings", metavar="SET"), repeated=True),
    setting_option("rounds"),
    setting_option("seed"),
    setting_option("format", metavar="NAME"),
    setting_option("pairs", "--pair", "pairs", type=PAIR, multiple=True, metavar="A,B"),
    setting_option("include_self"),
    setting_option("nodes"),
    setting_option("seconds"),
    setting_option("clock", metavar="SECONDS[+INC]"),
    setting_option("margin"),
    setting_option("sprt", metavar="TEST"),
    board_option,
    isolation_options,
    click.option(
        "--resume", type=RUN_FILE,
        help="Play the missing games of FILE, by its own plan. --rounds, --add and --replay extend it.",
    ),
    click.option("--add", multiple=True, metavar="AGENT", help="Add an agent to the run. Repeatable."),
    click.option(
        "--replay", multiple=True, metavar="AGENT",
        help="Delete all games of this agent, a name, spec or file, and play them again. Repeatable.",
    ),
    playing_options(budget_option),
    click.option(
        "--fail-if", "conditions", type=click.Choice(["H0", "H1", "undecided", "faults"]), multiple=True,
        help="Exit with 1 if --sprt ends with this decision, or if an agent lost a game by a fault of its own. "
        "Repeatable.",
    ),
    anchor_option,
    tables_options,
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    /,
    agents: tuple[str, ...],
    rounds: int,
    resume: Path | None,
    isolation: dict[str, Any],
    add: tuple[str, ...],
    replay: tuple[str, ...],
    playing: PlaySettings,
    conditions: tuple[str, ...],
    anchor: tuple[str, float] | None,
    output: Output,
    **plan: Any,
) -> int:
    """Play a tournament between AGENTs, store it, and print its tables.

    Without AGENTs a default field plays: minimax and alpha-beta, with and without an ordering, with two heuristics. An
    agent is NAME or NAME:key=value,key=value; depth=2..6 and heuristic=a|b stand for several agents. Agents from files
    and commands (bot.py[:Name], a folder, a roster.toml, or cmd:, uci: or pons: before a command) run in
    processes of their own.

    \b
    arena run greedy alphabeta:depth=2..5
    arena run 'alphabeta:depth=6,heuristic=smart-aware|powers-of-ten' --rounds 100
    arena run students/ greedy --patience 5 --sandbox --format swiss
    arena run 'cmd:./bot --fast' 'uci:./fairy-stockfish;VariantPath=variants.ini'
    arena run new.py old.py --sprt elo0=-30,elo1=0 --fail-if H0 --fail-if faults
    arena run tandem bot.py --clock 60+1 --openings book.pgn
    arena run mcts bot.py --openings plies:0 --repeat 50
    arena run --resume results/run-20260102-030405.sqlite --budget 8h
    arena run --resume latest --add bot.py --rounds 40 --replay other.py
    arena run --resume class.sqlite --add students/
    """  # noqa: D301  click's \b keeps the lines
    from arena.games.progress import cluster_at
    from arena.tournament import runs, tournaments

    workers = cluster_at(playing.cluster, output.above_bar) or playing.workers
    common: dict[str, Any] = {"workers": workers, "command": command_line(), "add": add, "replay": replay}
    typed = typed_options(ctx)
    if resume is not None:
        fixed = {name: value for name, value in typed.items() if name not in CHANGEABLE}
        debug, say = isolation["debug"], output.say
        run = tournaments.resumed(resume, agents, fixed, **common, debug=debug, warn=output.warn, say=say)
    else:
        if playing.audit:
            plan["rules"].refuse_most_fours("the audit")
        plan |= {"rounds": rounds} if "rounds" in typed else {}
        out = ctx.with_resource(playing.place())
        run = tournaments.begin(agents, plan, out=out, isolation=isolation, anchor=anchor, **common, warn=output.say)
    code = playing.play(run, workers, output)
    frames = print_report(run.store.path, output, anchor)
    playing.say_where(run.store.path, code)
    failures = [] if code else runs.failures(frames, conditions)
    for line in failures:
        output.say(f"failed: {line}")
    return code or int(bool(failures))


CHANGEABLE = {
    "resume", "add", "replay", "concurrency", "cluster", "budget", "games", "audit",
    "debug", "fail-if", "anchor", "style", "wide", "table", "json", "quiet",
}  # fmt: skip
"""The options that --resume allows: they do not change the plan of the stored run."""
