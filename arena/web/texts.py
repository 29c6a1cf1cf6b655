"""Texts that are made from runs' files: each made once as long as its file does not change, and one at a time.

A run of many thousands of games takes seconds to sum up. So nobody waits for that longer than they like, and of a run
that is being played a text is made again only when that takes a small part of the time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

KEPT = 8
"""Texts."""
REST = 4
"""A text that took a second rests for so many, although its file changes."""

Stamp = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """What was made of a file."""

    text: str
    stamp: Stamp
    """When the file was written last before the text was made."""
    made: float
    """By the monotonic clock."""
    took: float
    """Seconds."""


class Texts:
    """One kind of text, of any number of files."""

    def __init__(self, make: Callable[[Path], str]) -> None:
        self.make = make
        self.kept: dict[Path, Text] = {}
        self.making: dict[Path, asyncio.Task[None]] = {}
        self.turn = asyncio.Lock()

    async def of(self, path: Path, patience: float | None = None) -> str | None:
        """Return the text of a file; after so many seconds one made before, or None. Raises InputError."""
        if not self.is_fresh(path) and not self._rests(path):
            if path not in self.making:
                self.making[path] = asyncio.create_task(self._make(path))
            task = self.making[path]
            if task in (await asyncio.wait({task}, timeout=patience))[0]:
                task.result()
        return self.kept[path].text if path in self.kept else None

    def is_fresh(self, path: Path) -> bool:
        """Tell whether the text that is kept says what its file does."""
        return path in self.kept and self.kept[path].stamp == _stamp(path)

    def _rests(self, path: Path) -> bool:
        kept = self.kept.get(path)
        return kept is not None and time.monotonic() - kept.made < REST * kept.took

    async def _make(self, path: Path) -> None:
        try:
            async with self.turn:
                stamp, began = _stamp(path), time.monotonic()
                text = await asyncio.to_thread(self.make, path)
                self.kept.pop(path, None)
                self.kept[path] = Text(text, stamp, time.monotonic(), time.monotonic() - began)
                while len(self.kept) > KEPT:
                    del self.kept[next(iter(self.kept))]
        finally:
            task = self.making.pop(path)
            task.add_done_callback(lambda task: task.cancelled() or task.exception())  # perhaps nobody waits for it


def _stamp(path: Path) -> Stamp:
    """Return when a run's file was written last."""
    return tuple(each.stat().st_mtime_ns for each in (path, Path(f"{path}-wal")) if each.exists())
