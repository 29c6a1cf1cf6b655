"""What a run's page shows: its counts and last games at once, its tables once they are made, and every change."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.analysis.frames import Frames
from arena.report.run import parts
from arena.report.write import write
from arena.store.store import Store

LAST = 20
"""Games that a run's page lists."""
PAUSE = 1.0
"""Seconds between two looks at a run that is being played."""
KEPT = 16
"""Runs whose tables are kept: they take seconds where there are many thousands of games."""
GAMES = (
    "SELECT game.id AS game, one.name AS first, two.name AS second, moves, result, termination FROM game"
    " JOIN agent AS one ON one.id = first JOIN agent AS two ON two.id = second ORDER BY game.id DESC LIMIT "
)


def state(path: Path) -> dict[str, Any]:
    """Return the counts and the last games of a run; quick however many games there are. Raises InputError."""
    with Store.read(path) as store, store.snapshot():
        rules = store.rules()
        names, rows = store.select(f"{GAMES}{LAST}")
        played = store.select("SELECT count(*) FROM game")[1][0][0]
        decided = store.select("SELECT count(*) FROM sprt WHERE decision != 'continue'")[1][0][0]
        planned = store.planned()
    return {
        "played": played,
        "planned": planned,
        "done": played >= planned or decided > 0,
        "rules": {"columns": rules.columns, "rows": rules.rows, "connect": rules.connect},
        "games": [dict(zip(names, row, strict=True)) for row in rows],
    }


class Tables:
    """The tables of runs as HTML, each made once as long as its file does not change."""

    def __init__(self) -> None:
        self.kept: dict[Path, tuple[object, str]] = {}

    def of(self, path: Path) -> str:
        """Return a run's tables. Raises InputError."""
        stamp = [each.stat().st_mtime_ns for each in (path, Path(f"{path}-wal")) if each.exists()]
        if self.kept.get(path, (None, ""))[0] != stamp:
            frames = Frames.read(path)
            text = write(parts(frames), "html", whole=False) if len(frames.games) else "<p>No game is finished yet.</p>"
            text = text.replace(' style="text-align: right;"', ' class="number"')  # the policy lets no style inline
            self.kept.pop(path, None)
            self.kept[path] = stamp, text
            while len(self.kept) > KEPT:
                del self.kept[next(iter(self.kept))]
        return self.kept[path][1]

    async def events(self, path: Path, gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[str]:
        """Yield a server-sent event for each change, a comment in between, and end with the run or its reader."""
        played = -1
        yield "retry: 2000\n\n"
        while not await gone():
            try:
                now = await asyncio.to_thread(state, path)
                if now["played"] != played:
                    now["tables"] = await asyncio.to_thread(self.of, path)
                    played = now["played"]
                    yield f"data: {json.dumps(now)}\n\n"
                    if now["done"]:
                        return
                else:
                    yield ": waiting\n\n"
            except InputError:  # it is gone, or not whole at this moment
                yield ": unreadable\n\n"
            await asyncio.sleep(PAUSE)
