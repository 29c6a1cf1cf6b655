"""`arena submission`: an agent as one file for Kaggle's ConnectX."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import Command, seed_option
from arena.cli.types import PATH


@click.command("submission", cls=Command)
@click.argument("agent")
@click.option("--out", type=PATH, default="submission.py", show_default=True, help="The file to write.")
@seed_option()
def command(agent: str, out: Path, seed: int) -> None:
    """Write AGENT as one file for Kaggle's ConnectX, which runs without this program.

    The file holds the code of built-in agents, or a user's file with its imports, and networks. It needs numpy and
    numba, and for networks onnxruntime. A move takes at most 0.8 of Kaggle's time. A Kaggle agent plays here without a
    submission: arena run bot.py greedy.

    \b
    arena submission alphabeta:depth=12,order=open-windows,table=on
    arena submission bot.py:Bot --out submission.py
    """  # noqa: D301  click's \b keeps the lines
    from arena.plugins.bridges.kaggle import submission

    size = submission(agent, out, seed=seed)
    click.echo(f"{out}: {size:,} bytes")
