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

        names, entries, broken = invited(texts)
        for line in broken:
            if self.strict:
                raise InputError(line)
            say(f"left out: {line}")
        if self.sandbox:
            bubblewrap()
        folder = str(Path.cwd())
        return names, Isolation(
            self.patience, self.memory, self.sandbox, self.isolate, self.in_process, folder, entries
        )


isolation_options = gathered(
    "apart", Apart,
    click.option("--isolate", is_flag=True, help="Our own agents play in processes of their own, too."),
    click.option("--in-process", is_flag=True, help="Agents of files play in the arena's process, to be debugged."),
    click.option("--sandbox", is_flag=True, help="No network and no files for strangers but their own (bubblewrap)."),
    click.option(
        "--patience", type=Number(0.01, 86_400.0), default=60.0, show_default=True,
        help="Seconds that a stranger has to start, and for a move where there is no limit.",
    ),
    click.option(
        "--memory", type=Whole(64, 1 << 20), default=1024, show_default=True, help="Megabytes of a stranger."
    ),
    click.option("--strict", is_flag=True, help="Stop where an entry of a folder cannot play."),
)  # fmt: skip
