"""The progress bar of a command, in a terminal, and the option that forbids it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from arena.cli.kept import keep, kept

if TYPE_CHECKING:
    from tqdm import tqdm

quiet_option = click.option(
    "--quiet", "-q", is_flag=True, expose_value=False, callback=keep, help="No progress bar."
)  # fmt: skip


def progress(
    unit: str, total: int | None = None, *, leave: bool = False, hidden: bool = False,
    **more: Any,  # noqa: ANN401  tqdm's own
) -> tqdm[Any]:  # fmt: skip
    """Return a bar of so many steps, which stays in the terminal with `leave` and is not shown with `hidden`."""
    from tqdm import tqdm

    off = True if hidden or kept("quiet") else None  # None: only where stderr is no terminal
    return tqdm(total=total, unit=unit, disable=off, leave=leave, dynamic_ncols=True, **more)
