"""Numbers that options take."""

from __future__ import annotations

import math
import re
from typing import Any

import click

SEEDS = 1 << 62
"""The largest seed."""


class Number(click.FloatRange):
    """A number within bounds; nan, which no comparison refuses, is none."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Return the number, or fail."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class Whole(click.IntRange):
    """A whole number within bounds, which the help names where they are anybody's concern."""

    name = "whole number"

    def get_metavar(self, *_: Any, **__: Any) -> str:  # noqa: ANN401  click's signature, which differs by version
        """Return what stands for it in the help."""
        return "N"

    def _describe_range(self) -> str:
        return "" if self.max is not None and self.max >= SEEDS else super()._describe_range()


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """A time such as 90s, 30m or 2h, in seconds; a number without a letter is seconds."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Return the seconds, or fail."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]+)?)([smh]?)", str(value).strip())
        seconds = float(found[1]) * {"h": 3600.0, "m": 60.0}.get(found[2], 1.0) if found else 0.0
        if not 0.0 < seconds <= 1e7:
            self.fail(f"{value!r} is not a time such as 90s, 30m or 2h", param, ctx)
        return seconds
