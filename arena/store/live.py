"""The games in progress: a small file beside a run's own, which exists only while games are played."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

FRESH = 10.0
"""Seconds after which the file is ignored, because its run was probably killed."""


@dataclass(frozen=True, slots=True)
class GameInProgress:
    """A game in progress."""

    first: str
    """The first player's name."""
    second: str
    moves: str
    """The moves so far, the opening's included."""
    seconds: float
    """The time that the player to move has spent on this move."""


def beside(run: Path) -> Path:
    """Return the path of the file with a run's games in progress."""
    return run.with_name(f"{run.name}-now")


def write(run: Path, games: Sequence[GameInProgress]) -> None:
    """Replace the file with these games in one step; ignore errors of the file system, which leave no other file."""
    path = beside(run)
    new = path.with_name(f"{path.name}~")
    try:
        new.write_text(json.dumps([asdict(game) for game in games]), encoding="utf-8")
        new.replace(path)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def read(run: Path) -> list[GameInProgress] | None:
    """Return the games in progress, or None if the run is not being played."""
    path = beside(run)
    try:
        fresh = time.time() - path.stat().st_mtime < FRESH
        return [GameInProgress(**game) for game in json.loads(path.read_text(encoding="utf-8"))] if fresh else None
    except (OSError, ValueError, TypeError):
        return None


def end(run: Path) -> None:
    """Remove the file, and what a killed run left of the next one."""
    path = beside(run)
    for file in (path, path.with_name(f"{path.name}~")):
        with suppress(OSError):
            file.unlink(missing_ok=True)
