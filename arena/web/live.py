"""What a run's page shows: its counts, last games and the games in hand at once, its tables once they are made."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.errors import InputError
from arena.analysis.frames import Frames
from arena.report.html import render
from arena.report.labels import Labels
from arena.report.page.table import blocks
from arena.report.run import parts
from arena.store import now
from arena.store.store import Store
from arena.web.texts import Texts

LAST = 15
"""Games that a run's page lists."""
PAUSE = 1.0
"""Seconds between two looks at a run that is being played."""
GAMES = (
    "SELECT game.id AS game, one.name AS first, two.name AS second, moves, result, termination FROM game"
    " JOIN agent AS one ON one.id = first JOIN agent AS two ON two.id = second ORDER BY game.id DESC LIMIT "
)


def state(path: Path) -> dict[str, Any]:
    """Return the counts of a run, its last games and those in hand; quick, however many there are. Raises InputError.

    `playing` is None where nobody plays.
    """
    with Store.read(path) as store, store.snapshot():
        rules = store.rules()
        names, rows = store.select(f"{GAMES}{LAST}")
        labels = Labels.among([name for (name,) in store.select("SELECT name FROM agent ORDER BY id")[1]])
        played = store.select("SELECT count(*) FROM game")[1][0][0]
        decided = store.select("SELECT count(*) FROM sprt WHERE decision != 'continue'")[1][0][0]
        planned = store.planned()
    done = played >= planned or decided > 0
    playing = None if done else now.read(path)
    return {
        "played": played,
        "planned": planned,
        "done": done,
        "rules": asdict(rules),
        "games": [_labelled(dict(zip(names, row, strict=True)), labels) for row in rows],
        "playing": None if playing is None else [_labelled(asdict(game), labels) for game in playing],
    }


def _labelled(game: dict[str, Any], labels: Labels) -> dict[str, Any]:
    return game | {side: labels.of(game[side]) for side in ("first", "second")}


def tables(path: Path) -> str:
    """Return a run's tables as HTML. Raises InputError."""
    frames = Frames.read(path)
    shown = blocks(parts(frames)) if frames.played().agents else ["No game is finished yet."]
    return render("tables.html", whole=False, blocks=shown)


async def events(path: Path, made: Texts, gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[str]:
    """Yield a server-sent event for each change, a comment in between, and end with the run or its reader.

    made: the runs' tables, which an event has where they are others than before.
    """
    told: tuple[dict[str, Any], str | None] = {}, None
    yield "retry: 2000\n\n"
    while not await gone():
        try:
            found = await asyncio.to_thread(state, path)
            text = await made.of(path, PAUSE)
            ended = found["done"] and made.is_fresh(path)
        except InputError:  # it is gone, or not whole at this moment
            yield ": unreadable\n\n"
        else:
            told, before = (found, text or told[1]), told
            if told == before:
                yield ": waiting\n\n"
            else:
                new = {"tables": told[1]} if told[1] != before[1] else {}
                yield f"data: {json.dumps(found | new)}\n\n"
            if ended:
                yield "event: end\ndata: all\n\n"
                return
        await asyncio.sleep(PAUSE)
