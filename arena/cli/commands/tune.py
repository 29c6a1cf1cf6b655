"""`arena tune`: weights of a heuristic fitted to the truth, and the test of whether that helps."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agents.errors import InputError
from arena.cli.commands.grade import PositionsType
from arena.cli.options import INTERRUPTED, RangeType, board_option, say, with_options
from arena.cli.output import Output, print_json, progress, quiet_option, tables_options
from arena.cli.tournament import typed

if TYPE_CHECKING:
    from arena.measure.tuning.confirmation import Match
    from arena.measure.tuning.tuning import Tuning


@click.command("tune")
@click.argument("heuristic", default="")
@with_options(
    click.option("--start", metavar="N,N...", help="Weights to start from, where HEURISTIC is a name alone."),
    click.option(
        "--by", type=click.Choice(["moves", "score", "games"]), default="moves", show_default=True,
        help="moves: share of clear-cut positions answered well. score: loss of the value against the outcome. "
        "games: points against the start.",
    ),
    click.option("--search", default="alphabeta:order=centre", show_default=True, help="The search that answers."),
    click.option("--depth", type=click.IntRange(1, 64), default=4, show_default=True, help="Its plies."),
    click.option(
        "--positions", type=PositionsType(), default="4000", show_default=True,
        help="How many questions, or a file that arena label wrote: a half to train, a half held out.",
    ),
    click.option("--evaluations", type=click.IntRange(2), default=300, show_default=True, help="Heuristics to try."),
    click.option("--optimiser", type=click.Choice(["cmaes", "scipy"]), help="[default: cmaes where it is installed]"),
    click.option(
        "--confirm", type=RangeType(), metavar="RANGE", help="Depths of the games that follow.  [default: --depth]"
    ),
    click.option("--sprt", default="elo0=0,elo1=15", show_default=True, help="The test that ends them."),
    click.option("--openings", default="plies:6", show_default=True, metavar="SET", help="They start from."),
    click.option("--rounds", type=click.IntRange(0), default=2000, show_default=True, help="At most; 0: no games."),
    click.option("--seed", type=click.IntRange(0, 2**62), default=1, show_default=True, help="Decides all of it."),
    click.option(
        "--out", type=click.Path(path_type=Path), metavar="FILE",
        help="Keep what was tried and the verdict here, the games beside it.",
    ),
    click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Continue what --out kept."),
    click.option("--concurrency", "-j", type=click.IntRange(1, 1024), help="Threads, processes.  [default: all cores]"),
    board_option,
    quiet_option,
    tables_options,
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, /, output: Output, **options: Any) -> int:  # noqa: ANN401  those above
    """Search the weights of HEURISTIC for those that keep the most value, and test them against the start in games.

    HEURISTIC has its weights in parentheses: windows(1,10,100,1000), aware(40,17,15,4,2,13), mine.py:make(w4=40). Half
    of the questions choose the weights, the other half says whether they are better, games from openings that nothing
    was fitted to confirm it. What these do not show is not claimed.

    \b
    arena tune 'windows(1,10,100,1000)'
    arena tune aware --start 40,17,15,4,2,13 --confirm 4,6,8 --out tuned.jsonl
    arena tune 'mine.py:make(w4=40,w3=5)' --by games --positions 200
    """  # noqa: D301  click's \b keeps the lines
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import State, Tuning
    from arena.play.run import workers
    from arena.statistics.sprt import Sprt

    Sprt.parse(options["sprt"])
    if (resume := options["resume"]) is not None:
        state = State.resume(resume)
        task = Task.from_document(state.settings)
        if _typed(ctx, "evaluations"):
            task = replace(task, evaluations=options["evaluations"])
    else:
        task = _task(options)
        state = State.begin(None, task.document())
    tuning = Tuning(task, state)
    if resume is None and options["out"] is not None:
        tuning.state = State.begin(options["out"], task.document())
    return _tune(tuning, options, output, workers(options["concurrency"]))


def _typed(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _task(options: dict[str, Any]) -> Any:  # noqa: ANN401  a Task
    """Return the task that the options describe. Raises InputError."""
    from arena.measure.tuning.goals import Task

    given = {each.name: options[each.name] for each in fields(Task) if options.get(each.name) is not None}
    heuristic, start = options["heuristic"], options["start"]
    if not heuristic:
        raise InputError("which heuristic? arena tune 'windows(1,10,100,1000)', or --resume FILE")
    if start is not None:
        if "(" in heuristic:
            raise InputError(f"{heuristic} has its weights already; --start goes with a name alone")
        given["heuristic"] = f"{heuristic}({start})"
    if isinstance(given["positions"], Path):
        given["positions"] = str(given["positions"])
    return Task(**given)


def _tune(tuning: Tuning, options: dict[str, Any], output: Output, processes: int) -> int:
    """Search, confirm, print, and return the exit code."""
    from arena.measure.tuning.tuning import held, outcome
    from arena.report.tables import quality as report
    from arena.store.machine import load, meta

    task, used = tuning.task, load()
    matches: list[Match] = []
    code = 0
    with progress("position", desc="solving") as bar:
        train, held_out = task.sets(processes, bar.update)
    before = len(tuning.state.values)
    with progress("try", task.evaluations, initial=before) as bar:

        def tried(best: float) -> None:
            bar.set_postfix_str(f"best {best:.4f}", refresh=False)
            bar.update()

        try:
            tuning.search(train, tried)
        except KeyboardInterrupt:
            code = INTERRUPTED
    best = tuning.best()
    sets = held(tuning, train, best), held(tuning, held_out, best)
    if not code and best != tuning.family.start and options["rounds"]:
        code = _confirm(tuning, options, processes, matches)
    found = outcome(tuning, *sets, matches, meta(task.seed, typed(), used()))
    if not code:
        tuning.state.conclude(asdict(found))
    if output.as_json:
        print_json(asdict(found))
    else:
        output.tables(report.tune_parts(found))
    if code:
        kept = f"; arena tune --resume {tuning.state.path} goes on" if tuning.state.path else ""
        say(f"interrupted after {len(tuning.state.values):,} of {task.evaluations:,} heuristics{kept}")
    for match in matches:
        if match.file is not None and not output.as_json:
            say(f"games at depth {match.depth} are stored in {match.file}")
    return code


def _confirm(tuning: Tuning, options: dict[str, Any], processes: int, matches: list[Match]) -> int:
    """Play the best heuristic against the start at each depth, add what comes of it, and return the exit code."""
    from arena.measure.tuning.confirmation import confirm

    tuned, kept = tuning.family.text(tuning.best()), tuning.state.path
    with progress("game") as bar:
        try:
            for depth in options["confirm"] or [tuning.task.depth]:
                bar.set_description(f"confirming at depth {depth}")
                sides, limits = (tuned, tuning.start, depth), (options["sprt"], options["rounds"])
                matches.append(
                    confirm(tuning.task, *sides, *limits, processes, bar.update, tuning=kept, command=typed())
                )
        except KeyboardInterrupt:
            return INTERRUPTED
    return 0
