"""`arena benchmark`: one row for an agent on a frozen set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.options import isolation_options, say, warn, with_options, workers_option
from arena.cli.output import Output, output_options, progress, quiet_option
from arena.cli.types import PATH


@click.command("benchmark")
@click.argument("agents", nargs=-1, metavar="[AGENT|ROW]...")
@with_options(
    click.option("--own", is_flag=True, help="Play once, as the specs say: for networks, language models, solvers."),
    click.option("--untimed", "timed", flag_value=False, default=True, help="Leave the budget of time out."),
    click.option("--out", type=PATH, metavar="FOLDER", help="Write each row to a file here, to submit or to verify."),
    click.option(
        "--verify", "row", type=PATH, metavar="ROW", help="Play this row again, and say what differs; 1 if anything."
    ),
    click.option("--sample", is_flag=True, help="With --verify: only what was played within the smallest budget."),
    click.option(
        "--games", type=PATH, metavar="FOLDER", help="Keep the runs here; an interrupted benchmark goes on from them."
    ),
    workers_option("Processes that play.  [default: all cores]"),
    isolation_options(),
    quiet_option,
    output_options,
)  # fmt: skip
def command(
    agents: tuple[str, ...], out: Path | None, row: Path | None, output: Output, *, sample: bool, **settings: Any
) -> int:  # fmt: skip
    """Rate AGENTs on the frozen set connect4-arena-1: one row each, to cite and to compare.

    Each agent meets six anchors of fixed ratings on 42 openings with both colours, within 1,000, 10,000 and 100,000
    nodes and within 20 ms a move, and moves in 240 solved positions. A ROW is a file that --out wrote: it is shown
    beside the others and not played. docs/benchmark.md says what is measured and how to submit a row.

    \b
    arena benchmark 'alphabeta:heuristic=mine.py:evaluate,order=centre' --out rows/
    arena benchmark bot.py:Bot --games benchmark-games/
    arena benchmark onnx:net.onnx --own
    arena benchmark results/benchmark/*.json
    arena benchmark --verify results/benchmark/greedy.json
    """  # noqa: D301  click's \b keeps the lines
    from arena.api import benchmark as job
    from arena.report.tables.measures import benchmarked

    if row is not None:
        given = {key: value for key, value in settings.items() if key in ("workers", "isolation")}
        if len(agents) > 1:
            raise click.UsageError("--verify takes one agent at most, where the row's own spec names no file here")
        given |= {"agent": next(iter(agents), None), "sample": sample}
        _, again, differs = job.verify(row, progress=progress, warn=warn, **given)
        output.tables([benchmarked([again.row]), "\n".join(differs)], again.meta)
        say(f"{row}: {len(differs)} things differ" if differs else f"{row}: the same but for times")
        return int(bool(differs))
    if sample:
        raise click.UsageError("--sample goes with --verify ROW")
    if not agents:
        raise click.UsageError("name an agent, a file of a row, or --verify ROW")
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
