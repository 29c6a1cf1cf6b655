"""`arena label`: positions with their exact scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agents.board import Rules
from arena.cli.options import (
    INTERRUPTED,
    RangeType,
    Whole,
    board_option,
    cluster_of,
    cluster_option,
    json_option,
    say,
    seed_option,
    threads_option,
    with_options,
)
from arena.cli.output import print_json, progress, quiet_option

if TYPE_CHECKING:
    from arena.measure.label import Label
    from arena.measure.solve import Discs


@click.command("label")
@with_options(
    click.option("--count", type=Whole(1, 100_000_000), default=1000, show_default=True, help="How many."),
    click.option(
        "--plies", type=RangeType(), metavar="RANGE", help="How far into the game they are.  [default: 12..30 on 7x6]"
    ),
    click.option("--moves", "columns", is_flag=True, help="Also what a move in each column is worth."),
    seed_option("Draws the positions."),
    click.option(
        "--out", type=click.Path(path_type=Path), metavar="FILE",
        help="FILE.jsonl, .csv, .parquet, .txt (Pons' lines) or .json (ARENA course).  [default: lines on stdout]",
    ),
    click.option("--resume", is_flag=True, help="Keep the labels that FILE has, and add those that are missing."),
    threads_option,
    click.option(
        "--table-size", "table", type=Whole(1, 65_536), default=256, show_default=True,
        help="The threads' transposition table in MiB.",
    ),
    board_option,
    cluster_option,
    quiet_option,
    json_option,
)  # fmt: skip
def command(
    count: int,
    plies: list[int] | None,
    columns: bool,
    seed: int,
    out: Path | None,
    resume: bool,
    concurrency: int | None,
    table: int,
    rules: Rules,
    cluster: str | None,
    as_json: bool,
) -> int:
    """Draw positions, each once up to mirror image, solve them, and write each with its exact score.

    They come from games that greedy plays against itself. The seed decides them, so that more of them begin with the
    same ones. A score is that of arena solve. arena grade --positions FILE reads what is written here.

    \b
    arena label --count 10000 --plies 12..30 --moves --out labels.jsonl
    arena label --count 500 --plies 8..12 --out set.txt
    arena label --count 20000 --moves --out labels.jsonl --resume
    """  # noqa: D301  click's \b keeps the lines
    from agents.errors import InputError
    from arena.measure import label as labelled
    from arena.measure.exercises import default_plies, sample
    from arena.measure.label import label
    from arena.play.run import workers

    if out is not None:
        labelled.refuse(out, rules, columns=columns)
        if out.exists() and not resume:
            raise InputError(f"{out} exists; --resume keeps its labels, --out names another")
    elif resume:
        raise InputError("--resume goes with --out: which file's labels are to be kept?")
    found: dict[Discs, Label] = {}
    code = 0
    with progress("step", 2 * count) as bar:
        bar.set_description("drawing")
        boards = sample(count, seed, plies or default_plies(rules), rules, bar.update)
        if out is not None and resume and out.exists():
            found = labelled.known(out, rules, columns=columns)
        bar.set_description("solving")
        bar.update(sum((board.own, board.opp) in found for board in boards))
        try:
            label(boards, found, cluster_of(cluster) or workers(concurrency), table, bar.update, columns=columns)
        except KeyboardInterrupt:
            code = INTERRUPTED
    drawn = [(board.own, board.opp) for board in boards]
    rows = list({discs: found[discs] for discs in [*drawn, *found] if discs in found}.values())
    _write(rows, out, rules, as_json=as_json)
    if code:
        again = "; --resume adds the others" if out is not None and rows else ""
        click.echo(f"interrupted after {len(rows):,} of {count:,} positions{again}", err=True)
    elif out is not None:
        say(f"{len(rows):,} positions written to {out}\nnext: arena grade alphabeta --positions {out}")
    return code


def _write(rows: list[Label], out: Path | None, rules: Rules, *, as_json: bool) -> None:
    """Write the labels to the file, or lines like those of `arena solve`, and the document where that is asked for."""
    from arena.analysis.rows import plain
    from arena.measure import label as labelled

    if out is not None and rows:
        labelled.write(out, rows, rules)
    if as_json:
        print_json(plain(rows))
    elif out is None:
        for row in rows:
            worth = " ".join("-" if score is None else str(score) for score in row.columns or ())
            click.echo(f"{row.position} {row.score} {worth}".rstrip())
