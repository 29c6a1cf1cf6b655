"""`arena benchmark`: one row for an agent on a frozen set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.options import Command, isolation_options, say, warn, with_options, workers_option
from arena.cli.output import Output, output_options, progress, quiet_option
from arena.cli.types import PATH


@click.command("benchmark", cls=Command)
@click.argument("agents", nargs=-1, metavar="[AGENT|ROW]...")
@with_options(
    click.option(
        "--own", is_flag=True, help="Play once, with the limits of the specs: for networks, language models, solvers."
    ),
    click.option("--untimed", "timed", flag_value=False, default=True, help="Skip the budget of 20 ms a move."),
    click.option("--out", type=PATH, metavar="FOLDER", help="Write each row to a file in FOLDER, to submit it."),
    click.option(
        "--verify", "row", type=PATH, metavar="ROW",
        help="Repeat this row and print what differs; exit with 1 if anything does.",
    ),
    click.option("--sample", is_flag=True, help="With --verify: repeat only the smallest budget."),
    click.option(
        "--games", type=PATH, metavar="FOLDER",
        help="Keep the runs in FOLDER; an interrupted benchmark continues from them.",
    ),
    workers_option("Number of processes.  [default: all cores]"),
    isolation_options(),
    quiet_option,
    output_options,
)  # fmt: skip
def command(
    agents: tuple[str, ...], out: Path | None, row: Path | None, output: Output, *, sample: bool, **settings: Any
) -> int:  # fmt: skip
    """Rate AGENTs on the frozen set connect4-arena-1: one row each, to cite and to compare.

    Each agent plays six anchors of fixed ratings from 42 openings with both colours, at budgets of 1,000, 10,000 and
    100,000 nodes and of 20 ms a move, and moves in 240 solved positions. A ROW is a file that --out wrote: it is
    printed beside the others, and not played. docs/benchmark.md explains the measures and how to submit a row.

    \b
    arena benchmark 'alphabeta:heuristic=mine.py:evaluate,order=centre' --out rows
    arena benchmark bot.py:Bot --games benchmark-games/
    arena benchmark onnx:net.onnx --own
    arena benchmark results/benchmark/*.json
    arena benchmark --verify results/benchmark/greedy.json
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import benchmark as job
    from arena.cells import counted
    from arena.report.tables.measures import benchmarked

    if row is not None:
        given = {key: value for key, value in settings.items() if key in ("workers", "isolation")}
        if len(agents) > 1:
            raise click.UsageError("--verify takes at most one AGENT, for a row with a spec that names no file here")
        given |= {"agent": next(iter(agents), None), "sample": sample}
        _, again, differs = job.verify(row, progress=progress, warn=warn, **given)
        output.tables([benchmarked([again.row]), "\n".join(differs)], again.meta)
        say(f"{row}: {counted(len(differs), 'difference')}" if differs else f"{row}: the same, apart from times")
        return int(bool(differs))
    if sample:
        raise click.UsageError("--sample needs --verify ROW")
    if not agents:
        raise click.UsageError("give an AGENT, a ROW or --verify ROW")
    stored = [job.stored(Path(each)) for each in agents if each.endswith(".json")]
    playing = [each for each in agents if not each.endswith(".json")]
    meta = stored[0].meta if stored else None
    for found in job.benchmark(playing, progress=progress, warn=warn, **settings):
        stored.append(found)
        meta = found.meta
        if out is not None:
            path = out / f"{job.file_name(found.row.agent)}.json"
            out.mkdir(parents=True, exist_ok=True)
            found.write(path)
            say(f"row written to {path}")
    output.tables([benchmarked([each.row for each in stored])], meta)
    return 0
