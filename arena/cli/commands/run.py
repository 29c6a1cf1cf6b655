"""`arena run`: plays a tournament, stores it, and prints its tables."""

from __future__ import annotations

import click
from click.core import ParameterSource

from agents.board import Rules
from arena.cli.commands.show import print_report
from arena.cli.options import (
    GroupedCommand,
    Number,
    Whole,
    anchor_option,
    board_option,
    require_anchor,
    say,
    seed_option,
    with_options,
)
from arena.cli.output import Output, tables_options
from arena.cli.tournament import (
    Apart,
    Growing,
    Playing,
    growing_options,
    isolation_options,
    judge,
    place,
    play,
    playing_options,
    resumed,
    say_where,
    typed,
    verdict_options,
)
from arena.play.openings import DEFAULT_SET, shuffled


class PairType(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """Two agents, A,B; specs that contain commas are parted by v: `A v B`."""

    name = "A,B"

    def convert(
        self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return the two."""
        if isinstance(value, tuple):
            return value
        parts = value.split(" v ") if " v " in value else value.split(",")
        if len(parts) != 2:
            self.fail(f"{value!r} is not two agents: A,B or 'A v B'", param, ctx)
        return parts[0].strip(), parts[1].strip()


GROUPS = {
    "Common options": "--rounds --openings --format --seed --seconds --concurrency --out --resume",
    "Who plays whom": "--order --pair --include-self --board --rules",
    "Limits": "--nodes --margin --sprt --budget --games",
    "A stored run that grows": "--add --replay --keep",
    "Agents from files and commands": "--sandbox --patience --memory --isolate --in-process --strict",
    "After the games": "--audit --why --times --anchor --fail-on-faults --fail-if",
    "Output": "--json --style --table --wide --quiet --no-store",
    "On a cluster": "--cluster",
}
"""What `--help` lists, the options first that most people need."""


@click.command("run", cls=GroupedCommand, groups=GROUPS)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@with_options(
    click.option(
        "--openings", default=DEFAULT_SET, show_default=True, metavar="SET",
        help="plies:N (every position of N plies once up to mirror image), fair:N (those that are draws with perfect "
        "play), fair:N:pairs (those that are not, won for either side in turn) or a file of move strings.",
    ),
    click.option(
        "--rounds", type=Whole(1), default=20, show_default=True,
        help="Openings per pairing; each is played twice, colours swapped. The default with --sprt or "
        "--order uncertain: all.",
    ),
    seed_option("Seeds the openings and all random moves."),
    click.option(
        "--format", "pairing", default="round-robin", show_default=True, metavar="NAME",
        help="round-robin, gauntlet (the first agent meets every other), swiss[:ROUNDS], knockout, ladder (each agent "
        "climbs from the bottom), a format of an installed package, or FILE.py:NAME.",
    ),
    click.option(
        "--order", default="fair", show_default=True, metavar="NAME",
        help="fair: all pairings equally. uncertain: always the two neighbours whose order is least certain.",
    ),
    click.option("--pair", "pairs", type=PairType(), multiple=True, metavar="A,B",
        help="Play only this pairing. Repeatable. Separate specs that contain commas by v: 'A v B'."),
    click.option("--include-self", is_flag=True, help="Every agent also meets itself."),
    click.option("--nodes", type=Whole(1), help="Nodes that every agent may visit for a move."),
    click.option(
        "--seconds", type=Number(0.0001, 86_400.0), help="Seconds that every agent may take for a move."
    ),
    click.option(
        "--margin", type=Number(0.0, 3600.0), default=0.1, show_default=True,
        help="Seconds past the limit before the referee calls time.",
    ),
    click.option(
        "--sprt", metavar="TEST",
        help="Stop the match of two agents when the test decides: elo0=0,elo1=30[,alpha=,beta=,model=]."
    ),
    board_option,
    isolation_options,
    growing_options,
    playing_options("games"),
    verdict_options,
    anchor_option,
    tables_options,
)  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    /,
    agents: tuple[str, ...],
    openings: str,
    rounds: int,
    seed: int,
    pairing: str,
    order: str,
    pairs: tuple[tuple[str, str], ...],
    include_self: bool,
    nodes: int | None,
    seconds: float | None,
    margin: float,
    sprt: str | None,
    rules: Rules,
    apart: Apart,
    growing: Growing,
    playing: Playing,
    decisions: tuple[str, ...],
    fail_on_faults: bool,
    anchor: tuple[str, float] | None,
    output: Output,
) -> int:
    """Play a tournament between AGENTs, store it, and print its tables.

    Without agents the default field plays: minimax and alpha-beta, with and without an ordering, with two heuristics.
    An agent is NAME or NAME:key=value,key=value; depth=2..6 and heuristic=a|b stand for several agents. Agents from
    files and commands (bot.py[:Name], a folder, a roster.toml, or cmd:, uci:, pons: or theaigames: and a command) play
    in processes of their own.

    \b
    arena run greedy alphabeta:depth=2..5
    arena run 'alphabeta:depth=6,heuristic=smart-aware|powers-of-ten' --rounds 100
    arena run students/ greedy --patience 5 --sandbox --format swiss
    arena run 'cmd:./bot --fast' 'uci:./fairy-stockfish;VariantPath=variants.ini'
    arena run new.py old.py --sprt elo0=-30,elo1=0 --fail-if H0 --fail-on-faults
    arena run --resume results/run-20260102-030405.sqlite --budget 8h
    arena run --resume latest --add bot.py --rounds 40 --replay other.py
    """  # noqa: D301  click's \b keeps the lines
    from arena.play.plan import DEFAULT_FIELD, Plan
    from arena.play.run import Run

    if growing.resume is not None:
        run = resumed(ctx, growing, apart)
        if run.warning:
            say(f"warning: {run.warning}")
    else:
        if (sprt is not None or order == "uncertain") and ctx.get_parameter_source("rounds") is ParameterSource.DEFAULT:
            rounds = len(shuffled(openings, seed, rules))
        names, isolation = apart.invite(agents or DEFAULT_FIELD)
        fixed = (names, openings, rounds, seed, pairing, pairs, include_self, rules)
        plan = Plan(*fixed, nodes, seconds, margin, sprt, isolation, order=order)
        require_anchor(anchor, plan.names())
        playing.refuse_misfit(rules)
        run = Run.begin(plan, ctx.with_resource(place(playing)), typed(), jobs=playing.jobs)
    code = play(run, playing)
    frames = print_report(run.store.path, output, anchor)
    say_where(run.store.path, code, playing)
    return code or judge(frames, decisions, fail_on_faults=fail_on_faults)
