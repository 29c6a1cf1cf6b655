"""The options that say how strangers live in a run, and what is said of those who cannot play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agents.errors import InputError
from arena.cli.number import Number, Whole
from arena.cli.options import gathered
from arena.cli.width import say

if TYPE_CHECKING:
    from arena.play.isolation import Isolation


@dataclass(frozen=True, slots=True)
class Apart:
    """How strangers live in a run. The fields are the options of `isolation_options`."""

    isolate: bool
    in_process: bool
    sandbox: bool
    patience: float
    """Seconds."""
    memory: int
    """Megabytes."""
    strict: bool

    def invite(self, texts: Sequence[str]) -> tuple[tuple[str, ...], Isolation]:
        """Return the agents that are named, and how strangers among them live; say who of a folder is left out.

        Raises InputError, if strict where anybody is.
        """
        from agents.remote.sandbox import bubblewrap
        from arena.play.isolation import Isolation
        from arena.play.plan import invited

        names, entries, broken, remarks = invited(texts)
        for line in broken:
            if self.strict:
                raise InputError(line)
            say(f"left out: {line}")
        for line in remarks:
            say(line)
        if self.sandbox:
            bubblewrap()
        folder = str(Path.cwd())
        return names, Isolation(
            self.patience, self.memory, self.sandbox, self.isolate, self.in_process, folder, entries
        )


isolation_options = gathered(
    "apart", Apart,
    click.option("--isolate", is_flag=True, help="Run built-in agents in processes of their own, too."),
    click.option("--in-process", is_flag=True, help="Run agents from files in this process, for a debugger."),
    click.option("--sandbox", is_flag=True, help="They have no network and no files but their own (bubblewrap)."),
    click.option(
        "--patience", type=Number(0.01, 86_400.0), default=60.0, show_default=True,
        help="Seconds that such an agent has to start, and for a move without a limit.",
    ),
    click.option(
        "--memory", type=Whole(64, 1 << 20), default=1024, show_default=True,
        help="Megabytes of memory that such an agent may use."
    ),
    click.option("--strict", is_flag=True, help="Stop if an entry of a folder or roster cannot play."),
)  # fmt: skip
