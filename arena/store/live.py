"""What is being played at this moment: a small file beside a run's own, there only while it is played."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

FRESH = 10.0
"""Seconds after which the file of a run that was killed no longer counts."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A game that is being played."""

    first: str
    """The first player's name."""
    second: str
    moves: str
    """So far, the opening's included."""
    seconds: float
    """For which the one to move has been thinking."""


def beside(run: Path) -> Path:
    """Return the file's path."""
    return run.with_name(f"{run.name}-now")


def write(run: Path, games: Sequence[Playing]) -> None:
    """Write what is being played, where that is possible; a reader never sees half of it."""
    path = beside(run)
    new = path.with_name(f"{path.name}~")
    with suppress(OSError):
        new.write_text(json.dumps([asdict(game) for game in games]), encoding="utf-8")
        new.replace(path)


def read(run: Path) -> list[Playing] | None:
    """Return the games that are being played; None where no run plays."""
    path = beside(run)
    try:
        fresh = time.time() - path.stat().st_mtime < FRESH
        return [Playing(**game) for game in json.loads(path.read_text(encoding="utf-8"))] if fresh else None
    except (OSError, ValueError, TypeError):
        return None


def end(run: Path) -> None:
    """Remove the file."""
    with suppress(OSError):
        beside(run).unlink(missing_ok=True)
