"""Options that a command does not pass on: their values are kept where whoever acts on them asks."""

from __future__ import annotations

from typing import Any

import click


def keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
    """Keep the value of an option that has this callback."""
    ctx.meta[f"{__name__}.{param.name}"] = value


def kept(name: str) -> Any:  # noqa: ANN401  an option's value
    """Return what the running command's option of that name says; None where it has no such option."""
    context = click.get_current_context(silent=True)
    return context.meta.get(f"{__name__}.{name}") if context else None
